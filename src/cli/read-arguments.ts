import { parseArgs } from 'node:util';
import { suggest } from '../request/suggest.ts';
import type { CliArg, CliArgs } from './command.ts';
import { UsageError } from './usage-error.ts';

/**
 * Refuses what a command does not take, and writes the rest in the one form that the command library cannot misread:
 * `--name=value` for options, everything else behind `--`. (Its own parser lets unknown options and missing values pass.)
 *
 * @throws UsageError with the nearest spelling
 */
export function readArguments(args: CliArgs, raw: readonly string[]): string[] {
  const options = optionsOf(args);
  const { tokens } = parseArgs({
    args: [...raw],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Set<string>();
  const named: string[] = [];
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const arg = Object.hasOwn(options, name) ? args[name] : undefined;
    if (arg === undefined) throw unknownOption(rawName, Object.keys(options));
    if (given.has(name) && arg.multiple === undefined && arg.type !== 'boolean') {
      throw new UsageError(`${rawName} is given twice.`);
    }
    given.add(name);
    named.push(
      arg.type === 'boolean'
        ? flag(name, rawName, value)
        : `--${name}=${textOf(rawName, value, inlineValue === true)}`,
    );
  }
  checkPositionals(args, positionals);
  return [...named, '--', ...positionals];
}

/** Every value of an option or argument, out of what `readArguments` wrote. */
export function valuesOf(args: CliArgs, canonical: readonly string[], name: string): string[] {
  const end = canonical.indexOf('--');
  if (args[name]?.type === 'positional') {
    const before = positionalsOf(args).findIndex(([other]) => other === name);
    return canonical.slice(end + 1 + before);
  }
  const start = `--${name}=`;
  return canonical
    .slice(0, end)
    .filter((argument) => argument.startsWith(start))
    .map((argument) => argument.slice(start.length));
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
          ...('alias' in arg && typeof arg.alias === 'string' && { short: arg.alias }),
        },
      ]),
  );
}

function flag(name: string, rawName: string, value: string | undefined): string {
  if (value === undefined) return `--${name}`;
  throw new UsageError(`${rawName} takes no value.`);
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
