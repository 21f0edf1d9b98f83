import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from 'vite';
import { createServer } from 'vitepress';
import { expect, it, onTestFinished, vi } from 'vitest';
import { viteLog } from '../../src/bundlers/vite/environments.ts';
import { embeddedIconId } from '../../src/server.ts';
import { writeProject } from '../support/write-project.ts';

const STAR = embeddedIconId('tabler', 'star');
const HOME = embeddedIconId('tabler', 'home');
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PLUGIN = join(REPOSITORY, 'dist/vite.js');

const CONFIG = `import iconCatalog from ${JSON.stringify(PLUGIN)};
export default {
  vite: {
    logLevel: 'silent',
    plugins: [iconCatalog({ catalog: 'embedded', cacheDir: '.cache', logLevel: 'silent' })],
  },
};`;

const PAGE = `# Icons

![A star](icon:${STAR}?color=ff0000) ![The same in blue](icon:${STAR}?color=0000ff)
![A house](icon:tabler/home)

<img src="icon:${HOME}?color=00ff00&size=64&as=data&title=It's" alt="">

\`\`\`md
![No image](icon:${STAR}?color=123456)
\`\`\`
`;

it('the dev server of VitePress shows icons of Markdown images, and leaves code blocks alone', async () => {
  const root = await writeProject({
    '.vitepress/config.mjs': CONFIG,
    'index.md': PAGE,
  });
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  const server = await createServer(root, { port: 0, host: '127.0.0.1' });
  // It waits for whatever is still under way, which ends with this process.
  onTestFinished(() => void server.close());
  await server.listen();
  const { code = '' } = (await server.transformRequest('/index.md')) ?? {};
  const addresses = [...code.matchAll(/^import _imports_icon_\d from "([^"]+)"/gm)].map(
    ([, address = '']) => address,
  );
  expect(addresses).toHaveLength(4);
  const pictures = await Promise.all(
    addresses.map(async (address) => {
      const { default: picture } = (await server.ssrLoadModule(
        decodeURIComponent(address).replace('/@id/', ''),
      )) as { default: string };
      return picture.startsWith('data:')
        ? decodeURIComponent(picture)
        : (await fetch(new URL(picture, server.resolvedUrls?.local[0]))).text();
    }),
  );
  expect(
    pictures.map((picture) => /(?:stroke|fill)="(#\w+|currentColor)"/.exec(picture)?.[1]),
  ).toEqual(['#ff0000', '#0000ff', 'currentColor', '#00ff00']);
  expect(code).toContain(`icon:${STAR}?color=123456`);
});

it.each([
  ['info', 1],
  ['error', 0],
] as const)('a build of VitePress has its line at the level %s of the user: %s', (level, times) => {
  // VitePress keeps the level of Vite itself at warnings.
  const config = { logger: createLogger('warn'), vitepress: { logger: createLogger(level) } };
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  viteLog(config).info('1 icon');
  expect(printed).toHaveBeenCalledTimes(times);
});
