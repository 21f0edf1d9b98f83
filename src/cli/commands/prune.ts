import { withProjectTools } from '../../project/open.ts';
import type { PinnedLine } from '../../project/pin.ts';
import { placeText, type ProjectReferences } from '../../project/references.ts';
import { findUnused, prunePins, readShipped } from '../../project/prune.ts';
import { flag, PROJECT_ARGS, type Cli, type CliBody, type Given, counted } from '../command.ts';
import { asOneError, openProject, renderLines } from '../open-project.ts';
import { countReferences, reportReferences } from '../references.ts';

export const pruneCommand: CliBody = {
  args: {
    'dry-run': flag('Show what would be removed, and remove nothing'),
    yes: flag('Do not ask', 'y'),
    force: flag(
      'Remove even if some references are known only at run time, or cannot be read',
      'f',
    ),
    ...PROJECT_ARGS,
  },
  examples: ['prune --dry-run', 'prune', 'prune --yes'],
  async run(given, cli) {
    const { options, log } = await openProject(given, cli);
    const references = await reportReferences(given, cli, options);
    const isDry = given.flag('dry-run');
    // Nothing is fetched here, in whatever mode: it says what may be added.
    const writable = { ...options, mode: 'online' } as const;
    await withProjectTools(writable, { mode: 'online', log }, async (tools) => {
      const requests = references.icons.map(({ request }) => request);
      const { ids, lists } = await readShipped(options);
      const { unused, kept } = await findUnused(requests, tools, ids);
      if (!isDry && unused.length > 0) {
        refuseDoubts(given, references);
        if (!(await mayRemove(given, { cli, unused }))) {
          cli.result({ removed: [], unused, kept }, () => '');
          return cli.note('Nothing was changed.');
        }
        await prunePins(unused, tools);
      }
      cli.result({ removed: isDry ? [] : unused, unused, kept }, () => renderLines(unused, cli));
      if (kept.length > 0)
        cli.note(
          `${counted(kept.length, 'line')} that no source refers to ${kept.length === 1 ? 'stays' : 'stay'}: the last build shipped the icons (${lists.join(', ')}).`,
        );
      const done = isDry ? 'would be removed' : 'removed';
      cli.note(
        `${countReferences(references)}; ${counted(unused.length, 'line')} ${done} from ${options.lockfile.name}.`,
      );
      if (unused.length > 0)
        cli.next(
          isDry ? 'Without --dry-run they are removed.' : `Commit ${options.lockfile.name}.`,
        );
      else cli.next(`Every icon of ${options.lockfile.name} is needed: there is nothing to do.`);
    });
  },
};

/** An unknown reference may be the one that needs the line. */
function refuseDoubts(given: Given, { unknown, invalid, warnings }: ProjectReferences): void {
  if (given.flag('force')) return;
  const failure = asOneError(
    invalid,
    `Nothing was removed: ${counted(invalid.length, 'reference')} cannot be understood`,
  );
  if (failure !== undefined) throw failure;
  const [doubt] = [...unknown, ...warnings];
  if (doubt === undefined) return;
  throw new Error(
    `Nothing was removed: what ${placeText(doubt)} refers to cannot be known.\n  Add --force if it needs none of these lines.`,
  );
}

async function mayRemove(
  given: Given,
  { cli, unused }: { cli: Cli; unused: readonly PinnedLine[] },
): Promise<boolean> {
  if (given.flag('yes') || given.flag('force')) return true;
  const named = unused.map(({ key, term }) => `${key} ${term}`).slice(0, 20);
  const more = unused.length > named.length ? [`and ${unused.length - named.length} more`] : [];
  const list = [...named, ...more].join(', ');
  if (!cli.host.canAsk) {
    const them = unused.length === 1 ? 'it' : 'them';
    throw new Error(
      `Nothing was removed: no source refers to ${list}, but \`icon-catalog add\` may have pinned ${them} on purpose.\n  Add --yes to remove ${them}.`,
    );
  }
  return cli.host.confirm(`No source refers to ${list}. Remove ${counted(unused.length, 'line')}?`);
}
