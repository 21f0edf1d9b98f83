import { withProjectTools } from '../../project/open.ts';
import { pinIcons } from '../../project/pin.ts';
import { readNames } from '../../project/references.ts';
import { PROJECT_ARGS, defineCliCommand, type CliBody, reportedProblem } from '../command.ts';
import { createProgressBar } from '../terminal.ts';
import { asOneError, counted, openProject, renderLines } from '../open-project.ts';

export const addCommand: CliBody = defineCliCommand({
  args: {
    icon: {
      type: 'positional',
      multiple: true,
      icons: true,
      description: 'Ids, aliases, names (tabler/home), or icon: specifiers with their parameters',
    },
    ...PROJECT_ARGS,
  },
  examples: ['add 123 456', 'add house', "add 'icon:123?filetype=png&size=64'"],
  async run(given, cli) {
    const { options, log } = await openProject(given, cli);
    const wanted = given.all('icon').flatMap((written) => readNames(written, options));
    const bar = createProgressBar(cli.host.stderr, { noun: 'icons', total: wanted.length });
    const { added, failed, calls } = await withProjectTools(
      options,
      { mode: 'online', log },
      (tools) =>
        pinIcons(
          wanted.map((request) => ({ request })),
          tools,
          bar.advance,
        ).finally(bar.end),
    );
    const failure = asOneError(failed, `${counted(failed.length, 'icon')} cannot be pinned`);
    const problems = failed.map(reportedProblem);
    cli.result({ added, calls, problems }, () => renderLines(added, cli), failure);
    cli.note(
      `${counted(added.length, 'line')} added to ${options.lockfile.name}; ${counted(calls, 'call')}.`,
    );
    if (failure !== undefined) throw failure;
    cli.next(`Commit ${options.lockfile.name}, and import the icons where they are shown.`);
  },
});
