import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BUNDLERS, EVERY_BUNDLER, bundle } from './bundle.ts';

const FILES = {
  'src/index.js': `import one from 'icon:1'; import url from 'icon:2?url'; import unused from 'icon:3'
    import * as all from './all.js'; import('./lazy.js'); console.log(one, url, all.four)`,
  'src/all.js': `export { default as four } from 'icon:4?url'; export { default as five } from 'icon:5?url'`,
  'src/lazy.js': `import lazy from 'icon:6'; console.log(lazy)`,
};

describe.each(BUNDLERS)('persistent cache of %s', (bundler) => {
  it.each(['production', 'development'] as const)(
    'makes the same output on the second and third run, with no load, %s',
    async (mode) => {
      const root = await temporaryFolder();
      const cold = await bundle(bundler, {
        root,
        files: FILES,
        persistent: true,
        config: { mode },
      });
      expect(cold.errors).toEqual([]);
      expect(cold.session.loaded).toContain('icon:2?as=url');
      const second = await bundle(bundler, { root, persistent: true, config: { mode } });
      const third = await bundle(bundler, { root, persistent: true, config: { mode } });
      for (const warm of [second, third]) {
        expect(warm.session.loaded).toEqual([]);
        expect(warm.output).toEqual(cold.output);
        expect(warm.session.manifests).toEqual(cold.session.manifests);
      }
      const credited = JSON.parse(cold.output['icon-attribution.json'] ?? '[]') as { id: string }[];
      expect(credited.map(({ id }) => id).toSorted()).toEqual([
        'icon:1?as=svg',
        'icon:2?as=url',
        'icon:4?as=url',
        ...(mode === 'development' ? ['icon:5?as=url'] : []),
        'icon:6?as=svg',
      ]);
    },
  );

  it('loads what is new, and forgets what is gone', async () => {
    const root = await temporaryFolder();
    await bundle(bundler, { root, files: FILES, persistent: true });
    const { session, output } = await bundle(bundler, {
      root,
      files: { 'src/lazy.js': `import lazy from 'icon:7?url'; console.log(lazy)` },
      persistent: true,
    });
    expect(session.loaded).toEqual(['icon:7?as=url']);
    expect(output['icon-attribution.json']).toContain('icon:7');
    expect(output['icon-attribution.json']).not.toContain('icon:6');
  });
});

describe.each(EVERY_BUNDLER)('persistent cache of %s', (bundler) => {
  it('is not believed after a change of options, nor after the change back', async () => {
    const root = await temporaryFolder();
    const run = (fingerprint: string) =>
      bundle(bundler, { root, files: FILES, persistent: true, catalog: { fingerprint } });
    const before = await run('f1');
    const after = await run('f2');
    const back = await run('f1');
    expect(before.output['main.js']).toContain('M1 f1');
    expect(after.output['main.js']).toContain('M1 f2');
    expect(Object.values(after.output).join()).not.toContain(' f1 z');
    expect(back.output).toEqual(before.output);
    const warm = await run('f1');
    expect(warm.session.loaded).toEqual([]);
    expect(warm.output).toEqual(before.output);
  });
});
