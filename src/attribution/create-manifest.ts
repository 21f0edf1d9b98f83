import type { Change, Credit, IconUsage, Manifest, ManifestBuild, ManifestIcon } from '../types.ts';
import { composeLine } from './compose-line.ts';
import { mergeChanges } from './compute-changes.ts';
import { NO_FILE_SHA256 } from './create-credit.ts';
import { compareCodeUnits } from './plain-text.ts';

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
