import { posix } from 'node:path';
import { IconCatalogError } from './errors.ts';
import type { AttributionOptions } from './options.ts';

/** The files that hold the credits. */
export interface AttributionFiles {
  json: string | false;
  html: string | false;
  markdown: string | false;
  text: string | false;
  spdx: string | false;
  cyclonedx: string | false;
}

export interface ResolvedAttribution extends AttributionFiles {
  /** What the credits page says of the site, and the other files that it links to. */
  page: Pick<AttributionOptions, 'title' | 'home' | 'language'> & {
    formats: Readonly<Record<string, string>>;
  };
}

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
    json: given.json ?? 'icon-attribution.json',
    html: given.html ?? 'icon-attribution.html',
    markdown: given.markdown ?? 'icon-attribution.md',
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
function linkFormats({ html, ...others }: AttributionFiles): Record<string, string> {
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
 * Seconds of https://reproducible-builds.org/specs/source-date-epoch/, which asks builds to fail where it is malformed.
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
