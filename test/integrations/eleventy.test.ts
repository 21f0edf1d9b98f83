import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shortcodeOptions, shortcodeSpecifier } from '../../src/integrations/eleventy.ts';
import type { Manifest } from '../../src/types.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { readTree } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const run = promisify(execFile);

async function build(
  files: Record<string, string>,
): Promise<PackedConsumer & { reported: string }> {
  const consumer = await createPackedConsumer({
    packages: ['@11ty/eleventy', '@iconify-json/tabler'],
    files: {
      'eleventy.config.js': `import iconCatalog from 'unplugin-icon-catalog/eleventy';
export default function (eleventyConfig) {
  eleventyConfig.addPlugin(iconCatalog);
  return { dir: { input: 'src' } };
}`,
      'art/ball.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><linearGradient id="g"><stop stop-color="#e11"/><stop offset="1" stop-color="#1e1"/></linearGradient><path fill="url(#g)" d="M0 0h9v9H0zM1 1h2v2H1zM5 5h3v3H5zM6 1h2v2H6z"/></svg>',
      'icon-catalog.config.json': JSON.stringify({
        catalog: { embedded: { folders: ['art'] } },
        cacheDir: 'cache',
        aliases: { star: 'tabler/star', moon: 'tabler/moon' },
      }),
      ...files,
    },
  });
  onTestFinished(consumer.remove);
  const { PATH = '' } = process.env;
  const { stdout, stderr } = await run(
    process.execPath,
    [join(consumer.root, 'node_modules/@11ty/eleventy/cmd.cjs')],
    { cwd: consumer.root, env: { PATH, HOME: consumer.root } },
  ).catch((error: { stdout: string; stderr: string }) => error);
  return { ...consumer, reported: stdout + stderr };
}

async function manifestOf(root: string): Promise<Manifest> {
  return parseManifest(await readFile(join(root, '_site/icon-attribution.json'), 'utf8'));
}

describe('what a template may write', () => {
  it.each([
    [['star'], {}, 'icon:star'],
    [[' icon:star?size=2em '], {}, 'icon:star?size=2em'],
    [[123], { color: '#f00' }, 'icon:123?color=%23f00'],
    [['star?size=32'], { color: 'f00', size: '' }, 'icon:star?size=32&color=f00'],
  ])('%j with %j asks for %s', ([written], options, specifier) => {
    expect(shortcodeSpecifier(written, options)).toBe(specifier);
  });

  it('names what it says besides, in order or by name', () => {
    expect(shortcodeOptions(['A title', 'big'])).toEqual({ title: 'A title', class: 'big' });
    expect(shortcodeOptions([])).toEqual({});
    expect(shortcodeOptions([{ title: 'A title' }])).toEqual({ title: 'A title' });
  });
});

describe('a site', () => {
  it('is not left in the folder if the lock may not grow and lacks icons: the build fails and names them', async () => {
    const { root, reported } = await build({
      'icon-catalog.config.json': JSON.stringify({
        catalog: { embedded: {} },
        cacheDir: 'cache',
        mode: 'locked',
        aliases: { star: 'tabler/star', moon: 'tabler/moon' },
      }),
      'icons.lock': '',
      'src/one.njk': '{% icon "star" %}',
      'src/two.html': '<img src="icon:moon?color=00f" alt="">',
    });
    expect(reported).toContain('2 icons are not in icons.lock');
    expect(reported).toMatch(/icon:star, imported by [^ ]*one\.njk/);
    expect(reported).not.toContain('[icon-catalog] eleventy:');
    expect([...(await readTree(join(root, '_site'))).keys()]).toEqual([]);
  });

  it('holds icons of every template language, and credits each where it is', async () => {
    const { root, reported } = await build({
      'src/njk.njk': '{% icon "star", { title: "<b> & \\"so\\"" } %}{{ "moon" | icon | safe }}',
      'src/liquid.liquid': '{% icon "star", "Gold", "big" %}',
      'src/js.11ty.js': `export const data = { permalink: 'deep/js.html' };
export default async function () { return '<img src="' + await this.iconUrl('star?as=url') + '" alt="">'; }`,
      'src/page.html': '<img src="icon:moon?color=00f" alt="">',
      'src/plain.njk': 'nothing to see',
      'src/twice.njk':
        '{% icon "art/ball" %}{% icon "art/ball?size=2em" %}<img inline src="icon:art/ball" alt="">',
    });
    expect(reported).toContain('3 icons');
    expect(reported).toContain('in their own colours: art/ball');
    const site = await readTree(join(root, '_site'));
    const text = (name: string): string => site.get(name)?.toString() ?? '';
    expect(text('njk/index.html')).toContain('<title>&lt;b&gt; &amp; "so"</title>');
    expect(text('liquid/index.html')).toMatch(/^<svg [^>]*class="big"[^>]*><title>Gold<\/title>/);
    expect(text('page/index.html')).toContain('src="data:image/svg+xml,');
    const [, address = ''] = /src="([^"]+)"/.exec(text('deep/js.html')) ?? [];
    expect(address).toMatch(/^\.\.\/assets\/icons\/star-\d+-[\da-f]{8}\.svg$/);
    expect([...site.keys()]).toContain(address.slice('../'.length));

    const twice = text('twice/index.html');
    const ids = [...twice.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
    expect([...twice.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id)).toEqual(ids);

    const { icons, complete } = await manifestOf(root);
    expect(complete).toBe(true);
    expect(
      Object.fromEntries(
        icons.map(({ title, usedIn }) => [
          title,
          usedIn.map(({ file, kind }) => `${kind} ${file}`),
        ]),
      ),
    ).toEqual({
      Ball: ['inline-html twice/index.html'],
      Moon: ['inline-html njk/index.html', 'inline-html page/index.html'],
      Star: [
        `asset ${address.slice('../'.length)}`,
        'inline-html liquid/index.html',
        'inline-html njk/index.html',
      ],
    });

    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const cli = join(root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
    await run(process.execPath, [cli, 'prune', '--yes'], { cwd: root });
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);
    await rm(join(root, 'icons.lock'));
    await run(process.execPath, [cli, 'sync'], { cwd: root });
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);
  });

  it('is not built with an icon that is not there, and the message says where', async () => {
    const { root, reported } = await build({ 'src/index.njk': '{% icon "stat" %}' });
    expect(reported).toMatch(/Unknown alias|no alias|`icon:stat`/);
    expect(reported).toContain('./src/index.njk');
    expect(reported).toContain('star');
    expect((await readTree(join(root, '_site'))).size).toBe(0);
  });
});
