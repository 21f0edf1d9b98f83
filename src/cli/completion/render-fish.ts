import type { CliCommand } from '../command.ts';
import {
  optionsOf,
  takesIcons,
  walkCommands,
  wordsOf,
  type CommandEntry,
} from './walk-commands.ts';

/** A completion script for fish. */
export function renderFish(root: CliCommand): string {
  const lines = walkCommands(root).flatMap((entry) => commandLines(entry, root.name));
  return `# fish completion for ${root.name}
complete -c ${root.name} -f
${lines.join('\n')}
`;
}

function commandLines({ words, command }: CommandEntry, program: string): string[] {
  const where = `complete -c ${program} -n ${quote(condition(words, command))}`;
  const children = command.children.map(
    ({ name, description }) => `${where} -a ${name} -d ${quote(description)}`,
  );
  const values = command.children.length === 0 ? wordsOf(command) : [];
  const options = optionsOf(command).map(
    ({ name, short, description, takesValue, values: some, path }) =>
      [
        where,
        short === undefined ? '' : `-s ${short}`,
        `-l ${name}`,
        takesValue ? (path ? '-rF' : '-x') : '',
        some.length > 0 ? `-a ${quote(some.join(' '))}` : '',
        `-d ${quote(description)}`,
      ]
        .filter(Boolean)
        .join(' '),
  );
  return [
    ...children,
    ...(takesIcons(command)
      ? [`${where} -a '(${program} completion icons (commandline -ct) 2>/dev/null)'`]
      : []),
    ...(values.length === 0 ? [] : [`${where} -a ${quote(values.join(' '))}`]),
    ...options,
  ];
}

/** True where the words of a command stand on the line, and none of its children's. */
function condition(words: readonly string[], { children }: CliCommand): string {
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = children.map(({ name }) => name);
  const unseen = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`];
  return [...seen, ...unseen].join('; and ') || 'true';
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;
}
