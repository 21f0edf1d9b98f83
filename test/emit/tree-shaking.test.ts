import { build as esbuild } from 'esbuild';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { emitModule } from '../../src/emit/emit-module.ts';
import type { IconForm } from '../../src/types.ts';
import { input } from './sample.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const FORMS: IconForm[] = ['svg', 'data', 'url', 'meta'];
/** Stand in one export each, so that a bundle shows which of them it holds. */
const MARK_BY_EXPORT = {
  default: 'DEFAULT-MARK',
  credit: 'CREDIT-MARK',
  icon: 'ICON-MARK',
} as const;

async function iconModule(as: IconForm): Promise<string> {
  const given = input({ as, svg: '<svg>DEFAULT-MARK</svg>' });
  const emitted = await emitModule({
    ...given,
    icon: { ...given.icon, term: 'ICON-MARK' },
    record: { ...given.record, term: 'DEFAULT-MARK' },
  });
  return emitted.kind === 'code' ? emitted.code : emitted.code('"DEFAULT-MARK"');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'icon-catalog-emit-'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const as of FORMS) await writeFile(path.join(folder, `icon-${as}.js`), await iconModule(as));
});
afterAll(() => removeFolder(folder));

type Bundle = (entry: string) => Promise<string>;

const bundleByName: Record<string, Bundle> = {
  async rollup(entry) {
    const bundle = await rollup({ input: entry });
    const { output } = await bundle.generate({});
    await bundle.close();
    return output[0].code;
  },
  async rolldown(entry) {
    const bundle = await rolldown({ input: entry });
    const { output } = await bundle.generate({});
    await bundle.close();
    return output[0].code;
  },
  async esbuild(entry) {
    const { outputFiles } = await esbuild({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  },
  async webpack(entry) {
    const filename = `${path.basename(entry)}.out.js`;
    const compiler = webpack({
      mode: 'production',
      entry,
      context: folder,
      output: { path: folder, filename },
    });
    await new Promise<void>((resolve, reject) => {
      compiler.run((error, stats) => {
        compiler.close(() =>
          error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve(),
        );
      });
    });
    return readFile(path.join(folder, filename), 'utf8');
  },
};

describe.each(Object.entries(bundleByName))('%s', (name, bundle) => {
  it.each(FORMS)('ships only what is used of an as=%s module', async (as) => {
    for (const [used, mark] of Object.entries(MARK_BY_EXPORT)) {
      const entry = path.join(folder, `${name}-${as}-${used}.js`);
      await writeFile(
        entry,
        `import { ${used} as used } from './icon-${as}.js';\nconsole.log(used);\n`,
      );
      const code = await bundle(entry);
      const held = Object.values(MARK_BY_EXPORT).filter((other) => code.includes(other));
      expect(held, `${used} of ${as}`).toEqual([mark]);
    }
  });

  it('ships nothing of a module of which nothing is used', async () => {
    const entry = path.join(folder, `${name}-nothing.js`);
    await writeFile(entry, "import './icon-svg.js';\nconsole.log(1);\n");
    expect(await bundle(entry)).not.toMatch(/MARK|JSON/);
  });
});
