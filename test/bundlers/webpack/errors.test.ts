import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IconCatalogError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BUNDLERS, bundle } from './bundle.ts';

describe.each(BUNDLERS)('errors with %s', (bundler) => {
  it('refuses a wrong import once, with the importer and the remedy, without frames', async () => {
    const root = await temporaryFolder();
    const { errors, output, report, session } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import './part.js'`,
        'src/part.js': `import wrong from 'icon:whale?colour=red'; console.log(wrong)`,
      },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('[SPECIFIER_INVALID] "icon:whale?colour=red" is no icon.');
    expect(errors[0]).toContain(`imported by ${join(root, 'src/part.js')}`);
    expect(errors[0]).toContain('Correct the import.');
    expect(report).toContain('./src/part.js');
    expect(report).not.toMatch(/^\W*at .*\.[tj]s:\d/m);
    expect(report.match(/SPECIFIER_INVALID/g)).toHaveLength(1);
    expect(output).toEqual({});
    expect(session.events).toContain('end  quiet');
  });

  it('refuses a wrong import that is unused', async () => {
    const { errors } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import wrong from 'icon:whale'; console.log(1)` },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('SPECIFIER_INVALID');
  });

  it('refuses `new URL()`, which would be the address of a script', async () => {
    const root = await temporaryFolder();
    const { errors, report } = await bundle(bundler, {
      root,
      files: { 'src/index.js': `console.log(new URL('icon:1', import.meta.url).href)` },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('?url');
    expect(errors[0]).toContain(`imported by ${join(root, 'src/index.js')}`);
    expect(report).not.toMatch(/^\W*at .*\.[tj]s:\d/m);
  });

  it.skipIf(bundler === 'rspack')('warns of an address that nothing replaces', async () => {
    const root = await temporaryFolder();
    const { report, errors } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import './page.js'; import 'library'; console.log('icon:2')`,
        'src/page.js': `console.log({ src: 'icon:1?size=20' }, { src: 'icon:1?size=20' })`,
        'node_modules/library/index.js': `console.log({ src: 'icon:3' })`,
      },
    });
    expect(errors).toEqual([]);
    expect(report).toMatch(/`icon:1\?size=20` in \S*src\/page\.js is .*'icon:1\?size=20&url'/);
    expect(report.match(/no browser can load/g)).toHaveLength(1);
  });

  it('fails a build if an icon is unavailable, and names its importer', async () => {
    const root = await temporaryFolder();
    const { errors, output, report } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import './part.js'`,
        'src/part.js': `import one from 'icon:1'; console.log(one)`,
      },
      catalog: {
        outage: new IconCatalogError('CATALOG_UNAVAILABLE', { message: 'Nothing answers.' }),
      },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('[CATALOG_UNAVAILABLE] Nothing answers.');
    expect(errors[0]).toContain(`imported by ${join(root, 'src/part.js')}`);
    expect(report).not.toMatch(/^\W*at .*\.[tj]s:\d/m);
    expect(output).toEqual({});
  });

  it('asks again on the next run, whatever the persistent cache holds', async () => {
    const root = await temporaryFolder();
    const files = { 'src/index.js': `import one from 'icon:1'; console.log(one)` };
    const outage = new IconCatalogError('CATALOG_UNAVAILABLE', { message: 'Nothing answers.' });
    const failed = await bundle(bundler, { root, files, persistent: true, catalog: { outage } });
    expect(failed.errors).toHaveLength(1);
    // webpack complains there about errors that it cannot keep.
    expect(failed.log).not.toContain('serializ');
    const repaired = await bundle(bundler, { root, persistent: true });
    expect(repaired.errors).toEqual([]);
    expect(repaired.output['main.js']).toContain('M1 f1');
  });

  it('reports what the licence policy refuses as an error of the build', async () => {
    const { errors, output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: {
        'src/index.js': `import one from 'icon:1'; import credits from 'icon:credits'; console.log(one, credits)`,
      },
      catalog: { refused: ['icon:1?as=svg'] },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('[LICENSE_REFUSED] icon:1?as=svg may not be shipped.');
    expect(output).toEqual({});
  });
});
