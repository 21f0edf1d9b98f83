import type { ResolvedOptions } from '../options/resolve-options.ts';
import {
  NothingNamed,
  placeText,
  type ProjectReferences,
  readReferences,
} from '../project/references.ts';
import { argument, type Cli, type CliArgs, counted, type Given, UsageError } from './command.ts';
import { createProgressBar } from './terminal.ts';

/** The argument of every command that reads sources. */
export const SOURCE_ARGS: CliArgs = {
  path: argument(
    'Files, folders or patterns to search (default: all of the project that git would track)',
    { required: false, multiple: true },
  ),
};

/** Searches the sources, with a progress bar, and reports what could not be read or understood. */
export async function reportReferences(
  given: Given,
  cli: Cli,
  options: ResolvedOptions,
): Promise<ProjectReferences> {
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

/** `5 references to 3 icons (20 files read)` */
export function countReferences({ icons, count, files }: ProjectReferences): string {
  const ids = new Set(icons.map(({ request }) => request.id));
  return `${counted(count, 'reference')} to ${counted(ids.size, 'icon')} (${counted(files, 'file')} read)`;
}
