import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { declarationsFolder, includesDeclarations } from '../../src/dts/declarations-folder.ts';
import { writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const FILE = 'icon-catalog-env.d.ts';
const FOLDERS = ['', 'src/', 'app/', 'resources/js/', 'resources/'];

interface Case {
  configs: Record<string, string>;
  /** What is chosen where `src/` would be, and where the root would be. */
  chosen: [string, string];
}

const CASES: Record<string, Case> = {
  'create-vite': {
    configs: {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }] }',
      'tsconfig.app.json':
        '{\n  /* Bundler mode */\n  "compilerOptions": { "paths": { "@/*": ["./src/*"] }, },\n  "include": ["src"], // all of it\n}',
      'tsconfig.node.json': '{ "include": ["vite.config.ts"] }',
    },
    chosen: ['src/', 'src/'],
  },
  'create-vue': {
    configs: {
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': '{ "include": ["env.d.ts", "src/**/*", "src/**/*.vue"] }',
    },
    chosen: ['src/', 'src/'],
  },
  Laravel: {
    configs: {
      'tsconfig.json':
        '{ "include": ["resources/js/**/*.tsx", "resources/js/**/*.ts", "resources/js/**/*.d.ts"] }',
    },
    chosen: ['resources/js/', 'resources/js/'],
  },
  Ember: {
    configs: { 'tsconfig.json': '\uFEFF{ "include": ["app", "tests", "types"] }' },
    chosen: ['app/', 'app/'],
  },
  'Next.js': {
    configs: { 'tsconfig.json': '{ "include": ["next-env.d.ts", "**/*.ts", "**/*.tsx"] }' },
    chosen: ['src/', ''],
  },
  'nothing included': { configs: { 'tsconfig.json': '{}' }, chosen: ['src/', ''] },
  'a file named': {
    configs: { 'tsconfig.json': `{ "include": ["app/*.tsx", "./${FILE}"] }` },
    chosen: ['', ''],
  },
  'files only': {
    configs: { 'tsconfig.json': `{ "files": ["src/${FILE}"] }` },
    chosen: ['src/', 'src/'],
  },
  'a folder of its own': {
    configs: {
      'tsconfig.json': '{ "files": [], "references": [{ "path": "app" }] }',
      'app/tsconfig.json': '{ "compilerOptions": {} }',
    },
    chosen: ['app/', 'app/'],
  },
  'names in the root': {
    configs: { 'tsconfig.json': '{ "include": ["*.ts", "r?sources/js", "app/**/main.ts"] }' },
    chosen: ['', ''],
  },
  'no folder yet': {
    configs: { 'tsconfig.json': '{ "include": ["./lib/", "${configDir}/resources/*"] }' },
    chosen: ['resources/', 'resources/'],
  },
};

/** Files that the compiler reads because these configurations include them. */
async function readByCompiler(root: string, configs: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(
    configs.map(async (config) => {
      const args = [compiler, '-p', join(root, config), '--listFilesOnly', '--types', ''];
      // Where nothing is included at all, the compiler reports it.
      const { stdout } = await run(process.execPath, args).catch(
        (error: unknown) => error as { stdout: string },
      );
      return stdout.split('\n');
    }),
  );
  return FOLDERS.filter((folder) => listed.flat().includes(join(root, folder + FILE)));
}

describe('the folder for declarations of types', () => {
  it.each(Object.entries(CASES))('is one that TypeScript reads: %s', async (_, one) => {
    const { configs, chosen } = one;
    const present = Object.fromEntries(
      FOLDERS.flatMap((folder) => [
        [folder + FILE, ''],
        [`${folder}main.ts`, 'export {};'],
      ]),
    );
    const root = await writeProject({ ...present, ...configs });
    const read = await readByCompiler(root, Object.keys(configs));
    const said = await Promise.all(FOLDERS.map((one) => includesDeclarations(root, one + FILE)));
    expect(FOLDERS.filter((_, at) => said[at])).toEqual(read);
    expect(await declarationsFolder(root, FILE, 'src/')).toBe(chosen[0]);
    expect(await declarationsFolder(root, FILE, '')).toBe(chosen[1]);
  });

  it('is the usual one where no configuration can be read', async () => {
    const projects: Record<string, string>[] = [
      {},
      { 'jsconfig.json': '{ "compilerOptions": {} }' },
      { 'tsconfig.json': '{ "include": [', 'app/main.ts': '' },
      { 'tsconfig.json': '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.json" }] }' },
      { 'tsconfig.json': '{ "include": ["elsewhere"] }' },
    ];
    for (const files of projects) {
      const root = await writeProject(files);
      expect(await declarationsFolder(root, FILE, 'src/')).toBe('src/');
      const isElsewhere = files['tsconfig.json']?.includes('elsewhere') === true;
      expect(await includesDeclarations(root, `src/${FILE}`)).toBe(!isElsewhere);
    }
  });
});
