import type { Credit, ManifestIcon } from '../types.ts';
import type { LicenseGroup } from './group-icons.ts';

export interface Section<Icon extends Credit = ManifestIcon> extends LicenseGroup<Icon> {
  /** Id of the section in the page, unique in it. */
  fragment: string;
}

/** Gives each licence an id to link to. */
export function nameSections<Icon extends Credit>(
  groups: readonly LicenseGroup<Icon>[],
): Section<Icon>[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    const words = (group.icons[0]?.license.spdx ?? '').replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
    let fragment = `licence-${words}`;
    for (let number = 2; taken.has(fragment); number += 1) fragment = `licence-${words}-${number}`;
    taken.add(fragment);
    return { ...group, fragment };
  });
}
