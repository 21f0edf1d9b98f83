import { isIconCatalogError } from '../errors.ts';
import { suggest } from '../request/suggest.ts';
import { GENERATOR } from '../version.ts';
import {
  type Catalog,
  type Cli,
  type CliArg,
  type CliBody,
  type CliEntry,
  type Given,
  positionalsOf,
  readArguments,
  reportedProblem,
  type ReportedProblem,
  UsageError,
  summaryOf,
} from './command.ts';
import { Cancelled, type Host, type Output } from './host.ts';
import {
  createPaint,
  padText,
  type Paint,
  showWhenSlow,
  toPlainJson,
  toPlainLines,
  toPlainText,
  widthOf,
  withoutSignatures,
  wrapLines,
  wrapText,
} from './terminal.ts';
import { MEANT, PROGRAM, ROOT } from './tree.ts';

/**
 * Runs one command line. Results are written to standard output, everything else to standard error.
 * Never rejects.
 */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  const run: Run = { command: PROGRAM, json: asksFor(argv, '--json'), written: false };
  try {
    const found = findCommand(argv);
    run.command = found.path.join(' ');
    await runFound(found, { host, run });
    return 0;
  } catch (error) {
    return reportError(error, { host, run });
  }
}

interface Run {
  /** Its words, starting with the program. */
  command: string;
  json: boolean;
  written: boolean;
}

async function runFound(
  { entry, path, rest }: Found,
  { host, run }: { host: Host; run: Run },
): Promise<void> {
  const body = await entry.load();
  const writeHelp = async (): Promise<void> => {
    const style = { width: columnsOf(host.stdout, host), paint: createPaint(host.stdout) };
    host.stdout.write(`${renderHelp({ ...entry, ...body }, path, style)}\n`);
  };
  // This precedes every other check: help is often asked for while the command line is still wrong.
  if (asksFor(rest, '--help') || asksFor(rest, '-h')) return writeHelp();
  const given = readArguments(body.args, rest);
  if (given.flag('version'))
    return host.stdout.write(run.json ? `${toPlainJson(GENERATOR)}\n` : `${GENERATOR.version}\n`);
  if (body.run === undefined) return writeHelp();
  const slow = showWhenSlow(host, entry.name);
  try {
    await runBody(body, { given, host: slow.host, run });
  } finally {
    slow.end();
  }
}

