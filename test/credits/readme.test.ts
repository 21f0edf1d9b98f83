import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { blockOf } from '../support/docs.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const CONFIG = `
import iconCatalog from 'unplugin-icon-catalog/vite';

export default {
  logLevel: 'warn',
  // The markup of the server's build is part of the site that lies in client/.
  plugins: [
    iconCatalog({
      catalog: { embedded: { sets: ['tabler'] } },
      cacheDir: '.cache',
      attribution: { site: 'client' },
    }),
  ],
  build: { emptyOutDir: false, rollupOptions: { output: { entryFileNames: '[name].js' } } },
};
`;

const HOME = embeddedIconId('tabler', 'home');
const STAR = embeddedIconId('tabler', 'star');

const SERVER = `
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import home from 'icon:${HOME}';
import { Credits } from './credits.jsx';

process.stdout.write(home + renderToStaticMarkup(createElement(Credits)));
`;

it('the credits of the guide show the icons of the build, with the package as it is installed', async () => {
  const consumer = await createPackedConsumer({
    packages: ['vite', '@iconify-json/tabler', 'react', 'react-dom'],
    files: {
      'vite.config.js': CONFIG,
      'server.js': SERVER,
      'credits.jsx': blockOf('docs/guides/credits.md', 'credits.jsx'),
      'credits-element.js': `import star from 'icon:${STAR}';\n${blockOf('docs/guides/credits.md', 'credits-element.js')}\ndocument.body.append(star);`,
      'index.html':
        '<icon-credits></icon-credits><script type="module" src="/credits-element.js"></script>',
    },
  });
  onTestFinished(() => consumer.remove());
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const node = (...args: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, args, { cwd: consumer.root, env });
  const vite = join(consumer.root, 'node_modules/vite/bin/vite.js');

  await node(vite, 'build', '--ssr', 'server.js', '--outDir', 'server');
  const { stdout } = await node('server/server.js');
  expect(stdout).toMatch(
    /<div [^>]*class="icon-credits small">[^]*<h3[^]*MIT License<[^]*<\/div>$/,
  );
  expect(stdout).toContain(`<li id="icon-${HOME}"`);
  expect(stdout).not.toContain(`icon-${STAR}`);

  // No part of it needs Node: the bundler would say so.
  await node(vite, 'build', '--outDir', 'client');
  // The list names the server's build too, whose markup is part of the same site.
  const manifest = await readFile(join(consumer.root, 'client/icon-attribution.json'), 'utf8');
  const { icons } = JSON.parse(manifest) as { icons: { id: string }[] };
  expect(icons.map(({ id }) => id)).toEqual([String(HOME), String(STAR)]);
  const script = await readFile(join(consumer.root, 'client/index.js'), 'utf8');
  expect(script).not.toMatch(/node:|__vite-browser-external/);
  expect(script.length).toBeLessThan(40_000);
});
