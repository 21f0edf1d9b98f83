import { exec } from 'node:child_process';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runInProject } from '../cli/support/project-cli.ts';
import { BUN } from '../support/bun.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const PLUGIN = 'unplugin-icon-catalog/bun';
const SECTION = '[serve.static]\n';

/** As `bun init --react` makes it, as far as it matters here. */
const BUILD = `bun build ./src/index.html --outdir=dist --sourcemap --target=browser --minify --define:process.env.NODE_ENV='"production"' --env='BUN_PUBLIC_*'`;
const manifest = (scripts: Record<string, string>, more: object = {}): string =>
  `${JSON.stringify({ type: 'module', scripts, ...more }, null, 2)}\n`;

async function init(
  files: Record<string, string>,
): Promise<{ root: string; out: string; err: string; after: Record<string, string> }> {
  const root = await writeProject(files);
  const { out, err } = await runInProject(root, ['init', '--yes']);
  const tree = await readTree(root);
  const after = Object.fromEntries([...tree].map(([path, bytes]) => [path, bytes.toString()]));
  return { root, out, err, after };
}

describe('a project that Bun serves and builds from the command line', () => {
  const files = {
    'package.json': manifest(
      { dev: 'bun --hot src/index.ts', build: BUILD },
      { dependencies: { react: '19' }, devDependencies: { typescript: '6' } },
    ),
    'bunfig.toml': `${SECTION}env = "BUN_PUBLIC_*"\n\n[lint]\n`,
    'src/App.tsx': 'export function App() {\n  return (\n    <main>\n    </main>\n  );\n}\n',
  };

  it('has the plugin in both places, and nothing new the second time', async () => {
    const { root, out, err, after } = await init(files);
    expect(err).toContain('Found: Bun, React, TypeScript, ');
    expect(out).not.toContain('by hand');
    expect(after['bunfig.toml']).toBe(
      `${SECTION}plugins = ["${PLUGIN}"]\nenv = "BUN_PUBLIC_*"\n\n[lint]\n`,
    );
    expect(after['package.json']).toBe(
      files['package.json'].replace(JSON.stringify(BUILD), '"bun build.ts"'),
    );
    expect(after['build.ts']).toBe(`import iconCatalog from '${PLUGIN}';

await Bun.build({
  entrypoints: ['./src/index.html'],
  outdir: 'dist',
  sourcemap: 'linked',
  target: 'browser',
  minify: true,
  env: 'BUN_PUBLIC_*',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [iconCatalog()],
});
`);
    expect(after['src/App.tsx']).toContain('<Star');
    const again = await runInProject(root, ['init', '--yes']);
    expect(again.out).not.toMatch(/\b(?:written|changed|by hand)\b/);
    const doctor = await runInProject(root, ['doctor', '--offline']);
    expect(doctor.out.replace(/\s+/g, ' ')).toContain(
      'ok bundler Bun, with the plugin in build.ts',
    );
  });

  it('builds the same files as before, and the icon', async () => {
    const command = BUILD.replace('./src/', './');
    const root = await writeProject({
      'package.json': manifest({ build: command }),
      'index.html': '<!doctype html><script type="module" src="./main.js"></script>',
      'icon-catalog.config.json': '{ "catalog": "embedded" }',
      'main.js': 'document.title = process.env.NODE_ENV + process.env.BUN_PUBLIC_NAME;\n',
    });
    await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
    const run = (line: string): Promise<unknown> =>
      promisify(exec)(line.replace(/^bun/, `"${BUN}"`), {
        cwd: root,
        env: { ...process.env, NODE_ENV: undefined, BUN_PUBLIC_NAME: 'of-the-environment' },
      });
    const built = async (): Promise<{ names: string[]; script: string }> => {
      const tree = await readTree(join(root, 'dist'));
      await rm(join(root, 'dist'), { recursive: true });
      // The two name their scripts differently.
      const names = [...tree.keys()].map((name) => name.replace(/^\w+-\w{8}\./, '')).toSorted();
      const [, script] = [...tree].find(([name]) => name.endsWith('.js')) ?? [];
      return { names, script: String(script) };
    };
    await run(command);
    const before = await built();
    await runInProject(root, ['init', '--yes']);
    const path = join(root, 'build.mjs');
    const source = JSON.stringify(join(REPOSITORY, 'src/bun.ts'));
    await writeFile(path, (await readFile(path, 'utf8')).replace(`'${PLUGIN}'`, source));
    await run('bun build.mjs');
    const after = await built();
    const credits = ['html', 'json', 'md'].map((end) => `icon-attribution.${end}`);
    expect(after.names).toEqual([...before.names, ...credits].toSorted());
    expect(before.script).toContain('of-the-environment');
    expect(after.script).toContain('productionof-the-environment');
    expect(after.script).toContain('<svg');
  });

  it.each([
    ['a flag that is not known', BUILD.replace('--minify', '--bytecode')],
    ['a second command', `${BUILD} && echo done`],
    ['a variable', BUILD.replace('dist', '$OUT')],
    ['no folder', BUILD.replace(' --outdir=dist', '')],
  ])('gets the lines to add to a script of its own: %s', async (_, build) => {
    const given = {
      ...files,
      'package.json': manifest({ build }, { dependencies: { react: '19' } }),
    };
    const { out, after } = await init(given);
    expect(out.replace(/\s+/g, ' ')).toContain(
      "by hand build.mjs `Bun.build` in place of `bun build`, which takes no plugins import iconCatalog from 'unplugin-icon-catalog/bun'; plugins: [iconCatalog()],",
    );
    expect(after['package.json']).toBe(given['package.json']);
    expect(after).not.toHaveProperty(['build.mjs']);
  });

  it('keeps a script of the name that it would write', async () => {
    const { out, after } = await init({ ...files, 'build.ts': '// mine\n' });
    expect(out).toMatch(/by hand +build\.ts/);
    expect(after['build.ts']).toBe('// mine\n');
    expect(after['package.json']).toBe(files['package.json']);
  });
});

