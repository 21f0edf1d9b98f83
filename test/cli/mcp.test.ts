import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { writeProject } from '../support/write-project.ts';
import { CLI } from './support/run-cli.ts';

const KEY = 'k3y-of-the-agent';
const SECRET = 's3cret-of-the-agent';
const CONFIG = 'icon-catalog.config.json';
const [ID = 0, OTHER = 0] = iconIds('maki', 2);
let catalog: CountingCatalog;

beforeAll(async () => {
  catalog = await startCountingCatalog({
    sets: ['maki', 'tabler'],
    keys: [{ key: KEY, secret: SECRET, monthlyLimit: 100_000 }],
  });
});
beforeEach(() => catalog.reset());
afterAll(() => catalog.close());

/** Every byte that a server has sent in the current test. */
let heard = '';
beforeEach(() => {
  heard = '';
});
afterEach(() => {
  for (const secret of [KEY, SECRET, 'oauth_', '_signature', 'Signature=', '/asset/'])
    expect(heard).not.toContain(secret);
});

interface AgentSession {
  client: Client;
  /** What the server writes to standard error. */
  err(): string;
  /** Calls a tool whose first answer is a JSON document. */
  call(name: string, args?: object): Promise<{ [field: string]: unknown }>;
  /** Calls a tool and returns everything. */
  send(name: string, args?: object): Promise<CallToolResult>;
}

interface AgentInput {
  root: string;
  args?: string[];
  cli?: string;
  /** Answers to questions to the user; without it, the client cannot ask. */
  accept?: (message: string) => boolean;
}

/** The real command as a child process, with a real client on its pipes. */
async function openAgent({
  root,
  args = [],
  cli = CLI,
  accept,
}: AgentInput): Promise<AgentSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', ...args],
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      XDG_CONFIG_HOME: root,
      ICON_CATALOG_CACHE_DIR: join(root, '.cache'),
      ICON_CATALOG_SITE_URL: 'https://icons.example',
    },
    stderr: 'pipe',
  });
  let err = '';
  transport.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: accept === undefined ? {} : { elicitation: {} } },
  );
  // The client reports each line of standard output that is no message of the protocol.
  const faults: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => faults.push(error) });
  if (accept !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: accept(params.message) ? 'accept' : 'decline',
      content: {},
    }));
  onTestFinished(async () => {
    await client.close();
    expect(faults).toEqual([]);
  });
  await client.connect(transport);
  const send: AgentSession['send'] = async (name, given = {}) => {
    const answer = CallToolResultSchema.parse(
      await client.callTool({ name, arguments: { ...given } }),
    );
    heard += JSON.stringify(answer);
    return answer;
  };
  return {
    client,
    err: () => err,
    send,
    async call(name, given) {
      const [first] = (await send(name, given)).content;
      if (first?.type !== 'text') throw new Error('The first content is no text.');
      return JSON.parse(first.text) as { [field: string]: unknown };
    },
  };
}

const remote = (options: Options = {}): Record<string, string> => ({
  [CONFIG]: `${JSON.stringify({ aliases: {}, ...options }, undefined, 2)}\n`,
  '.env.local': `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${KEY}\nICON_CATALOG_SECRET=${SECRET}\n`,
});

const signed = (): string[] => catalog.calls.filter((call) => !call.includes('/asset/'));
const images = ({ content }: CallToolResult): string[] =>
  content.flatMap((one) => (one.type === 'image' ? [one.mimeType] : []));

