import type { CliArg, CliCommand } from '../command.ts';
import { positionalsOf } from '../read-arguments.ts';

export interface CommandEntry {
  /** Words that lead to the command, without the program: `['blacklist', 'add']`. */
  words: string[];
  command: CliCommand;
}

export interface OptionEntry {
  name: string;
  short: string | undefined;
  description: string;
  takesValue: boolean;
  values: readonly string[];
  path: boolean;
}

/** Every command of a tree, the root first. */
export function walkCommands(command: CliCommand, words: string[] = []): CommandEntry[] {
  return [
    { words, command },
    ...command.children.flatMap((child) => walkCommands(child, [...words, child.name])),
  ];
}

export function optionsOf({ args }: CliCommand): OptionEntry[] {
  return Object.entries(args)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, arg]) => ({
      name,
      short: arg.alias,
      description: arg.description ?? '',
      takesValue: arg.type !== 'boolean',
      values: arg.values ?? [],
      path: arg.path === true,
    }));
}

/** True for commands whose arguments are icons. */
export function takesIcons(command: CliCommand): boolean {
  return positionalsOf(command.args)[0]?.[1].icons === true;
}

/** Values of the first argument, where it has a list of them. */
export function wordsOf(command: CliCommand): readonly string[] {
  if (command.children.length > 0) return command.children.map(({ name }) => name);
  const first: CliArg | undefined = positionalsOf(command.args)[0]?.[1];
  return first?.values ?? [];
}
