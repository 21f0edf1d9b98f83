import { withProjectTools } from '../../project/open.ts';
import { pinIcons } from '../../project/pin.ts';
import { readNames } from '../../project/references.ts';
import type { ResolvedOptions } from '../../options/resolve-options.ts';
import { idOfName } from '../../request/reference.ts';
import {
  argument,
  value,
  PROJECT_ARGS,
  type CliBody,
  type Given,
  UsageError,
  counted,
} from '../command.ts';
import { addNamed } from '../take.ts';
import { createProgressBar } from '../terminal.ts';
import { asOneError, openProject, renderLines } from '../open-project.ts';

export const addCommand: CliBody = {
  args: {
    icon: argument('Ids, aliases, names (tabler/home), or icon: specifiers with their parameters', {
      multiple: true,
      icons: true,
    }),
    as: value('name', 'Also write this alias into the configuration, to import the icon by it'),
    ...PROJECT_ARGS,
  },
  examples: [
    'add 123 456',
    'add 123 --as house',
    'add house',
    "add 'icon:123?filetype=png&size=64'",
  ],
  async run(given, cli) {
    const project = await openProject(given, cli);
    const alias = given.text('as');
    const { options, log } = project;
    if (alias !== undefined)
      return addNamed({ id: readNamed(given, options), alias }, { project, cli });
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
    cli.result({ added, calls, problems: failed }, () => renderLines(added, cli), failure);
    cli.note(
      `${counted(added.length, 'line')} added to ${options.lockfile.name}; ${counted(calls, 'call')}.`,
    );
    cli.next(`Commit ${options.lockfile.name}, and import the icons where they are shown.`);
  },
};

/** @throws UsageError */
function readNamed(given: Given, options: ResolvedOptions): string {
  const [written = '', ...others] = given.all('icon');
  const id = written.replace(/^icon:/, '');
  if (others.length > 0) throw new UsageError('--as names one icon: give one.');
  if (/[?#]/.test(id)) throw new UsageError('--as names an icon without parameters.');
  return readIconId(id, options);
}

/** An id or a name; an alias stands for its icon. @throws UsageError */
function readIconId(written: string, { aliases }: ResolvedOptions): string {
  if (Object.hasOwn(aliases, written)) return String(aliases[written]);
  if (/^\d{1,16}$/.test(written) || idOfName(written) !== undefined) return written;
  throw new UsageError(`${JSON.stringify(written)} is neither an id nor an alias.`);
}
