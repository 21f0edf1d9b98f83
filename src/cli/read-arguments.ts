import { parseArgs } from 'node:util';
import { suggest } from '../request/suggest.ts';
import type { CliArg, CliArgs, Given } from './command.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError for what a command does not take, with the nearest spelling */
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
    throw new UsageError(`${rawName} needs a value. Write ${rawName}=${value} where that is it.`);
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
