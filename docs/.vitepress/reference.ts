import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { MANIFEST_SCHEMA } from '../../src/attribution/manifest/schema.ts';
import {
  type CliArg,
  type CliCommand,
  COMMON_ARGS,
  loadCommands,
  positionalsOf,
  summaryOf,
} from '../../src/cli/command.ts';
import { ROOT } from '../../src/cli/tree.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { renderApi } from './api.ts';

/**
 * Writes the pages of the reference that the code itself states: errors, command line, schema of the manifest, API.
 *
 * @param docs the folder of the documentation
 */
export async function writeReference(docs: string): Promise<{ errors: string[] }> {
  const pages = new Map<string, string>();
  const meanings = readMeanings(join(docs, '../src/errors.ts'));
  const errors = Object.keys(ERROR_CODES) as ErrorCode[];
  pages.set('errors/index.md', errorsPage(errors, meanings));
  for (const code of errors)
    pages.set(`errors/${code}.md`, errorPage(code, meanings.get(code), ERROR_CODES[code]));
  for (const [code, { remedy, ...meaning }] of Object.entries(COMMAND_CODES))
    pages.set(`errors/${code}.md`, errorPage(code, meaning, remedy));
  pages.set('cli.md', commandLinePage(await loadCommands(ROOT)));
  pages.set('manifest.md', manifestPage());
  for (const [name, page] of await renderApi(join(docs, '..'))) pages.set(`api/${name}.md`, page);

  const reference = join(docs, 'reference');
  for (const folder of ['errors', 'api']) {
    mkdirSync(join(reference, folder), { recursive: true });
    for (const name of readdirSync(join(reference, folder)))
      if (!pages.has(`${folder}/${name}`)) rmSync(join(reference, folder, name));
  }
  // What has not changed stays as it is: others may be reading it.
  for (const [path, page] of pages) {
    const file = join(reference, path);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== page) writeFileSync(file, page);
  }
  return { errors: [...errors, ...Object.keys(COMMAND_CODES)] };
}

/** What the comment above a code of the error table states. */
interface Meaning {
  what: string;
  why: string;
  guides: string[];
}

/** Codes of commands alone, in what they write with `--json`. */
const COMMAND_CODES: Readonly<Record<string, Meaning & { remedy: string }>> = {
  USAGE: {
    what: 'The command line is wrong. Nothing was sent and nothing was written.',
    why: 'A command, an option or an argument is unknown, missing or has a value that it cannot have. The exit code is 2. The code is in the JSON of `--json` alone.',
    remedy:
      'Correct what the message names. `npx icon-catalog <command> --help` lists what a command takes, and so does the page [Command line](/reference/cli).',
    guides: [],
  },
  FAILED: {
    what: 'The command failed for a reason that has no code of its own, such as a file that cannot be written or a check that found something.',
    why: 'Codes are for what goes wrong with icons. The exit code is 1. The code is in the JSON of `--json` alone.',
    remedy:
      '`message` says what failed, and `remedy` what to do. If both say too little, run `npx icon-catalog doctor`.',
    guides: ['guides/troubleshooting'],
  },
};

/** The comments of the error table, which editors show as well: what happened, `@remarks` why, `@see` guides. */
function readMeanings(file: string): Map<string, Meaning> {
  const { program } = parse(readFileSync(file, 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript'],
    attachComment: true,
  });
  const meanings = new Map<string, Meaning>();
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (statement.declaration?.type !== 'VariableDeclaration') continue;
    const { init } = statement.declaration.declarations[0] ?? {};
    const table = init?.type === 'TSAsExpression' ? init.expression : init;
    if (table?.type !== 'ObjectExpression') continue;
    for (const property of table.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue;
      const comment = property.leadingComments?.at(-1)?.value ?? '';
      meanings.set(property.key.name, toMeaning(comment, property.key.name));
    }
  }
  return meanings;
}

function toMeaning(comment: string, code: string): Meaning {
  const text = comment.replaceAll(/^\s*\* ?/gm, '').trim();
  const [what = '', ...tags] = text.split(/\n(?=@)/);
  const valuesOf = (tag: string): string[] =>
    tags.filter((line) => line.startsWith(`${tag} `)).map((line) => line.slice(tag.length + 1));
  const why = valuesOf('@remarks').join('\n\n');
  if (what === '' || why === '')
    throw new Error(`src/errors.ts states no meaning and no reason of ${code}.`);
  return {
    what: flow(what),
    why: flow(why),
    guides: valuesOf('@see').map((value) => value.trim()),
  };
}

/** Lines of a comment as one line. */
function flow(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ').trim();
}

function errorsPage(codes: readonly ErrorCode[], meanings: ReadonlyMap<string, Meaning>): string {
  const rows = codes.map(
    (code) => `| [\`${code}\`](./${code}) | ${meanings.get(code)?.what ?? ''} |`,
  );
  return `# Errors

Every error of this package is an \`IconCatalogError\` with a permanent \`code\`. A message says what happened, which file imports the icon, why, and what to do. \`isIconCatalogError(value)\` is true for these errors only.

No message ever holds the key, the secret, a signature or a signed address.

| Code | What happened |
| --- | --- |
${rows.join('\n')}

Commands with \`--json\` write two more codes:

| Code | What happened |
| --- | --- |
${Object.entries(COMMAND_CODES)
  .map(([code, { what }]) => `| [\`${code}\`](./${code}) | ${what} |`)
  .join('\n')}
