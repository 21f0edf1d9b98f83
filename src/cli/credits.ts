import { basename, dirname, relative, resolve } from 'node:path';
import { disagreements, uniteManifests } from '../attribution/manifest/create-manifest.ts';
import {
  ATTRIBUTION_FORMATS,
  type AttributionFormat,
  renderAttribution,
} from '../attribution/render/render-attribution.ts';
import { readTiles } from '../attribution/render/section.ts';
import { isBelow } from '../build/list-files.ts';
import { missingOf, rebase, slug } from '../build/other-builds.ts';
import { ATTRIBUTION_KINDS } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { creditProject, drawCredited, type ProjectCredits } from '../project/credits.ts';
import { withProjectTools } from '../project/open.ts';
import { readBytes, readList } from '../store/credit-lists.ts';
import { foldersWith } from '../store/walk.ts';
import type { Manifest } from '../types.ts';
import { type Cli, type Given, UsageError, counted, type OpenProject } from './command.ts';
import { openProject } from './open-project.ts';
import { reportReferences } from './references.ts';

/**
 * The credits of the project's lock file. Standard error says which list that is.
 * @throws Error if nothing is pinned
 */
export async function creditsOfLock(
  given: Given,
  { cli, options, log }: { cli: Cli } & OpenProject,
): Promise<ProjectCredits> {
  const onlyUsed = given.flag('used');
  const references = await reportReferences(given, cli, options);
  const { credits, isEmpty } = await withProjectTools(
    options,
    { mode: 'offline', log },
    async (tools) => ({
      credits: await creditProject(references, tools, { onlyUsed }),
      isEmpty: tools.pipeline.iconLock.all().entries.size === 0,
    }),
  );
  const { name } = options.lockfile;
  if (isEmpty)
    throw new Error(
      `${name} has no icons.\n  Run \`npx icon-catalog sync\`, or name the folder of a finished build: \`npx icon-catalog attribution dist\`.`,
    );
  tellList(credits, { cli, lockfile: name, onlyUsed });
  return credits;
}

function tellList(
  { manifest: { icons }, unused, absent }: ProjectCredits,
  { cli, lockfile, onlyUsed }: { cli: Cli; lockfile: string; onlyUsed: boolean },
): void {
  const rest =
    unused.length === 0
      ? ''
      : onlyUsed
        ? `; ${unused.length} that no source refers to left out`
        : `, ${unused.length} of them referred to by no source (--used leaves them out)`;
  cli.note(
    `${counted(icons.length, 'icon')} of ${lockfile}${rest}. For the icons that a build ships, run: icon-catalog attribution <folder>`,
  );
  if (absent.length > 0)
    cli.note(
      `${counted(absent.length, 'icon')} not on this machine, credited without drawing and digest: ${few(absent)}. \`npx icon-catalog sync\` fetches them.`,
    );
  const vague = icons.filter(
    ({ license: { status, version } }) => status === 'attribution' && version === null,
  );
  if (vague.length > 0)
    cli.note(
      `${counted(vague.length, 'icon')} under Creative Commons Attribution in a version that the catalog does not state: their credits link to no licence text.`,
    );
}

export function few(ids: readonly (number | string)[]): string {
  return `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`;
}

/** Options of `attribution` that have no meaning here. */
const OTHERS = ['format', 'template', 'used', 'require-bytes'];

/**
 * `attribution merge`: merges the lists of separate jobs into one list, for the folder that holds
 * the files of all jobs.
 */
export async function mergeFolders(
  folders: readonly string[],
  given: Given,
  cli: Cli,
): Promise<void> {
  const { cwd } = cli.host;
  const output = given.text('output') ?? given.text('out');
  if (folders.length === 0) throw new UsageError('Name the folders whose lists belong together.');
  if (output === undefined)
    throw new UsageError('--output is needed: the folder that holds the files of all of them.');
  for (const name of OTHERS)
    if (given.flag(name) || given.text(name) !== undefined)
      throw new UsageError(`--${name} is not accepted with merge.`);
  const { options, log } = await openProject(given, cli);
  const names = options.attribution;
  if (names === false)
    throw new UsageError('The options have `attribution: false`, so there is no file to write.');
  const lists: Manifest[] = [];
  /** This job may have neither the lock nor the files of icons that another one has drawn. */
  let artwork = new Map<string, string>();
  for (const named of folders) {
    const { manifest, folder } = await readManifest(named, { cli, options });
    const [from, to] = [resolve(cwd, folder), resolve(cwd, output)];
    const page = names.html === false ? undefined : await readBytes(resolve(from, names.html));
    artwork = new Map([...readTiles(page?.toString() ?? ''), ...artwork]);
    const prefix = `${slug(relative(to, from))}.`;
    // The files of a folder elsewhere are copied into the output.
    lists.push(isBelow(from, to) ? rebase(manifest, { from, to, prefix }) : manifest);
  }
  const different = disagreements(lists);
  if (different.length > 0) {
    const icons = different.slice(0, 10).map(({ id, field, said, lists: [one, other] }) => {
      const [before = '', after = ''] = [folders[one], folders[other]];
      return `icon ${id}: ${field} is ${said[0]} in ${before} and ${said[1]} in ${after}`;
    });
    throw new Error(
      `The lists disagree about ${counted(different.length, 'icon')}: ${icons.join('; ')}. They were made with different lock files.\n  Build all of them with the same one, then merge again.`,
    );
  }
  const [first, ...others] = lists as [Manifest, ...Manifest[]];
  const builds = lists.flatMap((list) => list.builds);
  const waiting = missingOf(options.site.builds, builds);
  const isWhole = options.site.builds.length > 0 || lists.every((list) => list.complete);
  const complete =
    isWhole && waiting.length === 0 && builds.every((build) => build.complete !== false);
  const manifest = uniteManifests(first, others, { complete });
  const own = await withProjectTools(options, { mode: 'offline', log }, (tools) =>
    drawCredited(manifest, tools),
  );
  artwork = new Map([...artwork, ...own]);
  const { sourceDateEpoch } = options;
  const written: string[] = [];
  for (const kind of ATTRIBUTION_KINDS) {
    const name = names[kind];
    if (name === false) continue;
    const text = renderAttribution(manifest, kind, { artwork, sourceDateEpoch, ...names.page });
    const path = resolve(cwd, output, name);
    await cli.host
      .writeFile(path, new TextEncoder().encode(text), { overwrite: true })
      .catch((cause: unknown) => {
        throw new Error(
          `${output} is no folder that can be written to.\n  Copy the files of all jobs into it first.`,
          { cause },
        );
      });
    written.push(`${output.replace(/[/\\]$/, '')}/${name}`);
  }
  const reported = { icons: manifest.icons.length, complete, waiting, files: written };
  cli.result(reported, () => written.join('\n'));
  const missing = waiting.length === 0 ? '' : ` These builds are missing: ${waiting.join(', ')}.`;
  cli.note(
    `${counted(manifest.icons.length, 'icon')} of ${counted(lists.length, 'list')}.${missing}`,
  );
}

