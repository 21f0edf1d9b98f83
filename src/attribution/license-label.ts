import type { CreditLicense } from '../types.ts';

/** Short name of a licence for a line of a list: `CC BY 3.0`, `MIT`. */
export function licenseLabel({ spdx, name }: Pick<CreditLicense, 'spdx' | 'name'>): string {
  if (spdx.startsWith('LicenseRef-') || spdx === 'NOASSERTION') return name;
  return spdx.startsWith('CC-BY') ? spdx.replace('-', ' ').replace(/-(?=\d)/, ' ') : spdx;
}
