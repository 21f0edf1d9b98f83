import type {
  Change,
  Credit,
  IconUsage,
  Manifest,
  ManifestBuild,
  ManifestIcon,
} from '../../types.ts';
import { composeLine, mergeChanges, NO_FILE_SHA256 } from '../credit/create-credit.ts';
import { compareCodeUnits } from '../../untrusted.ts';

export interface CreditedUse {
  credit: Credit;
  /** At least one. Paths are relative to the output; Windows separators are turned. */
  usedIn: readonly IconUsage[];
}

export interface ManifestInput {
  /** One entry a shipped variant; variants of one icon become one record. */
  credits: readonly CreditedUse[];
  builds: readonly ManifestBuild[];
  /** True only where every expected build has reported. */
  complete: boolean;
  catalog: Manifest['catalog'];
  generator: Manifest['generator'];
  /** Texts of licences by their digests; those that no icon refers to are left out. */
  texts?: Readonly<Record<string, string>> | undefined;
}

/**
 * The records of everything that ships. Equal input in any order gives equal output.
 * @throws TypeError where a caller breaks a guarantee of the schema: an icon without a place of use, a path that leaves the output, a build id of other characters
 */
export function createManifest({
  credits,
  builds,
  complete,
  catalog,
  generator,
  texts = {},
}: ManifestInput): Manifest {
  const usesById = new Map<string, CreditedUse[]>();
  for (const use of credits.flatMap(splitUse)) {
    const uses = usesById.get(use.credit.id);
    if (uses === undefined) usesById.set(use.credit.id, [use]);
    else uses.push(use);
  }
  const icons = [...usesById.values()].map(mergeUses).sort(compareIcons);
  const used = [...new Set(icons.map(({ license }) => license.text ?? ''))]
    .filter((digest) => Object.hasOwn(texts, digest))
    .sort(compareCodeUnits);
  return {
    schemaVersion: 1,
    generator: { name: generator.name, version: generator.version },
    catalog: {
      name: catalog.name,
      siteUrl: catalog.siteUrl,
      ...(catalog.termsUrl === undefined ? {} : { termsUrl: catalog.termsUrl }),
    },
    complete,
    builds: mergeBuilds(builds),
    ...(used.length > 0 && {
      texts: Object.fromEntries(used.map((digest) => [digest, texts[digest] ?? ''])),
    }),
    icons,
  };
}

/** Title, then id, in code-unit order; icons without a title come first. */
function compareIcons(a: ManifestIcon, b: ManifestIcon): number {
  return compareCodeUnits(a.title ?? '', b.title ?? '') || compareCodeUnits(a.id, b.id);
}

/** A record of an earlier list says what several builds did: one use for each that did something else. */
function splitUse(use: CreditedUse): CreditedUse[] {
  if (use.usedIn.every(({ changes }) => changes === undefined)) return [use];
  return use.usedIn.map(({ changes, ...usage }) => {
    const all = use.credit.changes;
    const own = changes === undefined ? all : all.filter((_, index) => changes.includes(index));
    return { credit: { ...use.credit, changes: own }, usedIn: [usage] };
  });
}

function mergeUses(uses: readonly CreditedUse[]): ManifestIcon {
  const { line, parts } = mergeCredits(uses.map((use) => use.credit));
  return {
    id: parts.id,
    title: parts.title,
    creator: parts.creator,
    credit: {
      requested: parts.credit.requested,
      line,
      required: uses.some((use) => use.credit.credit.required),
      ...mergeWords(uses, 'drawn'),
      ...mergeWords(uses, 'notices'),
    },
    source: parts.source,
    license: parts.license,
    changes: parts.changes,
    collections: parts.collections,
    usedIn: withChanges(
      mergeUsages(
        parts.id,
        uses.flatMap((use) => use.usedIn),
      ),
      { uses, all: parts.changes },
    ),
  };
}