export interface FoundManifest {
  manifest: Manifest;
  /** The folder that it lies in, or that was named. */
  folder: string;
  /** Its path from there. */
  file: string;
}

/** Folders of a project down to a site: `.svelte-kit/output/client`. */
const DEPTH = 3;

/**
 * `attribution.site`, or the one folder of the project that has the list of a build; `dist` if none has. Adapters of SvelteKit
 * and Astro copy a site to where it is published: of copies, the last counts.
 * @throws UsageError if several have one
 */
export async function findOutput(cli: Cli, options: ResolvedOptions): Promise<string> {
  const { site } = options;
  if (site.folder !== undefined) return relative(cli.host.cwd, site.folder) || '.';
  const { cwd } = cli.host;
  const name = listNameOf(options);
  const sites = new Map<string, string>();
  for (const folder of await foldersWith(name, { root: cwd, depth: DEPTH })) {
    const list = await readList(resolve(cwd, folder, name), folder);
    if (list?.builds.some(({ id }) => id !== 'emit')) sites.set(JSON.stringify(list), folder);
  }
  const [found = 'dist', ...others] = sites.values();
  if (others.length > 0)
    throw new UsageError(
      `${[found, ...others].join(' and ')} have lists of icons. Name the folder of the site.`,
    );
  return found;
}

function isListed({ attribution }: ResolvedOptions): boolean {
  return attribution !== false && attribution.json !== false;
}

function listNameOf({ attribution }: ResolvedOptions): string {
  return (attribution !== false && attribution.json) || 'icon-attribution.json';
}

/** The list of a finished build: a file, or that of a folder, under the name that the options give it. */
export async function readManifest(
  named: string,
  { cli: { host }, options }: { cli: Cli; options: ResolvedOptions },
): Promise<FoundManifest> {
  const isFile = named.endsWith('.json');
  const file = isFile ? named : listNameOf(options);
  const path = isFile ? named : `${named.replace(/[/\\]$/, '')}/${file}`;
  const manifest = await readList(resolve(host.cwd, path), path);
  if (manifest === undefined)
    throw new Error(
      `There is no list of icons at ${path}.\n  ${isListed(options) ? 'Build the project first, or name the folder of its output.' : 'The options turn the list off: leave `attribution` and `attribution.json` on, and build the project again.'}`,
    );
  const place = isFile
    ? { folder: dirname(named), file: basename(named) }
    : { folder: named, file };
  return { manifest, ...place };
}

/** The usual names of the formats, and the endings of their files. */
const SHORT: Readonly<Record<string, AttributionFormat>> = {
  md: 'markdown',
  txt: 'text',
  fragment: 'html-fragment',
  cdx: 'cyclonedx',
};
const BY_ENDING: readonly [ending: string, AttributionFormat][] = [
  ['.spdx.json', 'spdx'],
  ['.cdx.json', 'cyclonedx'],
  ['.json', 'json'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.md', 'markdown'],
  ['.txt', 'text'],
];

/**
 * The format that was asked for or, without one, the format that the name of the output file
 * implies.
 * @throws UsageError
 */
export function formatOf(asked: string | undefined, output: string | undefined): AttributionFormat {
  if (asked === undefined) {
    const name = output?.toLowerCase() ?? '';
    return BY_ENDING.find(([ending]) => name.endsWith(ending))?.[1] ?? 'text';
  }
  const format = ATTRIBUTION_FORMATS.find((each) => each === asked);
  const found = format ?? (Object.hasOwn(SHORT, asked) ? SHORT[asked] : undefined);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no format ${asked}. Formats: ${[...ATTRIBUTION_FORMATS, ...Object.keys(SHORT)].join(', ')}.`,
  );
}