`;
}

function errorPage(code: string, meaning: Meaning | undefined, remedy: string): string {
  const { what, why, guides } = meaning ?? { what: '', why: '', guides: [] };
  const links = guides.map((path) => `- [${titleOf(path)}](/${path})`);
  return `# ${code}

${what}

## Why

${why}

## What to do

${remedy}
${links.length === 0 ? '' : `\n## More\n\n${links.join('\n')}\n`}`;
}

/** \`guides/lock-and-ci#modes\` → \`Lock and CI\`: the heading of that page. */
function titleOf(path: string): string {
  const page = readFileSync(`docs/${path.split('#')[0]}.md`, 'utf8');
  return /^# (.+)$/m.exec(page)?.[1] ?? path;
}

function commandLinePage([_root, ...commands]: readonly CliCommand[]): string {
  return `# Command line

\`npx icon-catalog <command>\`. Results go to standard output, everything else to standard error. Every command has \`--help\` and \`--json\`: with \`--json\` standard output is one JSON document.

| Exit code | Meaning |
| --- | --- |
| 0 | The command is done. |
| 1 | It failed, or a part of it did. Standard error has the error code and what to do. |
| 2 | The command line is wrong. Nothing was sent, and the nearest spelling is suggested. |

| Command | What it does |
| --- | --- |
${commands.map(({ words, ...command }) => `| [\`${words.join(' ')}\`](#${words.join('-')}) | ${prose(summaryOf(command))} |`).join('\n')}

The guide [Find an icon](/guides/find-an-icon) and the guide [Lock and CI](/guides/lock-and-ci) show the commands at work.

${commands.map(commandSection).join('\n\n')}
`;
}

function commandSection({ words, examples = [], ...command }: CliCommand): string {
  const positionals = positionalsOf(command.args);
  const options = Object.entries(command.args).filter(
    ([name, { type }]) => type !== 'positional' && !(name in COMMON_ARGS),
  );
  const usage = [
    `icon-catalog ${words.join(' ')}`,
    ...(command.children.length > 0 ? ['<command>'] : []),
    ...positionals.map(([name, { required, multiple }]) => {
      const word = `${name}${multiple === true ? '...' : ''}`;
      return required === false ? `[${word}]` : `<${word}>`;
    }),
  ];
  const rows = [
    ...positionals.map(([name, arg]) => `| \`${name}\` | ${prose(arg.description ?? '')} |`),
    ...options.map(
      ([name, arg]) => `| ${optionName(name, arg)} | ${prose(arg.description ?? '')} |`,
    ),
  ];
  return [
    `## ${words.join(' ')} {#${words.join('-')}}`,
    `${prose(command.description)}.`,
    `\`\`\`txt\n${usage.join(' ')}\n\`\`\``,
    ...(rows.length === 0
      ? []
      : [`| Argument or option | Meaning |\n| --- | --- |\n${rows.join('\n')}`]),
    ...(examples.length === 0
      ? []
      : [
          `\`\`\`sh\n${examples.map((example) => `npx icon-catalog ${example}`).join('\n')}\n\`\`\``,
        ]),
  ].join('\n\n');
}

function optionName(name: string, arg: CliArg): string {
  const value = arg.type === 'boolean' ? '' : ` <${arg.valueHint ?? 'value'}>`;
  const long = `\`--${name}${value}\``;
  return arg.alias === undefined ? long : `\`-${arg.alias}\`, ${long}`;
}

/** Text of the code as Markdown: what would be a tag, a cell's end or an expression of the page is escaped. */
function prose(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{&#123;')
    .replaceAll('*', String.raw`\*`);
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  $defs?: Record<string, Schema>;
}

function manifestPage(): string {
  const schema = MANIFEST_SCHEMA as Schema;
  const rows: string[] = [];
  const add = (path: string, part: Schema): void => {
    const resolved =
      part.$ref?.endsWith('/icon') === true ? (schema.$defs?.['icon'] ?? part) : part;
    for (const [name, field] of Object.entries(resolved.properties ?? {})) {
      const at = `${path}${name}`;
      const optional = resolved.required?.includes(name) === true ? '' : ' (optional)';
      rows.push(`| \`${at}\`${optional} | ${typeOf(field)} | ${prose(field.description ?? '')} |`);
      add(`${at}.`, field);
      if (field.items !== undefined) add(`${at}[].`, field.items);
    }
  };
  add('', schema);
  return `# Manifest of credits

\`icon-attribution.json\` is the record of what an output folder ships. Its JSON Schema (2020-12) is \`unplugin-icon-catalog/schema/attribution.json\`, and this table is made from it. \`[]\` stands for each item of a list.

| Field | Type | Meaning |
| --- | --- | --- |
${rows.join('\n')}

The same records are in \`icon:credits\`: see [Credits](/guides/credits). SPDX and CycloneDX documents hold them in the words of their formats.
`;
}

function typeOf({ type, enum: values, const: value, format, $ref, items, anyOf }: Schema): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values !== undefined) return values.map((each) => `\`${String(each)}\``).join(', ');
  if ($ref?.endsWith('/sha256') === true) return 'SHA-256, hex';
  if ($ref?.endsWith('/nullableUri') === true || anyOf !== undefined) return 'address or null';
  if (items !== undefined) return 'list';
  const names = [type ?? 'object'].flat().join(' or ');
  return format === undefined ? names : `${names} (${format})`;
}
