import { basename, resolve } from 'node:path';
import { type Framework, FRAMEWORKS } from '../../component.ts';
import { oldFrameworkError } from '../../options/import-default.ts';
import { emitComponents, type Settled, settleFolder, wantedComponent } from '../../project/emit.ts';
import { withProjectTools } from '../../project/open.ts';
import {
  argument,
  value,
  flag,
  PROJECT_ARGS,
  type CliBody,
  refused,
  UsageError,
  counted,
} from '../command.ts';
import { createProgressBar } from '../terminal.ts';
import { asOneError, openProject } from '../open-project.ts';

export const emitCommand: CliBody = {
  args: {
    icon: argument(
      'Ids, aliases, names (tabler/home) or icon: specifiers (default: every alias of the configuration)',
      { multiple: true, icons: true, required: false },
    ),
    out: value('folder', 'Folder of the components; other files in it are not touched', {
      alias: 'o',
      path: true,
    }),
    framework: value('name', 'Framework of the components (default: the option `framework`)', {
      values: FRAMEWORKS,
    }),
    check: flag('Write nothing, and fail if the folder is out of date'),
    ...PROJECT_ARGS,
  },
  examples: [
    'emit --out src/icons --framework react',
    "emit house 'icon:123?color=f00' --out src/icons --framework vue",
    'emit --out src/icons --check',
  ],
  async run(given, cli) {
    const { options: project, log } = await openProject(given, cli);
    const framework = frameworkOf(given.text('framework') ?? project.framework);
    const options = { ...project, framework };
    const old = await oldFrameworkError(framework, project.root);
    if (old !== undefined) throw old;
    const out = given.text('out');
    if (out === undefined)
      throw new UsageError('--out is needed: the folder that the components go into.');
    const named = given.all('icon');
    const written = named.length > 0 ? named : Object.keys(options.aliases).toSorted();
    if (written.length === 0)
      throw new UsageError('No icon is named, and the configuration has no `aliases`.');
    const wanted = written.map((icon) => wantedComponent(icon, options));
    const bar = createProgressBar(cli.host.stderr, { noun: 'icons', total: wanted.length });
    const { files, icons, failed } = await withProjectTools(
      options,
      { mode: options.mode, log },
      (tools) =>
        emitComponents(wanted, tools, { framework, advance: bar.advance }).finally(bar.end),
    );
    const failure = asOneError(failed, `${counted(failed.length, 'icon')} cannot be written`);
    if (failure !== undefined) throw failure;
    const isTrial = given.flag('check');
    const settled = await settleFolder(resolve(cli.host.cwd, out), files, { isTrial });
    const names = icons.map(({ name }) => name);
    cli.result({ out, icons: names, ...settled, problems: failed }, () => names.join('\n'));
    refuseForeign(out, settled);
    const { written: changed, removed } = settled;
    cli.note(
      `${counted(names.length, 'component')} in ${out}: ${counted(changed.length, 'file')} ${isTrial ? 'to write' : 'written'}, ${removed.length} ${isTrial ? 'to remove' : 'removed'}.`,
    );
    const [name] = names;
    if (name !== undefined && !isTrial)
      cli.next(`Import them from the folder: import { ${name} } from './${basename(out)}'`);
    if (isTrial && changed.length + removed.length > 0)
      throw new Error(`${out} is out of date. Run \`icon-catalog emit\` without --check.`);
  },
};

function frameworkOf(named: unknown): Framework {
  const framework = FRAMEWORKS.find((known) => known === named);
  if (framework !== undefined) return framework;
  const all = FRAMEWORKS.join(', ');
  if (named === undefined) throw new UsageError(`--framework is needed: ${all}.`);
  throw refused('--framework', `one of ${all}`, named);
}

function refuseForeign(out: string, { foreign }: Settled): void {
  if (foreign.length === 0) return;
  throw new Error(
    `${foreign.map((name) => `${out}/${name}`).join(', ')}: ${foreign.length === 1 ? 'this file was' : 'these files were'} not written by \`icon-catalog emit\`, or changed since. Nothing was touched: move ${foreign.length === 1 ? 'it' : 'them'} away, or use another folder.`,
  );
}
