import { IconCatalogError } from '../../errors.ts';
import {
  type Difference,
  rightsDrift,
  updatePins,
  type UpdateReport,
} from '../../project/update.ts';
import { withProjectTools } from '../../project/open.ts';
import { readNames } from '../../project/references.ts';
import {
  argument,
  flag,
  PROJECT_ARGS,
  type Cli,
  type CliBody,
  reportedProblem,
  counted,
} from '../command.ts';
import { createProgressBar, type ProgressBar, toPlainText } from '../terminal.ts';
import { asOneError, openProject } from '../open-project.ts';

export const updateCommand: CliBody = {
  args: {
    icon: argument('Ids or aliases (default: every pinned icon)', {
      required: false,
      multiple: true,
      icons: true,
    }),
    check: flag('Write nothing, and fail if something differs'),
    ...PROJECT_ARGS,
  },
  examples: ['update', 'update 123 house', 'update --check'],
  async run(given, cli) {
    const { options, log } = await openProject(given, cli);
    const check = given.flag('check');
    const names = given.all('icon').filter((name) => name !== '');
    const ids = names.flatMap((name) => readNames(name, options).map(({ id }) => id));
    let bar: ProgressBar | undefined;
    const report = await withProjectTools(options, { mode: 'online', log }, async (tools) => {
      await tools.pipeline.iconLock.open();
      tools.pipeline.iconLock.acceptAltered();
      const pinned = new Set(
        [...tools.pipeline.iconLock.all().entries.keys()].map((key) => Number.parseInt(key, 10)),
      );
      const lost = ids.find((id) => !pinned.has(id));
      if (lost !== undefined)
        throw new IconCatalogError('LOCK_MISSING', {
          message: `Icon ${lost} has no line in ${options.lockfile.name}, so there is nothing to update.`,
          remedy: `Run \`npx icon-catalog add ${lost}\`, or \`npx icon-catalog sync\` if a source refers to it.`,
          icon: lost,
        });
      const wanted = ids.length > 0 ? [...new Set(ids)] : [...pinned];
      const progress = createProgressBar(cli.host.stderr, { noun: 'icons', total: wanted.length });
      bar = progress;
      return updatePins(tools, { ids: wanted, check, onIcon: progress.advance });
    }).finally(() => bar?.end());
    tell(report, { cli, check, lockfile: options.lockfile.name });
  },
};

function tell(
  { differences, updated, failed, icons, calls }: UpdateReport,
  { cli, check, lockfile }: { cli: Cli; check: boolean; lockfile: string },
): void {
  const rights = differences.filter(({ legal }) => legal);
  const drifts = [...new Set(rights.map(idOf))].map((id) =>
    rightsDrift(
      id,
      rights.filter((one) => idOf(one) === id),
      lockfile,
    ),
  );
  const problems = [...failed, ...(check ? drifts : [])].map(reportedProblem);
  const changed = new Set(differences.map(idOf));
  const differ = `${counted(changed.size, 'icon')} ${changed.size === 1 ? 'differs' : 'differ'} from ${lockfile}`;
  const inRights =
    drifts.length === 0 ? '' : `, ${drifts.length} of them in licence, credit or creator`;
  const failure =
    asOneError(failed, `${counted(failed.length, 'icon')} cannot be compared`) ??
    (check && changed.size > 0
      ? new Error(
          `${differ}${inRights}.\n  Run \`npx icon-catalog update\` if you want the changes.`,
        )
      : undefined);
  cli.result(
    { icons, differences, updated, calls, problems },
    () => differences.map((difference) => renderDifference(difference, cli)).join('\n'),
    failure,
  );
  for (const { reason } of drifts) cli.note(reason);
  const written = check ? 'nothing was written' : `${counted(updated.length, 'icon')} updated`;
  cli.note(
    `${counted(icons, 'icon')} asked for; ${differ}${inRights}; ${written}; ${counted(calls, 'call')}.`,
  );
  if (updated.length > 0) cli.next(`Build, look at the icons, and commit ${lockfile}.`);
}

function idOf({ key }: Difference): number {
  return Number.parseInt(key, 10);
}

function renderDifference(
  { key, field, locked, current, legal }: Difference,
  { paint }: Cli,
): string {
  const name = legal ? paint('red', field) : field;
  return [`${key} ${name}`, `  - ${toPlainText(locked)}`, `  + ${toPlainText(current)}`].join('\n');
}
