import { describe, expect, it } from 'vitest';
import type webpack from 'webpack';
import { IconCatalogError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BUNDLERS, bundle, watch, writeFiles } from './bundle.ts';

const DEVELOPMENT = { mode: 'development' as const };
const outage = () => new IconCatalogError('CATALOG_UNAVAILABLE', { message: 'Nothing answers.' });

describe.each(BUNDLERS)('watching with %s', (bundler) => {
  it.each(['development', 'production'] as const)(
    'fetches an icon that is added, and only that, %s',
    async (mode) => {
      const root = await temporaryFolder();
      const { session, next } = await watch(bundler, {
        root,
        files: {
          'src/index.js': `import './page.js'; import './part.js'`,
          'src/page.js': `import credits from 'icon:credits'; console.log(credits)`,
          'src/part.js': `import one from 'icon:1'; console.log(one)`,
        },
        config: { mode },
      });
      const first = await next();
      expect(first.errors).toEqual([]);
      expect(first.output['main.js']).toContain('M1 f1');
      expect(first.output['main.js']).toContain('[1]');

      await writeFiles(root, {
        'src/part.js': `import one from 'icon:1'; import two from 'icon:2'; console.log(one, two)`,
      });
      const second = await next();
      expect(second.output['main.js']).toContain('M2 f1');
      expect(second.output['main.js']).toContain('[1,2]');
      expect(second.output['icon-attribution.json']).toContain('icon:2');

      await writeFiles(root, { 'src/part.js': `import two from 'icon:2'; console.log(two)` });
      const third = await next();
      expect(third.output['main.js']).toContain('[2]');
      expect(third.output['icon-attribution.json']).not.toContain('icon:1');
      // Rspack's production builds start from nothing each time; the session then answers from memory.
      expect([...new Set(session.loaded)]).toEqual(['icon:1?as=svg', 'icon:2?as=svg']);
      expect(session.events).toEqual(
        Array.from({ length: 3 }, () => ['begin', 'end dist/icon-attribution.json']).flat(),
      );
    },
  );

  it('shows a placeholder and a warning while the catalog is away, and the icon afterwards', async () => {
    const root = await temporaryFolder();
    const { session, next } = await watch(bundler, {
      root,
      files: {
        'src/index.js': `import './note.js'; import one from 'icon:1'; console.log(one)`,
        'src/note.js': `1`,
      },
      config: DEVELOPMENT,
      persistent: true,
      catalog: { outage: outage() },
    });
    const without = await next();
    expect(without.errors).toEqual([]);
    expect(without.warnings).toHaveLength(1);
    expect(without.warnings[0]).toContain('Nothing answers.');
    expect(without.report).not.toMatch(/^\W*at .*\.[tj]s:\d/m);
    expect(without.output['main.js']).toContain('<svg placeholder/>');
    expect(session.manifests).toMatchObject([{ usages: [], complete: false }]);

    session.catalog.outage = undefined;
    await writeFiles(root, { 'src/note.js': `2` });
    const repaired = await next();
    expect(repaired.warnings).toEqual([]);
    expect(repaired.output['main.js']).toContain('M1 f1');
    expect(session.manifests[1]).toMatchObject({
      usages: [{ id: 'icon:1?as=svg' }],
      complete: true,
    });
  });

  it('keeps no placeholder in a persistent cache', async () => {
    const root = await temporaryFolder();
    const files = { 'src/index.js': `import one from 'icon:1'; console.log(one)` };
    const watched = await watch(bundler, {
      root,
      files,
      config: DEVELOPMENT,
      persistent: true,
      catalog: { outage: outage() },
    });
    expect((await watched.next()).output['main.js']).toContain('<svg placeholder/>');
    await watched.close();
    const built = await bundle(bundler, { root, config: DEVELOPMENT, persistent: true });
    expect(built.output['main.js']).toContain('M1 f1');
    expect(built.output['main.js']).not.toContain('placeholder');
  });

  it('has no placeholder when watching a production build', async () => {
    const { next } = await watch(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import one from 'icon:1'; console.log(one)` },
      catalog: { outage: outage() },
    });
    const { errors, output } = await next();
    expect(errors).toHaveLength(1);
    expect(output).toEqual({});
  });

  it('credits the scripts of the page, and not those that patch it', async () => {
    const root = await temporaryFolder();
    const { session, next } = await watch(bundler, {
      root,
      files: {
        'src/index.js': `import './part.js'; module.hot.accept()`,
        'src/part.js': `import one from 'icon:1'; console.log(one)`,
      },
      config: {
        mode: 'development',
        output: { clean: false },
        plugins: [
          {
            apply(compiler: webpack.Compiler) {
              new compiler.webpack.HotModuleReplacementPlugin().apply(compiler);
            },
          },
        ],
      },
    });
    await next();
    await writeFiles(root, { 'src/part.js': `import two from 'icon:2'; console.log(two)` });
    const { output } = await next();
    expect(Object.keys(output).join()).toContain('.hot-update.js');
    expect(session.manifests[1]?.usages).toEqual([
      { id: 'icon:2?as=svg', file: 'main.js', kind: 'inline-js' },
    ]);
  });

  it('recovers from a wrong import', async () => {
    const root = await temporaryFolder();
    const { next } = await watch(bundler, {
      root,
      files: { 'src/index.js': `import one from 'icon:wrong'; console.log(one)` },
      config: DEVELOPMENT,
    });
    expect((await next()).errors).toHaveLength(1);
    await writeFiles(root, { 'src/index.js': `import one from 'icon:1'; console.log(one)` });
    let repaired = await next();
    // On a busy machine a watcher may build once more before it sees the new text.
    while (repaired.errors.length > 0) repaired = await next();
    expect(repaired.output['main.js']).toContain('M1 f1');
  });
});
