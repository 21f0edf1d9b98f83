import { GENERATOR } from '../version.ts';
import type { Cli } from './command.ts';
import { connect, type Catalog } from './connect.ts';
import { findCommand, type Found } from './find-command.ts';
import type { Host, Output } from './host.ts';
import { createPaint } from './paint.ts';
import { toPlainJson, toPlainText, withoutSignatures } from './plain-text.ts';
import { readArguments } from './read-arguments.ts';
import { renderHelp } from './render-help.ts';
import { tellError, type ExitCode } from './tell-error.ts';
import { PROGRAM } from './tree.ts';

/** Runs one command line. Results go to standard output, everything else to standard error. Never rejects. */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  let command = PROGRAM;
  try {
    const found = findCommand(argv);
    command = found.path.join(' ');
    return await runFound(found, host);
  } catch (error) {
    return tellError(error, { stderr: host.stderr, command });
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
  const embedded = given.flag('embedded');
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
    catalog: () => (opened ??= connect(host, { embedded })),
  };
  try {
    await command.run(given, cli);
    return 0;
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** Before anything else is checked: help is asked for where a command line is not right yet. */
function asksForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  const options = rest.slice(0, end === -1 ? undefined : end);
  return options.includes('--help') || options.includes('-h');
}

/** Columns of the terminal; elsewhere what COLUMNS says, or 80. */
function columnsOf({ columns }: Output, { env }: Host): number {
  const stated = Number(env['COLUMNS']);
  return Math.max(40, columns || (Number.isInteger(stated) && stated > 0 ? stated : 80));
}
