import { Buffer } from 'node:buffer';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inlineStyle, type PlacedIcon, textFiles, usagesOfPlaced } from '../../build/images.ts';
import type { FoundUsage } from '../../build/session-types.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import { isIconCatalogError } from '../../errors.ts';
import { isCreditsSpecifier, toIconId } from '../../request/key.ts';
import { fromFarmPath } from './modules.ts';
import type { Session } from '../../build/session-interface.ts';

/** What is read of Farm's resources; `bytes` are a plain list. */
export interface FarmResources {
  [name: string]: {
    name: string;
    bytes?: readonly number[];
    info?: { moduleIds: string[] } | null;
  };
}

/**
 * Icons in the final resources: the modules of each pot, which Farm fills after tree-shaking.
 *
 * @param options.files names of emitted files by canonical id
 */
export function foundUsages(
  resources: FarmResources,
  { files, consumer }: { files: ReadonlyMap<string, string>; consumer: 'client' | 'server' },
): FoundUsage[] {
  const usages: FoundUsage[] = [];
  const emitted = new Set<string>();
  for (const { name, info } of Object.values(resources)) {
    for (const id of iconsOf(info?.moduleIds ?? [])) {
      const file = files.get(id);
      if (file === undefined) {
        usages.push({ id, file: name, kind: consumer === 'server' ? 'server-only' : 'inline-js' });
      } else if (!emitted.has(id)) {
        emitted.add(id);
        usages.push({ id, file, kind: 'asset' });
      }
    }
  }
  return usages;
}

/** Modules of files that are in the output, packages' among them. Farm names them below the root. */
export function* modulesOf(
  resources: FarmResources,
  root: string,
): Generator<{ path: string; file: string }> {
  for (const { name, info } of Object.values(resources))
    for (const path of info?.moduleIds ?? [])
      if (fromFarmPath(path) === undefined) yield { path: resolve(root, path), file: name };
}

/** Whether any module of the output has, or had, a slot for `icon:credits` or the sprite file. */
export function holdsSlots(resources: FarmResources): boolean {
  return Object.values(resources).some(({ info }) =>
    info?.moduleIds.some((path) => {
      const id = fromFarmPath(path);
      return id !== undefined && (isCreditsSpecifier(id) || id.includes('as=sprite'));
    }),
  );
}

/** Canonical ids of the icons among Farm's module ids or paths. */
export function iconsOf(paths: readonly string[]): string[] {
  const ids = paths.flatMap((path) => fromFarmPath(path) ?? []);
  return [...new Set(ids.filter((id) => /^icon:\d/.test(id)).map(toIconId))];
}

/** Synchronous: Farm does not wait for what its `writeResources` hook begins. */
export function writeFiles(folder: string, files: readonly EmittedFile[]): void {
  for (const { fileName, content } of files) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

export function removeFiles(folder: string, fileNames: Iterable<string>): void {
  for (const fileName of fileNames) rmSync(join(folder, fileName), { force: true });
}

/** Rewrites those of the files that hold the text. */
export function replaceInFiles(
  folder: string,
  fileNames: Iterable<string>,
  [pattern, by]: [RegExp | string, string],
): void {
  for (const fileName of fileNames) {
    const path = join(folder, fileName);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    const replaced = text.replaceAll(pattern, () => by);
    if (replaced !== text) writeFileSync(path, replaced);
  }
}

/** Text of a file; `undefined` if the file does not exist. */
function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export interface StyleIcons {
  /** @param file absolute */
  transform(css: string, file: string, placeholder: boolean): Promise<string>;
  /** Canonical ids of what these modules hold. @param modules Farm's ids or paths */
  ids(modules: Iterable<string>, root: string): Promise<string[]>;
  /** What the style sheets of the output hold. */
  usages(
    resources: FarmResources,
    options: { root: string; consumer: 'client' | 'server' },
  ): Promise<FoundUsage[]>;
}

const STYLE = /\.(?:css|scss|sass|less|styl)$/;

export function createStyleIcons(session: Session): StyleIcons {
  const placedBy = new Map<string, PlacedIcon[]>();

  async function transform(css: string, file: string, placeholder: boolean): Promise<string> {
    const inlined = await inlineStyle(css, { session, file, placeholder });
    placedBy.set(file, inlined.placed);
    return inlined.css;
  }

  async function placedIn(modules: Iterable<string>, root: string): Promise<PlacedIcon[]> {
    const placed: PlacedIcon[] = [];
    for (const id of new Set(modules)) {
      const file = resolve(root, id.replace(/\?.*$/, ''));
      if (!STYLE.test(file) && !placedBy.has(file)) continue;
      // Farm's cache keeps transformed style sheets: what they hold is read in the file again.
      if (!placedBy.has(file)) await transform(readText(file) ?? '', file, false);
      placed.push(...(placedBy.get(file) ?? []));
    }
    return placed;
  }

  return {
    transform,
    ids: async (modules, root) => (await placedIn(modules, root)).map(({ id }) => id),
    async usages(resources, { root, consumer }) {
      const outputs = textFiles(emittedFiles(resources));
      const modules = Object.values(resources).flatMap(({ info }) => info?.moduleIds ?? []);
      const placed = await placedIn(modules, root);
      return usagesOfPlaced(placed, { outputs, fileNameOf: () => undefined, consumer });
    },
  };
}

/** Every file of the output, as it will be written. */
export function* emittedFiles(resources: FarmResources): Generator<EmittedFile> {
  for (const { name, bytes } of Object.values(resources)) {
    if (bytes === undefined) continue;
    yield { fileName: name.replace(/[?#].*$/, ''), content: Buffer.from(bytes as number[]) };
  }
}

/**
 * Farm shows an error as a quoted string, its message twice over: once alone and once in the stack, with `\n` for the
 * ends of lines. So ours goes there as one line without a stack. Others pass unchanged.
 */
export function toFarmError(error: unknown): unknown {
  if (!isIconCatalogError(error)) return error;
  const reported = new Error(error.message.replace(/\s*\n\s*/g, ' | '), { cause: error });
  reported.stack = '';
  return reported;
}
