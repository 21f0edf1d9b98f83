import { resolveOptions, type ResolvedOptions } from '../../resolve-options.ts';
import type { Log } from '../../types.ts';
import type { Cli, CliArgs, Given } from '../command.ts';
import { loadProject } from './load-project.ts';

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
  /** For messages: where the options come from. */
  config: string | undefined;
}

/** @throws UsageError, IconCatalogError OPTIONS_INVALID; Error where the configuration cannot be loaded */
export async function openProject(given: Given, cli: Cli): Promise<OpenProject> {
  const { options, root, env, config } = await loadProject(cli.host, given.text('config'));
  const isEmbedded = typeof options.catalog === 'object' && 'embedded' in options.catalog;
  const catalog = given.flag('embedded') && !isEmbedded ? 'embedded' : options.catalog;
  const resolved = resolveOptions(
    { ...options, ...(catalog !== undefined && { catalog }) },
    { root, env },
  );
  const log: Log = { info: () => undefined, warn: cli.note, error: cli.note };
  return { options: resolved, log, config };
}
