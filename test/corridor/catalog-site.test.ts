import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { CatalogSite, Options } from '../../src/options.ts';
import type { Credit } from '../../src/types.ts';
import { EMBEDDED_SITE_URL, embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOME = embeddedIconId('tabler', 'home');
let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
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
  return { credit, warnings: lines.filter((line) => line.includes('have no links')) };
}

it('a catalog on this machine is linked to by no credit, with one warning', async () => {
  const { credit, warnings } = await creditOf({});
  expect([credit.source.url, credit.creator.url]).toEqual([null, null]);
  expect(JSON.stringify(credit)).not.toContain('127.0.0.1');
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('catalog.site');
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

it('a site in a private network is not', async () => {
  const { credit, warnings } = await creditOf({ site: { url: 'http://wiki.internal/' } });
  expect(credit.source.url).toBeNull();
  expect(warnings).toHaveLength(1);
});

it('the embedded catalog has its sets’ site, in process and on a port', async () => {
  const embedded = { embedded: { sets: ['tabler'], root: process.cwd() } };
  const inProcess = await creditOf({ options: { catalog: embedded } });
  expect(inProcess.credit.source.url).toBe('https://icon-sets.iconify.design/tabler/home/');
  const onPort = await creditOf({ site: { url: EMBEDDED_SITE_URL } });
  expect(onPort.credit.source).toEqual(inProcess.credit.source);
  expect(onPort.credit.creator).toEqual(inProcess.credit.creator);
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
