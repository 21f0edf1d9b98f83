import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { LockedWords } from '../../attribution/check/credits.ts';
import { findAssertion } from '../../attribution/license/policy.ts';
import { isSearched } from '../../attribution/check/scan.ts';
import { type CheckedSite, checkSite, type SiteFile } from '../../attribution/check/site.ts';
import {
  ATTRIBUTION_FORMATS,
  renderAttribution,
} from '../../attribution/render/render-attribution.ts';
import { missingOf } from '../../build/other-builds.ts';
import { attributionFileNames } from '../../options/resolve-attribution.ts';
import { drawCredited, knownArtwork, type ProjectCredits } from '../../project/credits.ts';
import { type ProjectTools, withProjectTools } from '../../project/open.ts';
import { suggest } from '../../request/suggest.ts';
import { readList, unpacked } from '../../store/credit-lists.ts';
import { filesIn } from '../../store/walk.ts';
import type { Manifest } from '../../types.ts';
import {
  argument,
  value,
  flag,
  type Cli,
  type CliBody,
  type Given,
  PROJECT_ARGS,
  UsageError,
  counted,
  type OpenProject,
} from '../command.ts';
import {
  creditsOfLock,
  few,
  findOutput,
  formatOf,
  mergeFolders,
  readManifest,
} from '../credits.ts';
import { asOneError, openProject } from '../open-project.ts';

const WORDS = ['check', 'merge'];

export const attributionCommand: CliBody = {
  args: {
    what: argument(
      'A folder of a finished build, or its list (default: the lock file); `check` and a folder (default: the one that has a list: dist, build, .next …); `merge` and folders',
      { required: false, multiple: true, path: true, values: WORDS },
    ),
    format: value(
      'format',
      `One of ${ATTRIBUTION_FORMATS.join(', ')}; or md, txt, fragment, cdx for short (default: by the name of the file, or text)`,
      { values: ATTRIBUTION_FORMATS },
    ),
    output: value(
      'path',
      'File to write instead of standard output; with merge, the folder of the merged list',
      { alias: 'o', path: true },
    ),
    out: value('file', 'The same as --output', { path: true }),
    template: value('file', 'With --format html: a page that holds <!-- icon-credits -->', {
      path: true,
    }),
    used: flag('With the lock file: only icons that a source refers to'),
    'require-bytes': flag('With check: fail if files of icons in the lock are not on this machine'),
    ...PROJECT_ARGS,
  },
  examples: [
    'attribution --format md',
    'attribution -o CREDITS.md',
    'attribution dist --format html-fragment --output src/credits.html',
    'attribution check',
    'attribution check dist',
    'attribution check dist --require-bytes',
    'attribution merge job-1/dist job-2/dist --output dist',
  ],
  async run(given, cli) {
    const [first, ...rest] = given.all('what');
    if (first === 'merge') return mergeFolders(rest, given, cli);
    const [folder, ...others] = first === 'check' ? rest : given.all('what');
    if (others.length > 0) {
      const nearest = first === 'check' ? undefined : suggest(folder ?? '', WORDS);
      const hint = nearest === undefined ? '' : ` Did you mean \`attribution ${nearest}\`?`;
      throw new UsageError(`There is one folder too many: ${others.join(', ')}.${hint}`);
    }
    if (first === 'check') return checkFolder(folder, given, cli);
    const named = given.text('output') ?? given.text('out');
    // As other tools have it, that is standard output.
    const output = named === '-' ? undefined : named;
    const format = formatOf(given.text('format'), output);
    const template = await templateOf(given, cli, format);
    const project = await openProject(given, cli);
    const { manifest, artwork, problems } = await (folder === undefined
      ? creditsOfLock(given, { cli, ...project })
      : creditsOfBuild(folder, { cli, ...project }));
    const { sourceDateEpoch, attribution } = project.options;
    // The list of a lock is one file, with no other one beside it to link to.
    const formats = folder === undefined ? { formats: {} } : {};
    const page = attribution === false ? {} : { ...attribution.page, ...formats };
    const text = renderAttribution(manifest, format, {
      artwork,
      template,
      sourceDateEpoch,
      ...page,
    });
    const reported = { format, icons: manifest.icons.length, problems };
    const failure = asOneError(
      problems,
      `The list is incomplete: ${counted(problems.length, 'problem')}`,
    );
    if (output === undefined)
      cli.result({ ...reported, text }, () => text.replace(/\n$/, ''), failure);
    else {
      const bytes = new TextEncoder().encode(text);
      await cli.host.writeFile(resolve(cli.host.cwd, output), bytes, { overwrite: true });
      cli.result({ ...reported, file: output }, () => '', failure);
      cli.note(`${output}: ${counted(manifest.icons.length, 'icon')}.`);
    }
  },
};

