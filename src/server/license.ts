import type { SetLicense } from './library.ts';

/**
 * The interface shows two values of `license_description`; sets under another licence say its SPDX identifier,
 * and sets without one say the title they give themselves, so that nothing is mapped silently.
 */
export function describeLicense(
  license: { title?: string; spdx?: string; url?: string } | undefined,
): SetLicense {
  const spdx = license?.spdx ?? '';
  const title = license?.title ?? spdx;
  return {
    title: title || 'no licence stated',
    spdx,
    description: description(spdx, title),
    url: license?.url,
  };
}

function description(spdx: string, title: string): string {
  if (/^CC-BY-\d/.test(spdx)) return 'creative-commons-attribution';
  if (/^(CC0-1\.0|CC-PDDC|CC-PDM-1\.0)$/.test(spdx)) return 'public-domain';
  if (spdx !== '') return spdx;
  if (/^public[ -]domain$/i.test(title)) return 'public-domain';
  return title || 'not-stated';
}