it('adds the plugin to the script and to the pages of a project that has both', async () => {
  const { err, out, after } = await init({
    'package.json': manifest({ dev: 'bun --hot src/index.ts', build: 'bun run build.ts' }),
    'bunfig.toml': `${SECTION}plugins = ["bun-plugin-tailwind"]\n`,
    'build.ts':
      "await Bun.build({\n  entrypoints: ['src/index.html'],\n  plugins: [tailwind],\n});\n",
  });
  expect(err).toContain('Found: Bun');
  expect(out).toMatch(/changed +build\.ts +the plugin\n/);
  expect(out).toMatch(/changed +bunfig\.toml +the plugin, for pages that Bun serves\n/);
  expect(after['build.ts']).toContain('plugins: [iconCatalog(), tailwind],');
  expect(after['bunfig.toml']).toBe(`${SECTION}plugins = ["bun-plugin-tailwind", "${PLUGIN}"]\n`);
});

it('leaves bunfig.toml alone where Bun serves no pages', async () => {
  const { after, out } = await init({
    'package.json': manifest({ build: 'bun build.ts' }),
    'bunfig.toml': '[install]\nexact = true\n',
    'build.ts': "await Bun.build({ entrypoints: ['src/main.ts'] });\n",
  });
  expect(out).not.toContain('bunfig');
  expect(after['bunfig.toml']).toBe('[install]\nexact = true\n');
  // Another tool builds a project in which Bun is the package manager.
  const { err } = await init({
    'package.json': manifest({ dev: 'vite' }, { devDependencies: { vite: '8' } }),
    'bunfig.toml': '[install]\nexact = true\n',
  });
  expect(err).toContain('Found: Vite');
});

describe('bunfig.toml', () => {
  const SCRIPTS = manifest({ dev: 'bun ./index.html' });
  const page = '<script type="module" src="./main.js"></script>';
  const changed = async (bunfig?: string): Promise<{ text: string | undefined; out: string }> => {
    const { after, out } = await init({
      'package.json': SCRIPTS,
      'index.html': page,
      'main.js': '',
      ...(bunfig !== undefined && { 'bunfig.toml': bunfig }),
    });
    expect(after['main.js']).toContain('icon:tabler/star');
    return { text: after['bunfig.toml'], out };
  };

  it.each([
    ['is written', undefined, `${SECTION}plugins = ["${PLUGIN}"]\n`],
    ['gets the section', '[install]\n', `[install]\n\n${SECTION}plugins = ["${PLUGIN}"]\n`],
    [
      'gets the list',
      `${SECTION}\n[test]\nplugins = []\n`,
      `${SECTION}plugins = ["${PLUGIN}"]\n\n[test]\nplugins = []\n`,
    ],
    [
      'fills the list',
      `${SECTION}plugins = [ ] # none\n`,
      `${SECTION}plugins = ["${PLUGIN}"] # none\n`,
    ],
    [
      'keeps the list',
      `${SECTION}plugins = ["a", 'b',]\n`,
      `${SECTION}plugins = ["a", 'b', "${PLUGIN}"]\n`,
    ],
    [
      'keeps ends of lines',
      '[serve.static]\r\nenv = "A"\r\n',
      `[serve.static]\r\nplugins = ["${PLUGIN}"]\r\nenv = "A"\r\n`,
    ],
  ])('%s', async (_, before, after) => {
    const { text, out } = await changed(before);
    expect(text).toBe(after);
    expect(out).not.toContain('by hand');
  });

  it.each([
    `${SECTION}plugins = [\n  "a",\n]\n`,
    '[serve]\nstatic = { env = "A" }\n',
    'serve.static.env = "A"\n',
    '[ serve . static ]\n',
  ])('stays as it is where its form is not understood: %j', async (before) => {
    const { text, out } = await changed(before);
    expect(text).toBe(before);
    expect(out.replace(/\s+/g, ' ')).toContain(
      `by hand bunfig.toml the plugin [serve.static] plugins = ["${PLUGIN}"]`,
    );
  });
});