async function templateOf(given: Given, cli: Cli, format: string): Promise<string | undefined> {
  const named = given.text('template');
  if (named === undefined) return undefined;
  if (format !== 'html') throw new UsageError('--template is for --format html.');
  return cli.host.readFile(resolve(cli.host.cwd, named)).catch((cause: unknown) => {
    throw new Error(`Cannot read the template ${named}. Correct --template.`, { cause });
  });
}

async function creditsOfBuild(
  folder: string,
  { cli, options, log }: { cli: Cli } & OpenProject,
): Promise<Pick<ProjectCredits, 'manifest' | 'artwork' | 'problems'>> {
  const { manifest } = await readManifest(folder, { cli, options });
  const artwork = await withProjectTools(options, { mode: 'offline', log }, (tools) =>
    drawCredited(manifest, tools),
  );
  return { manifest, artwork, problems: [] };
}

/** `attribution check`: compares what a finished site shows with what it credits. */
async function checkFolder(named: string | undefined, given: Given, cli: Cli): Promise<void> {
  const { options, log } = await openProject(given, cli);
  const output = named ?? (await findOutput(cli, options));
  const { manifest, folder, file } = await readManifest(output, { cli, options });
  const root = resolve(cli.host.cwd, folder);
  const files = await readSite(root);
  const innerLists = new Map<string, Manifest>();
  for (const { path } of files.filter((each) => each.path.endsWith('/icon-attribution.json'))) {
    const list = await readList(join(root, path), path);
    if (list !== undefined) innerLists.set(path, list);
  }
  // Installed sets are on this machine, and reading them opens no socket.
  const mode = options.catalog.kind === 'embedded' ? 'locked' : 'offline';
  const known = await withProjectTools(options, { mode, log }, async (tools) => ({
    ...(await knownArtwork(manifest, tools)),
    locked: lockedWords(manifest, tools),
  }));
  const { attribution } = options;
  const names = attribution === false ? [] : attributionFileNames(attribution);
  const creditsFiles = [file, ...names];
  const language = attribution === false ? undefined : attribution.page.language;
  const missingBuilds = missingOf(options.site.builds, manifest.builds);
  const check = (fingerprints: typeof known.fingerprints) =>
    checkSite(files, {
      manifest,
      missingBuilds,
      creditsFiles,
      innerLists,
      language,
      ...known,
      fingerprints,
    });
  let site = check(known.fingerprints);
  // A build may have had options that no command reads: those in the configuration of a generator.
  if (site.problems.some(({ kind }) => kind === 'unused')) {
    const found = new Set(site.found);
    const all = new Map(known.fingerprints);
    for (const optimize of [true, false].filter((each) => each !== options.svg.optimize)) {
      const others = { ...options, svg: { ...options.svg, optimize } };
      const { fingerprints } = await withProjectTools(others, { mode, log }, (tools) =>
        knownArtwork(manifest, tools, (id) => !found.has(id)),
      );
      for (const [id, more] of fingerprints) all.set(id, [...(all.get(id) ?? []), ...more]);
    }
    site = check(all);
  }
  const { absent } = known;
  const failure = failureOf();
  cli.result(
    { ...site, absent },
    () => site.problems.map((each) => `${each.message} ${remedyIn(root, each)}`).join('\n'),
    failure,
  );
  for (const note of notesOf(site, {
    manifest,
    absent,
    lock: options.lockfile.name,
    list: join(folder, file),
  }))
    cli.note(note);
  cli.note(
    `${counted(files.length, 'file')}, ${counted(site.found.length, 'icon')}, ${counted(site.problems.length, 'problem')}.`,
  );

  function failureOf(): Error | undefined {
    if (site.problems.length > 0)
      return new Error(
        `${folder} and its credits do not agree.\n  Each line above says what to do.`,
      );
    return absent.length > 0 && given.flag('require-bytes')
      ? new Error(
          `${counted(absent.length, 'icon')} could not be looked for in ${folder}.\n  Run \`npx icon-catalog sync\` before the check, or commit a vendor file.`,
        )
      : undefined;
  }
}

