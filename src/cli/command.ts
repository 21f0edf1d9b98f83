import type { Catalog } from './connect.ts';
import type { Host } from './host.ts';
import type { Paint } from './paint.ts';

/** An option or argument. */
export interface CliArg {
  type: 'string' | 'boolean' | 'positional';
  description?: string;
  /** One letter. */
  alias?: string;
  /** What stands for the value in the help: `--limit <n>`. */
  valueHint?: string;
  /** Of an argument. @default true */
  required?: boolean;
  /** May be given several times; `all(name)` has every value. */
  multiple?: true;
  /** Values that completion offers. */
  values?: readonly string[];
  /** The value is an icon: completion offers the names of installed sets. */
  icons?: true;
  /** The value is a path. */
  path?: true;
}

export type CliArgs = Record<string, CliArg>;

/** What a command has at hand. */
export interface Cli {
  readonly host: Host;
  /** Columns for tables. */
  readonly width: number;
  /** Colours of standard output. */
  readonly paint: Paint;
  /**
   * Writes the result: one JSON document with `--json`, the text of `human` without. Signed addresses in it lose their
   * query unless there is `--show-signed`.
   */
  result(value: unknown, human: () => string): void;
  /** One line on standard error. Text of strangers may be in it. */
  note(text: string): void;
  /** The catalog of this run; opened at the first call. @throws CATALOG_NOT_CONFIGURED */
  catalog(): Promise<Catalog>;
}

export interface CliCommand {
  name: string;
  description: string;
  args: CliArgs;
  /** Command lines without the name of the program. */
  examples: readonly string[];
  /** Words that follow: `blacklist add`. */
  children: readonly CliCommand[];
  /** A command that only holds others has none. */
  run?: (given: Given, cli: Cli) => void | Promise<void>;
}

/** The options of every command. */
export const COMMON_ARGS: CliArgs = {
  json: { type: 'boolean', description: 'One JSON document on standard output' },
  help: { type: 'boolean', alias: 'h', description: 'Show this help' },
};

/** The options of every command that asks a catalog. */
export const CATALOG_ARGS: CliArgs = {
  embedded: {
    type: 'boolean',
    description: 'Use the embedded catalog: icon sets installed in this folder, no key needed',
  },
};

/** The option of commands whose answers hold addresses of files; without it `result` prints none that is signed. */
export const SIGNED_ARGS: CliArgs = {
  'show-signed': {
    type: 'boolean',
    description:
      'Print signed addresses of files whole; each opens its file to anybody for an hour',
  },
};

/** What stood on the command line. */
export interface Given {
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** Every value of an option or argument that may be given several times. */
  all(name: string): string[];
}

/** A command of the tree. `args` are the command's own; the common ones are added. */
export function defineCliCommand({
  name,
  description,
  args,
  examples = [],
  run,
}: Pick<CliCommand, 'name' | 'description' | 'args'> & {
  examples?: readonly string[];
  run: (given: Given, cli: Cli) => void | Promise<void>;
}): CliCommand {
  return { name, description, args: { ...args, ...COMMON_ARGS }, examples, children: [], run };
}

/** A command that only holds others. */
export function defineCliGroup(
  { name, description, args = {} }: { name: string; description: string; args?: CliArgs },
  children: readonly CliCommand[],
): CliCommand {
  return { name, description, args: { ...args, ...COMMON_ARGS }, examples: [], children };
}
