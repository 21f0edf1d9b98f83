import { posix } from 'node:path';
import { isSpdxId, nearestSpdxId, spdxIds } from '../attribution/license/list.ts';
import { IconCatalogError } from '../errors.ts';
import { idOfName } from '../request/reference.ts';
import { suggest } from '../request/suggest.ts';
import type { AttributionOptions, LicenseAssertion, LicenseOptions } from './options.ts';

/** The files that hold the credits. */
export type AttributionFiles = Required<
  Pick<AttributionOptions, 'json' | 'html' | 'markdown' | 'text' | 'spdx' | 'cyclonedx'>
>;

export interface ResolvedAttribution extends AttributionFiles {
  /** The credits page's statements about the site, and the other files that it links to. */
  page: Pick<AttributionOptions, 'title' | 'home' | 'language'> & {
    formats: Readonly<Record<string, string>>;
  };
}

/** The names by which the files are known: those of the options' defaults and of their documentation. */
export const USUAL_NAMES: Readonly<Record<keyof AttributionFiles, string>> = {
  json: 'icon-attribution.json',
  html: 'icon-attribution.html',
  markdown: 'icon-attribution.md',
  text: 'icon-attribution.txt',
  spdx: 'icon-attribution.spdx.json',
  cyclonedx: 'icon-attribution.cdx.json',
};

/** In the order in which they are written. */
export const ATTRIBUTION_KINDS = Object.keys(USUAL_NAMES) as (keyof AttributionFiles)[];

const FORMAT_NAMES: Omit<Record<keyof AttributionFiles, string>, 'html'> = {
  json: 'JSON',
  markdown: 'Markdown',
  text: 'Text',
  spdx: 'SPDX',
  cyclonedx: 'CycloneDX',
};

/** @throws IconCatalogError OPTIONS_INVALID if two of them would be one file */
export function resolveAttribution(given: AttributionOptions): ResolvedAttribution {
  const files: AttributionFiles = {
    json: given.json ?? USUAL_NAMES.json,
    html: given.html ?? USUAL_NAMES.html,
    markdown: given.markdown ?? USUAL_NAMES.markdown,
    text: given.text ?? false,
    spdx: given.spdx ?? false,
    cyclonedx: given.cyclonedx ?? false,
  };
  const kindByFile = new Map<string, string>();
  for (const [kind, file] of Object.entries<string | false>({ ...files })) {
    if (file === false) continue;
    const key = file
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .toLowerCase();
    const other = kindByFile.get(key);
    if (other !== undefined) {
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `\`attribution.${other}\` and \`attribution.${kind}\` both name the file ${JSON.stringify(file)}.`,
        remedy: 'Give each its own name.',
        path: `attribution.${kind}`,
      });
    }
    kindByFile.set(key, kind);
  }
  const { title, home, language } = given;
  return { ...files, page: { title, home, language, formats: linkFormats(files) } };
}

/** Names of the files that a build writes, relative to its output. */
export function attributionFileNames({ page: _page, ...files }: ResolvedAttribution): string[] {
  return Object.values<string | false>(files).filter((name) => name !== false);
}

/** Addresses of the other files, relative to the page. */
export function linkFormats({ html, ...others }: AttributionFiles): Record<string, string> {
  if (html === false) return {};
  const from = posix.dirname(html.replaceAll('\\', '/'));
  return Object.fromEntries(
    Object.entries(others).flatMap(([kind, file]: [string, string | false]) =>
      file === false
        ? []
        : [
            [
              FORMAT_NAMES[kind as keyof typeof FORMAT_NAMES],
              encodeURI(posix.relative(from, file.replaceAll('\\', '/'))),
            ],
          ],
    ),
  );
}

/**
 * Seconds of https://reproducible-builds.org/specs/source-date-epoch/, which asks builds to fail if it is malformed.
 * @throws IconCatalogError OPTIONS_INVALID
 */
export function readEpoch(text = ''): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,11}$/.test(text)) return Number(text);
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `SOURCE_DATE_EPOCH is ${JSON.stringify(text)}, and must be a number of whole seconds since 1970.`,
    remedy: 'Correct the environment variable, or unset it.',
    path: 'SOURCE_DATE_EPOCH',
  });
}

export interface ResolvedLicenses {
  allow: string[] | undefined;
  unknown: 'error' | 'warn';
  /** By icon id, `collection:<id>` or value of `license_description`. */
  assert: Record<string, LicenseAssertion>;
  terms: LicenseOptions['terms'] | undefined;
}

/** The values of `license_description` that the interface names, and that of files of the project. */
const WORDS = ['creative-commons-attribution', 'public-domain', 'project-file'];

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
        message: `\`licenses.assert\` states two licences of icon ${key}: under ${JSON.stringify(before.written)} and under ${JSON.stringify(written)}.`,
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

/** A value that no icon can have would refuse every icon that it was meant to allow. */
function checkAllowed(value: string, unknown: 'error' | 'warn'): void {
  if (WORDS.includes(value) || isSpdxId(value) || value.startsWith('LicenseRef-')) return;
  const nearest = nearestSpdxId(value) ?? suggest(dashed(value), [...WORDS, ...spdxIds()]);
  // With `warn` an icon may ship whatever the catalog states about it, and a value may be a word of the catalog's own.
  if (unknown === 'warn' && nearest === undefined) return;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `\`licenses.allow\` lists ${JSON.stringify(value)}, which no icon can have that may ship: it is neither ${WORDS.join(' nor ')} nor an SPDX licence identifier.`,
    remedy:
      nearest === undefined
        ? "Write the identifier of the licence. To let icons ship whose licence is not known, state in `licenses.assert` what it is, or set `licenses.unknown: 'warn'`."
        : `Did you mean ${JSON.stringify(nearest)}?`,
    path: 'licenses.allow',
  });
}

/** `CC BY 4.0` in the form of an identifier. */
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
