import {
  createIconScanner,
  isObfuscated,
  type ScannedIcon,
  withoutEscapes,
} from '../attribution/check/scan.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { iconIdOf, toIconId, toDefaultId } from '../request/key.ts';
import type { IconRequest, ManifestBuild } from '../types.ts';
import type { FoundUsage } from './session-types.ts';

/** A finished file of the output. */
export interface EmittedFile {
  fileName: string;
  content: string | Uint8Array;
}

export function decode(content: EmittedFile['content'], encoding?: 'latin1'): string {
  if (typeof content === 'string') return content;
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(encoding);
}

/** How a file of the output holds an icon. */
export function kindOf(fileName: string, consumer: ManifestBuild['consumer']): FoundUsage['kind'] {
  if (consumer === 'server') return 'server-only';
  const plain = fileName.replace(/\.(?:gz|br)$/, '');
  if (plain.endsWith('.css')) return 'inline-css';
  if (/\.html?$/.test(plain)) return 'inline-html';
  return /\.[cm]?js$/.test(plain) ? 'inline-js' : 'asset';
}

/** Finished files by name. */
export type Outputs = ReadonlyMap<string, EmittedFile['content']>;

export interface SearchPorts {
  pipeline: Pipeline;
  /** Short names of the icons that this process loaded. */
  loaded: ReadonlySet<string>;
  /** The project changes drawings by a function of its own: what it makes of them cannot be looked for. */
  isRedrawn: boolean;
  request(id: string): IconRequest;
}

/** Finished files as they are searched: each is read once, and source maps hold what was there before. */
export function readOutputs(files: Iterable<EmittedFile>): Outputs {
  const searched = [...files].filter(({ fileName }) => !fileName.endsWith('.map'));
  return new Map(searched.map(({ fileName, content }) => [fileName, content]));
}

/**
 * The usages of a module graph as the finished files bear them out. A minifier may have folded an icon away, a bundle
 * within this one (a worker) may not have been written, and a step behind the bundler may have put scripts into a page.
 * In doubt an icon stays, at a file that exists.
 */
export async function presentUsages(
  usages: readonly FoundUsage[],
  outputs: Outputs,
  { consumer, ports }: { consumer: ManifestBuild['consumer']; ports: SearchPorts },
): Promise<FoundUsage[]> {
  const doubtful = new Set(doubtfulUsages(usages, outputs, ports));
  if (doubtful.size === 0) return [...usages];
  const ids = Array.from(doubtful, ({ id }) => id);
  const searched = await searchable(ids, ports);
  // Drawings that are the same have a credit each: nothing stands beside them.
  const found = await findIn(outputs, searched, { consumer, beside: async () => [] });
  const files = new Map<string, Set<string>>();
  for (const { id, file } of found) files.set(id, (files.get(id) ?? new Set()).add(file));
  // Path data is written the same everywhere; that other shapes are gone is less certain.
  const sure = new Set(
    searched.filter((icon) => !icon.fingerprint.includes('=')).map(({ key }) => key),
  );
  const hidden = hidingFiles(usages, outputs, {
    isSure: (id) => sure.has(id),
    isFound: (usage) => !doubtful.has(usage) || files.has(usage.id),
  });
  const names = [...outputs.keys()];
  const page = names.find((name) => /\.html?$/.test(name));
  const kept = usages.flatMap((usage): FoundUsage[] => {
    if (!doubtful.has(usage)) return [usage];
    const content = outputs.get(usage.file);
    const places = files.get(usage.id);
    if (places?.has(usage.file) === true) return [usage];
    if (places !== undefined) return [];
    const isKnown = sure.has(usage.id);
    if (content !== undefined) return isKnown && !hidden.has(usage.file) ? [] : [usage];
    // It is compressed or encoded under another ending, so its content cannot be searched.
    const stem = usage.file.replace(/\.[^./]*$/, '.');
    const other = names.find((name) => name.startsWith(stem));
    if (other !== undefined) return [{ ...usage, file: other }];
    const file = page ?? names[0];
    return isKnown || file === undefined ? [] : [{ ...usage, file, kind: kindOf(file, consumer) }];
  });
  const settled = new Set(kept.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !settled.has(id))];
}

