import { suggest } from '../request/suggest.ts';
import type { CliCommand } from './command.ts';
import { PROGRAM, ROOT } from './tree.ts';
import { UsageError } from './usage-error.ts';

export interface Found {
  command: CliCommand;
  /** The words that lead to it, the program first. */
  path: string[];
  /** What is left of the command line. */
  rest: string[];
}

/**
 * The command of a command line. Options without a value may stand before it: `--json search`.
 * @throws UsageError with the nearest spelling
 */
export function findCommand(argv: readonly string[]): Found {
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
