import {
  type Difference,
  rightsDrift,
  updatePins,
  type UpdateReport,
} from '../../project/update.ts';
import { withProjectTools } from '../../project/open.ts';
import { readNames } from '../../project/references.ts';
import { argument, flag, PROJECT_ARGS, type Cli, type CliBody, counted } from '../command.ts';
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
    const report = await withProjectTools(options, { mode: 'online', log }, (tools) =>
      updatePins(tools, {
        ids,
        check,
        progress(total) {
          bar = createProgressBar(cli.host.stderr, { noun: 'icons', total });
          return bar.advance;
        },
      }),
    ).finally(() => bar?.end());
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
  const problems = [...failed, ...(check ? drifts : [])];
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
  // Each failure says why; that nothing differs would say more than is known.
  if (icons > 0 && failed.length === icons) return cli.note('No icon could be compared.');
  const written = check ? 'nothing was written' : `${counted(updated.length, 'icon')} updated`;
  cli.note(
    `${counted(icons, 'icon')} asked for; ${differ}${inRights}; ${written}; ${counted(calls, 'call')}.`,
  );
  if (updated.length > 0) cli.next(`Build, look at the icons, and commit ${lockfile}.`);
  else if (changed.size === 0)
    cli.next(`${lockfile} says what the catalog says: a build can use it as it is.`);
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
