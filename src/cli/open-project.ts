import { resolve } from 'node:path';
import { copyError, IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import { type ResolvedOptions, resolveOptions } from '../options/resolve-options.ts';
import type { PickerProject } from '../picker/project.ts';
import type { PinnedLine } from '../project/pin.ts';
import type { Log } from '../types.ts';
import type { Cli, Given, OpenProject } from './command.ts';
import type { Host } from './host.ts';
import { loadProject, type Project } from './load-project.ts';
import { type Column, renderTable } from './terminal.ts';

/**
 * @throws UsageError, IconCatalogError OPTIONS_INVALID; Error if the configuration cannot be loaded
 */
export async function openProject(given: Given, cli: Cli): Promise<OpenProject> {
  const project = await loadProject(cli.host, given.text('config'), given.text('mode'));
  const { options, root, env, envFolder, config, source } = project;
  const resolved = resolveFrom(withEmbedded(options, given), { root, env, config });
  const log: Log = { info: () => undefined, warn: cli.note, error: cli.note };
  const path = config === undefined ? undefined : resolve(cli.host.cwd, config);
  return { options: { ...resolved, source }, log, env, envFolder, config: path };
}

/** Node keeps a module that it has loaded under its version. */
let reads = 0;

/** A project whose options are read again, for commands that answer questions until they are ended. */
export interface FollowedProject {
  /** As it was at the start. */
  first: OpenProject;
  /**
   * As its configuration and `.env` files are at the moment; the same object while their texts are the same.
   * @throws IconCatalogError OPTIONS_INVALID
   */
  now(): Promise<PickerProject>;
}

/**
 * @throws as `openProject` does
 */
export async function followProject(given: Given, cli: Cli): Promise<FollowedProject> {
  const { findConfig } = await import('../project/add-icons.ts');
  const { host } = cli;
  const first = await openProject(given, cli);
  const texts = async ({ config, envFolder, options }: OpenProject): Promise<string> => {
    const own = await findConfig(options.root, config);
    const envFiles = ENV_FILES.map((name) => resolve(envFolder, name));
    const files = [config, own].flatMap((file) => file ?? []).concat(envFiles);
    return JSON.stringify(
      await Promise.all(files.map((file) => host.readFile(file).catch(() => ''))),
    );
  };
  const describe = async ({ options, env, config }: OpenProject): Promise<PickerProject> => ({
    resolved: options,
    env,
    config: await findConfig(options.root, config),
    isReadOnly: given.flag('read-only'),
  });
  let known = { project: first, text: await texts(first), shown: await describe(first) };
  async function read(): Promise<PickerProject> {
    const text = await texts(known.project);
    if (text === known.text) return known.shown;
    reads += 1;
    const version = `read-${reads}`;
    const importDefault = (path: string): Promise<unknown> => host.importDefault(path, version);
    const fresh: Host = Object.assign(Object.create(host) as Host, { importDefault });
    const project = await openProject(given, { ...cli, host: fresh }).catch(unreadable);
    known = { project, text: await texts(project), shown: await describe(project) };
    return known.shown;
  }
  let reading: Promise<PickerProject> | undefined;
  return {
    first,
    now: () =>
      (reading ??= read().finally(() => {
        reading = undefined;
      })),
  };
}

const ENV_FILES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.production',
  '.env.production.local',
];

/** The page or the agent that asks gets the reason, and not only the terminal. */
function unreadable(cause: unknown): never {
  if (isIconCatalogError(cause)) throw cause;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: cause instanceof Error ? cause.message : String(cause),
    remedy: 'Correct the file. It is read again for the next question.',
    cause,
  });
}

/** The options with the embedded catalog if `--embedded` asks for it; the sets and folders that they name are kept. */
export function withEmbedded(options: Options, given: Given): Options {
  const isEmbedded = typeof options.catalog === 'object' && 'embedded' in options.catalog;
  return given.flag('embedded') && !isEmbedded ? { ...options, catalog: 'embedded' } : options;
}

/** @throws IconCatalogError OPTIONS_INVALID, which names the file that the options come from */
function resolveFrom(
  options: Options,
  { config, ...place }: Pick<Project, 'root' | 'env' | 'config'>,
): ResolvedOptions {
  try {
    return resolveOptions(options, place);
  } catch (error) {
    if (!isIconCatalogError(error) || config === undefined) throw error;
    throw copyError(error, {
      message: `${error.reason} The options were read from ${config}.`,
    });
  }
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
