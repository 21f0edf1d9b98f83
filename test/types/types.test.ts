import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const resolutions = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

let consumer: PackedConsumer;

beforeAll(async () => {
  consumer = await createPackedConsumer({
    from: fileURLToPath(new URL('consumer', import.meta.url)),
    packages: [
      'vite',
      'rollup',
      'rolldown',
      'webpack',
      '@rspack/core',
      'esbuild',
      '@farmfe/core',
      '@types/node',
    ],
  });
});

afterAll(() => consumer.remove());

/** The compiler's complaints, one a line. */
async function compile(name: string, options: Record<string, unknown>): Promise<string[]> {
  const config = join(consumer.root, `tsconfig.${name}.json`);
  await writeFile(
    config,
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        verbatimModuleSyntax: true,
        types: ['node', 'unplugin-icon-catalog/types'],
        ...options,
      },
      include: ['*.ts'],
    }),
  );
  try {
    await run(process.execPath, [compiler, '-p', config, '--pretty', 'false'], {
      cwd: consumer.root,
    });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => line !== '');
  }
}

it.each(Object.entries(resolutions))(
  'compiles a consumer with %s resolution',
  async (name, options) => {
    expect(await compile(name, options)).toEqual([]);
  },
);

it('has declarations that stand the check of a consumer without skipLibCheck', async () => {
  const complaints = await compile('libs', { ...resolutions.nodenext, skipLibCheck: false });
  expect(complaints.filter((line) => line.includes('unplugin-icon-catalog'))).toEqual([]);
});

it('knows no `icon:` import without the ambient types', async () => {
  const complaints = await compile('bare', { ...resolutions.bundler, types: ['node'] });
  expect(complaints.filter((line) => line.includes('main.ts')).join('\n')).toContain(
    "'icon:credits'",
  );
});
