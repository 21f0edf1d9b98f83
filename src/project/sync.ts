import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  licensesInTable,
  placeReuseTable,
  renderReuse,
  REUSE_HEADLINE,
  type ReuseInput,
} from '../attribution/render/reuse.ts';
import { declareImports } from '../dts/declare-imports.ts';
import { IconCatalogError } from '../errors.ts';
import { readProjectFile, replaceFile } from '../store/files.ts';
import type { ProjectTools } from './open.ts';
import { pinIcons, type PinReport, type WantedIcon } from './pin.ts';
import { type ProjectReferences, wantedIcons } from './references.ts';
import { keyOfRequest, parseLockKey } from '../request/key.ts';

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
  await declareImports(references.imports, tools, { keep: !isComplete });
  return report;
}

export interface CallEstimate {
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
  const { assets } = await pipeline.open();
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

interface WrittenReuse {
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
    await mkdir(join(root, FOLDER), { recursive: true });
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

export type WrittenNotices = WrittenReuse;

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
  return writeReuse(options.root, { records, assert, terms, files });
}
