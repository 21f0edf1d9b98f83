import { parseArgs } from 'node:util';
import type { IconCatalogError } from '../errors.ts';
import { suggest } from '../request/suggest.ts';
import type { CatalogMethods } from '../catalog/client.ts';
import type { CatalogSession } from '../catalog/session.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { Picture } from '../pipeline/thumbnails.ts';
import type { Environment, FetchPort, Log } from '../types.ts';
import type { Icon } from '../client.ts';
import type { Host } from './host.ts';
import type { Paint } from './terminal.ts';

export interface CliArg {
  type: 'string' | 'boolean' | 'positional';
  description?: string;
  alias?: string;
  /** The placeholder of the value in the help: `--limit <n>`. */
  valueHint?: string;
  /** Whether an argument must be given. @default true */
  required?: boolean;
  /** True if it may be given several times; `all(name)` has every value. */
  multiple?: true;
  /** Values that completion offers. */
  values?: readonly string[];
  /** The value is an icon: completion offers the names of installed sets. */
  icons?: true;
  path?: true;
}

export type CliArgs = Record<string, CliArg>;

export function flag(description: string, alias?: string): CliArg {
  return { type: 'boolean', description, ...(alias !== undefined && { alias }) };
}

/** An option with a value; `valueHint` stands for it in the help. */
export function value(
  valueHint: string,
  description: string,
  more?: Pick<CliArg, 'alias' | 'multiple' | 'values' | 'path'>,
): CliArg {
  return { type: 'string', valueHint, description, ...more };
}

/** An argument without a name. */
export function argument(
  description: string,
  more?: Pick<CliArg, 'required' | 'multiple' | 'values' | 'icons' | 'path'>,
): CliArg {
  return { type: 'positional', description, ...more };
}

export interface OpenProject {
  /** The environment, with the project's `.env` files. */
  env: Environment;
  envFolder: string;
  /** The file that the options come from, absolute, if there is one. */
  config: string | undefined;
  options: ResolvedOptions;
  /** Writes warnings and errors as lines of standard error. */
  log: Log;
}

/** The catalog that the project's builds ask. */
export interface Catalog extends Pick<CatalogSession, 'send'> {
  client: CatalogMethods;
  project: OpenProject;
  /** What the last answer said about the use of the key; `undefined` if there is no limit. */
  usage(): { limit: number; usage: number } | undefined;
  /** If the catalog has no icon of a name, the error says what is wrong with the name. */
  explain(id: string): (error: unknown) => Promise<never>;
  /** Thumbnails of records, from this machine or else from their addresses; none of them takes a signed call. */
  pictures(icons: readonly Pick<Icon, 'id' | 'thumbnail_url'>[]): Promise<(Picture | undefined)[]>;
  /** Sends requests to the embedded catalog in this process; `undefined` for a service. */
  embedded: FetchPort | undefined;
  close(): Promise<void>;
}

export interface Cli {
  readonly host: Host;
  readonly width: number;
  readonly paint: Paint;
  /**
   * Writes the result: one JSON document with `--json`, the text of `human` without. Errors in its list `problems` are
   * written as `ReportedProblem`. Signed addresses lose their query unless there is `--show-signed`.
   *
   * @param failure what the command ends with in spite of its result: it is the `error` of the document
   */
  result(value: unknown, human: () => string, failure?: Error): void;
  /** Writes one line to standard error. The text may be untrusted. */
  note(text: string): void;
  /** Says what usually comes next, to a person at a terminal, unless the result has a failure. */
  next(sentence: string): void;
  /**
   * The catalog of this run; opened at the first call.
   * @throws UsageError, IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID; Error if the configuration cannot be loaded
   */
  catalog(): Promise<Catalog>;
  readonly root: CliEntry;
}

export interface CliBody {
  /** Its own; the tree adds `COMMON_ARGS`. */
  args: CliArgs;
  /** Example command lines, without the name of the program. */
  examples?: readonly string[];
  /** A command that only has subcommands has no `run`. */
  run?: (given: Given, cli: Cli) => void | Promise<void>;
}

/** A line of the table of commands. The body is loaded for the command that was named, and for no other one. */
export interface CliEntry {
  name: string;
  /** Sentences without the last full stop. The first one stands in lists of commands. */
  description: string;
  /** The subcommands: `blacklist add`. */
  children: readonly CliEntry[];
  load: () => Promise<CliBody>;
}

/** The first sentence of a description, for lists of commands. */
export function summaryOf({ description }: Pick<CliEntry, 'description'>): string {
  return description.split('. ', 1)[0] ?? description;
}

/** A command with its body, and the words that lead to it, without the program: `['blacklist', 'add']`. */
export interface CliCommand extends CliEntry, CliBody {
  words: readonly string[];
}

/** A command and all of its subcommands, itself first: pages of the reference are made from them. */
export async function loadCommands(
  entry: CliEntry,
  words: readonly string[] = [],
): Promise<CliCommand[]> {
  const body = await entry.load();
  const below = entry.children.map((child) => loadCommands(child, [...words, child.name]));
  return [{ ...entry, ...body, words }, ...(await Promise.all(below)).flat()];
}

