import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createCatalogClient, type CatalogClient } from '../../src/client.ts';
import { createIcons } from '../../src/icons.ts';
import type { CatalogSite, Options } from '../../src/options/options.ts';
import type { Credit } from '../../src/types.ts';
import { createCatalogServer, EMBEDDED_SITE_URL, embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOME = embeddedIconId('tabler', 'home');
let catalog: CountingCatalog;
/** Asks the same sets in process. */
let client: CatalogClient;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
  const server = createCatalogServer({ sets: ['tabler'] });
  client = createCatalogClient({
    baseUrl: 'http://catalog.invalid',
    ...server.credentials(),
    fetch: (request) => server.fetch(request),
  });
});
afterAll(() => catalog.close());

async function creditOf({
  options = {},
  site,
  env = {},
}: {
  options?: Options;
  site?: CatalogSite;
  env?: Record<string, string>;
}): Promise<{ credit: Credit; warnings: string[] }> {
  const root = await temporaryFolder();
  const { lines, ...log } = recordingLog({ everything: true });
  const { url: baseUrl, key, secret } = catalog;
  const icons = createIcons(
    { catalog: { baseUrl, key, secret, ...(site && { site }) }, cacheDir: root, ...options },
    { root, env, log },
  );
  onTestFinished(() => icons.close());
  const { credit } = await icons.load(`icon:${HOME}`);
  await icons.load(`icon:${HOME}?color=ff0000`);
  return { credit, warnings: lines.filter((line) => /have no links|leave out links/.test(line)) };
}

/** The catalog sends its record of the icon with other fields, or without some (`undefined`). */
function change(fields: object): void {
  onTestFinished(() => catalog.reset());
  catalog.intercept = (path, response) => {
    if (path.split('?')[0] !== `/v2/icon/${HOME}`) return false;
    void client.icon(HOME).then((answer) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...answer, icon: { ...answer.icon, ...fields } }));
    });
    return true;
  };
}

it.each([undefined, '', 'http://sets.example/', 'https://wiki.corp/', 'https://127.0.0.1/', 'x'])(
  'no credit links to a catalog on this machine, with one warning, if its records name the site %o',
  async (site_url) => {
    // The creator's own page is public, whatever address the catalog has.
    change({ site_url, creator_url: undefined });
    const { credit, warnings } = await creditOf({});
    expect([credit.source.url, credit.creator.url]).toEqual([null, null]);
    expect(JSON.stringify(credit)).not.toContain('127.0.0.1');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('catalog.site');
  },
);

it('a server of the embedded catalog names the site itself, for cold, warm and locked builds', async () => {
  const { listen, credentials } = createCatalogServer({ sets: ['tabler'] });
  const { url: baseUrl, close } = await listen();
  onTestFinished(close);
  const root = await temporaryFolder();
  const { lines, ...log } = recordingLog({ everything: true });
  const build = async (mode: 'online' | 'locked' | 'offline', cache: string): Promise<Credit> => {
    const options: Options = { catalog: { baseUrl, ...credentials() }, mode, cacheDir: cache };
    const icons = createIcons(options, { root, env: {}, log });
    const { credit } = await icons.load(`icon:${HOME}`);
    await icons.close();
    return credit;
  };
  const cold = await build('online', join(root, 'cache'));
  expect(cold.source.url).toBe('https://icon-sets.iconify.design/tabler/home/');
  // The author's own page, and not that of the set.
  expect(cold.creator.url).toBe('https://github.com/tabler/tabler-icons');
  expect(cold.license.file).toBe('https://github.com/tabler/tabler-icons/blob/master/LICENSE');
  expect(cold.collections[0]?.url).toBe('https://icon-sets.iconify.design/tabler/');
  expect(await build('online', join(root, 'cache'))).toEqual(cold);
  expect(await build('offline', join(root, 'cache'))).toEqual(cold);
  expect(await build('locked', join(root, 'other'))).toEqual(cold);
  expect(lines.filter((line) => /have no links|leave out links/.test(line))).toEqual([]);
  expect(await readFile(join(root, 'icons.lock'), 'utf8')).toContain(
    '"site_url":"https://icon-sets.iconify.design/"',
  );
});

it.each<[string, { site?: CatalogSite; env?: Record<string, string> }]>([
  ['the option', { site: { name: 'Sets', url: 'https://sets.example/' } }],
  ['the environment', { env: { ICON_CATALOG_SITE_URL: 'https://sets.example' } }],
  [
    'the option before the environment',
    {
      site: { url: 'https://sets.example/' },
      env: { ICON_CATALOG_SITE_URL: 'https://no.example' },
    },
  ],
])('its public site by %s is', async (_, given) => {
  const { credit, warnings } = await creditOf(given);
  expect(credit.source.url).toBe('https://sets.example/tabler/home/');
  expect(warnings).toEqual([]);
});

it('links of a record to one machine or a private network are left out, with one warning', async () => {
  change({
    permalink: 'http://127.0.0.1:9/home',
    creator_url: 'http://192.168.0.7/ada',
    license_url: 'http://localhost/license',
  });
  const site = { name: 'Icons', url: 'https://icons.example' };
  const { credit, warnings } = await creditOf({ site });
  expect([credit.source.url, credit.license.file]).toEqual([null, undefined]);
  expect(credit.creator.url).not.toContain('192.168');
  expect(warnings.filter((line) => line.includes('leave out links'))).toEqual([
    expect.stringContaining('links to 127.0.0.1, 192.168.0.7, localhost, which records'),
  ]);
});

it('a site in a private network is not', async () => {
  const { credit, warnings } = await creditOf({ site: { url: 'http://wiki.internal/' } });
  expect(credit.source.url).toBeNull();
  expect(warnings).toHaveLength(1);
});

it('the embedded catalog has the site of its sets, in process and on a port, and folders have none', async () => {
  const embedded = { embedded: { sets: ['tabler'], root: process.cwd() } };
  const inProcess = await creditOf({ options: { catalog: embedded } });
  expect(inProcess.credit.source.url).toBe('https://icon-sets.iconify.design/tabler/home/');
  for (const given of [{}, { site: { url: EMBEDDED_SITE_URL } }]) {
    const onPort = await creditOf(given);
    expect(onPort.warnings).toEqual([]);
    expect(onPort.credit.source).toEqual(inProcess.credit.source);
    expect(onPort.credit.creator).toEqual(inProcess.credit.creator);
  }
  const folder = await temporaryFolder();
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>';
  await writeFile(join(folder, 'flag.svg'), drawing);
  const server = createCatalogServer({ sets: [], folders: [{ path: folder, name: 'own' }] });
  const request = { baseUrl: 'http://catalog.invalid', ...server.credentials() };
  const own = createCatalogClient({ ...request, fetch: (sent) => server.fetch(sent) });
  const { icon } = await own.icon(embeddedIconId('own', 'flag'));
  expect([icon.term, icon.site_url]).toEqual(['Flag', undefined]);
});

it.each([
  [{ catalog: { site: { url: 'sets.example' } } }, {}, 'catalog.site.url'],
  [{ catalog: { site: { name: 'Sets' } } }, {}, 'catalog.site.url'],
  [{ catalog: { site: { link: 'x' } } }, {}, 'catalog.site.link'],
  [{}, { ICON_CATALOG_SITE_URL: 'sets.example' }, 'catalog.site.url'],
])('a site that is none is a mistake in the options: %o %o', async (options, env, path) => {
  const root = await temporaryFolder();
  const open = (): unknown => createIcons(options as Options, { root, env, log: recordingLog() });
  expect(open).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID', path }));
});
