import { isSetSpecifier, parseSet } from '../request/icon-set.ts';
import { parseRequest } from '../request/parse-request.ts';
import { ICON_PREFIX } from '../request/specifier.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { IconRequest } from '../types.ts';

/**
 * Icons as people write them on a command line: `123`, `house`, `icon:123?filetype=png`, `icon:set?ids=1,2`.
 * @throws IconCatalogError SPECIFIER_INVALID with the nearest spelling
 */
export function readNames(written: string, options: ResolvedOptions): IconRequest[] {
  const specifier = written.startsWith(ICON_PREFIX) ? written : `${ICON_PREFIX}${written}`;
  const specifiers = isSetSpecifier(specifier)
    ? parseSet(specifier).members.map((member) => member.specifier)
    : [specifier];
  return specifiers.map((one) => parseRequest(one, options));
}
