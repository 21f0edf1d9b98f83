import { findIconifySets, readSetNames } from '../../server/installed-sets.ts';
import {
  argument,
  value,
  type CliArg,
  type CliBody,
  type CliEntry,
  positionalsOf,
  summaryOf,
  refused,
} from '../command.ts';
import type { Host } from '../host.ts';

/** Asks the shell for files. No candidate begins with a colon. */
const FILES = ':files';

/**
 * What each shell runs: it passes on the words of the line, and shows what this program prints. Scripts know no command, so
 * that they stay right when commands change.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  // For version 3.2 and later, without bash-completion.
  bash: String.raw`# bash completion for icon-catalog
_icon_catalog() {
  local current="${'$'}{COMP_WORDS[COMP_CWORD]}" found IFS=$'\n'
  # bash makes a word of its own of the = in --name=value.
  if [ "$current" = "=" ]; then current=""; fi
  found="$("${'$'}{COMP_WORDS[0]}" completion words --current="$current" -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | cut -f1)"
  case "$found" in
    ${FILES}) found="$(compgen -f -- "$current")" ;;
    */) compopt -o nospace 2>/dev/null ;;
  esac
  COMPREPLY=($found)
}
complete -o default -F _icon_catalog icon-catalog
`,
  // Works from a folder of fpath, and when it is sourced.
  zsh: String.raw`#compdef icon-catalog
_icon-catalog() {
  local line
  local -a values texts suffix
  for line in "${'$'}{(@f)$(icon-catalog completion words --current="$words[CURRENT]" -- "${'$'}{(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    values+=("${'$'}{line%%$'\t'*}")
    texts+=("${'$'}{line/$'\t'/  -- }")
  done
  if [[ "$values[1]" == ${FILES} ]]; then _files; return; fi
  if [[ "$values[1]" == */ ]]; then suffix=(-S ""); fi
  compadd -l "$suffix[@]" -d texts -a -- values
}
if [ "$funcstack[1]" = "_icon-catalog" ]; then _icon-catalog "$@"; else compdef _icon-catalog icon-catalog; fi
`,
  fish: String.raw`# fish completion for icon-catalog
function __icon_catalog_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l found (icon-catalog completion words --current="$current" -- $before 2>/dev/null)
    if test "$found" = ${FILES}
        __fish_complete_path "$current"
    else
        string join -- \n $found
    end
end
complete -c icon-catalog -f -a '(__icon_catalog_complete)'
`,
  // For version 5.1 and later. It drops an empty argument, and a -- without quotes.
  powershell: String.raw`# PowerShell completion for icon-catalog
Register-ArgumentCompleter -Native -CommandName 'icon-catalog' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $found = @(& 'icon-catalog' completion words "--current=$wordToComplete" '--' @before 2>$null)
  if ($found -contains '${FILES}') { return }
  $found | Where-Object { $_ } | ForEach-Object {
    $value, $text = $_ -split [char]9, 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`,
};
const SHELLS = Object.keys(SCRIPTS);

export const completionCommand: CliBody = {
  args: {
    shell: argument(
      `One of ${SHELLS.join(', ')}; or \`words\`, which the scripts ask what may come next`,
      { values: SHELLS },
    ),
    before: argument('With `words`: the line up to the word that is completed', {
      required: false,
      multiple: true,
    }),
    current: value('word', 'With `words`: the beginning of the word that is completed'),
  },
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_icon-catalog',
    'completion fish > ~/.config/fish/completions/icon-catalog.fish',
    'completion powershell >> $PROFILE',
  ],
  async run(given, cli) {
    const shell = given.text('shell') ?? '';
    if (shell === 'words') {
      const line = { before: given.all('before'), current: given.text('current') ?? '' };
      const found = await complete(line, cli);
      return cli.result(found, () =>
        found.map(([value, text]) => (text === undefined ? value : `${value}\t${text}`)).join('\n'),
      );
    }
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw refused('<shell>', `one of ${SHELLS.join(', ')}`, shell);
    cli.result({ shell, script }, () => script.trimEnd());
    cli.next('Put this script where your shell reads it: --help shows how.');
  },
};

type Candidate = readonly [value: string, description?: string];

/** What may stand in the place of the current word. */
async function complete(
  { before, current }: { before: readonly string[]; current: string },
  { root, host }: { root: CliEntry; host: Host },
): Promise<Candidate[]> {
  let entry = root;
  for (const word of before) entry = entry.children.find(({ name }) => name === word) ?? entry;
  const { args } = await entry.load();
  const options = Object.entries(args).filter(([, { type }]) => type !== 'positional');
  const optionOf = (word = ''): CliArg | undefined =>
    options.find(([name, { alias }]) => word === `--${name}` || word === `-${alias}`)?.[1];
  const [, inline, beginning = ''] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  // bash makes a word of the = as well.
  const asked = optionOf(inline ?? before.findLast((word) => word !== '='));
  if (asked?.type === 'string') {
    const values = await valuesOf(asked, inline === undefined ? current : beginning, host);
    return inline === undefined ? values : values.map(([value]) => [`${inline}=${value}`]);
  }
  const all: Candidate[] = current.startsWith('-')
    ? options.map(([name, { description }]) => [`--${name}`, description])
    : entry.children.map((child) => [child.name, summaryOf(child)]);
  const [first] = positionalsOf(args);
  if (all.length === 0 && first !== undefined) return valuesOf(first[1], current, host);
  return all.filter(([value]) => value.startsWith(current));
}

async function valuesOf(
  { values = [], icons, path }: CliArg,
  beginning: string,
  host: Host,
): Promise<Candidate[]> {
  if (icons === true) {
    const names = [...(await aliasesLike(beginning, host)), ...namesLike(beginning, host.cwd)];
    return names.map((name) => [name]);
  }
  const fitting = values.filter((value) => value.startsWith(beginning));
  return fitting.length === 0 && path === true ? [[FILES]] : fitting.map((value) => [value]);
}

/** Aliases of the project; none if its options cannot be read, which is not the moment to report it. */
async function aliasesLike(beginning: string, host: Host): Promise<string[]> {
  if (beginning.includes('/')) return [];
  try {
    const { loadProject } = await import('../load-project.ts');
    const { options } = await loadProject(host, undefined);
    return Object.keys(options.aliases ?? {})
      .filter((name) => name.startsWith(beginning))
      .toSorted();
  } catch {
    return [];
  }
}

/** `tabler/` for `ta`, and `tabler/home` for `tabler/ho`, of the sets that are installed here. */
function namesLike(beginning: string, root: string): string[] {
  const [set = '', name] = beginning.split('/');
  const installed = findIconifySets(root);
  if (name === undefined)
    return [...installed.keys()].filter((one) => one.startsWith(set)).map((one) => `${one}/`);
  const folder = installed.get(set);
  if (folder === undefined) return [];
  return readSetNames(folder)
    .listed.filter((one) => one.startsWith(name))
    .toSorted()
    .map((one) => `${set}/${one}`);
}
