import { runtimeCode } from '../emit/component/component-code.ts';
import { isSharedSpecifier } from '../request/specifier.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { SessionModule } from './session-types.ts';

/** What components of one framework have in common; `undefined` for an icon. */
export function sharedModule(
  id: string,
  { framework }: ResolvedOptions,
): SessionModule | undefined {
  if (!isSharedSpecifier(id) || typeof framework !== 'string') return undefined;
  const code = runtimeCode(id, framework);
  return code === undefined ? undefined : { kind: 'code', code };
}
