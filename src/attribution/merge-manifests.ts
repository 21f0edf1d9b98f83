import type { Credit, IconUsage, Manifest, ManifestBuild, ManifestIcon } from '../types.ts';
import { createManifest } from './create-manifest.ts';

/**
 * A list with other places of use. Icons that have none left go, and so do the builds whose places are all gone.
 *
 * @param use gives the places that stand for this one
 * @param build the same for a build; its id is that of the moved places
 */
export function moveUses(
  manifest: Manifest,
  {
    use,
    build = (same) => same,
  }: {
    use: (use: IconUsage, build: ManifestBuild | undefined) => readonly IconUsage[];
    build?: (build: ManifestBuild) => ManifestBuild;
  },
): Manifest {
  const builds = new Map(manifest.builds.map((each) => [each.id, each]));
  const before = new Set<string>();
  const after = new Set<string>();
  const icons = manifest.icons.flatMap((icon): ManifestIcon[] => {
    const usedIn = icon.usedIn.flatMap((each) => {
      before.add(each.build);
      const moved = use(each, builds.get(each.build));
      if (moved.length > 0) after.add(each.build);
      return moved;
    });
    return usedIn.length === 0 ? [] : [{ ...icon, usedIn }];
  });
  const left = manifest.builds.filter(({ id }) => after.has(id) || !before.has(id));
  return { ...manifest, icons, builds: left.map(build) };
}

/**
 * One list of several. Where records of one icon differ, the first list is right; icons of another catalog keep a number
 * of their own.
 */
export function uniteManifests(
  first: Manifest,
  others: readonly Manifest[],
  { complete }: { complete: boolean },
): Manifest {
  const known = new Map(first.icons.map((icon) => [icon.id, icon]));
  const added = others.flatMap(({ catalog, icons }) =>
    icons.map(({ usedIn, ...credit }) => {
      const id = idHere(credit.id, { from: catalog.siteUrl, here: first.catalog.siteUrl });
      return { credit: agreed({ ...credit, id }, known.get(id)), usedIn };
    }),
  );
  return createManifest({
    credits: [...first.icons.map(({ usedIn, ...credit }) => ({ credit, usedIn })), ...added],
    builds: [first, ...others].flatMap(({ builds }) => builds),
    complete,
    catalog: first.catalog,
    generator: first.generator,
    texts: Object.assign({}, ...others.map(({ texts }) => texts), first.texts) as Record<
      string,
      string
    >,
  });
}

/** What two lists say of one thing, and which of them. */
export interface Disagreement {
  id: string;
  /** As the list names it: `creator.name`. */
  field: string;
  said: readonly [one: string, other: string];
  lists: readonly [one: number, other: number];
}

/** Icons about which lists say different things: the first difference of each. */
export function disagreements(manifests: readonly Manifest[]): Disagreement[] {
  const seen = new Map<string, { facts: ReadonlyMap<string, string>; list: number }>();
  const found = new Map<string, Disagreement>();
  const here = manifests[0]?.catalog.siteUrl ?? '';
  for (const [list, { catalog, icons }] of manifests.entries()) {
    for (const icon of icons) {
      const id = idHere(icon.id, { from: catalog.siteUrl, here });
      const facts = factsOf(icon);
      const before = seen.get(id);
      if (before === undefined) {
        seen.set(id, { facts, list });
        continue;
      }
      const names = new Set([...before.facts.keys(), ...facts.keys()]);
      for (const field of names) {
        const said = [before.facts.get(field) ?? 'nothing', facts.get(field) ?? 'nothing'] as const;
        if (said[0] === said[1] || found.has(id)) continue;
        found.set(id, { id, field, said, lists: [before.list, list] });
      }
    }
  }
  return [...found.values()];
}

/** What the catalog says of an icon. */
function factsOf({ title, creator, credit, license, source }: ManifestIcon): Map<string, string> {
  const parts = { creator, license, credit: { requested: credit.requested } };
  const facts = new Map([['title', JSON.stringify(title)]]);
  for (const [name, part] of Object.entries(parts))
    for (const [field, value] of Object.entries(part ?? {}))
      if (value !== undefined) facts.set(`${name}.${field}`, JSON.stringify(value));
  return facts.set('source.url', JSON.stringify(source.url));
}

/** What the plugin did to a file stays; what the catalog says of the icon is what the newer list says. */
function agreed(credit: Credit, newer: ManifestIcon | undefined): Credit {
  if (newer === undefined) return credit;
  const { usedIn: _usedIn, ...own } = newer;
  return { ...own, source: credit.source, changes: credit.changes };
}

/** `5` of a catalog at another site is `5.icons.example`: numbers of two catalogs mean different icons. */
function idHere(id: string, { from, here }: { from: string; here: string }): string {
  const [, number = id, host = hostOf(from)] = /^(\d+)\.(.+)$/.exec(id) ?? [];
  // A list that was written before the catalog was known says nothing of another one.
  return host === '' || hostOf(here) === '' || host === hostOf(here) ? number : `${number}.${host}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replaceAll(':', '-') : '';
}
