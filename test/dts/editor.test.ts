import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { getIconData } from '@iconify/utils/lib/icon-set/get-icon';
import { quicklyValidateIconSet } from '@iconify/utils/lib/icon-set/validate-basic';
import { iconToSVG } from '@iconify/utils/lib/svg/build';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseBlocks } from '../../src/dts/render-declarations.ts';
import { runInProject } from '../cli/support/project-cli.ts';
import { difference } from '../svg/support/pixels.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';

const require = createRequire(import.meta.url);
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** What an editor asks about a place in a source. */
interface Service {
  completions(source: string, offset: number): Promise<string[]>;
  hover(source: string, offset: number): Promise<string>;
}

/** The language server that is part of TypeScript 7. */
async function startServer(root: string, file: string): Promise<Service> {
  const child = spawn(process.execPath, [COMPILER, '--lsp', '--stdio'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const waiting = new Map<number, (result: unknown) => void>();
  let received = Buffer.alloc(0);
  let count = 0;
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      send({ id: count, method, params });
    });
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const [head = '', length = ''] =
        /^(?:.*\r\n)*?Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/i.exec(
          received.toString('latin1'),
        ) ?? [];
      const end = head.length + Number(length);
      if (head === '' || received.length < end) return;
      const message = JSON.parse(received.subarray(head.length, end).toString()) as {
        id?: number;
        method?: string;
        result?: unknown;
      };
      received = received.subarray(end);
      if (message.method === undefined) waiting.get(message.id ?? 0)?.(message.result);
      else if (message.id !== undefined) send({ id: message.id, result: null });
    }
  });
  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  });
  send({ method: 'initialized', params: {} });
  const uri = pathToFileURL(join(root, file)).href;
  let version = 0;
  const at = (source: string, offset: number): object => {
    version += 1;
    const method = version === 1 ? 'textDocument/didOpen' : 'textDocument/didChange';
    const textDocument = { uri, version, languageId: 'typescript', text: source };
    send({ method, params: { textDocument, contentChanges: [{ text: source }] } });
    const lines = source.slice(0, offset).split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length };
    return { textDocument: { uri }, position };
  };
  return {
    async completions(source, offset) {
      const found = (await request('textDocument/completion', at(source, offset))) as {
        items: { label: string }[];
      } | null;
      return found?.items.map(({ label }) => label) ?? [];
    },
    async hover(source, offset) {
      const found = (await request('textDocument/hover', at(source, offset))) as {
        contents: { value: string };
      } | null;
      return found?.contents.value ?? '';
    },
  };
}

/** The part of the compiler's API that this test uses. */
interface Classic {
  createLanguageService(host: object): {
    getCompletionsAtPosition(
      file: string,
      at: number,
      options: object,
    ): { entries: { name: string }[] } | undefined;
    getQuickInfoAtPosition(file: string, at: number): { documentation: object[] } | undefined;
  };
  displayPartsToString(parts: object[] | undefined): string;
  getDefaultLibFilePath(options: object): string;
  ScriptSnapshot: { fromString(text: string): object };
  sys: { readFile(file: string): string | undefined; fileExists(file: string): boolean };
}

/** The language service of TypeScript 5, which editors bring along. */
async function openService(root: string, file: string): Promise<Service> {
  const ts = createRequire(require.resolve('astro/package.json'))('typescript') as Classic;
  const path = join(root, file);
  let text = '';
  let version = 0;
  const readText = (name: string): string | undefined =>
    name === path ? text : ts.sys.readFile(name);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [path, join(root, 'src/icon-catalog.d.ts')],
    getScriptVersion: (name: string) => (name === path ? String(version) : '1'),
    getScriptSnapshot(name: string) {
      const content = readText(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ module: 99, moduleResolution: 100, strict: true, types: [] }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: readText,
  });
  const open = (source: string): void => {
    text = source;
    version += 1;
  };
  return {
    async completions(source, offset) {
      open(source);
      return (
        service.getCompletionsAtPosition(path, offset, {})?.entries.map(({ name }) => name) ?? []
      );
    },
    async hover(source, offset) {
      open(source);
      return ts.displayPartsToString(service.getQuickInfoAtPosition(path, offset)?.documentation);
    },
  };
}

const CONFIG = {
  catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
  aliases: { house: 'maki/home', bank: 'maki/bank', 'arrows/up': 'maki/arrow' },
};
const MAIN = "import house from 'icon:house';\nexport default house;\n";

async function syncedProject(): Promise<string> {
  const root = await writeProject({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'esnext', moduleResolution: 'bundler', types: [] },
    }),
    'icon-catalog.config.json': JSON.stringify(CONFIG),
    'src/main.ts': MAIN,
  });
  const env = { ICON_CATALOG_CACHE_DIR: join(root, '.cache') };
  const { code, err } = await runInProject(root, ['sync'], { env });
  if (code !== 0) throw new Error(err);
  return root;
}

