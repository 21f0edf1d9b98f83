import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import { writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const MIT = 'MIT License\n\nCopyright (c) 2021 Lin\n\nPermission is hereby granted.\n';
const OWN = 'ISC License\n\nCopyright 2022 Aya\n\nPermission to use this drawing is granted.\n';
const SETS = 'node_modules/@iconify-json/pond';
const svg = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}"/></svg>`;
const ids = [
  embeddedIconId('pond', 'frog'),
  embeddedIconId('pond', 'newt'),
  embeddedIconId('art', 'box'),
];
const FILES = {
  [`${SETS}/icons.json`]: JSON.stringify({
    prefix: 'pond',
    width: 24,
    height: 24,
    icons: { frog: { body: '<path d="M1 1h9v9H1z"/>' }, newt: { body: '<path d="M2 2h9v9H2z"/>' } },
  }),
  [`${SETS}/info.json`]: JSON.stringify({
    name: 'Pond',
    author: { name: 'Lin', url: 'https://lin.example/' },
    license: { title: 'MIT', spdx: 'MIT', url: 'https://lin.example/pond/LICENSE' },
  }),
  [`${SETS}/package.json`]: JSON.stringify({ name: '@iconify-json/pond', version: '1.0.0' }),
  [`${SETS}/license.txt`]: MIT.replaceAll('\n', '\r\n'),
  'art/COPYING.md': OWN,
  'art/box.svg': svg('M3 3h9v9H3z'),
  'index.html': '<script type="module" src="/main.js"></script>',
  'main.js': `${ids.map((id, at) => `import i${at} from 'icon:${id}';`).join('\n')}\ndocument.title = i0 + i1 + i2;`,
};

interface Site {
  list: string;
  page: string;
  text: string;
}

/** One build of a project, whose cache is on request an empty one. */
async function buildSite(
  root: string,
  { cache, ...options }: Options & { cache: string },
): Promise<Site> {
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      vitePlugin({
        cacheDir: join(root, cache),
        vendor: true,
        attribution: { text: 'icon-attribution.txt' },
        ...options,
      }),
    ],
  });
  const read = (ending: string): Promise<string> =>
    readFile(join(root, 'dist', `icon-attribution.${ending}`), 'utf8');
  return { list: await read('json'), page: await read('html'), text: await read('txt') };
}

const EMBEDDED = (root: string): Options['catalog'] => ({
  embedded: { root, sets: ['pond'], folders: [{ path: 'art', license: 'ISC' }] },
});

describe('texts that came with icons', () => {
  it('go into the lock once and into the credits, of cold, warm, locked and offline builds alike', async () => {
    const root = await writeProject(FILES);
    const catalog = EMBEDDED(root);
    const cold = await buildSite(root, { cache: 'cache', catalog });
    const { icons, texts = {} } = parseManifest(cold.list);
    expect(Object.values(texts).sort()).toEqual([OWN.trimEnd(), MIT.trimEnd()]);
    const frog = icons.find(({ id }) => id === String(ids[0]));
    expect(frog?.creator).toMatchObject({ name: 'Lin', url: 'https://lin.example/' });
    expect(frog?.license).toMatchObject({
      spdx: 'MIT',
      url: 'https://spdx.org/licenses/MIT.html',
      file: 'https://lin.example/pond/LICENSE',
      copyright: 'Copyright (c) 2021 Lin',
    });
    expect(texts[frog?.license.text ?? '']).toBe(MIT.trimEnd());
    for (const part of [cold.page, cold.text]) {
      expect(part.split('Permission is hereby granted').length).toBe(2);
      expect(part.split('Permission to use this drawing').length).toBe(2);
    }
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    expect(lock.match(/^"text:[0-9a-f]{64}":/gm)).toHaveLength(2);
    expect(lock.split('Permission is hereby granted').length).toBe(2);

    expect(await buildSite(root, { cache: 'cache', catalog })).toEqual(cold);
    expect(await buildSite(root, { cache: 'other', catalog, mode: 'locked' })).toEqual(cold);
    // Neither the set nor the folder is there: what the project commits is enough.
    await rm(join(root, 'node_modules'), { recursive: true });
    await rm(join(root, 'art'), { recursive: true });
    expect(await buildSite(root, { cache: 'empty', catalog, mode: 'offline' })).toEqual(cold);
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);

    for (const [damaged, says] of [
      [lock.replace('(c) 2021 Lin', '(c) 2021 Nobody'), 'is not the one that was written'],
      [lock.replace(/^"text:.*\n/m, ''), 'no line with the text of the licence'],
    ] as const) {
      await writeFile(join(root, 'icons.lock'), damaged);
      await expect(buildSite(root, { cache: 'empty', mode: 'offline' })).rejects.toThrow(says);
    }
  });
});
