import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './support/print-table.ts';

const REPOSITORY = new URL('../../', import.meta.url);
const inRepository = (path: string): URL => new URL(path, REPOSITORY);

/** V8's report of one script: each function with its ranges, of which the first is the whole function. */
interface Script {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/** How much of src/ runs for one icon in a build of Vite: files with a function that ran, and those functions. */
it('the code that one icon runs', async () => {
  const catalog = await startCountingCatalog();
  const credentials = {
    ICON_CATALOG_URL: catalog.url,
    ICON_CATALOG_KEY: catalog.key,
    ICON_CATALOG_SECRET: catalog.secret,
  };
  const root = await temporaryFolder();
  const [id] = iconIds('tabler', 1);
  const files = {
    'package.json': '{ "type": "module" }',
    'main.js': `import icon from 'icon:${id}'; globalThis.shown = icon;`,
    'build.mjs': `
      import { build } from ${JSON.stringify(inRepository('node_modules/vite/dist/node/index.js').href)};
      import iconCatalog from ${JSON.stringify(inRepository('src/vite.ts').href)};
      await build({
        root: import.meta.dirname,
        configFile: false,
        logLevel: 'silent',
        plugins: [iconCatalog({ cacheDir: 'cache' })],
        build: { rollupOptions: { input: 'main.js' } },
      });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const rows: string[][] = [];
  for (const state of ['cold', 'warm']) {
    const coverage = join(root, `coverage-${state}`);
    await mkdir(coverage);
    const hooks = inRepository('test/bench/support/run-sources.mjs').href;
    await promisify(execFile)(process.execPath, ['--import', hooks, 'build.mjs'], {
      cwd: root,
      env: { ...process.env, ...credentials, CI: '', NODE_V8_COVERAGE: coverage },
    });
    const { files: ran, functions } = await codeThatRan(coverage);
    expect(ran).toBeGreaterThan(10);
    rows.push([state, String(ran), String(functions)]);
    await rm(join(root, 'dist'), { recursive: true });
  }
  await catalog.close();
  printTable(
    'Code that runs for one icon in a build of Vite',
    ['build', 'files', 'functions'],
    rows,
  );
});

async function codeThatRan(folder: string): Promise<{ files: number; functions: number }> {
  const source = inRepository('src/').href;
  const ran = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      result: Script[];
    };
    for (const { url, functions } of result.filter((script) => script.url.startsWith(source))) {
      // The function without a name at the start is the module itself, which runs when it is imported.
      const called = functions.filter(
        ({ functionName, ranges: [whole] }) =>
          whole !== undefined && whole.count > 0 && (functionName !== '' || whole.startOffset > 0),
      );
      if (called.length > 0) ran.set(fileURLToPath(url), called.length);
    }
  }
  return { files: ran.size, functions: [...ran.values()].reduce((sum, each) => sum + each, 0) };
}
