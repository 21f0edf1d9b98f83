import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const folder = fileURLToPath(new URL('consumer/client', import.meta.url));
const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** A project that has nothing but the client: no bundler, no ambient `icon:` types. */
let consumer: PackedConsumer;

beforeAll(async () => {
  consumer = await createPackedConsumer({ from: folder, packages: ['@types/node'] });
});

afterAll(() => consumer?.remove());

/** The compiler's complaints, one a line. */
async function compile(name: string, options: Record<string, unknown>): Promise<string[]> {
  const config = join(consumer.root, `tsconfig.${name}.json`);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    verbatimModuleSyntax: true,
    types: ['node'],
    ...options,
  };
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  try {
    await run(execPath, [compiler, '-p', config, '--pretty', 'false'], { cwd: consumer.root });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => line !== '');
  }
}

it.each(Object.entries(RESOLUTIONS))(
  'every method and record compiles as the interface has it, and wrong use does not: %s',
  async (name, options) => {
    expect(await compile(name, options)).toEqual([]);
  },
);

it('the compiler does report each wrong use', async () => {
  const path = join(consumer.root, 'wrong-use.ts');
  const source = await readFile(path, 'utf8');
  const directives = source.match(/^\/\/ @ts-expect-error/gm)?.length ?? 0;
  await writeFile(path, source.replaceAll('// @ts-expect-error', '// Wrong:'));
  const complaints = await compile('wrong', RESOLUTIONS.nodenext);
  await writeFile(path, source);
  const lines = complaints.flatMap((line) => /^wrong-use\.ts\((\d+),/.exec(line)?.[1] ?? []);
  expect(directives).toBeGreaterThan(40);
  expect(new Set(lines).size).toBe(directives);
});
