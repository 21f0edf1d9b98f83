import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import iconCatalog from '../../src/astro.ts';
import { embeddedIconId } from '../../src/server.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const aliases = {
  telescope: embeddedIconId('tabler', 'telescope'),
  comet: embeddedIconId('tabler', 'comet'),
  moon: embeddedIconId('tabler', 'moon'),
  star: embeddedIconId('tabler', 'star'),
  tower: embeddedIconId('maki', 'observation-tower'),
};
const FILES = {
  'astro.config.mjs': `
    import { defineConfig } from 'astro/config';
    import iconCatalog from 'unplugin-icon-catalog/astro';
    export default defineConfig({ base: '/sky', integrations: [iconCatalog()] });
  `,
  'icon-catalog.config.mjs': `export default ${JSON.stringify({ catalog: 'embedded', aliases })};`,
  'src/pages/index.astro': `---
import Telescope from 'icon:telescope';
import tower from 'icon:tower?as=url&size=32';
import comet from 'icon:comet?sprite&size=32';
---
<html lang="en"><head><title>Sky</title></head><body>
<Telescope title={'<b>'} class="big" data-own="yes" size={48} />
<img src={tower} alt="Tower" /><Fragment set:html={comet} />
</body></html>`,
  'src/pages/notes.md':
    '# Notes\n\n![A star](icon:star?size=32)\n\n<img inline src="icon:moon?size=24" alt="Moon">\n',
};

let consumer: PackedConsumer;
let site: Map<string, Buffer>;
let types: string;
let reported: string;
beforeAll(async () => {
  consumer = await createPackedConsumer({
    packages: ['astro', '@iconify-json/tabler', '@iconify-json/maki'],
    files: FILES,
  });
  const { root } = consumer;
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    ASTRO_TELEMETRY_DISABLED: '1',
    ICON_CATALOG_CACHE_DIR: join(root, '.icons'),
  };
  const { stdout, stderr } = await run(process.execPath, ['node_modules/astro/astro.js', 'build'], {
    cwd: root,
    env,
  });
  reported = stdout + stderr;
  site = await readTree(join(root, 'dist'));
  if (!site.has('index.html')) throw new Error(stdout + stderr);
  types = String(
    (await readTree(join(root, '.astro'))).get('integrations/unplugin-icon-catalog/icons.d.ts'),
  );
});
afterAll(() => consumer.remove());

const page = (path: string): string => String(site.get(path));

describe('the Astro integration', () => {
  it('has components as default form, whose attributes are those of the icon', () => {
    const drawing = /<svg[^>]*data-own[^>]*>.*?<\/svg>/s.exec(page('index.html'))?.[0] ?? '';
    expect(drawing).toMatch(/^<svg [^>]*width="48" height="48" role="img"[^>]*class="big"/);
    expect(drawing).toContain('<title>&#60;b&#62;</title>');
  });

  it('has files and the sprite file below the base, where the page looks for them', () => {
    const addresses = [...page('index.html').matchAll(/(?:src|href)="(\/sky\/[^"#]*)/g)].map(
      ([, path = '']) => path,
    );
    expect(addresses).toHaveLength(2);
    for (const address of addresses) expect(site.has(address.replace('/sky/', ''))).toBe(true);
  });

  it('puts icons into rendered Markdown', () => {
    expect(page('notes/index.html')).toContain('<img src="data:image/svg+xml,');
    expect(page('notes/index.html')).toMatch(
      /<svg [^>]*width="24" height="24"[^>]*role="img"[^>]*><title>Moon<\/title>/,
    );
    expect(page('notes/index.html')).not.toContain('icon:');
  });

  it('credits every icon that the pages show', () => {
    const { icons, complete } = parseManifest(page('icon-attribution.json'));
    expect(icons.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      Object.values(aliases).toSorted((a, b) => a - b),
    );
    expect(complete).toBe(true);
    expect(page('icon-attribution.html')).toContain('Telescope');
  });

  it('says in one line at the end what all its builds did, and where the site serves the credits', () => {
    const lines = reported.split('\n').filter((line) => line.includes('signed call'));
    expect(lines).toEqual([expect.stringMatching(/ 5 icons in 5 variants · 10 signed calls · /)]);
    expect(reported.trimEnd()).toMatch(/ · attribution: \/sky\/icon-attribution\.html$/);
  });

  it('tells TypeScript what a component is', () => {
    expect(types).toBe('/// <reference types="unplugin-icon-catalog/types/astro" />\n');
  });

  it('has a dev server start although the file of options is broken, and no build', async () => {
    const root = await writeProject({ 'icon-catalog.config.json': '{ "aliases": ' });
    const setUp = iconCatalog().hooks['astro:config:setup'];
    const updateConfig = vi.fn();
    const given = {
      config: { root: pathToFileURL(`${root}/`) },
      updateConfig,
      addWatchFile() {},
    };
    await expect(setUp({ ...given, command: 'build' })).rejects.toThrow('cannot be loaded');
    await setUp({ ...given, command: 'dev' });
    expect(updateConfig).toHaveBeenCalledOnce();
  });
});
