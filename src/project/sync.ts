import { readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IconifyIcon, IconifyJSON } from '@iconify/types';
import {
  licensesInTable,
  placeReuseTable,
  renderReuse,
  REUSE_HEADLINE,
  type ReuseInput,
} from '../attribution/render/reuse.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { keyOfRequest, parseLockKey } from '../request/key.ts';
import { readProjectFile, replaceFile } from '../store/files.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { IconRequest } from '../types.ts';
import type { ProjectTools } from './open.ts';
import { pinIcons, type PinReport, type WantedIcon } from './pin.ts';
import { pinnedRequests, type ProjectReferences, wantedIcons } from './references.ts';

/**
 * Updates the project to its sources: lock, cache, vendor file, and `icon-catalog.d.ts` in a
 * TypeScript project.
 * @param options.isWhole all sources were read, so that declarations without a source can be
 * removed
 * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
 */
export async function syncProject(
  references: ProjectReferences,
  tools: ProjectTools,
  { isWhole, onIcon }: { isWhole: boolean; onIcon: () => void },
): Promise<PinReport> {
  const report = await pinIcons(wantedIcons(references), tools, onIcon);
  const isComplete = isWhole && report.failed.length === 0 && references.invalid.length === 0;
  // A dry run declares nothing.
  const { declareImports } = await import('../dts/declare-imports.ts');
  await declareImports(references.imports, tools, { keep: !isComplete });
  return report;
}

interface CallEstimate {
  /** Keys of lines that would be added to the lock. */
  missing: string[];
  /**
   * The number of signed calls that it would take. An icon of several tones needs one more for each
   * colour; only its file shows whether it has several.
   */
  calls: number;
}

/** The cost of adding these lines. Makes no call. */
export async function estimateCalls(
  wanted: readonly WantedIcon[],
  { pipeline }: Pick<ProjectTools, 'pipeline'>,
): Promise<CallEstimate> {
  const { iconLock } = pipeline;
  const assets = await pipeline.assets();
  const keys = new Set(wanted.map(({ request }) => keyOfRequest(request)));
  const missing = [...keys].filter((key) => {
    const isRecord =
      key.endsWith(':meta') && iconLock.record(Number.parseInt(key, 10)) !== undefined;
    return iconLock.find(key) === undefined && !isRecord;
  });
  const records = new Set<number>();
  let calls = 0;
  for (const key of missing) {
    const id = Number.parseInt(key, 10);
    if (iconLock.record(id) === undefined && !records.has(id) && !(await assets.hasRecord(id))) {
      calls += 1;
    }
    records.add(id);
  }
  for (const key of new Set([...missing, ...iconLock.all().entries.keys()])) {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined || iconKey.kind === 'meta') continue;
    if (!(await assets.hasBytes(iconKey))) calls += 1;
  }
  return { missing, calls };
}

export interface WrittenReuse {
  /** Paths relative to the root, `/` between folders, of what is new or changed. */
  written: string[];
  /** Licence texts that this command wrote and that no icon needs any more. */
  removed: string[];
  /** Licence texts that no icon needs any more, and that the project itself may need. */
  unused: string[];
  /** SPDX identifiers whose text is not in `LICENSES/` yet; `reuse download <id>` fetches it. */
  missing: string[];
}

const FOLDER = 'LICENSES';

/**
 * Writes `REUSE.toml` and the texts in `LICENSES/` for the vendor file and the lock file, if they
 * would change. The text of a licence on the SPDX list comes from `spdx-license-list`, if the
 * project has it, or is the one that came with the icons.
 *
 * @throws IconCatalogError as `renderReuse` and `placeReuseTable` do; as the file system does
 */
export async function writeReuse(root: string, input: ReuseInput): Promise<WrittenReuse> {
  const { table, licenses, listed } = renderReuse(input);
  const before = await read(join(root, 'REUSE.toml'));
  const toml = placeReuseTable(before, table);
  const present = await readdir(join(root, FOLDER)).catch(() => []);
  const files = new Map([['REUSE.toml', toml]]);
  for (const [name, text] of Object.entries(licenses)) files.set(`${FOLDER}/${name}`, text);
  const missing: string[] = [];
  for (const [id, came] of listed) {
    if (present.some((name) => name === id || name.startsWith(`${id}.`))) continue;
    const text = (await readLicenseText(root, id)) ?? (came === undefined ? came : `${came}\n`);
    if (text === undefined) missing.push(id);
    else files.set(`${FOLDER}/${id}.txt`, text);
  }
  const written: string[] = [];
  for (const [path, text] of files) {
    const found = await read(join(root, path));
    // A licence text that the project already has is better than this package's.
    const isTheirs = path !== 'REUSE.toml' && found?.startsWith(REUSE_HEADLINE) === false;
    if (found === text || isTheirs) continue;
    await replaceFile(join(root, path), () => Buffer.from(text));
    written.push(path);
  }
  const removed: string[] = [];
  for (const name of present.filter((name) => /^LicenseRef-.*\.txt$/.test(name))) {
    const path = join(root, FOLDER, name);
    if (name in licenses || !(await read(path))?.startsWith(REUSE_HEADLINE)) continue;
    await rm(path, { force: true });
    removed.push(`${FOLDER}/${name}`);
  }
  const unused = licensesInTable(before)
    .filter((id) => !listed.has(id) && !id.startsWith('LicenseRef-'))
    .flatMap((id) => present.filter((name) => name.replace(/\.[a-z]+$/, '') === id))
    .map((name) => `${FOLDER}/${name}`);
  return { written, removed, unused, missing };
}

