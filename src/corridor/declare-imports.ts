import type { Declaration } from '../declare/declaration.ts';
import { parseRequest } from '../request/parse-request.ts';
import { isSetSpecifier, parseSet } from '../request/icon-set.ts';
import { isCreditsSpecifier } from '../request/specifier.ts';
import type { LoadContext } from './load-icon.ts';
import { describeImport, formOf } from './describe-import.ts';
import { declarationsPath, writeDeclarations } from './write-declarations.ts';

/**
 * Tells TypeScript of imports, spelled as written, where the project has use for it. An icon that cannot be had is left
 * out: whoever imports it hears of it elsewhere.
 *
 * @param options.keep what is declared already stays. @default true
 * @returns true where `icon-catalog.d.ts` was written
 */
export async function declareImports(
  specifiers: Iterable<string>,
  context: LoadContext,
  { keep = true }: { keep?: boolean } = {},
): Promise<boolean> {
  const path = await declarationsPath(context.options.root);
  if (path === undefined) return false;
  const described = await Promise.all(
    [...new Set(specifiers)]
      .filter((specifier) => !isCreditsSpecifier(specifier))
      .map((specifier) => describe(specifier, context).catch(() => undefined)),
  );
  const known = described.filter((one) => one !== undefined);
  return writeDeclarations(path, known, { keep });
}

async function describe(specifier: string, context: LoadContext): Promise<Declaration> {
  if (!isSetSpecifier(specifier))
    return describeImport(specifier, parseRequest(specifier, context.options), context);
  const map = parseSet(specifier).members.map(({ key, specifier: member }) => {
    const value = formOf(parseRequest(member, context.options), context.options);
    return [key, value] as const;
  });
  return { specifier, form: { map } };
}
