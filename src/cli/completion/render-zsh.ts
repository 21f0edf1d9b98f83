import type { CliCommand } from '../command.ts';
import { optionsOf, takesIcons, walkCommands, wordsOf, type OptionEntry } from './walk-commands.ts';

/** A completion script for zsh; works from a folder of `fpath` and when it is sourced. */
export function renderZsh(root: CliCommand): string {
  const functions = walkCommands(root).map(({ words, command }) =>
    command.children.length > 0
      ? groupFunction(words, root, command)
      : leafFunction(words, root, command),
  );
  const name = functionName([], root);
  return `#compdef ${root.name}
${functions.join('\n')}
if [ "$funcstack[1]" = "${name}" ]; then ${name} "$@"; else compdef ${name} ${root.name}; fi
`;
}

function groupFunction(words: readonly string[], root: CliCommand, command: CliCommand): string {
  const rows = command.children.map(
    (child) => `      ${quote(`${child.name}:${child.description}`)}`,
  );
  const cases = command.children.map(
    (child) => `      ${child.name}) ${functionName([...words, child.name], root)} ;;`,
  );
  return `${functionName(words, root)}() {
  local context state line
  typeset -A opt_args
  _arguments -C ${[...optionsOf(command).flatMap(optionSpecs), "'1: :->word'", "'*:: :->rest'"].join(' ')}
  case $state in
  word)
    local -a commands=(
${rows.join('\n')}
    )
    _describe command commands ;;
  rest)
    case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`;
}

/** Free words: nothing to offer, and options may follow. */
const REST = "'*: : '";

function leafFunction(words: readonly string[], root: CliCommand, command: CliCommand): string {
  const values = wordsOf(command);
  const first = values.length === 0 ? [] : [quote(`1: :(${values.join(' ')})`)];
  return `${functionName(words, root)}() {
  _arguments ${[...optionsOf(command).flatMap(optionSpecs), ...first, takesIcons(command) ? icons(root) : REST].join(' ')}
}`;
}

/** Names of icons, which the program itself knows. A set is completed up to its slash. */
function icons({ name }: CliCommand): string {
  return quote(`*: :{compadd -S "" -- \${(f)"$(${name} completion icons "$PREFIX" 2>/dev/null)"}}`);
}

function optionSpecs({
  name,
  short,
  description,
  takesValue,
  values,
  path,
}: OptionEntry): string[] {
  const told = description.replace(/[[\]:]/g, (character) => `\\${character}`);
  const action = path ? '_files' : values.length > 0 ? `(${values.join(' ')})` : ' ';
  const value = takesValue ? `:value:${action}` : '';
  const long = takesValue ? `--${name}=` : `--${name}`;
  return [
    quote(`*${long}[${told}]${value}`),
    ...(short === undefined ? [] : [quote(`*-${short}[${told}]${value}`)]),
  ];
}

function functionName(words: readonly string[], root: CliCommand): string {
  return `_${[root.name, ...words].join('_')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
