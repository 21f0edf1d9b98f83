import type { Icon } from '../client.ts';
import { nameOfRecord } from '../request/reference.ts';
import type { AliasRefusal } from '../project/edit-aliases.ts';
import {
  type Catalog,
  type Cli,
  counted,
  type Given,
  type OpenProject,
  UsageError,
} from './command.ts';

class TakenName extends UsageError {
  readonly suggestion: string;
  constructor({ message, suggestion }: AliasRefusal) {
    super(`${message} ${JSON.stringify(suggestion)} is free.`);
    this.suggestion = suggestion;
  }
}

/** One icon with its name, as the icon browser adds it. @throws UsageError if it cannot have this name */
export async function addNamed(
  { id, alias, known = [] }: { id: string; alias: string; known?: readonly Icon[] },
  { project, cli }: { project: OpenProject; cli: Cli },
): Promise<void> {
  const [{ addIcons, findConfig }, aliases] = await Promise.all([
    import('../project/add-icons.ts'),
    import('../project/edit-aliases.ts'),
  ]);
  const { options, log, config } = project;
  let calls = 0;
  const report = await addIcons([{ id, alias }], {
    options,
    config: await findConfig(options.root, config),
    log,
    known,
    onCall: () => void (calls += 1),
  }).catch((error: unknown) => {
    if (!(error instanceof aliases.AliasRefusal)) throw error;
    throw new TakenName(error);
  });
  const { added, diff, copy, files } = report;
  const failure =
    copy &&
    new Error(
      `${capitalised(copy.reason)} Nothing was written.\n  Put these lines into the options; if they have \`aliases\` already, add the entry to those. Then run \`npx icon-catalog sync\`:\n${copy.lines}`,
    );
  const names = files.map(({ name }) => name);
  cli.result(
    { added, files: names, diff, calls, ...(copy && { copy }) },
    () => [diff, ...added.map(({ importLine }) => importLine)].filter(Boolean).join('\n'),
    failure,
  );
  if (copy !== undefined) return;
  cli.note(
    `${names.length === 0 ? 'No file' : names.join(', ')} changed; ${counted(calls, 'call')}.`,
  );
  cli.next(`Put the import into a source file, and commit ${options.lockfile.name}.`);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a person can be asked to take an icon, and the project can be given one. */
export async function canTake(
  given: Given,
  { cli: { host }, catalog: { project } }: { cli: Cli; catalog: Pick<Catalog, 'project'> },
): Promise<boolean> {
  const { options, config } = project;
  if (!host.canAsk || !host.stdout.isTerminal || given.flag('json')) return false;
  if (options.mode !== 'online') return false;
  const [{ isCi }, { describeConfig, findConfig }] = await Promise.all([
    import('../picker/shell.ts'),
    import('../project/add-icons.ts'),
  ]);
  if (isCi(host.env)) return false;
  const { reason } = await describeConfig(await findConfig(options.root, config), options);
  return reason === undefined;
}

const ATTEMPTS = 3;

/**
 * Offers to take one of the icons that a list has shown with numbers. Every answer but a number means none.
 * @returns whether one was taken
 */
export async function offerToTake(
  icons: readonly Icon[],
  { cli, catalog }: { cli: Cli; catalog: Catalog },
): Promise<boolean> {
  const icon = await askForIcon(icons, cli);
  if (icon === undefined) return false;
  const { project } = catalog;
  const { suggestAlias } = await import('../picker/page/text.ts');
  let usual = suggestAlias(icon.term ?? icon.id, new Set(Object.keys(project.options.aliases)));
  const isEmbedded = catalog.embedded !== undefined;
  const id = (isEmbedded ? nameOfRecord(icon) : undefined) ?? icon.id;
  for (let attempt = 1; ; attempt += 1) {
    const written = await cli.host.ask(`Name to import it by? [${usual}]`);
    if (written === undefined) return false;
    try {
      // Lists of the embedded catalog lack the text of licences, and its records take no call.
      const known = isEmbedded ? [] : [icon];
      await addNamed({ id, alias: written || usual, known }, { project, cli });
      return true;
    } catch (error) {
      if (!(error instanceof TakenName) || attempt === ATTEMPTS) throw error;
      usual = error.suggestion;
      cli.note(error.message);
    }
  }
}

async function askForIcon(icons: readonly Icon[], cli: Cli): Promise<Icon | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const written = await cli.host.ask('Take one? Its number, or Enter for none:');
    if (written === undefined || !/^\d+$/.test(written)) return undefined;
    const icon = icons[Number(written) - 1];
    if (icon !== undefined) return icon;
    cli.note(`There is no number ${written}; the last one is ${icons.length}.`);
  }
  return undefined;
}
