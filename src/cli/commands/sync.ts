import type { IconCatalogError } from '../../errors.ts';
import {
  EDITOR_FILE,
  EDITOR_SETTING,
  estimateCalls,
  hasEditorSetting,
  syncProject,
  writeEditorIcons,
  writeNotices,
  type WrittenReuse,
} from '../../project/sync.ts';
import { withProjectTools } from '../../project/open.ts';
import { wantedIcons, type ProjectReferences } from '../../project/references.ts';
import { nameOfId } from '../../request/reference.ts';
import {
  flag,
  PROJECT_ARGS,
  type Cli,
  type CliBody,
  counted,
  type OpenProject,
} from '../command.ts';
import { createProgressBar } from '../terminal.ts';
import { asOneError, openProject, renderLines } from '../open-project.ts';
import { countReferences, SOURCE_ARGS, reportReferences } from '../references.ts';

export const syncCommand: CliBody = {
  args: {
    ...SOURCE_ARGS,
    reuse: flag('Also write REUSE.toml and LICENSES/ for the vendor file and the lock file'),
    editor: flag(
      'Also write the pinned icons for Iconify IntelliSense, the VS Code extension that draws icons in sources',
    ),
    'dry-run': flag('Show how many calls this takes, and make none'),
    ...PROJECT_ARGS,
  },
  examples: [
    'sync',
    'sync src docs',
    "sync 'src/**/*.vue' --dry-run",
    'sync --config vite.config.ts',
    'sync --editor',
  ],
  async run(given, cli) {
    const project = await openProject(given, cli);
    const references = await reportReferences(given, cli, project.options);
    if (given.flag('dry-run')) return estimate({ references, project, cli });
    const isWhole = given.all('path').length === 0;
    const extras = { withNotices: given.flag('reuse'), withEditor: given.flag('editor') };
    return sync({ references, project, cli, isWhole, ...extras });
  },
};

interface Task {
  references: ProjectReferences;
  project: OpenProject;
  cli: Cli;
}

async function estimate({ references, project, cli }: Task): Promise<void> {
  const { log, options } = project;
  const estimated = await withProjectTools(options, { mode: 'online', log }, (tools) =>
    estimateCalls(wantedIcons(references), tools),
  );
  const { missing, calls } = estimated;
  const failure = failureOf(references.invalid);
  const described = missing.map((key) => {
    const name = nameOfId(Number.parseInt(key, 10), options.catalog);
    return name === undefined ? key : `${key}  ${name}`;
  });
  cli.result({ ...summaryOf(references), missing, calls }, () => described.join('\n'), failure);
  cli.note(
    `${countReferences(references)}; ${counted(missing.length, 'line')} would be added to ${options.lockfile.name}, at the cost of ${counted(calls, 'call')}.`,
  );
}

async function sync({
  references,
  project,
  cli,
  isWhole,
  withNotices,
  withEditor,
}: Task & { isWhole: boolean; withNotices: boolean; withEditor: boolean }): Promise<void> {
  const { log, options } = project;
  const total = references.icons.length;
  const bar = createProgressBar(cli.host.stderr, { noun: 'icons', total });
  const { report, notices, editor } = await withProjectTools(
    options,
    { mode: 'online', log },
    async (tools) => ({
      report: await syncProject(references, tools, { isWhole, onIcon: bar.advance }),
      notices: withNotices ? await writeNotices(tools) : undefined,
      editor: withEditor ? await writeEditorIcons(tools) : undefined,
    }),
  ).finally(bar.end);
  const problems = [...references.invalid, ...report.failed];
  const { added, calls } = report;
  const failure = failureOf(problems);
  cli.result(
    {
      ...summaryOf(references),
      added,
      calls,
      problems,
      ...(notices && { notices }),
      ...(editor && { editor: { file: EDITOR_FILE, names: editor, setting: EDITOR_SETTING } }),
    },
    () => renderLines(added, cli),
    failure,
  );
  cli.note(
    `${countReferences(references)}; ${counted(added.length, 'line')} added to ${options.lockfile.name}; ${counted(calls, 'call')}.`,
  );
  if (notices !== undefined) cli.note(describeNotices(notices));
  if (editor !== undefined) await reportEditor(editor, { cli, root: options.root });
  cli.next(
    added.length > 0
      ? `Commit ${options.lockfile.name}: builds in CI then add nothing to it.`
      : 'A build finds all of its icons. `npx icon-catalog verify` checks the lock file.',
  );
}

async function reportEditor(
  names: readonly string[],
  { cli, root }: { cli: Cli; root: string },
): Promise<void> {
  const isSet = await hasEditorSetting(root);
  cli.note(`${EDITOR_FILE} has ${counted(names.length, 'name')}.`);
  if (!isSet) {
    cli.note('Add this line to .vscode/settings.json:');
    cli.note(EDITOR_SETTING);
  }
}

function describeNotices({ written, removed, unused, missing }: WrittenReuse): string {
  const files = [...written, ...removed.map((path) => `${path} (removed)`)];
  const texts =
    missing.length === 0
      ? ''
      : ` LICENSES/ lacks the texts of ${missing.join(', ')}: install spdx-license-list and run this again, or run \`reuse download --all\`.`;
  const rest =
    unused.length === 0
      ? ''
      : ` No icon needs ${unused.join(', ')} any more: delete ${unused.length === 1 ? 'it' : 'them'}, unless something else in the project is under that licence.`;
  return `${files.length === 0 ? 'REUSE files are up to date.' : `${files.join(', ')} written.`}${rest}${texts}`;
}

function failureOf(problems: readonly IconCatalogError[]): Error | undefined {
  return asOneError(problems, `${counted(problems.length, 'reference')} cannot be pinned`);
}

function summaryOf({ files, count, icons, unknown, warnings }: ProjectReferences): object {
  return {
    files,
    references: count,
    icons: new Set(icons.map(({ request }) => request.id)).size,
    unknown,
    warnings,
  };
}