async function runBody(
  { run: runCommand }: CliBody,
  { given, host, run }: { given: Given; host: Host; run: Run },
): Promise<void> {
  let opened: Promise<Catalog> | undefined;
  let failed: Error | undefined;
  const cli: Cli = {
    host,
    width: columnsOf(host.stdout, host),
    paint: createPaint(host.stdout),
    result(value, human, failure) {
      run.written = true;
      failed ??= failure;
      const text = run.json ? toPlainJson(withFailure(value, failure), describeProblem) : human();
      const shown = given.flag('show-signed') ? text : withoutSignatures(text);
      if (shown !== '') host.stdout.write(`${shown}\n`);
      if (shown !== text)
        cli.note('Signed addresses are cut off at "?"; --show-signed prints them.');
    },
    next(sentence) {
      if (!host.stderr.isTerminal || run.json || failed !== undefined) return;
      const text = wrapLines(toPlainText(sentence), host.stderr);
      host.stderr.write(`${createPaint(host.stderr)('dim', text)}\n`);
    },
    note: (text) => host.stderr.write(`${wrapLines(toPlainText(text), host.stderr)}\n`),
    catalog: () =>
      (opened ??= import('./open-catalog.ts').then(({ openCatalog }) => openCatalog(given, cli))),
    root: ROOT,
  };
  try {
    await runCommand?.(given, cli);
    if (failed !== undefined) throw failed;
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

function asksFor(rest: readonly string[], option: string): boolean {
  const end = rest.indexOf('--');
  return rest.slice(0, end === -1 ? undefined : end).includes(option);
}

/** Columns of the terminal; without one, the value of COLUMNS, or 80. */
function columnsOf({ columns }: Output, { env }: Host): number {
  const stated = Number(env['COLUMNS']);
  return Math.max(40, columns || (Number.isInteger(stated) && stated > 0 ? stated : 80));
}

interface Found {
  entry: CliEntry;
  /** The words that lead to the command, starting with the program. */
  path: string[];
  rest: string[];
}

/**
 * The command of a command line. Options without a value may stand before it: `--json search`.
 * @throws UsageError with the nearest spelling
 */
function findCommand(argv: readonly string[]): Found {
  const found: Found = { entry: ROOT, path: [PROGRAM], rest: [...argv] };
  if (found.rest[0] === 'help') found.rest = [...found.rest.slice(1), '--help'];
  while (found.entry.children.length > 0) {
    const at = found.rest.findIndex((argument) => !argument.startsWith('-') || argument === '-');
    const word = found.rest[at];
    if (word === undefined) break;
    const child = found.entry.children.find(({ name }) => name === word);
    if (child === undefined) throw unknownCommand(word, found);
    found.entry = child;
    found.path.push(word);
    found.rest.splice(at, 1);
  }
  return found;
}

function unknownCommand(word: string, { entry, path }: Found): UsageError {
  const where = path.join(' ');
  const names = entry.children.map(({ name }) => name);
  const meant = Object.hasOwn(MEANT, word) ? MEANT[word] : undefined;
  // What the word means elsewhere says more than how it is spelled.
  const nearest = meant?.find((name) => names.includes(name)) ?? suggest(word, names);
  const hint = nearest === undefined ? '' : ` Did you mean \`${where} ${nearest}\`?`;
  return new UsageError(`There is no command ${JSON.stringify(word)}.${hint}`, where);
}

/** 0: done; 1: failed; 2: the command line is invalid and nothing was sent; 130: ended by Ctrl+C at a question. */
export type ExitCode = 0 | 1 | 2 | 130;

/** Reports an error and what to do: as text on standard error, and with `--json` also as the result if there is none. */
function reportError(error: unknown, { host, run }: { host: Host; run: Run }): ExitCode {
  // As shells report a program that Ctrl+C has ended. Who pressed it knows the reason.
  if (error instanceof Cancelled) return 130;
  const { stderr, stdout } = host;
  const text = wrapLines(toPlainLines(describe(error, run)), stderr, { before: 'error ' });
  stderr.write(`${createPaint(stderr)('red', 'error')} ${text}\n`);
  if (run.json && !run.written)
    stdout.write(`${withoutSignatures(toPlainJson({ error: describeFailure(error, run) }))}\n`);
  return codeOf(error);
}

const describeProblem = (_: string, value: unknown): unknown =>
  isIconCatalogError(value) ? reportedProblem(value) : value;

/** A result and the failure that it did not prevent, in one document. */
function withFailure(result: unknown, failure: Error | undefined): unknown {
  if (failure === undefined) return result;
  const error = describeFailure(failure, { command: PROGRAM });
  return Array.isArray(result) ? { error, results: result } : Object.assign({ error }, result);
}

function describeFailure(error: unknown, run: Pick<Run, 'command'>): ReportedProblem {
  if (isIconCatalogError(error)) return reportedProblem(error);
  const [message = '', ...lines] = describe(error, run).split('\n  ');
  // Lines of code among them stay lines.
  const remedy = lines.join('\n');
  const { cause } = error instanceof Error ? error : {};
  const known = isIconCatalogError(cause) ? reportedProblem(cause) : undefined;
  const code = error instanceof UsageError ? 'USAGE' : (known?.code ?? 'FAILED');
  return { ...known, code, message, remedy: remedy === '' ? (known?.remedy ?? '') : remedy };
}

function describe(error: unknown, { command }: Pick<Run, 'command'>): string {
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

/** Columns beyond which lines are hard to read. */
const MOST = 100;

/** The help of a command; `path` are the words that lead to it, starting with the program. */
export function renderHelp(
  {
    description,
    children,
    args,
    examples = [],
  }: Pick<CliEntry, 'description' | 'children'> & CliBody,
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
      children.map((child) => [child.name, summaryOf(child)]),
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