/** Icons of which a finished file holds no more than the shortest look shows; files of their own need only exist. */
function* doubtfulUsages(
  usages: readonly FoundUsage[],
  outputs: Outputs,
  { pipeline, isRedrawn }: SearchPorts,
): Generator<FoundUsage> {
  const modules = pipeline.modulesNow();
  const holders = new Map<string, ((value: string) => boolean) | undefined>();
  for (const usage of usages) {
    const { id, file, kind } = usage;
    if (!outputs.has(file)) {
      yield usage;
      continue;
    }
    // Style sheets and pages were searched for what was put into them.
    const isCode = (kind === 'inline-js' || kind === 'server-only') && /\.[cm]?js$/.test(file);
    if (!isCode || isRedrawn) continue;
    if (!holders.has(file)) holders.set(file, createArtworkFinder(textOf(outputs.get(file))));
    const holds = holders.get(file);
    if (holds === undefined) continue;
    const value = modules?.get(toDefaultId(id))?.value;
    if (value === undefined || !holds(value)) yield usage;
  }
}

/** Icons that are near each other in the order in which they are asked for are as near as this in the text. */
const NEAR = 65_536;
/** As many icons may be somewhere else before the paths of the whole text are listed. */
const MOST_FAR = 2;
/** As many icons of next to no path are looked for in the whole text. */
const MOST_FAR_STRINGS = 8;

/**
 * Whether a text holds the artwork of a module. Most bundlers write icons in the order in which they are asked for, so each
 * is looked for behind the one before. In a text in another order, that would read all of it for each icon: its paths are
 * listed instead.
 */
function createArtworkFinder(text: string | undefined): ((value: string) => boolean) | undefined {
  if (text === undefined) return undefined;
  let position = 0;
  let far = 0;
  let farStrings = 0;
  let paths: Set<string> | undefined;

  function holdsPath(path: string, all: string): boolean {
    if (paths === undefined) {
      const next = all.indexOf(path, position);
      // A later icon may have the same path, and the ones between them are still to be found.
      if (next !== -1 && next - position < NEAR) position = next;
      else if ((far += 1) >= MOST_FAR) paths = new Set(pathsIn(all));
      if (next !== -1) return true;
    }
    return paths?.has(path) === true || all.includes(path);
  }

  /** Next to no path: the string is looked for as it is, and as it stands between quotes of another kind. */
  function holdsString(string: string, all: string): boolean {
    const near = all.slice(Math.max(0, position - NEAR), position + NEAR);
    const plain = withoutEscapes(string);
    const spellings = [string, plain, plain.replaceAll('"', '\\"')];
    if (spellings.some((each) => near.includes(each))) return true;
    if (farStrings >= MOST_FAR_STRINGS) return false;
    farStrings += 1;
    return spellings.some((each) => all.includes(each));
  }

  return (value) => {
    const longest = pathsIn(value).reduce((a, b) => (b.length > a.length ? b : a), '');
    if (longest.length >= TELLING) return holdsPath(longest, text);
    return holdsString(value.slice(1, -1), text);
  };
}

