import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findOptionsFile } from '../../src/options/file.ts';
import type { Options } from '../../src/options/options.ts';
import { createSession } from '../../src/build/session.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Session } from '../../src/build/session-interface.ts';

const [one = 0, two = 0] = iconIds('maki', 2);

async function project(): Promise<{
  root: string;
  session: Session;
  write(options: Options): Promise<void>;
}> {
  const root = await temporaryFolder();
  const common: Options = {
    catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
    cacheDir: '.icons',
    logLevel: 'silent',
  };
  const write = (options: Options): Promise<void> =>
    writeFile(
      join(root, 'icon-catalog.config.mjs'),
      `export default ${JSON.stringify({ ...common, ...options })}`,
    );
  const session = createSession(undefined, 'test');
  session.configure({ root, env: {} });
  onTestFinished(() => session.close());
  return { root, session, write };
}

it('closes what the options before had opened: what was pinned is written', async () => {
  const { root, session, write } = await project();
  await write({ aliases: { mine: one } });
  expect(await session.config.refresh()).toBe(true);
  session.begin({ isDev: true });
  await session.load(session.resolve('icon:mine'));
  const lock = (): Promise<string> => readFile(join(root, 'icons.lock'), 'utf8').catch(() => '');
  expect(await lock()).toBe('');

  await write({ aliases: { mine: two } });
  // Several environments begin at once: each waits for the one reading.
  expect(await Promise.all([session.config.refresh(), session.config.refresh()])).toEqual([
    true,
    true,
  ]);
  expect(await lock()).toContain(`"${one}:svg"`);
  expect(session.resolve('icon:mine')).toContain(`icon:${two}?`);
  expect(await session.config.refresh()).toBe(false);
});

it('is that of the project where the plugin gets an empty object, as from Quasar', async () => {
  const { root, write } = await project();
  await write({ aliases: { mine: one } });
  const session = createSession({}, 'test');
  session.configure({ root, env: {} });
  onTestFinished(() => session.close());
  await session.config.refresh();
  expect(session.resolve('icon:mine')).toContain(`icon:${one}?`);
});

it('takes nothing for the file that another one gave which was written meanwhile', async () => {
  const { root, write } = await project();
  await write({ aliases: { mine: one } });
  const before = await findOptionsFile(root);
  // Between the look at the file and its import.
  await write({ aliases: { mine: two } });
  expect(await before?.load()).toBeUndefined();
  await write({ aliases: { mine: one } });
  const after = await findOptionsFile(root);
  expect(after?.version).toBe(before?.version);
  expect(await after?.load()).toMatchObject({ aliases: { mine: one } });
});

it.each([
  ['icon-catalog.config.cjs', 'module.exports = { aliases: { mine: ID } }'],
  ['icon-catalog.config.ts', 'const mine: number = ID; export default { aliases: { mine } }'],
  ['icon-catalog.config.json', '{ "aliases": { "mine": ID } }'],
  ['icon-catalog.config.mjs', 'export default Promise.resolve({ aliases: { mine: ID } })'],
])('reads %s, and reads it again', async (name, text) => {
  const { root, session } = await project();
  const write = (id: number): Promise<void> =>
    writeFile(join(root, name), text.replace('ID', String(id)));
  await write(one);
  await session.config.refresh();
  expect(session.resolve('icon:mine')).toContain(`icon:${one}?`);
  await write(two);
  expect(await session.config.refresh()).toBe(true);
  expect(session.resolve('icon:mine')).toContain(`icon:${two}?`);
  await rm(join(root, name));
  expect(await session.config.refresh()).toBe(true);
  expect(() => session.resolve('icon:mine')).toThrow('neither an id nor an alias');
});

it('reports a broken file without what stands in it, and of no folder of this machine', async () => {
  const { root, session } = await project();
  const path = join(root, 'icon-catalog.config.json');
  await writeFile(path, '{"catalog":{"secret":"hunter2"x}}');
  const message = await session.config.refresh().catch(String);
  expect(message).toContain('icon-catalog.config.json cannot be loaded');
  expect(message).not.toMatch(/hunter2|unter2"/);
  // The same file is the same error, and every import has it.
  expect(await session.config.refresh().catch(String)).toBe(message);
  expect(() => session.resolve(`icon:${one}`)).toThrow('cannot be loaded');

  await rm(path);
  await writeFile(
    join(root, 'icon-catalog.config.mjs'),
    `import './nowhere.mjs'; export default {}`,
  );
  expect(await session.config.refresh().catch(String)).not.toContain(`${root}/`);
});

it('is that of the package where the bundler works in a folder of it', async () => {
  const { root, write } = await project();
  await write({ aliases: { mine: one } });
  const within = join(root, 'src/pages');
  const started = (options?: Options): [string, Session] => {
    const session = createSession(options, 'test');
    onTestFinished(() => session.close());
    return [session.configure({ root: within, env: {} }), session];
  };
  // No package is known: the file may be that of anything.
  expect(started()[0]).toBe(within);

  await writeFile(join(root, 'package.json'), '{}');
  const [found, session] = started();
  expect(found).toBe(root);
  expect(session.configure({ env: {} })).toBe(root);
  await session.config.refresh();
  await session.load(session.resolve('icon:mine'));
  await session.close();
  expect(await readFile(join(root, 'icons.lock'), 'utf8')).toContain(`"${one}:svg"`);
  // A plugin with options reads no file.
  expect(started({ mode: 'offline' })[0]).toBe(within);

  // The nearest one counts, and none of another package.
  await mkdir(within, { recursive: true });
  await writeFile(join(root, 'src/icon-catalog.config.json'), '{}');
  expect(started()[0]).toBe(join(root, 'src'));
  await writeFile(join(within, 'package.json'), '{}');
  expect(started()[0]).toBe(within);
});