describe('a catalog with an account', () => {
  it('is searched, looked at, and gives an icon to the project, for as many calls as the picker makes', async () => {
    const root = await writeProject({ ...remote(), 'src/main.js': `import 'icon:${OTHER}';\n` });
    const agent = await openAgent({ root });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search_icons', true],
      ['show_icon', true],
      ['add_icon', false],
      ['list_project_icons', true],
      ['credits', true],
      ['undo', false],
    ]);
    expect(await agent.call('list_project_icons')).toMatchObject({
      can_add: { file: CONFIG },
      icons: [{ id: String(OTHER), used: ['src/main.js:1:9'] }],
      costs: { calls: 0 },
    });
    expect(signed()).toEqual([]);

    const found = await agent.send('search_icons', { query: 'calendar', limit: 3 });
    expect(images(found)).toEqual(['image/png', 'image/png', 'image/png']);
    const again = await agent.call('search_icons', { query: ' calendar', offset: 3, limit: 2 });
    expect(again).toMatchObject({ from: expect.stringContaining('kept'), costs: { calls: 0 } });
    const [icon] = again['icons'] as { id: string; license: object }[];
    expect(icon).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      license: { verdict: 'allowed', label: expect.any(String), asks: expect.any(String) },
    });
    expect(signed()).toEqual(['GET /v2/icon']);

    const shown = await agent.send('show_icon', { id: icon?.id, color: 'ff0000' });
    expect(images(shown)).toEqual(['image/png']);
    const added = await agent.call('add_icon', { id: icon?.id, alias: 'calendar' });
    expect(added).toMatchObject({
      import: "import calendar from 'icon:calendar';",
      diff: expect.stringContaining(`"calendar": ${icon?.id}`),
      costs: { calls: 1, session: 2 },
    });
    expect(signed()).toEqual(['GET /v2/icon', `GET /v2/icon/${icon?.id}/download`]);
    expect(JSON.parse(await readFile(join(root, CONFIG), 'utf8'))).toMatchObject({
      aliases: { calendar: Number(icon?.id) },
    });
    const renamed = await agent.call('add_icon', {
      id: icon?.id,
      alias: 'date',
      replaces: 'calendar',
    });
    expect(renamed).toMatchObject({ import: "import date from 'icon:date';", costs: { calls: 0 } });
    expect(JSON.parse(await readFile(join(root, CONFIG), 'utf8'))).toMatchObject({
      aliases: { date: Number(icon?.id) },
    });
    await agent.call('undo', { undo: renamed['undo'] });
    const credits = await agent.send('credits', { format: 'text' });
    expect(JSON.stringify(credits.content)).toMatch(/Calendar.*src\/main\.js:1:9\) is not pinned/s);
    expect(await agent.call('undo', { undo: added['undo'] })).toMatchObject({
      restored: [CONFIG, 'icons.lock'].toSorted((a, b) => (a < b ? 1 : -1)),
    });
    expect(await readFile(join(root, CONFIG), 'utf8')).toBe(remote()[CONFIG]);
    expect(await agent.call('undo', { undo: added['undo'] })).toMatchObject({
      error: { code: 'UNDONE' },
    });
    expect(signed()).toHaveLength(2);

    expect(await agent.call('search_icons', { query: 'park', limt: 2 })).toMatchObject({
      error: { message: 'There is no argument "limt". Did you mean limit?' },
    });
    expect(await agent.call('search_icons', { query: 'park', limit: 900 })).toMatchObject({
      error: { message: expect.stringContaining('limit must be <= 24') },
    });
    expect(await agent.call('undo')).toMatchObject({
      error: { message: "The call must have required property 'undo'" },
    });
    await expect(agent.send('search')).rejects.toThrow('There is no tool search.');

    // Addresses of pictures are not kept with an answer.
    const later = await openAgent({ root });
    const kept = await later.send('search_icons', { query: 'calendar', limit: 6 });
    expect(images(kept)).toHaveLength(5);
    expect(JSON.stringify(kept.content[0])).toContain('`fresh: true` brings them for one call');
    expect(signed()).toHaveLength(2);
  });

  it('is asked by the options and the key that the files have at the moment', async () => {
    const root = await writeProject({ ...remote(), '.env.local': '' });
    const agent = await openAgent({ root });
    expect(await agent.call('search_icons', { query: 'park' })).toMatchObject({
      error: { code: 'CATALOG_NOT_CONFIGURED' },
    });
    await writeFile(join(root, '.env.local'), remote()['.env.local'] ?? '');
    expect(await agent.call('search_icons', { query: 'park' })).toMatchObject({
      costs: { calls: 1, session: 1 },
    });
    await writeFile(join(root, CONFIG), '{ "licenses": {');
    expect(await agent.call('list_project_icons')).toMatchObject({
      error: { code: 'OPTIONS_INVALID', message: expect.stringContaining(CONFIG) },
    });
    // Node keeps the modules that it has loaded.
    await rm(join(root, CONFIG));
    const script = join(root, 'icon-catalog.config.mjs');
    for (const name of ['MIT', 'CC0-1.0']) {
      await writeFile(script, `export default { licenses: { allow: ['${name}'] } };\n`);
      expect(await agent.call('list_project_icons')).toMatchObject({
        policy: expect.stringContaining(name),
      });
    }
    expect(signed()).toEqual(['GET /v2/icon']);
  });

  it('is asked for one unknown icon, which is then pinned for one more call', async () => {
    const root = await writeProject(remote());
    const agent = await openAgent({ root, args: ['--budget', '4'] });
    expect(await agent.call('show_icon', { id: `icon:${ID}` })).toMatchObject({
      costs: { calls: 1 },
    });
    expect(await agent.call('show_icon', { id: String(ID) })).toMatchObject({
      costs: { calls: 0 },
    });
    expect(await agent.call('add_icon', { id: String(ID) })).toMatchObject({ costs: { calls: 1 } });
    expect(await agent.call('add_icon', { id: String(ID), alias: 'set' })).toMatchObject({
      error: { code: 'ALIAS', suggestion: 'set-2' },
    });
    expect(await agent.call('show_icon', { id: 'nothing' })).toMatchObject({
      error: { code: 'NOT_FOUND', remedy: expect.stringContaining('list_project_icons') },
    });
    expect(signed()).toHaveLength(2);
    catalog.intercept = (path, response) => {
      if (!path.includes('/download')) return false;
      response.writeHead(403).end('{}');
      return true;
    };
    expect(await agent.call('add_icon', { id: String(OTHER), alias: 'one' })).toMatchObject({
      error: { code: 'CATALOG_FORBIDDEN' },
      costs: { calls: 2, session: 4 },
    });
    expect(await readFile(join(root, CONFIG), 'utf8')).not.toContain('one');
    const refused = await agent.send('search_icons', { query: 'bank' });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/BUDGET.*Only the user can allow more/);
    expect(signed()).toHaveLength(4);
  });

  it('is called beyond the budget only if the user allows it', async () => {
    const root = await writeProject(remote());
    const asked: string[] = [];
    const accept = (message: string): boolean => asked.push(message) > 1;
    const watched = await openAgent({ root, args: ['--budget', '1'], accept });
    await watched.call('search_icons', { query: 'school' });
    expect(await watched.call('search_icons', { query: 'cafe' })).toMatchObject({
      error: { code: 'BUDGET' },
    });
    expect(await watched.call('search_icons', { query: 'cafe' })).toMatchObject({
      costs: { session: 2 },
    });
    // The same holds in the middle of an addition, which then goes on.
    expect(await watched.call('add_icon', { id: String(ID), alias: 'one' })).toMatchObject({
      added: true,
      costs: { session: 4 },
    });
    expect(asked).toHaveLength(4);
    expect(asked[0]).toMatch(/^1 calls .* Go on\?$/);
    expect(signed()).toHaveLength(4);
  });

  it('is not called again once its quota is spent', async () => {
    const root = await writeProject(remote({ retries: 0 }));
    const agent = await openAgent({ root, args: ['--read-only'] });
    catalog.intercept = (_, response) => {
      response.writeHead(429, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    for (const query of ['park', 'bank'])
      expect(await agent.call('search_icons', { query })).toMatchObject({
        error: { code: 'CATALOG_USAGE_LIMIT' },
        costs: { stopped: { code: 'CATALOG_USAGE_LIMIT' } },
      });
    expect(signed()).toHaveLength(1);
    expect(await agent.call('list_project_icons')).toMatchObject({ icons: [] });
    expect(await agent.call('add_icon', { id: String(ID), alias: 'one' })).toMatchObject({
      added: false,
      lines: expect.stringContaining(`"one": ${ID}`),
      reason: expect.stringContaining('--read-only'),
    });
    expect(await readFile(join(root, CONFIG), 'utf8')).not.toContain('one');
  });

  it('has icons that the policy of the project refuses: nothing is written', async () => {
    const root = await writeProject(
      remote({ retries: 0, licenses: { allow: ['creative-commons-attribution'] } }),
    );
    const agent = await openAgent({ root });
    const found = await agent.call('search_icons', { query: 'park', pictures: false });
    expect(found['icons']).toContainEqual(
      expect.objectContaining({
        license: expect.objectContaining({
          verdict: 'refused',
          reason: expect.stringContaining('licenses.allow'),
        }),
      }),
    );
    expect(await agent.call('search_icons', { query: 'park', allowed: true })).toMatchObject({
      icons: [],
    });
    expect(await agent.call('add_icon', { id: String(ID), alias: 'one' })).toMatchObject({
      error: { code: 'LICENSE_REFUSED' },
    });
    expect(await readFile(join(root, CONFIG), 'utf8')).not.toContain('one');
  });
});

