import { IconCatalogError } from './errors.ts';
import type { AttributionOptions } from './options.ts';

/** @throws IconCatalogError OPTIONS_INVALID where two of them would be one file */
export function resolveAttribution(given: AttributionOptions): Required<AttributionOptions> {
  const files: Required<AttributionOptions> = {
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
  return files;
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
