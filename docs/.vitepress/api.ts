import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from '@microsoft/api-extractor';

/** The entries that have an API beside the plugin itself. */
const ENTRIES = {
  index: [
    'unplugin-icon-catalog',
    'The package’s root: `createIcons`, credits, errors and types. Its default export has the plugins of all bundlers.',
  ],
  client: [
    'unplugin-icon-catalog/client',
    'The signed client of a catalog. See [The client](/reference/client).',
  ],
  server: [
    'unplugin-icon-catalog/server',
    'The embedded catalog. See [The embedded catalog](/reference/server).',
  ],
} as const;

/** A declaration in the documents of API Extractor. */
interface Declaration {
  kind: string;
  name: string;
  docComment?: string;
  excerptTokens?: { text: string }[];
  members?: Declaration[];
}

/** The pages of the API, by name: what API Extractor reads from the built declarations and their comments. */
export async function renderApi(root: string): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'icon-catalog-api-'));
  try {
    const names = Object.keys(ENTRIES);
    const configs = names.map((name) => configOf(root, name, join(folder, `${name}.json`)));
    const [first] = configs;
    if (first === undefined) return new Map();
    // One program of TypeScript for all entries, which share most of their declarations.
    const compilerState = CompilerState.create(first, {
      additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
    });
    return new Map(
      Object.entries(ENTRIES).map(([name, [title, text]], at) => {
        const members = extract(configs[at] ?? first, compilerState);
        return [
          name,
          `---\noutline: 2\n---\n\n# ${title}\n\n${text}\n\n${members.map(section).join('\n\n')}\n`,
        ];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param file for the document of the entry's API */
function configOf(root: string, name: string, file: string): ExtractorConfig {
  const entry = join(root, 'dist', `${name}.d.ts`);
  const none = { default: { logLevel: ExtractorLogLevel.None } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'nodenext',
            moduleResolution: 'nodenext',
            target: 'es2023',
            lib: ['es2023', 'dom'],
            types: ['node'],
            strict: true,
            skipLibCheck: true,
          },
          files: [entry],
        },
      },
      apiReport: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      docModel: { enabled: true, apiJsonFilePath: file },
      messages: {
        extractorMessageReporting: none,
        tsdocMessageReporting: none,
        compilerMessageReporting: none,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
}

function extract(config: ExtractorConfig, compilerState: CompilerState): Declaration[] {
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => (message.handled = true),
  });
  const document = readFileSync(config.apiJsonFilePath, 'utf8');
  const { members: [point] = [] } = JSON.parse(document) as Declaration;
  return (point?.members ?? []).toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

const KINDS = ['Function', 'Variable', 'Class', 'Interface', 'TypeAlias'];

function rank({ kind }: Declaration): number {
  return KINDS.indexOf(kind);
}

function section(declaration: Declaration): string {
  const { kind, name, docComment = '', excerptTokens = [], members = [] } = declaration;
  const signature = excerptTokens.map(({ text }) => text).join('');
  const rows = members.filter(({ kind: member }) => member !== 'Constructor').map(row);
  return [
    `## ${name === '_default' ? 'default' : name} {#${name}}`,
    comment(docComment),
    `\`\`\`ts\n${signature.replaceAll(/\bexport (?:declare )?/g, '').trim()}\n\`\`\``,
    rows.length === 0
      ? ''
      : `| ${kind === 'Class' || kind === 'Interface' ? 'Member' : 'Part'} | Type | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function row({ name, docComment = '', excerptTokens = [] }: Declaration): string {
  const text = excerptTokens.map((token) => token.text).join('');
  const type = text.replace(/^(?:readonly )?[\w$'-]+\??(?:: )?/, '').replace(/;$/, '');
  const optional = new RegExp(`^(?:readonly )?${name.replaceAll('$', String.raw`\$`)}\\?`).test(
    text,
  )
    ? '?'
    : '';
  const cell = `\`${type.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)}\``;
  return `| \`${name}${optional}\` | ${cell} | ${comment(docComment)
    .replaceAll(/\n+/g, ' ')
    .replaceAll('|', String.raw`\|`)} |`;
}

/** A comment as Markdown: its tags as sentences, its examples as code. */
function comment(text: string): string {
  const plain = text
    .replaceAll(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .trim();
  const [before = '', example] = plain.split(/^@example\s*/m);
  const prose = escape(before)
    .replaceAll(
      /\s*@default (.+?)(?=\n|$)/g,
      (_, value: string) => ` Default: ${value.trim().replace(/\.$/, '')}.`,
    )
    .replaceAll(/^@param (\S+)/gm, '\n- `$1`:')
    .replaceAll(/^@returns /gm, '\nReturns ')
    .replaceAll(/^@throws /gm, '\nThrows ')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .trim();
  return example === undefined ? prose : `${prose}\n\n\`\`\`ts\n${example.trim()}\n\`\`\``;
}

/** Outside of code, a `<` would begin a tag of the page. */
function escape(text: string): string {
  return text
    .split('`')
    .map((part, at) =>
      at % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('{{', '{&#123;') : part,
    )
    .join('`');
}