export const COMMON_ARGS: CliArgs = {
  json: flag('One JSON document on standard output'),
  help: flag('Show this help', 'h'),
};

/** The options of every command that reads the project's configuration: of all that ask a catalog or write its files. */
export const PROJECT_ARGS: CliArgs = {
  config: value(
    'file',
    "File with the plugin's options (default: icon-catalog.config.*, or the bundler's configuration, in the project)",
    { alias: 'c', path: true },
  ),
  mode: value('name', 'Mode of the build, as in `vite build --mode` (default: production)'),
  embedded: flag('Use the icon sets that are installed in the project; no key needed'),
};

/** The option of commands whose answers are kept for a day. */
export const FRESH_ARGS: CliArgs = {
  fresh: flag('Ask the catalog again, even if it answered within the last 24 hours'),
};

/** The option of commands whose answers hold addresses of files; without it `result` prints none that is signed. */
export const SIGNED_ARGS: CliArgs = {
  'show-signed': flag(
    'Print signed addresses in full; anyone who has one can open the file for an hour',
  ),
};

export interface Given {
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** Every value of an option or argument that may be given several times. */
  all(name: string): string[];
}

/** @throws UsageError for an option or argument that a command does not take, with the nearest spelling */
export function readArguments(args: CliArgs, raw: readonly string[]): Given {
  const options = optionsOf(args);
  const { tokens } = parseArgs({
    args: [...raw],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const arg = Object.hasOwn(options, name) ? args[name] : undefined;
    if (arg === undefined) throw unknownOption(rawName, Object.keys(options));
    if (arg.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
      flags.add(name);
      continue;
    }
    const given = values.get(name) ?? [];
    if (given.length > 0 && arg.multiple === undefined)
      throw new UsageError(`${rawName} is given twice.`);
    values.set(name, [...given, textOf(rawName, value, inlineValue === true)]);
  }
  checkPositionals(args, positionals);
  for (const [at, [name, { multiple }]] of positionalsOf(args).entries())
    values.set(name, positionals.slice(at, multiple ? undefined : at + 1));
  return {
    flag: (name) => flags.has(name),
    text: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
  };
}

/** A whole number of an option. @throws UsageError */
export function readNumber(
  given: Given,
  name: string,
  { least, most, allowed }: { least: number; most: number; allowed: string },
): number | undefined {
  const written = given.text(name);
  if (written === undefined) return undefined;
  const number = Number(written);
  if (/^\d+$/.test(written) && number >= least && number <= most) return number;
  throw refused(`--${name}`, allowed, written);
}

/** @param allowed completes "must be …" */
export function refused(name: string, allowed: string, written: unknown): UsageError {
  return new UsageError(`${name} must be ${allowed}; ${JSON.stringify(written)} is not.`);
}

export function positionalsOf(args: CliArgs): [name: string, arg: CliArg][] {
  return Object.entries(args).filter(([, { type }]) => type === 'positional');
}

function optionsOf(args: CliArgs): Record<string, { type: 'boolean' | 'string'; short?: string }> {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, { type }]) => type !== 'positional')
      .map(([name, arg]) => [
        name,
        {
          type: arg.type === 'boolean' ? ('boolean' as const) : ('string' as const),
          ...(arg.alias !== undefined && { short: arg.alias }),
        },
      ]),
  );
}

function textOf(rawName: string, value: string | undefined, inline: boolean): string {
  if (value === undefined) throw new UsageError(`${rawName} needs a value.`);
  // `--limit --json` is a forgotten value far more often than a value with a dash.
  if (!inline && value.startsWith('-') && value !== '-') {
    throw new UsageError(
      `${rawName} needs a value. Write ${rawName}=${value} if that is the value.`,
    );
  }
  return value;
}

function unknownOption(rawName: string, names: readonly string[]): UsageError {
  const word = rawName.replace(/^-+/, '');
  const nearest = word.length > 1 ? suggest(word, names) : undefined;
  const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(`There is no option ${rawName}.${hint}`);
}

function checkPositionals(args: CliArgs, given: readonly string[]): void {
  const known = positionalsOf(args);
  const missing = known.find(
    ([, { required }], at) => required !== false && (given[at] ?? '') === '',
  );
  if (missing !== undefined) throw new UsageError(`<${missing[0]}> is missing.`);
  if (known.at(-1)?.[1].multiple === true) return;
  const extra = given[known.length];
  if (extra !== undefined)
    throw new UsageError(`${JSON.stringify(extra)} is one argument too many.`);
}

/** The command line is invalid: exit code 2. The message is a whole sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The words of the command whose help has the answer, if that is another command than the one found. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** What `--json` prints for a problem. */
export interface ReportedProblem {
  code: string;
  message: string;
  remedy: string;
  /** The place of the reference, if the problem is about one. */
  importer?: string | undefined;
  icon?: string | undefined;
  /** The place in a record, option or file, if the problem is about one. */
  path?: string | undefined;
}

export function reportedProblem({
  code,
  reason,
  remedy,
  importer,
  icon,
  path,
}: IconCatalogError): ReportedProblem {
  return { code, message: reason, remedy, importer, icon, path };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