/** Shorter path data may be a part of another icon's. */
const TELLING = 8;
/** Path data in markup, in an address, or as a property of a component, in any quotes. */
const PATH = /(?<![a-z-])d["']?[=:](?:\\?["'`]|%22|%27)([\w .,-]+)/g;

function pathsIn(code: string): string[] {
  return Array.from(code.matchAll(PATH), ([, path = '']) => path);
}

/** What is looked for in code is ASCII, whatever else there is. */
export function textOf(content: EmittedFile['content'] | undefined): string | undefined {
  return content === undefined ? undefined : decode(content, 'latin1');
}

/**
 * Files whose strings cannot be searched: compressed ones, obfuscated ones, and scripts without a trace of the several
 * icons that they should hold. One icon may have been folded away by a minifier, which leaves all others.
 */
function hidingFiles(
  usages: readonly FoundUsage[],
  outputs: Outputs,
  { isSure, isFound }: { isSure(id: string): boolean; isFound(usage: FoundUsage): boolean },
): Set<string> {
  const gone = new Map<string, Set<string>>();
  for (const { id, file } of usages)
    if (isSure(id)) gone.set(file, (gone.get(file) ?? new Set()).add(numberOf(id)));
  const holding = new Set(usages.filter(isFound).map(({ file }) => file));
  const hiding = [...gone].filter(([file, icons]) => {
    const text = textOf(outputs.get(file)) ?? '';
    const isSilent = icons.size > 1 && !holding.has(file);
    return isSilent || text.slice(0, 1024).includes('\0') || isObfuscated(text);
  });
  return new Set(hiding.map(([file]) => file));
}

/** Icons that were asked for, and that the finished files hold although the module graph does not have them. */
export async function missedIcons(
  usages: readonly Pick<FoundUsage, 'id'>[],
  build: ManifestBuild,
  { outputs, ...ports }: SearchPorts & { outputs: Outputs },
): Promise<FoundUsage[]> {
  const { loaded, pipeline, request } = ports;
  // A bundler with a warm cache loads nothing of what an earlier build found in its output.
  const { outputCache: kept } = await pipeline.open();
  const slot = { group: 'missed', name: `${build.bundler} ${build.id}` };
  const before = (await kept.noted(slot)).split('\n').filter((id) => id !== '');
  const listed = new Set(usages.map(({ id }) => toDefaultId(id)));
  const unlisted = [...new Set([...loaded, ...before])].filter((id) => !listed.has(id));
  if (unlisted.length === 0) return [];
  const icons = new Set(usages.map(({ id }) => request(id).id));
  const searched = await searchable(
    unlisted.filter((id) => !icons.has(requestOf(id, request)?.id ?? 0)),
    { ...ports, isExpected: false },
  );
  if (searched.length === 0) return [];
  const beside = (): ReturnType<typeof searchable> => searchable([...listed], ports);
  const found = await findIn(outputs, searched, { consumer: build.consumer, beside });
  // What this process never asked for may be another build's of the same name.
  const others = before.filter((id) => !loaded.has(id));
  const after = [...new Set([...found.map(({ id }) => id), ...others])].toSorted();
  if (after.join() !== before.join()) await kept.note(slot, after.join('\n'));
  return found;
}

/** Numbers of those icons that can be looked for and that no file holds; none where a file is obfuscated. */
export async function absentIcons(
  ids: readonly string[],
  { contents, ...ports }: SearchPorts & { contents: Outputs },
): Promise<Set<string>> {
  const icons = await searchable(ids.map(plainId), ports);
  const found = new Set(scanAll(contents, icons).map(({ key }) => key));
  const gone = icons.filter(({ key }) => !found.has(key));
  const isHidden = (): boolean =>
    [...contents.values()].some((each) => isObfuscated(textOf(each) ?? ''));
  if (gone.length === 0 || isHidden()) return new Set();
  return new Set(gone.map(({ key }) => numberOf(key)));
}

export function numberOf(id: string): string {
  return iconIdOf(toDefaultId(id));
}

/** The drawing of an icon, in whatever variant it ships. */
export function plainId(id: string): string {
  return toIconId(toDefaultId(`icon:${id}`));
}

/** Those of the icons that can be looked for: svg drawings that are kept. */
export async function searchable(
  ids: readonly string[],
  { request, pipeline, isRedrawn, isExpected = true }: SearchPorts & { isExpected?: boolean },
): Promise<ScannedIcon[]> {
  const icons = new Map<string, ScannedIcon>();
  for (const id of isRedrawn ? [] : ids) {
    const wanted = requestOf(id, request);
    if (wanted?.filetype !== 'svg' || wanted.as === 'meta' || icons.has(id)) continue;
    const fingerprint = await pipeline.fingerprint(wanted.id);
    if (fingerprint !== undefined && fingerprint !== '')
      icons.set(id, { key: id, fingerprint, isExpected });
  }
  return [...icons.values()];
}

/**
 * @param beside icons that are there for certain: what is drawn the same, or is a piece of their drawings, is not there
 *   by itself
 */
export async function findIn(
  contents: Outputs,
  icons: readonly ScannedIcon[],
  {
    consumer,
    beside,
  }: { consumer: ManifestBuild['consumer']; beside: () => Promise<ScannedIcon[]> },
): Promise<FoundUsage[]> {
  const first = scanAll(contents, icons);
  if (first.length === 0) return [];
  const candidates = new Set(icons.map(({ key }) => numberOf(key)));
  const there = (await beside()).filter(({ key }) => !candidates.has(numberOf(key)));
  const drawn = new Set(there.map(({ fingerprint }) => fingerprint));
  const found = new Set(first.map(({ key }) => key));
  const left = icons.filter(({ key, fingerprint }) => found.has(key) && !drawn.has(fingerprint));
  const keys = new Set(left.map(({ key }) => key));
  const known = there.filter(({ key }) => !keys.has(key));
  return scanAll(contents, [...left, ...known])
    .filter(({ key }) => keys.has(key))
    .map(({ key, file }) => ({ id: key, file, kind: kindOf(file, consumer) }));
}

export function scanAll(
  contents: Outputs,
  icons: readonly ScannedIcon[],
): { key: string; file: string }[] {
  const scanner = createIconScanner(icons);
  const found: { key: string; file: string }[] = [];
  if (icons.length === 0) return found;
  for (const [file, content] of contents)
    for (const key of scanner.scan(content)) found.push({ key, file });
  return found;
}

/** What another build noted may be nothing to these options. */
function requestOf(id: string, request: (id: string) => IconRequest): IconRequest | undefined {
  try {
    return request(id);
  } catch {
    return undefined;
  }
}
