import { resolve } from 'node:path';
import { copyError, type IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { PinnedLine } from '../project/pin.ts';
import type { ProjectReferences } from '../project/references.ts';
import type { Log } from '../types.ts';
import {
  type Catalog,
  type Cli,
  type CliArgs,
  counted,
  type Given,
  type OpenProject,
  UsageError,
} from './command.ts';
import { describeSource, loadProject, type Project } from './load-project.ts';
import { type Column, createProgressBar, renderTable } from './terminal.ts';

/**
 * @throws UsageError, IconCatalogError OPTIONS_INVALID; Error if the configuration cannot be loaded
 */
export async function openProject(given: Given, cli: Cli): Promise<OpenProject> {
  const { options, root, env, envFolder, config } = await loadProject(
    cli.host,
    given.text('config'),
  );
  const { source, warning } = await describeSource(config, cli.host);
  if (warning !== undefined) cli.note(`warning ${warning}`);
  const resolved = await resolveFrom(withEmbedded(options, given), { root, env, config });
  const log: Log = { info: () => undefined, warn: cli.note, error: cli.note };
  const path = config === undefined ? undefined : resolve(cli.host.cwd, config);
  return { options: { ...resolved, source }, log, env, envFolder, config: path };
}

/** The options with the embedded catalog if `--embedded` asks for it; the sets and folders that they name are kept. */
export function withEmbedded(options: Options, given: Given): Options {
  const isEmbedded = typeof options.catalog === 'object' && 'embedded' in options.catalog;
  return given.flag('embedded') && !isEmbedded ? { ...options, catalog: 'embedded' } : options;
}

/**
 * The catalog that the project's builds ask, by the same options and environment.
 *
 * @throws UsageError, IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID; Error if the configuration cannot be loaded
 */
export async function openCatalog(given: Given, cli: Cli): Promise<Catalog> {
  const project = await openProject(given, cli);
  const { options, log } = project;
  const { catalog } = options;
  const [{ createCatalogConnection, explainName }, { createSearches }, { createThumbnails }] =
    await Promise.all([
      import('../pipeline/connection.ts'),
      import('../pipeline/searches.ts'),
      import('../pipeline/thumbnails.ts'),
    ]);
  // A kept answer takes no call.
  const connection = createCatalogConnection(options, {
    warn: log.warn,
    env: cli.host.env,
    isCalled: false,
  });
  const [{ client, send }, { fetch }] = await Promise.all([
    connection.session(),
    connection.access(),
  ]);
  const searches = createSearches(options, { connection, warn: log.warn });
  const thumbnails = createThumbnails(options, { connection, env: cli.host.env });
  return {
    project,
    client: searches.keep(client, { fresh: given.flag('fresh') || given.flag('show-signed') }),
    send,
    usage: connection.usage,
    explain: (id) => async (error) => {
      throw await explainName(error, { id: Number(id), catalog });
    },
    pictures: (icons) =>
      thumbnails.getAll(icons.map(({ id, thumbnail_url: address }) => ({ id, address }))),
    embedded: catalog.kind === 'embedded' ? fetch : undefined,
    close: connection.close,
  };
}

/** @throws IconCatalogError OPTIONS_INVALID, which names the file that the options come from */
async function resolveFrom(
  options: Options,
  { config, ...place }: Pick<Project, 'root' | 'env' | 'config'>,
): Promise<ResolvedOptions> {
  const { resolveOptions } = await import('../options/resolve-options.ts');
  try {
    return resolveOptions(options, place);
  } catch (error) {
    if (!isIconCatalogError(error) || config === undefined) throw error;
    throw copyError(error, {
      message: `${error.reason} The options were read from ${config}.`,
    });
  }
}

/** The argument of every command that reads sources. */
export const SOURCE_ARGS: CliArgs = {
  path: {
    type: 'positional',
    required: false,
    multiple: true,
    description:
      'Files, folders or patterns to search (default: all of the project that git would track)',
  },
};

/** Searches the sources, with a progress bar, and reports what could not be read or understood. */
export async function reportReferences(
  given: Given,
  cli: Cli,
  options: ResolvedOptions,
): Promise<ProjectReferences> {
  const { NothingNamed, placeText, readReferences } = await import('../project/references.ts');
  let bar: ReturnType<typeof createProgressBar> | undefined;
  try {
    const references = await readReferences(options, {
      paths: given.all('path').filter((path) => path !== ''),
      onFile(_, all) {
        bar ??= createProgressBar(cli.host.stderr, { noun: 'files', total: all });
        bar.advance();
      },
    });
    bar?.end();
    for (const warning of references.warnings)
      cli.note(`warning ${placeText(warning)} ${warning.message}.`);
    for (const { written, ...place } of references.unknown)
      cli.note(
        `warning ${placeText(place)} ${written} is only known when it runs: no bundler can import it. Use icon:set?ids=….`,
      );
    return references;
  } catch (error) {
    bar?.end();
    throw error instanceof NothingNamed ? new UsageError(error.message) : error;
  }
}

/** `3 icons in 5 references of 20 files` */
export function countReferences({ icons, count, files }: ProjectReferences): string {
  const ids = new Set(icons.map(({ request }) => request.id));
  return `${counted(ids.size, 'icon')} in ${counted(count, 'reference')} of ${counted(files, 'file')}`;
}

/** All problems as one error, if there is one: a single problem is reported as it is, several have their own lines. */
export function asOneError(
  problems: readonly IconCatalogError[],
  headline: string,
): Error | undefined {
  const [first] = problems;
  if (problems.length < 2) return first;
  const lines = new Set(problems.map(({ message }) => message));
  return new Error([`${headline}:`, ...lines].join('\n'), { cause: first });
}

const COLUMNS: readonly Column<PinnedLine>[] = [
  { title: 'LINE', value: ({ key }) => key },
  { title: 'NAME', value: ({ term }) => term, least: 8 },
  { title: 'LICENCE', value: (line) => line.license_description, least: 6 },
  { title: 'BYTES', value: ({ size }) => (size === undefined ? '' : String(size)), align: 'right' },
];

export function renderLines(
  lines: readonly PinnedLine[],
  cli: Pick<Cli, 'width' | 'paint'>,
): string {
  return lines.length === 0 ? '' : renderTable(lines, COLUMNS, cli);
}
