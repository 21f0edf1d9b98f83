import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { CreditedWords } from '../attribution/check/credits.ts';
import { checkSite, isSearched, type SiteFile } from '../attribution/check/site.ts';
import { attributionFileNames } from '../options/resolve-attribution.ts';
import { knownArtwork } from '../project/credits.ts';
import { withProjectTools } from '../project/open.ts';
import type { Cli, Given } from './command.ts';
import { readManifest } from './credits.ts';
import { counted, openProject } from './open-project.ts';

/** `attribution check`: compares what a finished site shows with what it credits. */
export async function checkFolder(named: string, given: Given, cli: Cli): Promise<void> {
  const { options, log } = await openProject(given, cli);
  const { manifest, folder, file } = await readManifest(named, { cli, options });
  const files = await readSite(resolve(cli.host.cwd, folder));
  // Installed sets are on this machine, and reading them opens no socket.
  const mode = options.catalog.kind === 'embedded' ? 'locked' : 'offline';
  const known = await withProjectTools(options, { mode, log }, async (tools) => {
    const artwork = await knownArtwork(manifest, tools);
    const locked = new Map<string, CreditedWords>();
    for (const { id } of manifest.icons) {
      const record = tools.pipeline.iconLock.record(Number(id));
      if (record !== undefined) locked.set(id, record);
    }
    return { ...artwork, locked };
  });
  const { attribution } = options;
  const names = attribution === false ? [] : attributionFileNames(attribution);
  const creditsFiles = [file, ...names];
  const language = attribution === false ? undefined : attribution.page.language;
  const site = checkSite(files, { manifest, creditsFiles, language, ...known });
  const { absent } = known;
  const failure = failureOf();
  cli.result(
    { ...site, absent },
    () => site.problems.map(({ message, remedy }) => `${message} ${remedy}`).join('\n'),
    failure,
  );
  const unknown = site.unknown.filter((id) => !absent.includes(id));
  if (absent.length > 0)
    cli.note(
      `${counted(absent.length, 'icon')} of ${options.lockfile.name} cannot be looked for, because their files are not on this machine: ${few(absent)}. Run \`npx icon-catalog sync\` before the check, or commit a vendor file.`,
    );
  if (unknown.length > 0)
    cli.note(
      `${counted(unknown.length, 'credited icon')} cannot be looked for, because the project changes the drawing or its file is not on this machine: ${few(unknown)}.`,
    );
  cli.note(
    `${counted(files.length, 'file')}, ${counted(site.found.length, 'icon')}, ${counted(site.problems.length, 'problem')}.`,
  );
  if (failure !== undefined) throw failure;

  function failureOf(): Error | undefined {
    if (site.problems.length > 0) return new Error(`${folder} and its credits do not agree.`);
    return absent.length > 0 && given.flag('require-bytes')
      ? new Error(`${counted(absent.length, 'icon')} could not be looked for in ${folder}.`)
      : undefined;
  }
}

function few(ids: readonly string[]): string {
  return `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`;
}

const unpackByEnding = {
  '.gz': promisify(gunzip),
  '.br': promisify(brotliDecompress),
  '.svgz': promisify(gunzip),
};
type Packed = keyof typeof unpackByEnding;

/**
 * Every file below a folder. Of files that are not searched (films, fonts, archives) only the name
 * is listed. Compressed files are read as servers read them: under the name without the ending or,
 * if the compressed text differs, beside that file. Fails as the file system does.
 */
async function readSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
  const files = new Map<string, Uint8Array>();
  const packed: string[] = [];
  for (const written of paths) {
    const path = written.replaceAll('\\', '/');
    const isPacked = isSearched(path) && /\.(?:gz|br|svgz)$/.test(path);
    if (isPacked) packed.push(path);
    const isRead = isSearched(path) && !isPacked;
    files.set(path, isRead ? await readFile(join(folder, written)) : new Uint8Array());
  }
  for (const path of packed) {
    const ending = /\.(?:gz|br|svgz)$/.exec(path)?.[0] as Packed;
    const unpack = unpackByEnding[ending];
    const content = await unpack(await readFile(join(folder, path))).catch(() => undefined);
    if (content === undefined) continue;
    const name = ending === '.svgz' ? path : path.slice(0, -ending.length);
    const plain = files.get(name);
    if (name === path || plain === undefined) files.set(name, content);
    else if (!content.equals(plain)) files.set(path, content);
  }
  return Array.from(files, ([path, content]) => ({ path, content })).toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
