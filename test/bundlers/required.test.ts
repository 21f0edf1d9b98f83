import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { readTree } from '../support/write-project.ts';

const run = promisify(execFile);

/** As Docusaurus reads its configuration: jiti 1 makes `require` of each `import()`. */
const BUILD = `const load = require('jiti1')(__filename, { interopDefault: true });
const webpack = require('webpack');
const config = load('./webpack.config.js');
webpack(config.default ?? config, (error, stats) => {
  console.log(error ?? stats.toString({ preset: 'errors-warnings', colors: false }));
  if (error || stats.hasErrors()) process.exitCode = 1;
});
`;

it('builds with an empty cache where a loader turns every `import()` into `require`', async () => {
  const catalog = await startCountingCatalog();
  const house = embeddedIconId('tabler', 'home');
  const consumer = await createPackedConsumer({
    packages: ['webpack', 'jiti1'],
    files: {
      'build.cjs': BUILD,
      'webpack.config.js': `import iconCatalog from 'unplugin-icon-catalog/webpack';
        export default { mode: 'production', context: __dirname, entry: './main.js', plugins: [iconCatalog()] };`,
      'icon-catalog.config.mjs': `export default { sharedCache: 'shared', cacheDir: 'cache', aliases: { house: ${house} } };`,
      'main.js': `import house from 'icon:house?title=Home'; console.log(house);`,
    },
  });
  try {
    const { root } = consumer;
    const { url, key, secret } = catalog;
    const { PATH = '' } = process.env;
    const env = {
      PATH,
      HOME: root,
      ICON_CATALOG_URL: url,
      ICON_CATALOG_KEY: key,
      ICON_CATALOG_SECRET: secret,
      ICON_CATALOG_SITE_URL: 'https://icons.example',
    };
    const { stdout, stderr } = await run(process.execPath, ['build.cjs'], { cwd: root, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(stdout.trim()).toBe('webpack compiled successfully');
    expect(stderr).toContain('1 icon in 1 variant · 2 signed calls');
    expect(stderr).not.toMatch(/warn|cannot/i);
    expect((await readTree(join(root, 'dist'))).get('main.js')?.toString()).toContain('Home');
    expect(await readdir(join(root, 'cache/content'))).toEqual(['icons-1.pack']);
    expect(await readdir(join(root, 'shared'))).not.toEqual([]);
  } finally {
    await Promise.all([consumer.remove(), catalog.close()]);
  }
});
