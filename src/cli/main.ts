import { runCommand } from 'citty';
import { isIconCatalogError } from '../errors.ts';
import { suggest } from '../request/suggest.ts';
import { GENERATOR } from '../version.ts';
import type { Cli, CliCommand } from './command.ts';
import { connect, type Catalog } from './connect.ts';
import type { Host, Output } from './host.ts';
import { createPaint } from './paint.ts';
import { toPlainJson, toPlainLines, toPlainText } from './plain-text.ts';
import { readArguments } from './read-arguments.ts';
import { renderHelp } from './render-help.ts';
import { LATER, PROGRAM, ROOT } from './tree.ts';
import { UsageError } from './usage-error.ts';

/** 0: done; 1: failed; 2: written wrongly, nothing was sent. */
export type ExitCode = 0 | 1 | 2;

/** Runs one command line. Results go to standard output, everything else to standard error. Never rejects. */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  let path: string[] = [PROGRAM];
  try {
    const found = findCommand(argv);
    path = found.path;
    return await runFound(found, host);
  } catch (error) {
    return tell(error, { host, path });
  }
}

interface Found {
  command: CliCommand;
  /** The words that lead to it, the program first. */
  path: string[];
  /** What is left of the command line. */
  rest: string[];
}

/** Options of one word may stand before the command: `--json search`. */
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
  if (command === ROOT && LATER.includes(word)) {
    return new UsageError(`${PROGRAM} ${GENERATOR.version} does not have \`${word}\` yet.`);
  }
  const nearest = suggest(
    word,
    command.children.map(({ name }) => name),
  );
  const hint = nearest === undefined ? '' : ` Did you mean \`${[...path, nearest].join(' ')}\`?`;
  return new UsageError(`There is no command ${JSON.stringify(word)}.${hint}`);
}

async function runFound({ command, path, rest }: Found, host: Host): Promise<ExitCode> {
  const end = rest.indexOf('--');
  const options = rest.slice(0, end === -1 ? undefined : end);
  const help = (output: Output): string =>
    `${renderHelp(command, path, { width: columnsOf(output, host), paint: createPaint(output) })}\n`;
  if (options.includes('--help') || options.includes('-h')) {
    host.stdout.write(help(host.stdout));
    return 0;
  }
  const raw = readArguments(command.args, rest);
  const flags = new Set(raw.slice(0, raw.indexOf('--')));
  const json = flags.has('--json');
  if (flags.has('--version')) {
    host.stdout.write(json ? `${toPlainJson(GENERATOR)}\n` : `${GENERATOR.version}\n`);
    return 0;
  }
  if (command.children.length > 0) {
    host.stderr.write(help(host.stderr));
    return 2;
  }
  let opened: Promise<Catalog> | undefined;
  const embedded = flags.has('--embedded');
  const paint = createPaint(host.stdout);
  const cli: Cli = {
    host,
    width: columnsOf(host.stdout, host),
    paint,
    result(value, human) {
      const text = json ? toPlainJson(value) : human();
      if (text !== '') host.stdout.write(`${text}\n`);
    },
    note: (text) => host.stderr.write(`${toPlainText(text)}\n`),
    catalog: () => (opened ??= connect(host, { embedded })),
  };
  try {
    await runCommand(command, { rawArgs: raw, data: cli });
    return 0;
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** Columns of the terminal; elsewhere what COLUMNS says, or 80. */
function columnsOf({ columns }: Output, { env }: Host): number {
  const stated = Number(env['COLUMNS']);
  return Math.max(40, columns ?? (Number.isInteger(stated) && stated > 0 ? stated : 80));
}

/** Tells an error on standard error, with what to do. */
function tell(error: unknown, { host, path }: { host: Host; path: readonly string[] }): ExitCode {
  const paint = createPaint(host.stderr);
  const say = (text: string): void => {
    const [first = '', ...rest] = toPlainLines(text).split('\n');
    host.stderr.write(`${[`${paint('red', 'error')} ${first}`, ...rest].join('\n')}\n`);
  };
  if (error instanceof UsageError) {
    say(`${error.message}\n  See ${path.join(' ')} --help.`);
    return 2;
  }
  if (isIconCatalogError(error)) {
    say(error.message);
    // Refused before anything was sent: the words of the command were wrong, not the catalog.
    return error.code === 'CATALOG_BAD_REQUEST' && error.status === undefined ? 2 : 1;
  }
  say(error instanceof Error ? error.message : String(error));
  return 1;
}
