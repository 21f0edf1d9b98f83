import { isIconCatalogError } from '../errors.ts';
import { suggest } from '../request/suggest.ts';
import { GENERATOR } from '../version.ts';
import {
  type Catalog,
  type Cli,
  type CliArg,
  type CliCommand,
  positionalsOf,
  readArguments,
  UsageError,
} from './command.ts';
import type { Host, Output } from './host.ts';
import { openCatalog } from './open-project.ts';
import {
  createPaint,
  padText,
  type Paint,
  toPlainJson,
  toPlainLines,
  toPlainText,
  widthOf,
  withoutSignatures,
  wrapText,
} from './terminal.ts';
import { PROGRAM, ROOT } from './tree.ts';

/**
 * Runs one command line. Results are written to standard output, everything else to standard error.
 * Never rejects.
 */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  let command = PROGRAM;
  try {
    const found = findCommand(argv);
    command = found.path.join(' ');
    return await runFound(found, host);
  } catch (error) {
    return reportError(error, { stderr: host.stderr, command });
  }
}

async function runFound({ command, path, rest }: Found, host: Host): Promise<ExitCode> {
  const writeHelp = (output: Output): void => {
    const help = renderHelp(command, path, {
      width: columnsOf(output, host),
      paint: createPaint(output),
    });
    output.write(`${help}\n`);
  };
  if (asksForHelp(rest)) {
    writeHelp(host.stdout);
    return 0;
  }
  const given = readArguments(command.args, rest);
  const json = given.flag('json');
  if (given.flag('version')) {
    host.stdout.write(json ? `${toPlainJson(GENERATOR)}\n` : `${GENERATOR.version}\n`);
    return 0;
  }
  if (command.run === undefined) {
    writeHelp(host.stderr);
    return 2;
  }
  let opened: Promise<Catalog> | undefined;
  const cli: Cli = {
    host,
    width: columnsOf(host.stdout, host),
    paint: createPaint(host.stdout),
    result(value, human) {
      const text = json ? toPlainJson(value) : human();
      const shown = given.flag('show-signed') ? text : withoutSignatures(text);
      if (shown !== '') host.stdout.write(`${shown}\n`);
      if (shown !== text)
        cli.note('Signed addresses are cut off at "?"; --show-signed prints them.');
    },
    note: (text) => host.stderr.write(`${toPlainText(text)}\n`),
    catalog: () => (opened ??= openCatalog(given, cli)),
  };
  try {
    await command.run(given, cli);
    return 0;
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/**
 * This precedes every other check: help is often asked for while the command line is still wrong.
 */
function asksForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  const options = rest.slice(0, end === -1 ? undefined : end);
  return options.includes('--help') || options.includes('-h');
}

/** Columns of the terminal; without one, the value of COLUMNS, or 80. */
function columnsOf({ columns }: Output, { env }: Host): number {
  const stated = Number(env['COLUMNS']);
  return Math.max(40, columns || (Number.isInteger(stated) && stated > 0 ? stated : 80));
}

interface Found {
  command: CliCommand;
  /** The words that lead to the command, starting with the program. */
  path: string[];
  /** The rest of the command line. */
  rest: string[];
}

/**
 * The command of a command line. Options without a value may stand before it: `--json search`.
 * @throws UsageError with the nearest spelling
 */
function findCommand(argv: readonly string[]): Found {
  const found: Found = { command: ROOT, path: [PROGRAM], rest: [...argv] };
  if (found.rest[0] === 'help') found.rest = [...found.rest.slice(1), '--help'];
  while (found.command.children.length > 0) {
    const at = found.rest.findIndex((argument) => !argument.startsWith('-') || argument === '-');
    const word = found.rest[at];
    if (word === undefined) break;
    const child = found.command.children.find(({ name }) => name === word);
    if (child === undefined) throw unknownCommand(word, found);
    found.command = child;
    found.path.push(word);
    found.rest.splice(at, 1);
  }
  return found;
}

function unknownCommand(word: string, { command, path }: Found): UsageError {
  const where = path.join(' ');
  const nearest = suggest(
    word,
    command.children.map(({ name }) => name),
  );
  const hint = nearest === undefined ? '' : ` Did you mean \`${where} ${nearest}\`?`;
  return new UsageError(`There is no command ${JSON.stringify(word)}.${hint}`, where);
}

const MOST = 100;

/** The help of a command; `path` are the words that lead to it, starting with the program. */
function renderHelp(
  { description, args, examples, children }: CliCommand,
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

/** 0: done; 1: failed; 2: the command line is invalid and nothing was sent. */
export type ExitCode = 0 | 1 | 2;

/**
 * Reports an error and what to do on standard error. @param command its words, starting with the
 * program
 */
function reportError(
  error: unknown,
  { stderr, command }: { stderr: Output; command: string },
): ExitCode {
  const [first = '', ...rest] = toPlainLines(describe(error, command)).split('\n');
  stderr.write(`${[`${createPaint(stderr)('red', 'error')} ${first}`, ...rest].join('\n')}\n`);
  return codeOf(error);
}

function describe(error: unknown, command: string): string {
  if (error instanceof UsageError) {
    return `${error.message}\n  See ${error.command ?? command} --help.`;
  }
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2;
  // This was refused before anything was sent: the command line was wrong, not the catalog.
  const unsent = isIconCatalogError(error) && error.status === undefined;
  return unsent && error.code === 'CATALOG_BAD_REQUEST' ? 2 : 1;
}