/**
 * The text from the package of the project that has all licences of the SPDX list; `undefined`
 * without it.
 */
async function readLicenseText(root: string, id: string): Promise<string | undefined> {
  try {
    const { resolve } = createRequire(join(root, 'package.json'));
    const file = await readFile(resolve(`spdx-license-list/licenses/${id}.json`), 'utf8');
    const { licenseText } = JSON.parse(file) as { licenseText?: unknown };
    return typeof licenseText === 'string' ? `${licenseText.trimEnd()}\n` : undefined;
  } catch {
    return undefined;
  }
}

/** The text with LF, as it is compared; `undefined` if the file does not exist. */
async function read(file: string): Promise<string | undefined> {
  const bytes = await readProjectFile(file);
  return bytes?.toString().replaceAll('\r\n', '\n');
}

/**
 * REUSE files for the vendor file and the lock file: whose icons they hold and under which
 * licences.
 *
 * @throws IconCatalogError OPTIONS_INVALID if the project has no vendor file; as `writeReuse` does
 */
export async function writeNotices({ pipeline, options }: ProjectTools): Promise<WrittenReuse> {
  const { vendor } = await pipeline.open();
  if (vendor === undefined) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message:
        'REUSE files state whose icons a vendor file holds, and this project has no vendor file.',
      remedy: 'Set `vendor: true` in the options, or leave out --reuse.',
      path: 'vendor',
    });
  }
  const records = await vendor.records(pipeline.iconLock);
  const { assert, terms } = options.licenses;
  const files = [options.lockfile.name, vendor.file.name];
  const notices = new Map<string, readonly string[]>();
  const pinned = pinnedRequests(pipeline.iconLock.all().entries.keys());
  for (const { id } of records) {
    const drawings = (pinned.get(Number(id)) ?? []).filter(({ filetype }) => filetype === 'svg');
    const sources = await Promise.all(drawings.map((request) => pipeline.source(request)));
    const said = sources.flatMap((source) => (source.kind === 'svg' ? source.master.notices : []));
    notices.set(id, said);
  }
  return writeReuse(options.root, { records, notices, assert, terms, files });
}

/** Below the project's root. The folder is ignored by git, as it says itself. */
export const EDITOR_FILE = '.icon-catalog/icons.json';
/** The setting of Iconify IntelliSense for VS Code. */
export const EDITOR_SETTING: string = `"iconify.customCollectionJsonPaths": ["./${EDITOR_FILE}"]`;

/** What the extension recognises behind `icon:`. */
const NAME = /^[\w-]+$/;

/**
 * Writes the pinned icons under their ids and aliases as an icon set of Iconify, whose extension for VS Code draws them
 * where sources name them.
 * @returns names of the set
 */
export async function writeEditorIcons(tools: ProjectTools): Promise<string[]> {
  const { root, aliases } = tools.options;
  const { iconLock } = tools.pipeline;
  await iconLock.open();
  const icons: [name: string, icon: IconifyIcon][] = [];
  for (const [id, requests] of pinnedRequests(iconLock.all().entries.keys())) {
    const icon = await drawFirst(requests, tools);
    if (icon === undefined) continue;
    const names = Object.keys(aliases).filter((name) => aliases[name] === id);
    for (const name of [String(id), ...names]) if (NAME.test(name)) icons.push([name, icon]);
  }
  const sorted = icons.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const set: IconifyJSON = { prefix: 'icon', icons: Object.fromEntries(sorted) };
  const file = join(root, EDITOR_FILE);
  await replaceFile(join(dirname(file), '.gitignore'), () => Buffer.from('*\n'));
  await replaceFile(file, () => Buffer.from(`${JSON.stringify(set)}\n`));
  return Object.keys(set.icons);
}

/** The first line of an icon that draws it as SVG. */
async function drawFirst(
  requests: readonly IconRequest[],
  { pipeline }: ProjectTools,
): Promise<IconifyIcon | undefined> {
  for (const request of requests) {
    try {
      const source = await pipeline.source(request);
      if (source.kind !== 'svg') continue;
      const { id, color } = request;
      const shape = { id, size: '1em', title: null, class: null, isFile: true };
      const svg = renderSvg(source.master, { ...shape, color: color ?? 'currentColor' });
      const { convertParsedSVG, parseSVGContent } = await import('@iconify/utils/lib/svg/parse');
      const parsed = parseSVGContent(svg);
      return parsed && convertParsedSVG(parsed);
    } catch (error) {
      // An icon that is refused or not on this machine is left out; its reference reports why.
      if (!isIconCatalogError(error)) throw error;
    }
  }
  return undefined;
}

/** Whether the settings of the folder have the set already. */
export async function hasEditorSetting(root: string): Promise<boolean> {
  const settings = await readFile(join(root, '.vscode/settings.json'), 'utf8').catch(() => '');
  return settings.includes(EDITOR_FILE);
}
