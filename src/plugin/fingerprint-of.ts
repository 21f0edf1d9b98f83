import { createHash } from 'node:crypto';
import type { Options } from '../options.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { GENERATOR } from '../version.ts';

/** Credentials are left out: another key does not change what is built. Another catalog does, also one from the environment. */
export function fingerprintOf(options: Options, { catalog }: ResolvedOptions): string {
  const { svg, aliases, framework, defaults, licenses, attribution } = options;
  const shaping = [svg, aliases, framework, defaults, licenses, attribution];
  const address =
    catalog.kind === 'embedded'
      ? [catalog.embedded.sets, catalog.embedded.folders]
      : catalog.baseUrl;
  const text = JSON.stringify(
    [GENERATOR.version, catalog.kind, address, shaping],
    (_, value: unknown) => (typeof value === 'function' ? String(value) : value),
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
