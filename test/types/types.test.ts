import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyTemplate, type Edit } from '../bundlers/copy-template.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { writeFiles } from '../support/write-project.ts';

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
      '@types/react',
      '@iconify-json/tabler',
      '@sveltejs/kit',
      '@sveltejs/vite-plugin-svelte',
      'svelte',
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

it('has types of imports that read no bundler’s types', async () => {
  const config = join(consumer.root, 'imports/tsconfig.json');
  await mkdir(join(consumer.root, 'imports'));
  await writeFile(
    join(consumer.root, 'imports/house.ts'),
    "import house, { credit } from 'icon:123';\nexport const shown: string = house + credit.id;\n",
  );
  await writeFile(
    config,
    JSON.stringify({
      compilerOptions: {
        ...resolutions.bundler,
        noEmit: true,
        listFiles: true,
        types: ['unplugin-icon-catalog/types'],
      },
    }),
  );
  const { stdout } = await run(process.execPath, [compiler, '-p', config], { cwd: consumer.root });
  expect(stdout).toContain('unplugin-icon-catalog/dist/client.d.ts');
  expect(stdout).not.toMatch(
    /dist\/(?:index|vite|webpack)\.d\.ts|node_modules\/(?:vite|webpack)\//,
  );
});

it('compiles a project that finds modules as Node.js 10 did, as many of webpack do', async () => {
  const root = join(consumer.root, 'node10');
  await writeFiles(root, {
    'env.d.ts': '/// <reference types="unplugin-icon-catalog/types/react" />\n',
    'main.ts': `import House, { credit } from 'icon:123';
      import url from 'icon:123?url';
      import credits from 'icon:credits';
      import IconCredits from 'unplugin-icon-catalog/credits/react';
      import { createIcons } from 'unplugin-icon-catalog';
      import iconCatalog, { type Options } from 'unplugin-icon-catalog/webpack';
      export const options: Options = { catalog: 'embedded' };
      export const shown: string = url + credit.id;
      export const all = [House({ size: 24 }), credits, IconCredits, createIcons(options), iconCatalog(options)];
      // @ts-expect-error
      export const none: number = url;
    `,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'node10',
        target: 'es2020',
        jsx: 'react-jsx',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        types: ['unplugin-icon-catalog/types'],
      },
    }),
  });
  // TypeScript 7 no longer knows it.
  const astro = createRequire(new URL('../../node_modules/astro/package.json', import.meta.url));
  const old = astro.resolve('typescript/lib/tsc.js');
  const { stdout } = await run(process.execPath, [old, '-p', root]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});

it('knows no `icon:` import without the ambient types', async () => {
  const complaints = await compile('bare', { ...resolutions.bundler, types: ['node'] });
  expect(complaints.filter((line) => line.includes('main.ts')).join('\n')).toContain(
    "'icon:credits'",
  );
});

/** What is not installed here is left out. */
const TEMPLATES: Record<string, Edit[]> = {
  'react-ts': [],
  'vue-ts': [['tsconfig.app.json', '"extends": "@vue/tsconfig/tsconfig.dom.json",', '']],
};

it.each(Object.entries(TEMPLATES))(
  'has the compiler find a misspelled alias in create-vite’s template %s',
  async (template, edits) => {
    const root = join(consumer.root, template);
    await copyTemplate(`template-${template}`, root, edits);
    await writeFile(
      join(root, 'icon-catalog.config.json'),
      '{ "catalog": "embedded", "aliases": { "house": "tabler/home" }, "cacheDir": ".icons" }',
    );
    const main = join(root, template === 'react-ts' ? 'src/main.tsx' : 'src/main.ts');
    const use = (alias: string, name: string): string =>
      `\nimport ${name}, { credit as of${name} } from 'icon:${alias}';\nexport const text${name}: [string, string] = [${name}, of${name}.id];\n`;
    await appendFile(main, use('house', 'House'));
    const cli = join(consumer.root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
    await run(process.execPath, [cli, 'sync'], { cwd: root });
    await appendFile(main, use('huose', 'Huose'));
    const { stdout } = await run(
      process.execPath,
      [compiler, '-p', 'tsconfig.app.json', '--noEmit', '--pretty', 'false'],
      { cwd: root },
    ).catch((error: { stdout: string }) => error);
    const complaints = stdout.split('\n').filter((line) => /icon:|House|Huose/.test(line));
    expect(complaints.map((line) => /'icon:\w+'/.exec(line)?.[0])).toEqual(["'icon:huose'"]);
  },
);

it('has the compiler find a misspelled alias where `icon:credits` is imported, too', async () => {
  const root = join(consumer.root, 'react-ts');
  await appendFile(
    join(root, 'src/main.tsx'),
    `\nimport credits from 'icon:credits';\nexport const lines: string[] = credits.map(({ credit }) => credit.line);\n`,
  );
  await writeFile(
    join(root, 'src/vite-env.d.ts'),
    '/// <reference types="unplugin-icon-catalog/types/credits" />\n',
  );
  const { stdout } = await run(process.execPath, [compiler, '-b', '--pretty', 'false'], {
    cwd: root,
  }).catch((error: { stdout: string }) => error);
  const complaints = stdout.split('\n').filter((line) => line.includes('icon:'));
  expect(complaints.map((line) => /'icon:\w+'/.exec(line)?.[0])).toEqual(["'icon:huose'"]);
});

it('fits a new project of SvelteKit, whose tsconfig.json is made by the framework', async () => {
  const root = join(consumer.root, 'sveltekit');
  // As `sv create` writes them.
  await writeFiles(root, {
    'package.json': '{ "type": "module", "private": true }',
    'vite.config.ts': `import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n`,
    'tsconfig.json':
      '{ "extends": "./.svelte-kit/tsconfig.json", "compilerOptions": { "strict": true, "skipLibCheck": true } }',
    'icon-catalog.config.json':
      '{ "catalog": "embedded", "framework": "svelte", "cacheDir": ".icons" }',
    'src/app.html': '<!doctype html><html lang="en"><body>%sveltekit.body%</body></html>',
    'src/app.d.ts': 'declare global {\n\tnamespace App {}\n}\n\nexport {};\n',
    'src/routes/+page.ts': `import House, { credit } from 'icon:tabler/home';\nexport const load = (): [object, string] => [House, credit.id];\n`,
    'src/routes/+page.svelte': '<p>x</p>\n',
  });
  const kit = join(consumer.root, 'node_modules/@sveltejs/kit/svelte-kit.js');
  await run(process.execPath, [kit, 'sync'], { cwd: root });
  const complaints = async (): Promise<string[]> => {
    const { stdout } = await run(process.execPath, [compiler, '-p', root, '--pretty', 'false'], {
      cwd: root,
    }).catch((error: { stdout: string }) => error);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const app = join(root, 'src/app.d.ts');
  const written = await readFile(app, 'utf8');
  await writeFile(app, `/// <reference types="unplugin-icon-catalog/types/svelte" />\n${written}`);
  expect(await complaints()).toEqual([]);
  // Exact types lie where that file includes them, too.
  await writeFile(app, written);
  const cli = join(consumer.root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
  await run(process.execPath, [cli, 'sync'], { cwd: root });
  expect(await complaints()).toEqual([]);
});
