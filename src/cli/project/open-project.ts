import { copyError, isIconCatalogError } from '../../errors.ts';
import { resolveOptions, type ResolvedOptions } from '../../resolve-options.ts';
import type { Options } from '../../options.ts';
import type { Log } from '../../types.ts';
import type { Cli, CliArgs, Given } from '../command.ts';
import { describeSource, loadProject, type Project } from './load-project.ts';

/** The options of every command that works on a project. */
export const PROJECT_ARGS: CliArgs = {
  config: {
    type: 'string',
    alias: 'c',
    valueHint: 'file',
    path: true,
    description:
      "Configuration with the plugin's options (default: icon-catalog.config.*, vite.config.* or another bundler's in this folder)",
  },
  embedded: {
    type: 'boolean',
    description: 'Use the embedded catalog: icon sets installed in the project, no key needed',
  },
};

export interface OpenProject {
  options: ResolvedOptions;
  /** Warnings and errors, as lines of standard error. */
  log: Log;
}

/** @throws UsageError, IconCatalogError OPTIONS_INVALID; Error where the configuration cannot be loaded */
export async function openProject(given: Given, cli: Cli): Promise<OpenProject> {
  const { options, root, env, config } = await loadProject(cli.host, given.text('config'));
  const { source, warning } = await describeSource(config, cli.host);
  const isEmbedded = typeof options.catalog === 'object' && 'embedded' in options.catalog;
  const catalog = given.flag('embedded') && !isEmbedded ? 'embedded' : options.catalog;
  if (warning !== undefined) cli.note(`warning ${warning}`);
  const resolved = resolveFrom(
    { ...options, ...(catalog !== undefined && { catalog }) },
    { root, env, config },
  );
  const log: Log = { info: () => undefined, warn: cli.note, error: cli.note };
  return { options: { ...resolved, source }, log };
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
