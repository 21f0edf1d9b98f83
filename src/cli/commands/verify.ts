import { findCatalogDrift } from '../../project/update.ts';
import { withProjectTools } from '../../project/open.ts';
import { verifyProject } from '../../project/verify.ts';
import { flag, PROJECT_ARGS, type CliBody, counted } from '../command.ts';
import { asOneError, openProject } from '../open-project.ts';
import { countReferences, SOURCE_ARGS, reportReferences } from '../references.ts';

export const verifyCommand: CliBody = {
  args: {
    ...SOURCE_ARGS,
    'require-bytes': flag(
      'Also fail if bytes are missing on this machine, so that a build without a network would fail',
    ),
    online: flag('Also compare licence, credit and creator with the catalog: one call an icon'),
    ...PROJECT_ARGS,
  },
  examples: ['verify', 'verify --require-bytes', 'verify --online', 'verify --json'],
  async run(given, cli) {
    const { options, log } = await openProject(given, cli);
    const references = await reportReferences(given, cli, options);
    const bytes = given.flag('require-bytes');
    const {
      lines,
      problems: local,
      unverified,
    } = await withProjectTools(options, { mode: 'offline', log }, (tools) =>
      verifyProject(references, tools, { bytes }),
    );
    // A lock that cannot be read has no lines.
    const drift =
      given.flag('online') && lines > 0
        ? await withProjectTools(options, { mode: 'online', log }, findCatalogDrift)
        : { problems: [], calls: 0 };
    const problems = [...local, ...drift.problems];
    const asked = drift.calls === 0 ? '' : `; ${counted(drift.calls, 'call')}`;
    const failure = asOneError(problems, counted(problems.length, 'problem'));
    cli.result({ lines, unverified, problems }, () => '', failure);
    if (unverified.length > 0 && !bytes) {
      const keys = unverified.slice(0, LISTED).join(', ');
      const more = unverified.length > LISTED ? ` and ${unverified.length - LISTED} more` : '';
      cli.note(
        `Not verified, as no place on this machine has the bytes: ${counted(unverified.length, 'line')} (${keys}${more}). \`npx icon-catalog sync\` fetches them; --require-bytes fails if they are missing.`,
      );
    }
    cli.note(
      `${countReferences(references)}; ${counted(lines, 'line')} of ${options.lockfile.name}; ${counted(problems.length, 'problem')}${asked}.`,
    );
    cli.next(
      lines > 0
        ? 'A build can use it as it is.'
        : 'The first build pins what it imports; `npx icon-catalog sync` does so now.',
    );
  },
};

const LISTED = 20;
