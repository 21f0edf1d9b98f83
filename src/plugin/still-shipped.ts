import type { BuildReport, Fragment } from './fragment.ts';
import { areThere, readNearSizes, readSizes } from './published-files.ts';
import type { FoundUsage } from './session-types.ts';

/** Looks for the artwork of icons in a file that was written. */
export type LookAgain = (
  file: { folder: string; fileName: string },
  ids: readonly string[],
) => Promise<LookedAgain>;

export interface LookedAgain {
  found: ReadonlySet<string>;
  /** Those that cannot be looked for. */
  unknown: ReadonlySet<string>;
}

/** Files of an output that are looked at to know whether it is as it was; all of them where one is not. */
const LOOKED_AT = 50;

/** What a step that compresses files may put in their places. */
const COMPRESSED = ['.gz', '.br', '.zst'];

/** Sizes by which `stillShipped` will know the output again, once it is written. */
export async function sizesOf({
  folder,
  usages,
  isLate,
}: BuildReport): Promise<Record<string, number>> {
  return isLate === true ? {} : readNearSizes(folder, filesOf(usages).slice(0, LOOKED_AT));
}

function filesOf(usages: readonly FoundUsage[]): string[] {
  return [...new Set(usages.map(({ file }) => file))];
}

/**
 * What is left of a build's output since it was written. A file that is gone ships nothing, one that was changed (by
 * another build, or by a step that follows builds) what is found in it.
 *
 * @returns `undefined` where the output is gone
 */
export async function stillShipped(
  fragment: Fragment,
  lookAgain: LookAgain,
): Promise<Fragment | undefined> {
  const { folder, usages, published } = fragment;
  const pages = await Promise.all(
    Object.keys(published).map((fileName) => areThere(folder, [fileName])),
  );
  if (!pages.includes(true)) return undefined;
  const files = filesOf(usages);
  const isAsItWas = async (some: readonly string[]): Promise<boolean> =>
    (await changedAmong(some, fragment)).size === 0;
  if (await isAsItWas(files.slice(0, LOOKED_AT))) return fragment;

  const changed = await changedAmong(files, fragment);
  const left: FoundUsage[] = usages.filter(({ file }) => !changed.has(file));
  for (const [fileName, isThere] of changed) {
    if (!isThere) continue;
    const here = usages.filter(({ file }) => file === fileName);
    const { found, unknown } = await lookAgain(
      { folder, fileName },
      here.map(({ id }) => id),
    );
    left.push(...here.filter(({ id }) => found.has(id) || unknown.has(id)));
  }
  return left.length === 0 ? undefined : { ...fragment, usages: left };
}

/** Files of a written output that nobody has written, or that were put elsewhere since; compressed ones are there. */
export async function goneFrom(fragment: Fragment): Promise<Set<string>> {
  const files = filesOf(fragment.usages);
  const unseen = { ...fragment, sizes: {} };
  const isWhole = (await changedAmong(files.slice(0, LOOKED_AT), unseen)).size === 0;
  return new Set(isWhole ? [] : (await changedAmong(files, unseen)).keys());
}

/** By name, whether the file is there at all. */
async function changedAmong(
  files: readonly string[],
  { folder, sizes }: Fragment,
): Promise<Map<string, boolean>> {
  const here = await readSizes(folder, files);
  const absent = files.filter((file) => here[file] === undefined);
  const gone = new Set(await withoutCompressed(folder, absent));
  const now = { ...here, ...(gone.size === 0 ? {} : await readNearSizes(folder, [...gone])) };
  const changed = new Map<string, boolean>();
  for (const file of files) {
    const size = now[file];
    const before = sizes[file];
    if (size === undefined) {
      if (gone.has(file)) changed.set(file, false);
    } else if (before !== undefined && before !== size) changed.set(file, true);
  }
  return changed;
}

/** Those of the files that are not there under the name of a compressed file either. */
async function withoutCompressed(folder: string, files: readonly string[]): Promise<string[]> {
  const names = files.flatMap((file) => COMPRESSED.map((ending) => file + ending));
  const sizes = await readSizes(folder, names);
  return files.filter((file) => !COMPRESSED.some((ending) => Object.hasOwn(sizes, file + ending)));
}

/** Each file speaks for the build that wrote it last. */
export function withoutOverwritten(fragments: readonly Fragment[]): Fragment[] {
  const lastByFile = new Map<string, number>();
  const placeOf = (folder: string, file: string): string => JSON.stringify([folder, file]);
  const shared = new Set<string>();
  const seen = new Set<string>();
  for (const { folder } of fragments) (seen.has(folder) ? shared : seen).add(folder);
  if (shared.size === 0) return [...fragments];
  for (const { folder, usages, order } of fragments) {
    if (!shared.has(folder)) continue;
    for (const { file } of usages) {
      const place = placeOf(folder, file);
      lastByFile.set(place, Math.max(order, lastByFile.get(place) ?? 0));
    }
  }
  return fragments.flatMap((fragment) => {
    const { folder, usages, order } = fragment;
    const left = usages.filter(
      ({ file }) => (lastByFile.get(placeOf(folder, file)) ?? order) === order,
    );
    if (left.length === usages.length) return [fragment];
    return left.length === 0 ? [] : [{ ...fragment, usages: left }];
  });
}
