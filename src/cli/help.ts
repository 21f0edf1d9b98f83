import { type CliArg, type CliBody, type CliEntry, positionalsOf } from './command.ts';
import { padText, type Paint, widthOf, wrapText } from './terminal.ts';

/** Columns beyond which lines are hard to read. */
const MOST = 100;

/** The help of a command; `path` are the words that lead to it, starting with the program. */
export function renderHelp(
  { description, children, args, examples }: Pick<CliEntry, 'description' | 'children'> & CliBody,
  path: readonly string[],
  { width, paint }: { width: number; paint: Paint },
): string {
  const words = path.join(' ');
  const positionals = positionalsOf(args);
  const options = Object.entries(args).filter(([, { type }]) => type !== 'positional');
  const synopsis = children.length > 0 ? ['<command>'] : positionals.map(synopsisOf);
  const section = (title: string, rows: readonly (readonly [string, string])[]): string[] =>
    rows.length === 0 ? [] : ['', paint('bold', title), ...renderRows(rows, Math.min(width, MOST))];
  return [
    ...wrapText(`${description}.`, Math.min(width, MOST)),
    '',
    paint('bold', 'Usage'),
    `  ${[words, ...synopsis, '[options]'].join(' ')}`,
    ...section(
      'Commands',
      children.map((child) => [child.name, child.description]),
    ),
    ...section(
      'Arguments',
      positionals.map(([name, arg]) => [name, arg.description ?? '']),
    ),
    ...section(
      'Options',
      options.map(([name, arg]) => [nameOption(name, arg), arg.description ?? '']),
    ),
    ...(examples.length === 0 ? [] : ['', paint('bold', 'Examples')]),
    ...examples.map((example) => `  ${path[0]} ${example}`),
  ].join('\n');
}

function synopsisOf([name, { required, multiple }]: [string, CliArg]): string {
  const word = `${name}${multiple === true ? '...' : ''}`;
  return required === false ? `[${word}]` : `<${word}>`;
}

function nameOption(name: string, arg: CliArg): string {
  const short = arg.alias === undefined ? '    ' : `-${arg.alias}, `;
  const value = arg.type === 'boolean' ? '' : ` <${arg.valueHint ?? 'value'}>`;
  return `${short}--${name}${value}`;
}

function renderRows(rows: readonly (readonly [string, string])[], width: number): string[] {
  const named = Math.max(...rows.map(([name]) => widthOf(name))) + 4;
  return rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapText(text, Math.max(20, width - named));
    return [
      `${padText(`  ${name}`, named)}${first}`.trimEnd(),
      ...rest.map((line) => `${' '.repeat(named)}${line}`),
    ];
  });
}
