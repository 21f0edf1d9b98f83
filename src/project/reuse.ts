import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  placeReuseTable,
  renderReuse,
  REUSE_HEADLINE,
  type ReuseInput,
} from '../attribution/render/reuse.ts';
import { IconCatalogError } from '../errors.ts';
import { readProjectFile, replaceFile } from '../store/files.ts';
import type { ProjectTools } from './open.ts';

interface WrittenReuse {
  /** Paths relative to the root, `/` between folders, of what is new or changed. */
  written: string[];
  /** Licence texts that this command wrote and that no icon needs any more. */
  removed: string[];
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
  const toml = placeReuseTable(await read(join(root, 'REUSE.toml')), table);
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
    const before = await read(join(root, path));
    // A licence text that the project already has is better than this package's.
    const isTheirs = path !== 'REUSE.toml' && before?.startsWith(REUSE_HEADLINE) === false;
    if (before === text || isTheirs) continue;
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
  return { written, removed, missing };
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
  const vendor = await pipeline.vendor();
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