function lockedWords(
  { icons }: Manifest,
  { pipeline: { iconLock }, options: { licenses } }: ProjectTools,
): Map<string, LockedWords> {
  const words = new Map<string, LockedWords>();
  for (const { id } of icons) {
    const record = iconLock.record(Number(id));
    if (record === undefined) continue;
    const assertion = findAssertion(record, licenses.assert);
    words.set(id, { ...record, assertion, termsVersion: licenses.terms?.version });
  }
  return words;
}

const NEXT = '.next';

function remedyIn(root: string, { kind, remedy }: CheckedSite['problems'][number]): string {
  if (kind !== 'unreachable' || basename(root) !== NEXT) return remedy;
  return 'Next.js does not publish the page that the build writes: show the credits of `icon:credits` on a page of yours, and link to it.';
}

/** What the check could not look at. */
function notesOf(
  { unknown, problems }: CheckedSite,
  {
    manifest,
    absent,
    lock,
    list,
  }: { manifest: Manifest; absent: readonly string[]; lock: string; list: string },
): string[] {
  const changed = unknown.filter((id) => !absent.includes(id));
  return [
    absent.length > 0 &&
      `${counted(absent.length, 'icon')} of ${lock} cannot be looked for, because their files are not on this machine: ${few(absent)}. Run \`npx icon-catalog sync\` before the check, or commit a vendor file.`,
    changed.length > 0 &&
      `${counted(changed.length, 'credited icon')} cannot be looked for, because the project changes the drawing or its file is not on this machine: ${few(changed)}.`,
    !manifest.complete &&
      problems.every(({ kind }) => kind !== 'incomplete') &&
      `${list} says \`"complete": false\`: a build of this site has not reported all of its icons. What the last build printed says which, and why.`,
  ].filter((note) => note !== false);
}

/**
 * Every file below a folder. Of files that are not searched (films, fonts, archives) only the name
 * is listed. Compressed files are read as servers read them: under the name without the ending or,
 * if the compressed text differs, beside that file. Fails as the file system does.
 */
async function readSite(folder: string): Promise<SiteFile[]> {
  const files = new Map<string, Uint8Array>();
  const packed: string[] = [];
  // Next.js keeps its cache and the files of its dev server beside those of a build.
  const isKept = basename(folder) === NEXT ? /^(?:cache|dev)\// : undefined;
  for (const path of await filesIn(folder)) {
    if (isKept?.test(path) === true) continue;
    const isPacked = isSearched(path) && /\.(?:gz|br|svgz)$/.test(path);
    if (isPacked) packed.push(path);
    const isRead = isSearched(path) && !isPacked;
    files.set(path, isRead ? await readFile(join(folder, path)) : new Uint8Array());
  }
  for (const path of packed) {
    const content = await unpacked(path, await readFile(join(folder, path))).catch(() => undefined);
    if (content === undefined) continue;
    const name = path.replace(/\.(?:gz|br)$/, '');
    const plain = files.get(name);
    if (name === path || plain === undefined) files.set(name, content);
    else if (!content.equals(plain)) files.set(path, content);
  }
  return Array.from(files, ([path, content]) => ({ path, content })).toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
