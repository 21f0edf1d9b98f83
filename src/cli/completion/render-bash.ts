import type { CliCommand } from '../command.ts';
import { optionsOf, takesIcons, walkCommands, wordsOf } from './walk-commands.ts';

/** A completion script for bash 3.2 and later; needs no bash-completion. Names of the tree are plain words. */
export function renderBash(root: CliCommand): string {
  const entries = walkCommands(root);
  const groups = entries.filter(({ command }) => command.children.length > 0);
  const name = `_${root.name.replaceAll('-', '_')}`;
  return `# bash completion for ${root.name}
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" word at candidates=""
  # bash makes a word of its own of the = in --name=value.
  if [ "$current" = "=" ]; then current=""; fi
  if [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$path $word" in
${groups.flatMap(({ words, command }) => command.children.map((child) => `      "${['', ...words].join(' ')} ${child.name}") path="$path $word" ;;`)).join('\n')}
    esac
  done
  case "$path $previous" in
${entries.flatMap(({ words, command }) => valueCases(words, command)).join('\n')}
  esac
  case "$path" in
${entries.map(({ words, command }) => wordCase(words, command)).join('\n')}
  esac
  case "$candidates" in
    */) compopt -o nospace 2>/dev/null ;;
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F ${name} ${root.name}
`;
}

/** What may follow an option that takes a value; files are the shell's own default. */
function valueCases(words: readonly string[], command: CliCommand): string[] {
  return optionsOf(command)
    .filter(({ takesValue }) => takesValue)
    .map(({ name, short, values, path }) => {
      const before = ['', ...words].join(' ');
      const patterns = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
      const pattern = patterns.map((option) => `"${before} ${option}"`).join('|');
      if (path) return `    ${pattern}) COMPREPLY=($(compgen -f -- "$current")); return ;;`;
      return `    ${pattern}) COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$current")); return ;;`;
    });
}

function wordCase(words: readonly string[], command: CliCommand): string {
  const options = optionsOf(command).map(({ name }) => `--${name}`);
  const plain = takesIcons(command)
    ? '$("${COMP_WORDS[0]}" completion icons "$current" 2>/dev/null)'
    : wordsOf(command).join(' ');
  return `    "${['', ...words].join(' ').replace(/^$/, '')}") if [ "\${current#-}" != "$current" ]; then candidates="${options.join(' ')}"; else candidates="${plain}"; fi ;;`;
}
