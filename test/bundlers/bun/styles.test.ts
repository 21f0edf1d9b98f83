import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manifest } from '../../../src/types.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from '../../build/style-project.ts';
import { parseManifest } from '../../support/parse-manifest.ts';
import { BUN } from '../../support/bun.ts';

const SCRIPT = fileURLToPath(new URL('run-styles.ts', import.meta.url));

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

async function build(
  files: Record<string, string>,
  order = '',
): Promise<{ css: string; script: string; manifest: Manifest }> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const options = {
    catalog: { baseUrl, key, secret },
    aliases: ALIASES,
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
  };
  await promisify(execFile)(BUN, [SCRIPT, JSON.stringify(options), order], {
    cwd: root,
    timeout: 110_000,
  });
  const tree = await readTree(join(root, 'dist'));
  const text = (name: string): string => String(tree.get(name) ?? '');
  return {
    css: text('main.css'),
    script: text('main.js'),
    manifest: parseManifest(text('icon-attribution.json')),
  };
}

it('style sheets in a build of Bun hold their icons, and are credited', async () => {
  const { css, script, manifest } = await build({
    ...PLAIN_STYLES,
    'main.js': `import './main.css'; import credits from 'icon:credits'; console.log(credits);`,
  });
  expect(css.match(/icon:(?!nothing)/g)).toBeNull();
  expect(manifest.icons.map(({ title, usedIn }) => [title, usedIn])).toEqual(
    PLAIN_ICONS.map(titleOf)
      .toSorted()
      .map((title) => [title, [{ build: 'bun.main', file: 'main.css', kind: 'inline-css' }]]),
  );
  for (const name of PLAIN_ICONS) expect(script).toContain(`%22title%22%3A%22${titleOf(name)}%22`);
});

it('style sheets in a build of Bun say what is wrong, and where', async () => {
  const failed = build({
    'main.js': `import './main.css'`,
    'main.css': '.a { background: url(icon:hoome) }',
  });
  await expect(failed).rejects.toThrow(/`icon:hoome`[\s\S]*main\.css[\s\S]*icon:home/);
});

it.each(['compiler,icons', 'icons,compiler'])(
  'style sheets that another plugin compiles hold their icons, and are credited: %s',
  async (order) => {
    const { css, manifest } = await build(
      {
        'main.js': `import './main.css'; import './plain.css';`,
        'main.css': '.a { @apply [url(icon:home?color=f00)]; } .b { mask: url(icon:star) }',
        'plain.css': '.c { mask: url(icon:bus) }',
      },
      order,
    );
    expect(css).not.toMatch(/icon:|@apply/);
    expect(css.match(/data:image\/svg\+xml,/g)).toHaveLength(3);
    expect(manifest.icons.map(({ title, usedIn }) => [title, usedIn])).toEqual(
      ['Bus', 'Home', 'Star'].map((title) => [
        title,
        [{ build: 'bun.main', file: 'main.css', kind: 'inline-css' }],
      ]),
    );
  },
);

it('style sheets that another plugin compiles say what is wrong, and where', async () => {
  const failed = build(
    {
      'main.js': `import './main.css'`,
      'main.css': '.a { @apply [url(icon:hoome)]; }',
    },
    'compiler,icons',
  );
  await expect(failed).rejects.toThrow(/`icon:hoome`[\s\S]*main\.css[\s\S]*icon:home/);
  const imported = build(
    {
      'main.js': `import './main.css'`,
      'main.css': '@import url(icon:home); .a { @apply [red]; }',
    },
    'compiler,icons',
  );
  await expect(imported).rejects.toThrow('an icon is no style sheet');
});
