import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { context, type BuildResult, type Plugin } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import iconCatalog from '../../../src/esbuild.ts';
import type { Options } from '../../../src/options/options.ts';
import { embeddedIconId } from '../../../src/server.ts';
import { makeProject } from './project.ts';
import { realOptions } from './real-icons.ts';
import { createTypeDeclarations } from '../../../src/build/session.ts';

const CONFIG = 'icon-catalog.config.mjs';
const [HOME, HEART] = [embeddedIconId('tabler', 'home'), embeddedIconId('tabler', 'heart')];

it('esbuild follows the options of the project while it watches, and keeps icon-catalog.d.ts up', async () => {
  const root = await makeProject({
    'tsconfig.json': '{}',
    'main.js': `import icon, { credit } from 'icon:house'; globalThis.shown = [icon, credit];`,
  });
  const configure = (options: Options | string): Promise<void> => {
    const text = typeof options === 'string' ? options : JSON.stringify(options);
    return writeFile(join(root, CONFIG), `export default ${text}`);
  };
  const common = { ...realOptions(root), aliases: { house: HOME } };
  await configure(common);

  const results: BuildResult[] = [];
  let wake = (): void => undefined;
  const ends: Plugin = {
    name: 'ends',
    setup: (build) =>
      build.onEnd((result) => {
        results.push(result);
        wake();
      }),
  };
  const next = async (isWanted: (text: string, errors: string) => boolean): Promise<void> => {
    for (;;) {
      while (results.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const { errors = [] } = results.shift() ?? {};
      const output = await readFile(join(root, 'dist/main.js'), 'utf8').catch(() => '');
      if (isWanted(output, errors.map(({ text }) => text).join('\n'))) return;
    }
  };
  const watcher = await context({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    bundle: true,
    outdir: 'dist',
    logLevel: 'silent',
    plugins: [iconCatalog(), ends],
  });
  onTestFinished(() => watcher.dispose());
  await watcher.watch();
  await next((output) => output.includes('Home'));
  const declared = (): Promise<string> =>
    readFile(join(root, 'icon-catalog.d.ts'), 'utf8').catch(() => '');
  await expect.poll(declared).toContain('Home');
  expect(await declared()).toContain('declare module "icon:house"');

  await configure({ ...common, aliases: { house: HEART } });
  await next((output) => output.includes('Heart'));
  await expect.poll(declared).toContain('Heart');
  // esbuild takes the output of a build away that fails; the next one has it again.
  await configure('{');
  await next((_, errors) => errors.includes(CONFIG));
  await configure(common);
  await next((output) => output.includes('Home'));
});

it('what is no watcher declares nothing: esbuild disposes of it right behind its build', async () => {
  const declared: string[] = [];
  const declarations = createTypeDeclarations({
    declare: (specifiers) => Promise.resolve(void declared.push(...specifiers)),
  });
  declarations.imported('icon:1');
  declarations.drop();
  await declarations.settle();
  expect(declared).toEqual([]);
});
