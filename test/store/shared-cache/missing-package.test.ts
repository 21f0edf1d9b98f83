import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPackedConsumer, type PackedConsumer } from '../../support/packed-consumer.ts';
import { writeFiles } from '../../support/write-project.ts';

const run = promisify(execFile);

let project: PackedConsumer;
beforeAll(async () => {
  project = await createPackedConsumer({ packages: ['webpack', '@iconify-json/maki'] });
});
afterAll(() => project.remove());

it.each([
  ['redis://:hunter2@127.0.0.1:1', 'ioredis'],
  ['s3://icons?region=eu-central-1', 'aws4fetch'],
])('an address whose package is not installed says what to install: %s', async (address, name) => {
  const script = `import { createIcons } from 'unplugin-icon-catalog';
    import { embeddedIconId } from 'unplugin-icon-catalog/server';
    const icons = createIcons({ catalog: 'embedded', cacheDir: '.cache-${name}', sharedCache: ${JSON.stringify(address)} });
    const error = await icons.load('icon:' + embeddedIconId('maki', 'bus')).catch((error) => error);
    console.log(error.message);
    await icons.close();`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project.root,
  });
  expect(stdout).toContain('[OPTIONS_INVALID]');
  expect(stdout).toContain(`npm install --save-dev ${name}`);
  expect(stdout + stderr).not.toContain('hunter2');
});

it('a package that is too old is not used', async () => {
  // Version 4 of ioredis, which a project may have for another purpose, has a default export alone.
  await writeFiles(project.root, {
    'node_modules/ioredis/package.json': '{ "type": "module", "main": "index.js" }',
    'node_modules/ioredis/index.js': 'export default class Redis {}',
  });
  const script = `import { createIcons } from 'unplugin-icon-catalog';
    const icons = createIcons({ catalog: 'embedded', cacheDir: '.cache-old', sharedCache: 'redis://127.0.0.1:1' });
    await icons.load('icon:maki/bus').catch((error) => console.log(error.message));
    await icons.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project.root,
  });
  expect(stdout).toContain('needs the package `ioredis` (5.4 or later), and that is not installed');
  await rm(join(project.root, 'node_modules/ioredis'), { recursive: true });
});

it('webpack keeps its cache although they are not, where it knows of its configuration', async () => {
  const config = `import plugin from 'unplugin-icon-catalog/webpack';
    import webpack from 'webpack';
    const compiler = webpack({
      mode: 'production',
      entry: './main.js',
      infrastructureLogging: { level: 'warn' },
      cache: { type: 'filesystem', buildDependencies: { config: [import.meta.filename] } },
      plugins: [plugin({ catalog: 'embedded', logLevel: 'silent' })],
    });
    compiler.run((error, stats) => {
      console.log(error ?? stats.toString({ all: false, errors: true }));
      compiler.close(() => undefined);
    });`;
  await writeFiles(project.root, { 'main.js': 'console.log(1)', 'webpack.config.js': config });
  const { stdout, stderr } = await run(process.execPath, ['webpack.config.js'], {
    cwd: project.root,
  });
  expect((stdout + stderr).trim()).toBe('');
});