/** Where builds made different changes, each place says which: a build that runs again takes back no more than its own. */
function withChanges(
  usages: IconUsage[],
  { uses, all }: { uses: readonly CreditedUse[]; all: readonly Change[] },
): IconUsage[] {
  if (uses.length === 1 || new Set(usages.map(({ build }) => build)).size === 1) return usages;
  const texts = all.map((change) => JSON.stringify(change));
  return usages.map((usage) => {
    const own = uses
      .filter(({ usedIn }) => usedIn.some(({ build }) => build === usage.build))
      .flatMap(({ credit }) => credit.changes);
    const changes = mergeChanges(own).map((change) => texts.indexOf(JSON.stringify(change)));
    return changes.length === all.length ? usage : { ...usage, changes };
  });
}

/** What the files of an icon's variants say. */
function mergeWords(
  uses: readonly CreditedUse[],
  field: 'drawn' | 'notices',
): Pick<Credit['credit'], 'drawn' | 'notices'> {
  const words = new Set(uses.flatMap((use) => use.credit.credit[field] ?? []));
  return words.size === 0 ? {} : { [field]: [...words].sort(compareCodeUnits) };
}

/** Variants differ in changes and in the file they came from (svg, png); the record speaks of the drawing first. */
function mergeCredits(credits: readonly Credit[]): { parts: Credit; line: string } {
  const [first, ...others] = credits;
  if (first === undefined) throw new TypeError('An icon without a credit cannot be merged.');
  if (others.length === 0) return { parts: first, line: first.credit.line };
  const ranked = credits
    .map((credit) => ({ credit, rank: `${rankSource(credit)}${JSON.stringify(credit)}` }))
    .sort((a, b) => compareCodeUnits(a.rank, b.rank));
  const base = ranked[0]?.credit ?? first;
  const parts = { ...base, changes: mergeChanges(credits.flatMap((credit) => credit.changes)) };
  return { parts, line: composeLine(parts) };
}

function rankSource({ source, changes }: Credit): number {
  if (source.sha256 === NO_FILE_SHA256) return 2;
  return changes.some((change) => change.kind === 'format') ? 1 : 0;
}

function mergeUsages(id: string, usages: readonly IconUsage[]): IconUsage[] {
  const usageByKey = new Map<string, IconUsage>();
  for (const { build, file: written, kind } of usages) {
    const file = written.replaceAll('\\', '/');
    if (/^(?:\/|[A-Za-z]:|\.\.)/.test(file))
      throw new TypeError(`Icon ${id} is used in a file outside of the output.`);
    if (usages.length === 1) return [{ build, file, kind }];
    usageByKey.set(`${build}\n${file}\n${kind}`, { build, file, kind });
  }
  if (usageByKey.size === 0) throw new TypeError(`Icon ${id} has a credit but no place of use.`);
  return [...usageByKey.entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, usage]) => usage);
}

function mergeBuilds(builds: readonly ManifestBuild[]): ManifestBuild[] {
  const buildByKey = new Map<string, ManifestBuild>();
  for (const { id, bundler, consumer, precision, folder, from, complete } of builds) {
    if (!/^[a-z0-9][a-z0-9._-]*$/.test(id)) throw new TypeError(`“${id}” is not a build id.`);
    buildByKey.set([id, bundler, consumer, precision, folder, from].join('\n'), {
      id,
      bundler,
      consumer,
      precision,
      ...(folder === undefined ? {} : { folder }),
      ...(from === undefined ? {} : { from }),
      ...(complete === undefined ? {} : { complete }),
    });
  }
  return [...buildByKey.entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, build]) => build);
}

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
    use: (use: IconUsage, icon: ManifestIcon) => readonly IconUsage[];
    build?: (build: ManifestBuild) => ManifestBuild;
  },
): Manifest {
  const before = new Set<string>();
  const after = new Set<string>();
  const icons = manifest.icons.flatMap((icon): ManifestIcon[] => {
    const usedIn = icon.usedIn.flatMap((each) => {
      before.add(each.build);
      const moved = use(each, icon);
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
interface Disagreement {
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
