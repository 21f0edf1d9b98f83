import { resolve } from 'node:path';
import {
  ATTRIBUTION_FORMATS,
  renderAttribution,
} from '../../attribution/render/render-attribution.ts';
import type { IconCatalogError } from '../../errors.ts';
import type { Manifest } from '../../types.ts';
import { suggest } from '../../request/suggest.ts';
import { drawCredited } from '../../project/credits.ts';
import { withProjectTools } from '../../project/open.ts';
import {
  PROJECT_ARGS,
  type Cli,
  type CliBody,
  defineCliCommand,
  type Given,
  UsageError,
  reportedProblem,
} from '../command.ts';
import { checkFolder } from '../check-folder.ts';
import { creditsOfLock, formatOf, mergeFolders, readManifest } from '../credits.ts';
import { asOneError, counted, openProject, type OpenProject } from '../open-project.ts';

interface Listed {
  manifest: Manifest;
  artwork: ReadonlyMap<string, string>;
  /** The options that make the list a partial one. */
  problems: readonly IconCatalogError[];
}

/** The actions that may stand before folders. */
const WORDS = ['check', 'merge'];

export const attributionCommand: CliBody = defineCliCommand({
  args: {
    what: {
      type: 'positional',
      required: false,
      multiple: true,
      path: true,
      values: WORDS,
      description:
        'A folder of a finished build, or its list (default: the lock file); `check` and a folder (default: dist); `merge` and folders',
    },
    format: {
      type: 'string',
      valueHint: 'format',
      values: ATTRIBUTION_FORMATS,
      description: `One of ${ATTRIBUTION_FORMATS.join(', ')}; md, txt, fragment and cdx for short (default: what the name of the file says, or text)`,
    },
    output: {
      type: 'string',
      alias: 'o',
      path: true,
      valueHint: 'path',
      description:
        'Write this file instead of standard output; with merge, the folder of the one list',
    },
    out: { type: 'string', path: true, valueHint: 'file', description: 'The same as --output' },
    template: {
      type: 'string',
      path: true,
      valueHint: 'file',
      description: 'With --format html: a page that holds <!-- icon-credits -->',
    },
    used: {
      type: 'boolean',
      description: 'With the lock file: only icons that a source refers to',
    },
    'require-bytes': {
      type: 'boolean',
      description: 'With check: fail if files of icons in the lock are not on this machine',
    },
    ...PROJECT_ARGS,
  },
  examples: [
    'attribution --format md',
    'attribution -o CREDITS.md',
    'attribution dist --format html-fragment --output src/credits.html',
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
    if (first === 'check') return checkFolder(folder ?? 'dist', given, cli);
    const output = given.text('output') ?? given.text('out');
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
    const reported = {
      format,
      icons: manifest.icons.length,
      problems: problems.map(reportedProblem),
    };
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
    if (failure !== undefined) throw failure;
  },
});

async function templateOf(given: Given, cli: Cli, format: string): Promise<string | undefined> {
  const named = given.text('template');
  if (named === undefined) return undefined;
  if (format !== 'html') throw new UsageError('--template is for --format html.');
  return cli.host.readFile(resolve(cli.host.cwd, named));
}

async function creditsOfBuild(
  folder: string,
  { cli, options, log }: { cli: Cli } & OpenProject,
): Promise<Listed> {
  const { manifest } = await readManifest(folder, { cli, options });
  const artwork = await withProjectTools(options, { mode: 'offline', log }, (tools) =>
    drawCredited(manifest, tools),
  );
  return { manifest, artwork, problems: [] };
}
