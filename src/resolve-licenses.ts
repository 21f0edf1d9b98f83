import { isSpdxId, nearestSpdxId, spdxIds } from './attribution/spdx-ids.ts';
import { IconCatalogError } from './errors.ts';
import type { LicenseAssertion, LicenseOptions } from './options.ts';
import { idOfName } from './request/icon-name.ts';
import { suggest } from './request/suggest.ts';

export interface ResolvedLicenses {
  allow: string[] | undefined;
  unknown: 'error' | 'warn';
  /** By icon id, `collection:<id>` or value of `license_description`. */
  assert: Record<string, LicenseAssertion>;
  terms: LicenseOptions['terms'] | undefined;
}

/** The values of `license_description` that the interface names. */
const WORDS = ['creative-commons-attribution', 'public-domain'];

/** @throws IconCatalogError OPTIONS_INVALID for a policy that would never apply, or that contradicts itself */
export function resolveLicenses(
  { allow, unknown = 'error', assert = {}, terms }: LicenseOptions,
  { aliases, hasNames }: { aliases: Readonly<Record<string, number>>; hasNames: boolean },
): ResolvedLicenses {
  for (const value of allow ?? []) checkAllowed(value, unknown);
  const resolved = new Map<string, { written: string; assertion: LicenseAssertion }>();
  for (const [written, assertion] of Object.entries(assert)) {
    const key = resolveKey(written, { aliases, hasNames });
    const before = resolved.get(key);
    if (before !== undefined && !isSame(before.assertion, assertion)) {
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `\`licenses.assert\` says two things of icon ${key}: under ${JSON.stringify(before.written)} and under ${JSON.stringify(written)}.`,
        remedy: 'Leave one of them out.',
        path: `licenses.assert.${written}`,
      });
    }
    resolved.set(key, { written, assertion });
  }
  return {
    allow,
    unknown,
    assert: Object.fromEntries([...resolved].map(([key, { assertion }]) => [key, assertion])),
    terms,
  };
}

/** A value that no icon can have would refuse every icon it was meant to allow. */
function checkAllowed(value: string, unknown: 'error' | 'warn'): void {
  if (WORDS.includes(value) || isSpdxId(value) || value.startsWith('LicenseRef-')) return;
  const nearest = nearestSpdxId(value) ?? suggest(dashed(value), [...WORDS, ...spdxIds()]);
  // With `warn` an icon may ship whatever the catalog says of it, and a value may be a word of the catalog's own.
  if (unknown === 'warn' && nearest === undefined) return;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `\`licenses.allow\` lists ${JSON.stringify(value)}, which no icon can have that may ship: it is neither ${WORDS.join(' nor ')} nor an SPDX licence identifier.`,
    remedy:
      nearest === undefined
        ? "Write the identifier of the licence. To let icons ship whose licence is not known, say in `licenses.assert` what it is, or set `licenses.unknown: 'warn'`."
        : `Did you mean ${JSON.stringify(nearest)}?`,
    path: 'licenses.allow',
  });
}

/** `CC BY 4.0` as an identifier would be written. */
const dashed = (value: string): string => value.trim().replaceAll(/[\s_]+/g, '-');

function resolveKey(
  written: string,
  { aliases, hasNames }: { aliases: Readonly<Record<string, number>>; hasNames: boolean },
): string {
  if (Object.hasOwn(aliases, written)) return String(aliases[written]);
  if (/^\d+$/.test(written)) return String(BigInt(written));
  const named = hasNames ? idOfName(written) : undefined;
  if (named !== undefined) return String(named);
  if (/^collection:\d+$/.test(written)) return written;
  const near = isSpdxId(written) ? undefined : suggest(written, Object.keys(aliases));
  const isCollection = /^collections?:/i.test(written);
  if (near === undefined && !isCollection) return written;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `\`licenses.assert\` has the key ${JSON.stringify(written)}, which is neither an id of an icon, an alias nor \`collection:<id>\`.`,
    remedy: isCollection
      ? 'Write the id of the collection, such as `collection:123`.'
      : `Did you mean ${JSON.stringify(near)}? If it is a value of \`license_description\`, give the alias another name.`,
    path: `licenses.assert.${written}`,
  });
}

function isSame(one: LicenseAssertion, other: LicenseAssertion): boolean {
  return (['license', 'by', 'evidence'] as const).every((field) => one[field] === other[field]);
}
