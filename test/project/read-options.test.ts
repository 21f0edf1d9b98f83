import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readOptionsIn } from '../../src/project/read-options.ts';
import { embeddedIconId } from '../../src/server.ts';

const ROOT = resolve('/site');

/** The options that a script gives the plugin, or the reason for which they cannot be read. */
async function read(
  options: string,
  before = '',
  files: Record<string, string> = {},
  path = 'tools/build.ts',
): Promise<unknown> {
  const found = await readOptionsIn({
    text: `import x from 'unplugin-icon-catalog/esbuild';\n${before}\nx(${options});`,
    path: join(ROOT, path),
    root: ROOT,
    env: { SET: 'yes', EMPTY: '' },
    async readFile(file) {
      const text = files[file.slice(ROOT.length + 1).replaceAll('\\', '/')];
      if (text === undefined) throw new Error('not there');
      return text;
    },
  });
  return found instanceof Error ? found.message : found;
}

describe('reads options from the text of a script, without running it', () => {
  it.each([
    ['', {}],
    ['{ a: [1, "b", true, null], ...{ c: `d` } } as const', { a: [1, 'b', true, null], c: 'd' }],
    ['{ a: process.env.SET ?? "b" }', { a: 'yes' }],
    ['{ a: process.env.EMPTY ?? "b" }', { a: '' }],
    ['{ a: process.env["NONE"] ?? "b" }', { a: 'b' }],
    ['{ a: process.env.EMPTY || "b" }', { a: 'b' }],
    ['{ a: process.env.SET || "b" }', { a: 'yes' }],
    ['{ a: process.env.SET && "b" }', { a: 'b' }],
    ['{ a: process.env.EMPTY && "b" }', { a: '' }],
    ['{ a: process.env.SET === "yes" ? 1 : unclear() }', { a: 1 }],
    ['{ a: process.env.SET !== "yes" ? unclear() : 2 }', { a: 2 }],
    ['{ a: !process.env.NONE, b: undefined }', { a: true, b: undefined }],
    ['{ a: `<${process.env.SET}>`, b: "c" + process.env.SET }', { a: '<yes>', b: 'cyes' }],
    ['{ ...(process.env.NONE && { a: 1 }), b: [...["c"]] }', { b: ['c'] }],
    [
      '{ a: __dirname, b: import.meta.dirname }',
      { a: join(ROOT, 'tools'), b: join(ROOT, 'tools') },
    ],
    [
      '{ a: import.meta.url, b: import.meta.filename }',
      {
        a: pathToFileURL(join(ROOT, 'tools/build.ts')).href,
        b: join(ROOT, 'tools/build.ts'),
      },
    ],
  ])('%s', async (options, expected) => {
    expect(await read(options)).toEqual(expected);
  });

  it.each([
    ['{ a: b }', 'const b = { c: 1 } satisfies object;', { a: { c: 1 } }],
    ['{ a: b.c, d: b["e"] }', 'const b = { c: 1, e: 2 };', { a: 1, d: 2 }],
    ['{ a }', 'function f() { const a = 1; }', { a: 1 }],
    [
      '{ a: join(here, "icons"), b: path.resolve("icons"), c: path.resolve(here, "../d") }',
      `import path, { join } from 'node:path';
       import { fileURLToPath } from 'url';
       const here = path.dirname(fileURLToPath(import.meta.url));`,
      { a: join(ROOT, 'tools/icons'), b: join(ROOT, 'icons'), c: join(ROOT, 'd') },
    ],
    [
      '{ a: fileURLToPath(new URL("./icons", import.meta.url)) }',
      `import { fileURLToPath } from 'node:url';`,
      { a: join(ROOT, 'tools/icons') },
    ],
    [
      '{ a: embeddedIconId("tabler", "home") }',
      `import { embeddedIconId } from 'unplugin-icon-catalog/server';`,
      { a: embeddedIconId('tabler', 'home') },
    ],
    [
      '{ a: path.join(__dirname, "b") }',
      `const path = require('path');`,
      { a: join(ROOT, 'tools/b') },
    ],
  ])('%s of %s', async (options, before, expected) => {
    expect(await read(options, before)).toEqual(expected);
  });

  it('reads what other files of the project export', async () => {
    const files = {
      'icons.ts': `import { blue } from './tools/colours.js';
export const aliases = { house: 1 } as const;
const own = { size: 24, color: blue };
export { own as defaults };
export default { aliases };`,
      'tools/colours.ts': `export const blue = '#00f';`,
      'tools/aliases.json': '{ "star": 2 }',
      'sets/index.ts': `export const sets = ['tabler'];`,
      'tools/old.cjs': `module.exports = { mode: 'locked' };`,
    };
    const before = `import all, { aliases, defaults as given } from '../icons';
import star from './aliases.json' with { type: 'json' };
import * as icons from '../icons.ts';
const old = require('./old.cjs');`;
    expect(await read('{ ...all, ...old, defaults: given }', before, files)).toEqual({
      aliases: { house: 1 },
      mode: 'locked',
      defaults: { size: 24, color: '#00f' },
    });
    expect(await read('{ aliases: { ...aliases, ...star } }', before, files)).toEqual({
      aliases: { house: 1, star: 2 },
    });
    expect(await read('{ aliases: icons.aliases }', before, files)).toEqual({
      aliases: { house: 1 },
    });
    expect(await read('{ sets }', `import { sets } from '../sets';`, files)).toEqual({
      sets: ['tabler'],
    });
    const broken = { 'tools/aliases.json': '{ "secret": abcdef }' };
    expect(await read('{ aliases: star }', before, broken)).toBe(
      'tools/aliases.json cannot be read',
    );
    expect(await read('{ a: given }', before, {})).toBe('it computes `a`');
    expect(
      await read('{ a }', `import { a } from './a.ts';`, {
        'tools/a.ts': `import { a as b } from './a.ts';\nexport const a = b;`,
      }),
    ).toBe('it computes `a`');
  });

  it.each([
    ['{ a: unclear() }', '', 'it computes `a`'],
    ['{ a: `<${{}}>` }', '', 'it computes `a`'],
    ['{ a: 1 + 2 }', '', 'it computes `a`'],
    ['{ ...unclear() }', '', 'it computes options that it spreads'],
    ['{ [a]: 1 }', '', 'a name in the options is computed'],
    ['a', 'const a = [];', 'it does not call the plugin with an object'],
    ['{}), x({ a: 1 }', '', 'it calls the plugin with different options'],
    ['{ a: process.env.NODE_ENV }', '', '`a` depends on NODE_ENV, which is not set here'],
    ['{ a }', `import { a } from 'package';`, 'it computes `a`'],
    ['{ a }', 'let a = 1;', 'it computes `a`'],
    ['{ a }', 'const a = {}; a.b = 1;', 'it computes `a`'],
    ['{ a }', 'const a = {}; Object.assign(a, { b: 1 });', 'it computes `a`'],
    ['{ a }', 'const a = 1; function f(a) {}', 'it computes `a`'],
    ['{ a }', 'const a = 1; const f = ({ a }) => a;', 'it computes `a`'],
    ['{ a }', 'const { a } = unclear();', 'it computes `a`'],
    ['{ a: join("b") }', 'const join = (a) => a;', 'it computes `a`'],
    ['{ a: b.length }', 'const b = [1];', 'it computes `a`'],
    ['{ a: { toString() {} } }', '', 'it computes `toString`'],
    ['{ a: {}.constructor }', '', undefined],
  ])('%s after "%s" is not read', async (options, before, reason) => {
    expect(await read(options, before)).toEqual(reason ?? { a: undefined });
  });

  it('tells a script that does not have the plugin', async () => {
    const text = "import { createIcons } from 'unplugin-icon-catalog';";
    const script = { text, path: '/site/a.js', root: ROOT, env: {}, readFile: async () => '' };
    expect(await readOptionsIn(script)).toBe(undefined);
  });
});
