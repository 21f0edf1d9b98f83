import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedIconId } from '../src/server.ts';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import iconCatalog from '../src/vite.ts';
import type { Options } from '../src/options/options.ts';
import { isIconCatalogError, type IconCatalogError } from '../src/errors.ts';
import { recordingLog } from './support/recording-log.ts';
import { startCountingCatalog } from './support/counting-catalog.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { writeProject } from './support/write-project.ts';

const HOME = embeddedIconId('tabler', 'home');
const TABLER = {
  catalog: { embedded: { sets: ['tabler'], root: process.cwd() } },
  aliases: { house: HOME },
};

interface Mistake {
  options?: Options;
  main?: string;
  files?: Record<string, string>;
}

/** Builds a project that somebody got wrong; the error that the bundler ends with, and what was said on the way. */
async function buildWrongly({ options = {}, main = '', files = {} }: Mistake) {
  const root = await writeProject({
    'index.html': '<script type="module" src="/main.js"></script>',
    'main.js': main,
    ...files,
  });
  const log = recordingLog();
  const logger = {
    ...log,
    warnOnce: log.warn,
    clearScreen() {},
    hasErrorLogged: () => false,
    hasWarned: false,
  };
  const cacheDir = options.cacheDir ?? (await temporaryFolder());
  const building = build({
    root,
    configFile: false,
    customLogger: logger,
    plugins: [iconCatalog({ ...options, cacheDir })],
  });
  const thrown: unknown = await building.then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    error: firstOf(thrown),
    shown: thrown instanceof Error ? thrown.message : '',
    log,
    credits: await readFile(join(root, 'dist/icon-attribution.md'), 'utf8').catch(() => ''),
  };
}

/** Rolldown hands over a collection. */
function firstOf(thrown: unknown): IconCatalogError | undefined {
  const errors: unknown[] =
    typeof thrown === 'object' && thrown !== null && 'errors' in thrown
      ? (thrown.errors as unknown[])
      : [thrown];
  return errors.find((error) => isIconCatalogError(error));
}

describe('what a newcomer gets wrong', () => {
  it('is reported with what was written, by its alias and without defaults', async () => {
    const { shown } = await buildWrongly({
      options: { aliases: { house: HOME } },
      main: `import house from 'icon:house?size=2em'; console.log(house);`,
    });
    expect(shown).toContain('[CATALOG_NOT_CONFIGURED] No catalog is configured: ICON_CATALOG_URL');
    expect(shown).toContain('icon:house?size=2em, imported by main.js:');
    expect(shown).toContain('main.js');
    expect(shown).toContain("`catalog: 'embedded'`");
  });

  it('is reported once, without frames of this package', async () => {
    const { shown } = await buildWrongly({
      options: TABLER,
      main: `import house from 'icon:house?colour=f00'; console.log(house);`,
    });
    expect(shown.match(/Did you mean `color`\?/g)).toHaveLength(1);
    expect(shown).not.toMatch(/at .*(parse-request|session)/);
  });

  it.each([
    [
      'a stylesheet',
      {
        main: `import './a.css';`,
        files: { 'a.css': '.a { background: url("icon:house?as=svg") }' },
      },
    ],
    [
      'a page',
      {
        files: {
          'index.html':
            '<iframe src="icon:house"></iframe><script type="module" src="/main.js"></script>',
        },
      },
    ],
  ])('is refused in %s where no picture can be', async (_, mistake) => {
    const { shown } = await buildWrongly({ options: TABLER, ...mistake });
    expect(shown).toContain('[SPECIFIER_INVALID]');
    expect(shown).toContain('icon:house');
  });

  it('leaves comments of a page and other addresses alone', async () => {
    const { error, shown } = await buildWrongly({
      options: TABLER,
      main: `import './a.css';`,
      files: {
        'a.css': '/* icon:house */ .a { color: red }',
        'index.html':
          '<!-- <img src="icon:house"> --><p>src="icon:house"</p><script type="module" src="/main.js"></script>',
      },
    });
    expect([error, shown]).toEqual([undefined, '']);
  });

  it.each([
    [
      () => undefined as unknown as string,
      '`svg.transform` must return the markup as a string, not undefined',
    ],
    [
      () => {
        throw new RangeError('too round');
      },
      '`svg.transform` failed: too round',
    ],
  ])('names svg.transform where that went wrong (%#)', async (transform, said) => {
    const { shown } = await buildWrongly({
      options: { ...TABLER, svg: { transform } },
      main: `import house from 'icon:house'; console.log(house);`,
    });
    expect(shown).toContain(
      `[OPTIONS_INVALID] ${said}. The icons are:\n    icon:house, imported by main.js:1:20\n`,
    );
  });

  it('says that a colour was asked for in vain, and credits no recolouring', async () => {
    const flag =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path fill="#e11" d="M0 0h1v1H0z"/><path fill="#11e" d="M1 0h1v1H1z"/></svg>';
    const { error, log, credits } = await buildWrongly({
      options: { catalog: { embedded: { sets: [], folders: ['flags'] } } },
      main: `import flag, { credit } from 'icon:${embeddedIconId('flags', 'flag')}?color=0a0'; console.log(flag, credit);`,
      files: { 'flags/flag.svg': flag },
    });
    expect(error).toBeUndefined();
    expect(log.lines.filter((line) => line.includes('keeps its own colours'))).toHaveLength(1);
    expect(credits).not.toContain('recoloured');
    // A file of the project's own has no page on the site of installed sets.
    expect(credits).toContain('Source: not stated');
    expect(credits).not.toContain('https://icon-sets.iconify.design/flags');
  });

  it('says that no catalog speaks https on a port of http, and tries once', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    try {
      const baseUrl = catalog.url.replace('http:', 'https:');
      const { shown } = await buildWrongly({
        options: { catalog: { baseUrl, key: catalog.key, secret: catalog.secret } },
        main: `import house from 'icon:${HOME}'; console.log(house);`,
      });
      expect(shown).toContain('does not speak https on this port');
      expect(shown).not.toContain('attempts');
    } finally {
      await catalog.close();
    }
  });
});

describe('an error on a terminal', () => {
  let error: IconCatalogError;
  beforeAll(() => {
    try {
      iconCatalog({ catalog: 'embeded' } as unknown as Options);
    } catch (thrown) {
      error = thrown as IconCatalogError;
    }
  });

  it('lists nothing below the message that the message already says', () => {
    expect(Object.keys(error)).toEqual(['code']);
    expect(error).toMatchObject({ name: 'IconCatalogError', path: 'catalog' });
  });

  it('has the nearest value', () => {
    expect(error.message).toContain("Did you mean 'embedded'?");
  });
});
