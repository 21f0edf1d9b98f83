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

/** https://reproducible-builds.org/specs/source-date-epoch/; what is no such number counts as not set. */
export function readEpoch(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,11}$/.test(text) ? Number(text) : undefined;
}
