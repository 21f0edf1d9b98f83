import { withUpkeep } from '../../upkeep/open-upkeep.ts';
import { verifyProject } from '../../upkeep/verify-project.ts';
import { defineCliCommand, type CliCommand } from '../command.ts';
import { openProject, PROJECT_ARGS } from '../project/open-project.ts';
import { asOneError, toldProblem } from '../project/problems.ts';
import {
  counted,
  countReferences,
  SOURCE_ARGS,
  tellReferences,
} from '../project/tell-references.ts';

export const verifyCommand: CliCommand = defineCliCommand({
  name: 'verify',
  description:
    'Check without a network that the lock file is whole, that the bytes of every line are on this machine, that every reference is pinned and every licence allowed',
  args: { ...SOURCE_ARGS, ...PROJECT_ARGS },
  examples: ['verify', 'verify --json'],
  async run(given, cli) {
    const { options, log } = await openProject(given, cli);
    const references = await tellReferences(given, cli, options);
    const { lines, problems } = await withUpkeep(options, { mode: 'offline', log }, (upkeep) =>
      verifyProject(references, upkeep),
    );
    cli.result({ lines, problems: problems.map(toldProblem) }, () => '');
    cli.note(
      `${countReferences(references)}; ${counted(lines, 'line')} of ${options.lockfile.name}; ${counted(problems.length, 'problem')}.`,
    );
    if (problems.length > 0) throw asOneError(problems, counted(problems.length, 'problem'));
  },
});
