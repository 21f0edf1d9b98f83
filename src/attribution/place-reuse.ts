import { IconCatalogError } from '../errors.ts';

const BEGIN =
  '# icon-catalog: begin. What stands from here to the end mark is written by icon-catalog.';
const END = '# icon-catalog: end';
const BLOCK = /^# icon-catalog: begin\b.*\r?\n(?:.*\r?\n)*?# icon-catalog: end\r?\n?/m;

/**
 * `REUSE.toml` with our table in it. What the project wrote stays as it is; our table comes last, since of several
 * tables that cover a file the last one counts.
 *
 * @param present the file as it is; `undefined` where there is none
 * @throws IconCatalogError LOCK_INVALID where our block has lost its end
 */
export function placeReuseTable(present: string | undefined, table: string): string {
  const block = `${BEGIN}\n${table}${END}\n`;
  if (present === undefined || present.trim() === '') return `version = 1\n\n${block}`;
  const rest = present.replace(BLOCK, '');
  if (rest.includes('# icon-catalog: begin')) {
    throw new IconCatalogError('LOCK_INVALID', {
      message:
        'REUSE.toml has a line "# icon-catalog: begin" without "# icon-catalog: end" behind it.',
      remedy: 'Delete that table, and run the command again.',
      path: 'REUSE.toml',
    });
  }
  return rest.trim() === '' ? `version = 1\n\n${block}` : `${rest.trimEnd()}\n\n${block}`;
}
