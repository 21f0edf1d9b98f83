import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  drawn,
  expectAllShipped,
  expectAllShown,
  listed,
  makeProject,
  manifestIn,
  readOutput,
  SHIPPED,
  TWENTY_ICONS,
  wrongPlaces,
} from '../esbuild/project.ts';
import type { BuildOutcome } from './run-build.ts';
import { BUN } from '../../support/bun.ts';

const SCRIPT = fileURLToPath(new URL('run-build.ts', import.meta.url));

/** Builds with `Bun.build`, one configuration after the other. */
async function bun(root: string, ...configs: object[]): Promise<[BuildOutcome, ...BuildOutcome[]]> {
  const common = { entrypoints: ['./src/main.js'], outdir: 'dist' };
  const argument = JSON.stringify(configs.map((config) => Object.assign({}, common, config)));
  const { stdout } = await promisify(execFile)(BUN, [SCRIPT, argument], {
    cwd: root,
    timeout: 110_000,
  });
  return JSON.parse(stdout) as [BuildOutcome, ...BuildOutcome[]];
}

describe('twenty icons', () => {
  for (const [name, more] of Object.entries({
    plain: {},
    'split and minified': { splitting: true, minify: true, naming: '[name]-[hash].[ext]' },
    'for bun': { target: 'bun', splitting: true, sourcemap: 'linked' },
  })) {
    it(`are shipped and credited, ${name}`, async () => {
      const root = await makeProject(TWENTY_ICONS);
      const [{ success, errors, hasMetafile, outputs, summaries, calls }] = await bun(root, more);
      expect({ success, errors, hasMetafile }).toEqual({
        success: true,
        errors: [],
        hasMetafile: false,
      });
      const consumer = name === 'for bun' ? 'server' : 'client';
      const output = await expectAllShipped(root, { bundler: 'bun', consumer });
      // The result names what is there, nothing else: the first of the two builds left nothing behind.
      const named = outputs.map(({ path }) => path.slice(root.length + '/dist/'.length));
      const written = Object.keys(output).filter((file) => file !== 'icon-attribution.json');
      expect(named.toSorted()).toEqual(written.toSorted());
      expect(summaries).toEqual([['dist/icon-attribution.json']]);
      expect(calls.filter((call) => call !== 'load')).toEqual([
        'configure',
        'begin',
        'end',
        'close',
      ]);
    });
  }

  it('run: markup, addresses, data, lazy parts and credits are what they should be', async () => {
    const root = await makeProject(TWENTY_ICONS);
    await bun(root, { splitting: true, naming: { asset: 'icons/[name].[hash].[ext]' } });
    await expectAllShown(root, /^\.\/icons\/star-1\d\.[a-z\d]{8}\.(?:svg|png)$/, './');
  });

  it('without `outdir` stay in memory, with their attribution', async () => {
    const root = await makeProject(TWENTY_ICONS);
    const [{ outputs, hasMetafile }] = await bun(root, { outdir: undefined, metafile: true });
    const output = Object.fromEntries(
      outputs.map(({ path, text }) => [path.replace(/^\.\//, ''), text]),
    );
    expect([...new Set(drawn(output))]).toEqual(SHIPPED);
    expect(listed(manifestIn(output))).toEqual(SHIPPED);
    expect(wrongPlaces(manifestIn(output), output)).toEqual([]);
    expect(hasMetafile).toBe(true);
    expect(Object.keys(await readOutput(root)).toSorted()).toEqual(
      Object.keys(TWENTY_ICONS).toSorted(),
    );
  });
});

describe('icon:credits', () => {
  it('gives a file a new name when only the icons of another file change, and other plugins one end', async () => {
    const root = await makeProject({
      'src/main.js': "import credits from 'icon:credits'; console.log(credits);",
      'src/other.js': "import a from 'icon:1'; import x from 'virtual:x'; console.log(a, x);",
    });
    const named = {
      entrypoints: ['./src/main.js', './src/other.js'],
      naming: '[name]-[hash].[ext]',
    };
    const [first] = await bun(root, named);
    await writeFile(join(root, 'src/other.js'), "import a from 'icon:2'; console.log(a);");
    const [second] = await bun(root, named);
    const mainOf = ({ outputs }: BuildOutcome): string | undefined =>
      outputs.find(({ path }) => path.includes('/main-'))?.path;
    expect(mainOf(first)).toBeDefined();
    expect(mainOf(second)).not.toBe(mainOf(first));
    expect(first.outputs.map(({ text }) => text).join('')).toContain('ARTWORK-7-END');
    expect(first.ends).toEqual([1, 1]);
  });
});

describe('several builds in one process', () => {
  it('replace what the one before said', async () => {
    const root = await makeProject({
      'src/main.js': "import a from 'icon:1'; import b from 'icon:2'; console.log(a, b);",
      'src/second.js': "import b from 'icon:2'; import c from 'icon:3'; console.log(b, c);",
    });
    const [, last] = await bun(root, {}, { entrypoints: ['./src/second.js'] });
    expect(last?.success).toBe(true);
    expect(listed(manifestIn(await readOutput(join(root, 'dist'))))).toEqual([2, 3]);
  });
});

describe('errors', () => {
  it('fail the build with code, importer and what to do', async () => {
    const root = await makeProject({
      'src/main.js': "import a from 'icon:404'; console.log(a);",
      'src/wrong.js': "import b from 'icon:1?colour=red'; console.log(b);",
    });
    const [missing, wrong, loud] = await bun(
      root,
      { throw: false },
      { throw: false, entrypoints: ['./src/wrong.js'] },
      { entrypoints: ['./src/wrong.js'] },
    );
    expect(missing.success).toBe(false);
    expect(missing.errors).toHaveLength(1);
    expect(missing.errors[0]).toContain('[CATALOG_NOT_FOUND]');
    expect(missing.errors[0]).toContain(`imported by ${join(root, 'src/main.js')}`);
    expect(missing.calls.slice(-2)).toEqual(['end', 'close']);
    expect(missing.summaries).toEqual([]);
    for (const outcome of [wrong, loud]) {
      expect(outcome?.success).toBe(false);
      expect(outcome?.errors.join('\n')).toContain('[SPECIFIER_INVALID]');
      expect(outcome?.errors.join('\n')).toContain('colour');
    }
  });
});

describe('bun run', () => {
  it('has icons without a build, files as data addresses', async () => {
    const root = await makeProject({});
    const script = fileURLToPath(new URL('run-preloaded.ts', import.meta.url));
    const specifiers = ['icon:1', 'icon:11?url', 'icon:15?filetype=png&as=url', 'icon:credits'];
    const { stdout } = await promisify(execFile)(BUN, [script, ...specifiers], { cwd: root });
    const shown = JSON.parse(stdout) as Record<string, unknown>;
    expect(shown['icon:1']).toContain('ARTWORK-1-END');
    const file = /^data:image\/svg\+xml;base64,(.*)$/.exec(String(shown['icon:11?url']))?.[1] ?? '';
    expect(Buffer.from(file, 'base64').toString()).toContain('ARTWORK-11-END');
    expect(shown['icon:15?filetype=png&as=url']).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(shown['icon:credits']).toEqual([{ id: 1 }, { id: 11 }, { id: 15 }]);
  });
});
