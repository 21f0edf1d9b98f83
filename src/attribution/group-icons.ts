import type { Credit, Manifest, ManifestIcon } from '../types.ts';
import { compareCodeUnits } from './plain-text.ts';

/** Icons under one licence, in the manifest's order. */
export interface LicenseGroup<Icon extends Credit = ManifestIcon> {
  name: string;
  url: string | null;
  /** False where the licence asks for no credit. */
  creditRequired: boolean;
  icons: Icon[];
}

/** By licence; those that require credit first, then by name in code-unit order. */
export function groupIcons<Icon extends Credit>({
  icons,
}: {
  icons: readonly Icon[];
}): LicenseGroup<Icon>[] {
  const groupByKey = new Map<string, LicenseGroup<Icon>>();
  for (const icon of icons) {
    const { name, url } = icon.license;
    const key = `${icon.credit.required ? 0 : 1}\n${name}\n${url ?? ''}`;
    const group = groupByKey.get(key);
    if (group === undefined)
      groupByKey.set(key, { name, url, creditRequired: icon.credit.required, icons: [icon] });
    else group.icons.push(icon);
  }
  return [...groupByKey.entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, group]) => group);
}

/** `63 icons by 12 creators under 3 licences.` */
export function summarize(manifest: Manifest): string {
  if (manifest.icons.length === 0) return NO_ICONS;
  const creators = new Set<string>();
  for (const { creator } of manifest.icons) {
    if (creator.name !== null || creator.username !== null) {
      creators.add(`${creator.name ?? ''}\n${creator.username ?? ''}\n${creator.url ?? ''}`);
    }
  }
  const licenses = new Set(manifest.icons.map((icon) => icon.license.name));
  const by = creators.size === 0 ? '' : ` by ${count(creators.size, 'creator', 'creators')}`;
  return `${count(manifest.icons.length, 'icon', 'icons')}${by} under ${count(licenses.size, 'licence', 'licences')}.`;
}

/** True where nobody has looked at an output: the list says what is asked for, which may be more than what ships. */
export function isRequested({ builds }: Pick<Manifest, 'builds'>): boolean {
  return builds.length > 0 && builds.every(({ precision }) => precision === 'requested');
}

export const NO_ICONS = 'No icons of the catalog are used here.';

export const INCOMPLETE_NOTICE =
  'This list is not complete yet: not every build of the site has reported its icons.';

function count(number: number, one: string, many: string): string {
  // Grouped by hand: the locale of the machine must not show in the output.
  const digits = String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${digits} ${number === 1 ? one : many}`;
}
