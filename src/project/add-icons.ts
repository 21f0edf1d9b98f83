import { isUtf8 } from 'node:buffer';
import { access, constants, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { declareImports } from '../dts/declare-imports.ts';
import { isIconCatalogError } from '../errors.ts';
import { findOptionsFile } from '../options/file.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { lastingFields } from '../pipeline/assets.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { parseRequest } from '../request/parse-request.ts';
import { resolveAliases } from '../request/reference.ts';
import { readProjectFile, reasonOf, replaceFile } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';
import { aliasLines } from '../request/alias-names.ts';
import {
  type Aliases,
  editAliases,
  type IconToAdd,
  importLineOf,
  newAliases,
  readAliases,
} from './edit-aliases.ts';
import { type ProjectToolsInput, withProjectTools } from './open.ts';

type ListedRecord = Parameters<typeof lastingFields>[0];

interface AddInput extends ProjectToolsInput {
  options: ResolvedOptions;
  /** The file with the project's options, absolute. */
  config: string | undefined;
  /** Throws if the configuration is not what the caller has seen. It is called again right before the file is written. */
  check?: (hash: string) => void;
  /** What a list of the catalog has said about the icons: pinning one takes a call less. */
  known?: readonly ListedRecord[] | undefined;
  /** Nothing may be written, for this reason: the lines to copy are made all the same. */
  only?: string | undefined;
}

/** Bytes of a file before and after, to put the former back while the latter are still there. */
export interface WrittenFile {
  path: string;
  name: string;
  before: Buffer | undefined;
  /** SHA-256 of the file as it was written; empty: there is none. */
  after: string;
  /** If it has changed since, it is left as it is, and the others are restored. */
  mayDiffer?: boolean;
}

interface AddReport {
  added: { id: string; alias?: string; importLine: string }[];
  files: WrittenFile[];
  diff: string;
  /** If the configuration cannot be edited: nothing was written. */
  copy?: { lines: string; reason: string };
}

/**
 * Pins icons and gives them names: in the lock, in the configuration, in `icon-catalog.d.ts`. All of it or nothing: if one
 * of the icons cannot be pinned, or the configuration cannot be written, the files stay as they were. Sources are never
 * edited.
 *
 * @throws AliasRefusal; IconCatalogError as a build with the icon does
 */
export async function addIcons(
  items: readonly IconToAdd[],
  { options, config, check, only, known: listed = [], ...ports }: AddInput,
): Promise<AddReport> {
  const before = config === undefined ? undefined : await readFile(config).catch(() => undefined);
  check?.(hashOf(before));
  const written = before && config ? readAliases(before.toString(), config) : {};
  const known = { ...options.aliases, ...resolveAliases(written) };
  const aliases = newAliases(items, { known, options });
  const added = items.map((item) => ({
    id: item.id,
    ...(item.alias !== undefined && { alias: item.alias }),
    importLine: importLineOf(item.alias ?? item.id),
  }));
  const renames = Object.fromEntries(
    items.flatMap(({ alias, replaces }) =>
      alias === undefined || replaces === undefined || alias === replaces
        ? []
        : [[replaces, alias]],
    ),
  );
  const change = { config, aliases, renames };
  const plan = only === undefined ? planEdit(before, change) : { reason: only };
  if ('reason' in plan)
    return { added: [], files: [], diff: '', copy: toCopy(aliases, plan.reason) };
  const names = Object.keys(aliases);
  const shown = { ...options, aliases: { ...known, ...resolveAliases(aliases) } };
  const lock = options.lockfile;
  const lockBefore = await readProjectFile(lock.path);

  const pinned = await withProjectTools(shown, { ...ports, mode: 'online' }, async (tools) => {
    const { pipeline } = tools;
    await pipeline.iconLock.open();
    await keepRecords(listed, pipeline);
    for (const { id } of items)
      await pipeline.source(parseRequest(`icon:${id}`, { ...shown, framework: undefined }));
    await pipeline.flush();
    if (pipeline.iconLock.isChanged) return undefined;
    const files = [await describeFile(lock, lockBefore)].filter(isChanged);
    if (names.length > 0) files.push(...(await declareAliases(names, tools)));
    return files;
  });
  if (pinned === undefined)
    return {
      added: [],
      files: [],
      diff: '',
      copy: toCopy(aliases, `${lock.name} cannot be written`),
    };
  if (names.length === 0 || config === undefined) return { added, files: pinned, diff: '' };
  // The configuration last: it may have the dev server start again at once, which then ends the answer to its page.
  try {
    const after = await replaceFile(config, (present) => {
      check?.(hashOf(present));
      const edit = planEdit(present, change);
      if ('reason' in edit) throw new Error(edit.reason);
      return Buffer.from(edit.text);
    });
    const name = relative(options.root, config).replaceAll('\\', '/');
    const diff = diffLines(before?.toString() ?? '', after?.toString() ?? '', name);
    return {
      added,
      files: [...pinned, { path: config, name, before, after: hashOf(after) }],
      diff,
    };
  } catch (error) {
    await restoreFiles(pinned);
    if (!(error instanceof Error && 'code' in error) || isIconCatalogError(error)) throw error;
    const reason = `${basename(config)} cannot be written (${reasonOf(error)})`;
    return { added: [], files: [], diff: '', copy: toCopy(aliases, reason) };
  }
}

async function keepRecords(icons: readonly ListedRecord[], pipeline: Pipeline): Promise<void> {
  if (icons.length === 0) return;
  const assets = await pipeline.assets();
  for (const icon of icons)
    if (!(await assets.hasRecord(Number(icon.id)))) assets.keepRecord(lastingFields(icon));
}

/** The file with the options: the project's own one, which a plugin without options reads too, or a bundler's. */
export async function findConfig(
  root: string,
  config: string | undefined,
): Promise<string | undefined> {
  return (await findOptionsFile(root))?.path ?? config;
}

const NO_CONFIG = 'No configuration with the plugin was found';

/**
 * Whether names can be written, and where.
 * @returns the name of the file below the project's root, with the hash of its bytes
 */
export async function describeConfig(
  config: string | undefined,
  { root }: Pick<ResolvedOptions, 'root'>,
): Promise<{ file?: string; hash: string; reason?: string }> {
  if (config === undefined) return { hash: '', reason: NO_CONFIG };
  const file = relative(root, config).replaceAll('\\', '/');
  const bytes = await readFile(config).catch(() => undefined);
  const hash = hashOf(bytes);
  const plan = planEdit(bytes, { config, aliases: {} });
  if ('reason' in plan) return { file, hash, reason: plan.reason };
  try {
    await access(config, constants.W_OK);
    await access(dirname(config), constants.W_OK);
    return { file, hash };
  } catch (error) {
    return { file, hash, reason: `${file} cannot be written (${reasonOf(error)})` };
  }
}

/**
 * Puts the former bytes back, of all files or of none.
 * @returns names of the restored files, or of the one that is not as it was written
 */
export async function restoreFiles(
  files: readonly WrittenFile[],
): Promise<{ restored: string[] } | { changed: string }> {
  const found = await Promise.all(
    files.map(async (file) => ({
      file,
      isSame: hashOf(await readProjectFile(file.path)) === file.after,
    })),
  );
  const changed = found.find(({ file, isSame }) => !isSame && file.mayDiffer !== true);
  if (changed !== undefined) return { changed: changed.file.name };
  const restored: string[] = [];
  for (const { file, isSame } of found) {
    if (!isSame) continue;
    const { before, path, name } = file;
    if (before === undefined) await rm(path, { force: true });
    else await replaceFile(path, () => before);
    restored.push(name);
  }
  return { restored };
}

function planEdit(
  bytes: Buffer | undefined,
  {
    config,
    aliases,
    renames,
  }: { config: string | undefined; aliases: Aliases; renames?: Record<string, string> },
): { text: string } | { reason: string } {
  if (Object.keys(aliases).length === 0 && bytes === undefined) return { text: '' };
  if (config === undefined) return { reason: NO_CONFIG };
  if (bytes === undefined) return { reason: `${basename(config)} cannot be read` };
  // Bytes of another encoding would be lost with the text.
  if (!isUtf8(bytes)) return { reason: `${basename(config)} is not written in UTF-8` };
  return editAliases(bytes.toString(), config, aliases, renames);
}

/** What the user puts into the configuration, where this package cannot. */
function toCopy(aliases: Aliases, reason: string): { lines: string; reason: string } {
  return { lines: aliasLines(aliases), reason: reason.replace(/\.?$/, '.') };
}

async function describeFile(
  { path, name }: { path: string; name: string },
  before: Buffer | undefined,
): Promise<WrittenFile> {
  return { path, name, before, after: hashOf(await readProjectFile(path)) };
}

const isChanged = ({ before, after }: WrittenFile): boolean => hashOf(before) !== after;

function hashOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : sha256Hex(bytes);
}

