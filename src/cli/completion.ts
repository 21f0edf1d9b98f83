import { type CliArg, type CliCommand, positionalsOf, summaryOf } from './command.ts';

interface CommandEntry {
  /** Words that lead to the command, without the program: `['blacklist', 'add']`. */
  words: string[];
  command: CliCommand;
}

interface OptionEntry {
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

function optionsOf({ args }: CliCommand): OptionEntry[] {
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
function takesIcons(command: CliCommand): boolean {
  return positionalsOf(command.args)[0]?.[1].icons === true;
}

/** Values of the first argument, where it has a list of them. */
function wordsOf(command: CliCommand): readonly string[] {
  if (command.children.length > 0) return command.children.map(({ name }) => name);
  const first: CliArg | undefined = positionalsOf(command.args)[0]?.[1];
  return first?.values ?? [];
}

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

/**
 * What may follow an option that takes a value. If it is a file, the default of the shell completes
 * it.
 */
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

/** A completion script for fish. */
export function renderFish(root: CliCommand): string {
  const lines = walkCommands(root).flatMap((entry) => commandLines(entry, root.name));
  return `# fish completion for ${root.name}
complete -c ${root.name} -f
${lines.join('\n')}
`;
}

function commandLines({ words, command }: CommandEntry, program: string): string[] {
  const where = `complete -c ${program} -n ${quoteFish(condition(words, command))}`;
  const children = command.children.map(
    (child) => `${where} -a ${child.name} -d ${quoteFish(summaryOf(child))}`,
  );
  const values = command.children.length === 0 ? wordsOf(command) : [];
  const options = optionsOf(command).map(
    ({ name, short, description, takesValue, values: some, path }) =>
      [
        where,
        short === undefined ? '' : `-s ${short}`,
        `-l ${name}`,
        takesValue ? (path ? '-rF' : '-x') : '',
        some.length > 0 ? `-a ${quoteFish(some.join(' '))}` : '',
        `-d ${quoteFish(description)}`,
      ]
        .filter(Boolean)
        .join(' '),
  );
  return [
    ...children,
    ...(takesIcons(command)
      ? [`${where} -a '(${program} completion icons (commandline -ct) 2>/dev/null)'`]
      : []),
    ...(values.length === 0 ? [] : [`${where} -a ${quoteFish(values.join(' '))}`]),
    ...options,
  ];
}

/** True if the line holds the words of a command but none of its subcommands. */
function condition(words: readonly string[], { children }: CliCommand): string {
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = children.map(({ name }) => name);
  const unseen = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`];
  return [...seen, ...unseen].join('; and ') || 'true';
}

function quoteFish(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;
}

/** A completion script for zsh; it works from a folder of `fpath` and when it is sourced. */
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
    (child) => `      ${quoteZsh(`${child.name}:${summaryOf(child)}`)}`,
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

/** Arguments without candidates: the shell offers nothing, and options may follow. */
const REST = "'*: : '";

function leafFunction(words: readonly string[], root: CliCommand, command: CliCommand): string {
  const values = wordsOf(command);
  const first = values.length === 0 ? [] : [quoteZsh(`1: :(${values.join(' ')})`)];
  return `${functionName(words, root)}() {
  _arguments ${[...optionsOf(command).flatMap(optionSpecs), ...first, takesIcons(command) ? icons(root) : REST].join(' ')}
}`;
}

/** Names of icons, which the program itself completes. A set is completed up to its slash. */
function icons({ name }: CliCommand): string {
  return quoteZsh(
    `*: :{compadd -S "" -- \${(f)"$(${name} completion icons "$PREFIX" 2>/dev/null)"}}`,
  );
}

function optionSpecs({
  name,
  short,
  description,
  takesValue,
  values,
  path,
}: OptionEntry): string[] {
  const reported = description.replace(/[[\]:]/g, (character) => `\\${character}`);
  const action = path ? '_files' : values.length > 0 ? `(${values.join(' ')})` : ' ';
  const value = takesValue ? `:value:${action}` : '';
  const long = takesValue ? `--${name}=` : `--${name}`;
  return [
    quoteZsh(`*${long}[${reported}]${value}`),
    ...(short === undefined ? [] : [quoteZsh(`*-${short}[${reported}]${value}`)]),
  ];
}

function functionName(words: readonly string[], root: CliCommand): string {
  return `_${[root.name, ...words].join('_')}`;
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A completion script for PowerShell 5.1 and later, on every system. */
export function renderPowerShell(root: CliCommand): string {
  const entries = walkCommands(root);
  const table = (rows: readonly (readonly [string, readonly string[]])[]): string =>
    rows
      .filter(([, values]) => values.length > 0)
      .map(
        ([key, values]) =>
          `    ${quotePowerShell(key)} = @(${values.map(quotePowerShell).join(', ')})`,
      )
      .join('\n');
  const keyOf = (words: readonly string[], ...more: string[]): string =>
    [...words, ...more].join(' ');
  const words = entries.map(({ words, command }) => [keyOf(words), wordsOf(command)] as const);
  const options = entries.map(
    ({ words, command }) =>
      [keyOf(words), optionsOf(command).map(({ name }) => `--${name}`)] as const,
  );
  const values = entries.flatMap(({ words, command }) =>
    optionsOf(command).map(({ name, values }) => [keyOf(words, `--${name}`), values] as const),
  );
  const icons = entries
    .filter(({ command }) => takesIcons(command))
    .map(({ words }) => keyOf(words));
  return `# PowerShell completion for ${root.name}
Register-ArgumentCompleter -Native -CommandName ${quotePowerShell(root.name)} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${table(words)}
  }
  $options = @{
${table(options)}
  }
  $values = @{
${table(values)}
  }
  $icons = @(${icons.map(quotePowerShell).join(', ')})
  $path = ''
  $previous = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $previous = $element.ToString()
    $next = "$path $previous".Trim()
    if ($options.ContainsKey($next)) { $path = $next }
  }
  $option = "$path $previous".Trim()
  $candidates = if ($previous.StartsWith('-') -and $values.ContainsKey($option)) { $values[$option] }
    elseif ($wordToComplete.StartsWith('-')) { $options[$path] }
    elseif ($icons -contains $path) { & ${quotePowerShell(root.name)} completion icons $wordToComplete 2>$null }
    else { $words[$path] }
  $candidates | Where-Object { $_ -and $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function quotePowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