describe('the command', () => {
  it('keeps standard output for the protocol, whatever the configuration writes', async () => {
    const root = await writeProject({
      'icon-catalog.config.js': `console.log('noise');\nprocess.stdout.write('more noise\\n');\nexport default {};\n`,
    });
    const agent = await openAgent({ root });
    const answer = await agent.call('search_icons', { query: 'park' });
    expect(answer).toMatchObject({ error: { code: 'CATALOG_NOT_CONFIGURED' } });
    await expect.poll(agent.err).toContain('noise\nmore noise\n');
  });
});

describe('the packed command', () => {
  let bare: PackedConsumer;
  let drawn: PackedConsumer;
  const files = {
    'icon-catalog.config.js': "export default {\n  catalog: 'embedded',\n  aliases: {},\n};\n",
  };
  const sdk = ['@modelcontextprotocol/sdk', '@iconify-json/maki'];
  beforeAll(async () => {
    bare = await createPackedConsumer({ files, packages: sdk });
    drawn = await createPackedConsumer({ files, packages: [...sdk, '@resvg/resvg-js'] });
  });
  afterAll(() => Promise.all([bare.remove(), drawn.remove()]));
  const cliOf = ({ root }: PackedConsumer): string =>
    join(root, 'node_modules/unplugin-icon-catalog/dist/cli.js');

  it('draws installed sets: PNG with the renderer, or else the safe SVG with its credit', async () => {
    const png = await openAgent({ root: drawn.root, cli: cliOf(drawn) });
    const found = await png.send('search_icons', { query: 'bank', limit: 1 });
    expect(images(found)).toEqual(['image/png']);
    const svg = await openAgent({ root: bare.root, cli: cliOf(bare) });
    const { content } = await svg.send('search_icons', { query: 'bank', limit: 1 });
    expect(content.at(-1)).toMatchObject({
      type: 'resource',
      resource: {
        mimeType: 'image/svg+xml',
        text: expect.stringMatching(/^<!--! “Bank” .*-->\n<svg [^]*<\/svg>$/),
      },
    });
    const added = await svg.call('add_icon', { id: 'maki/bank', alias: 'bank' });
    expect(added).toMatchObject({ import: "import bank from 'icon:bank';" });
    const wrong = await svg.call('show_icon', { id: 'maki/bnk' });
    expect(JSON.stringify(wrong)).toContain('maki/bank');
    const config = join(bare.root, 'icon-catalog.config.js');
    expect(await readFile(config, 'utf8')).toContain("bank: 'maki/bank'");
    await svg.call('undo', { undo: added['undo'] });
    expect(await readFile(config, 'utf8')).toBe(files['icon-catalog.config.js']);
  });

  it('without the renderer says in one line of a search at a terminal what to install, and lists the icons', async () => {
    // The process believes that its output is a terminal.
    const terminal = `data:text/javascript,${encodeURIComponent(
      'Object.assign(process.stdout, { isTTY: true, columns: 80, hasColors: () => true });',
    )}`;
    const words = ['search', 'bank', '--limit', '2'];
    // Each has a cache of its own: pictures that are kept need no renderer.
    const run = (consumer: PackedConsumer): Promise<{ stdout: string; stderr: string }> =>
      promisify(execFile)(process.execPath, ['--import', terminal, cliOf(consumer), ...words], {
        cwd: consumer.root,
        env: { ...process.env, ICON_CATALOG_CACHE_DIR: join(consumer.root, '.pictures') },
      });
    const { stdout, stderr } = await run(bare);
    expect(stdout).toContain('icon:maki/bank');
    expect(stdout).not.toContain('▀');
    expect(stderr.split('\n').filter((line) => line.includes('npm install'))).toEqual([
      'No thumbnails: those of installed sets need a renderer. Install it: npm install -D @resvg/resvg-js',
    ]);
    const drawing = await run(drawn);
    expect(drawing.stdout).toContain('▀');
  });

  it('without the renderer a served catalog sends thumbnails as drawings', async () => {
    const script = `import { createCatalogServer, embeddedIconId } from 'unplugin-icon-catalog/server';
      const server = createCatalogServer({ sets: ['maki'] });
      const path = '/asset/thumbnail/' + embeddedIconId('maki', 'bank') + '-200.png';
      const answer = await server.fetch(new Request('http://catalog.test' + path));
      console.log(answer.status, answer.headers.get('content-type'), await answer.text());`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: bare.root });
    expect(stdout).toMatch(/^200 image\/svg\+xml <svg [^]*<\/svg>\n$/);
  });

  it('without the protocol’s package says how to install it', async () => {
    const lacking = await createPackedConsumer({ files });
    onTestFinished(lacking.remove);
    await writeFile(join(lacking.root, 'pnpm-lock.yaml'), '');
    const run = promisify(execFile)(process.execPath, [cliOf(lacking), 'mcp'], {
      cwd: lacking.root,
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'error `icon-catalog mcp` needs the package @modelcontextprotocol/sdk (1.21 or later), which is not installed.\n  Install it: pnpm add -D @modelcontextprotocol/sdk\n',
    });
  });
});