/** Editors complete the new names at once, if the project has types. */
async function declareAliases(
  names: readonly string[],
  tools: Parameters<typeof declareImports>[1],
): Promise<WrittenFile[]> {
  const { root } = tools.options;
  const paths = ['icon-catalog.d.ts', 'src/icon-catalog.d.ts'].map((name) => ({
    name,
    path: join(root, name),
  }));
  const before = await Promise.all(paths.map(({ path }) => readFile(path).catch(() => undefined)));
  try {
    await declareImports(
      names.map((name) => `icon:${name}`),
      tools,
    );
  } catch {
    // Types are written again by the next build or `sync`.
    return [];
  }
  const described = await Promise.all(paths.map((file, at) => describeFile(file, before[at])));
  return described.filter(isChanged).map((file) => Object.assign(file, { mayDiffer: true }));
}

const AROUND = 3;

/** A unified diff of one hunk: what is inserted lies close together. */
function diffLines(before: string, after: string, name: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end) === now.at(-1 - end)
  )
    end += 1;
  const from = Math.max(0, start - AROUND);
  const tail = old.slice(old.length - end, old.length - end + AROUND);
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const lead = old.slice(from, start);
  const count = (lines: readonly string[]): string =>
    `${from + 1},${lead.length + lines.length + tail.length}`;
  return [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -${count(removed)} +${count(added)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
    '',
  ].join('\n');
}