describe.each([
  ['the language server of TypeScript 7', startServer],
  ['the language service of TypeScript 5', openService],
] as const)('%s', (_, start) => {
  it('completes aliases that no source imports yet, and shows picture, name, creator and licence of pinned ones', async () => {
    const root = await syncedProject();
    const { completions, hover } = await start(root, 'src/main.ts');
    const empty = "import icon from 'icon:';";
    const offered = await completions(empty, empty.indexOf("';"));
    expect(offered.filter((one) => one.startsWith('icon:')).toSorted()).toEqual([
      'icon:arrows/up',
      'icon:bank',
      'icon:house',
    ]);
    for (const place of ['house from', 'icon:house']) {
      const shown = await hover(MAIN, MAIN.indexOf(place) + 1);
      expect(shown).toMatch(/!\[Home\]\(data:image\/svg\+xml;base64,[\w+/=]+\)/);
      expect(shown).toContain('**Home** by Mapbox, icon ');
      expect(shown).toMatch(/Licence: (?:public-domain|CC0)/);
    }
    const other = "import bank from 'icon:bank';";
    expect(await hover(other, other.indexOf('bank') + 1)).toContain('maki/bank');
  });
});

describe('declared aliases', () => {
  let root: string;
  const declared = async (): Promise<Map<string, string>> =>
    parseBlocks(await readFile(join(root, 'src/icon-catalog.d.ts'), 'utf8'));
  const run = (...args: string[]): ReturnType<typeof runInProject> =>
    runInProject(root, args, { env: { ICON_CATALOG_CACHE_DIR: join(root, '.cache') } });

  it('cost no call, pin nothing, and follow the configuration', async () => {
    root = await syncedProject();
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    expect(lock.match(/:svg"/g)).toHaveLength(1);
    // Names of the configuration that are new and gone, without a change of the sources.
    const { bank: _, ...rest } = CONFIG.aliases;
    const aliases = { ...rest, school: 'maki/school' };
    await writeFiles(root, {
      'icon-catalog.config.json': JSON.stringify({ ...CONFIG, aliases }),
    });
    await run('add', 'maki/cafe', '--as', 'coffee');
    expect([...(await declared()).keys()]).toEqual([
      'icon:arrows/up',
      'icon:coffee',
      'icon:house',
      'icon:school',
    ]);
    expect((await declared()).get('icon:coffee')).toContain('data:image/svg+xml');
    const whole = await readFile(join(root, 'src/icon-catalog.d.ts'), 'utf8');
    await run('sync');
    expect(await readFile(join(root, 'src/icon-catalog.d.ts'), 'utf8')).toBe(whole);
  });
});

describe('sync --editor', () => {
  it('writes the pinned icons as a set of Iconify that git ignores, and names the setting until it is there', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="4 4 24 16" fill="none" stroke="currentColor" stroke-width="2"><path d="M6 6h20l-10 12z"/></svg>';
    const root = await writeProject({
      'own/kite.svg': drawing,
      'src/main.js': "import 'icon:house'; import 'icon:arrows/up'; import 'icon:Kite_1';\n",
    });
    const folders = [{ path: join(root, 'own'), license: 'CC0-1.0' }];
    const options = {
      catalog: { embedded: { ...CONFIG.catalog.embedded, folders } },
      aliases: { ...CONFIG.aliases, Kite_1: 'own/kite' },
    };
    await writeFiles(root, { 'icon-catalog.config.json': JSON.stringify(options) });
    const sync = (): ReturnType<typeof runInProject> =>
      runInProject(root, ['sync', '--editor', '--json'], {
        env: { ICON_CATALOG_CACHE_DIR: join(root, '.cache') },
      });
    const setting = '"iconify.customCollectionJsonPaths": ["./.icon-catalog/icons.json"]';
    const first = await sync();
    expect([first.code, first.err]).toEqual([0, expect.any(String)]);
    expect(first.err).toContain(`Add this line to .vscode/settings.json:\n${setting}\n`);
    const file = join(root, '.icon-catalog/icons.json');
    const set: unknown = JSON.parse(await readFile(file, 'utf8'));
    const icons = quicklyValidateIconSet(set);
    const names = Object.keys(icons?.icons ?? {});
    expect([icons?.prefix, names.filter((name) => !/^\d+$/.test(name))]).toEqual([
      'icon',
      ['Kite_1', 'house'],
    ]);
    expect(first.json).toMatchObject({ editor: { names, setting } });
    // Names in the regular expression with which the extension finds icons in sources.
    const found = [...`'icon:house' "icon:${names[0]}?size=2"`.matchAll(/[^\w](icon:[\w-]+)/g)];
    expect(found.map(([, name = '']) => name.slice('icon:'.length))).toEqual(['house', names[0]]);
    const kite = icons && getIconData(icons, 'Kite_1');
    const { attributes, body } = iconToSVG(kite ?? { body: '' });
    const shown = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${attributes.viewBox}">${body}</svg>`;
    expect(difference(shown, drawing)).toBe(0);

    await promisify(execFile)('git', ['init', '-q'], { cwd: root });
    const ignored = await promisify(execFile)('git', ['check-ignore', file], { cwd: root });
    expect(ignored.stdout.trim()).toBe(file);
    await writeFiles(root, { '.vscode/settings.json': `{ ${setting} }` });
    expect((await sync()).err).not.toContain('settings.json');
  });
});
