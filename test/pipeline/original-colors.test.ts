import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Framework, FRAMEWORKS } from '../../src/component.ts';
import { createIcons, type IconModule } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { createSession } from '../../src/build/session.ts';
import { parseSpecifier } from '../../src/request/parse-request.ts';
import { createCatalogServer, embeddedIconId } from '../../src/server.ts';
import { parseLockfile } from '../../src/store/parse-lockfile.ts';
import vitePlugin from '../../src/vite.ts';
import { createKeyFilter } from '../../src/project/prune.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const [flag, brand, shaded] = ['flag', 'brand', 'shaded'].map((name) =>
  embeddedIconId('own', name),
);
const [plain = 0] = iconIds('maki', 1);

const art = fileURLToPath(new URL('own', import.meta.url));

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'], folders: [art] });
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

async function load(
  root: string,
  specifiers: string[],
  { configured = true, ...options }: Options & { configured?: boolean } = {},
): Promise<IconModule[]> {
  const { url: baseUrl, key, secret } = catalog;
  const icons = createIcons(
    {
      ...(configured && { catalog: { baseUrl, key, secret } }),
      cacheDir: `${root}/.cache`,
      ...options,
    },
    { root, env: {}, log: recordingLog() },
  );
  const modules = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
  await icons.close();
  return modules;
}

async function lockKeys(root: string): Promise<string[]> {
  const bytes = await readFile(join(root, 'icons.lock'));
  return [...parseLockfile(bytes, 'icons.lock').entries.keys()];
}

const changesOf = ({ credit }: IconModule): string[] => credit.changes.map(({ kind }) => kind);

describe('color=original', () => {
  it('keeps a single colour, costs one record and one download, and is no recolouring', async () => {
    const root = await temporaryFolder();
    const [own, red, text] = await load(root, [
      `icon:${brand}?color=original`,
      `icon:${brand}?color=ORIGINAL&size=1em`,
      `icon:${brand}?as=data&color=original`,
    ]);
    expect(own?.svg).toContain('fill="#41b883"');
    expect(own?.svg).not.toContain('currentColor');
    expect(red?.svg).toBe(own?.svg);
    expect(text?.code).toContain('%2341b883');
    expect(changesOf(own as IconModule)).toEqual(['resize', 'optimize']);
    expect(catalog.calls).toHaveLength(2);
    expect(await lockKeys(root)).toEqual([`${brand}:svg:original`]);
  });

  it('is a variant of its own beside a recoloured one, down to the ids in the drawing', async () => {
    const root = await temporaryFolder();
    const modules = await load(root, [
      `icon:${shaded}`,
      `icon:${shaded}?color=original`,
      `icon:${shaded}?color=f00`,
    ]);
    const ids = modules.map(({ svg }) => / id="([^"]+)"/.exec(svg ?? '')?.[1]);
    expect(new Set(ids).size).toBe(3);
    expect(modules[0]?.svg).toContain('stop-color="currentColor"');
    expect(modules[1]?.svg).toContain('stop-color="#41b883"');
    expect(changesOf(modules[0] as IconModule)).toContain('recolor');
    expect(changesOf(modules[1] as IconModule)).not.toContain('recolor');
    expect(await lockKeys(root)).toEqual([`${shaded}:svg`, `${shaded}:svg:original`]);
    expect(catalog.calls).toHaveLength(3);
  });

  it('is what defaults.color may be, for png too, where it means to ask for no colour', async () => {
    const root = await temporaryFolder();
    const defaults = { color: 'original' };
    const [svg, red, png] = await load(
      root,
      [`icon:${brand}`, `icon:${brand}?color=f00`, `icon:${brand}?filetype=png&size=32`],
      { defaults },
    );
    expect(svg?.svg).toContain('#41b883');
    expect(red?.svg).toContain('fill="#ff0000"');
    expect(changesOf(png as IconModule)).not.toContain('recolor');
    expect(await lockKeys(root)).toEqual([
      `${brand}:png:32`,
      `${brand}:svg`,
      `${brand}:svg:original`,
    ]);
  });
});

it('keeps the lines in the lock that a colour may need, and no others', () => {
  const isUsed = (specifier: string): ((key: string) => boolean) =>
    createKeyFilter([parseSpecifier(specifier)]);
  expect(['1:svg', '1:svg:original'].filter(isUsed('icon:1?color=original'))).toEqual([
    '1:svg:original',
  ]);
  const keys = ['1:svg', '1:svg:original', '1:svg:ff0000'];
  expect(keys.filter(isUsed('icon:1'))).toEqual(['1:svg', '1:svg:original']);
  expect(keys.filter(isUsed('icon:1?color=f00'))).toEqual(['1:svg', '1:svg:ff0000']);
});

describe('a drawing of several colours', () => {
  it('keeps them where no colour is asked for, which costs one call more, and others none', async () => {
    const root = await temporaryFolder();
    const [own, same] = await load(root, [
      `icon:${flag}`,
      `icon:${flag}?color=original`,
      `icon:${plain}`,
    ]);
    expect(own?.svg).toMatch(/#e11[\s\S]*#1e1/);
    expect(same?.svg).toBe(own?.svg);
    expect(changesOf(own as IconModule)).not.toContain('recolor');
    expect(catalog.calls).toHaveLength(5);
    expect((await lockKeys(root)).toSorted()).toEqual(
      [`${plain}:svg`, `${flag}:svg`, `${flag}:svg:original`].toSorted(),
    );
  });

  it('is drawn as the catalog sends it without a colour, whatever it would send for one', async () => {
    const server = createCatalogServer({
      sets: [],
      folders: [art],
      keys: [{ key: 'k', secret: 's' }],
    });
    const asked: (string | null)[] = [];
    // A catalog that shades every colour of the drawing by the one that it is asked for.
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await server.fetch(request);
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith('/download')) return answer;
      const color = searchParams.get('color');
      asked.push(color);
      if (color === null) return answer;
      const body = (await answer.json()) as { base64_encoded_file: string };
      const svg = Buffer.from(body.base64_encoded_file, 'base64').toString();
      const shaded = svg.replace('#e11', '#020304').replace('#1e1', '#030405');
      return Response.json({
        ...body,
        base64_encoded_file: Buffer.from(shaded).toString('base64'),
      });
    };
    const root = await temporaryFolder();
    const icons = createIcons(
      { catalog: { baseUrl: 'http://catalog.test', key: 'k', secret: 's' }, cacheDir: root },
      { root, env: {}, log: recordingLog(), fetch },
    );
    onTestFinished(() => icons.close());
    expect((await icons.load(`icon:${flag}`)).svg).toMatch(/#e11[\s\S]*#1e1/);
    expect((await icons.load(`icon:${flag}?color=00f`)).svg).toMatch(/#020304[\s\S]*#030405/);
    expect(asked).toEqual(['010203', null, '0000ff']);
  });

  it('is built from lock and vendor file alone, in the modes of machines without a catalog', async () => {
    const root = await temporaryFolder();
    const specifiers = [`icon:${flag}`, `icon:${brand}?color=original`];
    const online = await load(root, specifiers, { vendor: true });
    catalog.reset();
    for (const mode of ['locked', 'offline'] as const) {
      const cacheDir = await temporaryFolder();
      const again = await load(root, specifiers, {
        vendor: true,
        mode,
        cacheDir,
        configured: false,
      });
      expect(again.map(({ code }) => code)).toEqual(online.map(({ code }) => code));
    }
    expect(catalog.calls).toEqual([]);
    await expect(load(root, [`icon:${brand}`], { mode: 'locked' })).rejects.toMatchObject({
      code: 'LOCK_MISSING',
    });
  });

  it('is one symbol of a sprite, however its colours were asked for', async () => {
    const root = await temporaryFolder();
    const embedded = { sets: [], folders: [art] };
    const session = createSession({ catalog: { embedded }, cacheDir: root }, 'test');
    session.configure({ root, env: {}, log: recordingLog() });
    onTestFinished(() => session.close());
    const ids = [
      `icon:${flag}?sprite`,
      `icon:${flag}?sprite&color=original`,
      `icon:${brand}?sprite`,
      `icon:${brand}?sprite&color=original`,
    ].map((specifier) => session.resolve(specifier));
    for (const id of ids) await session.load(id);
    const sprite = await session.sprite(ids);
    expect([...(sprite?.symbols ?? [])].toSorted()).toEqual(
      [`icon-${flag}-original`, `icon-${brand}`, `icon-${brand}-original`].toSorted(),
    );
    expect(sprite?.source.match(/#e11/g)).toHaveLength(1);
  });

  it('is named once in the summary, cold and warm, and an image of it is not called black', async () => {
    const root = await temporaryFolder();
    const { lines, ...log } = recordingLog();
    const session = createSession(
      {
        catalog: { embedded: { sets: [], folders: [art] } },
        cacheDir: root,
        aliases: { banner: flag ?? 0 },
      },
      'test',
    );
    session.configure({ root, env: {}, log });
    onTestFinished(() => session.close());
    for (const round of ['cold', 'warm']) {
      lines.length = 0;
      session.begin();
      for (const specifier of ['icon:banner', 'icon:banner?size=2em', `icon:${brand}`])
        await session.load(session.resolve(specifier, '/main.js'));
      await session.end();
      expect(lines.join('\n').match(/banner/g), round).toHaveLength(1);
      expect(lines.at(-1), round).toMatch(/^info test: .* · in their own colours: banner$/);
    }

    lines.length = 0;
    const own = await session.image('icon:banner', { property: 'background' });
    expect(own.dataUri).toContain('%23e11');
    expect(lines).toEqual([]);
    const black = await session.image(`icon:${brand}`, { property: 'background' });
    expect(black.dataUri).toContain('currentColor');
    expect(lines.join()).toContain('is drawn in black');
    expect(lines.join()).toContain('?color=original');
    const kept = await session.image(`icon:${brand}?color=original`, { property: 'background' });
    expect(kept.dataUri).toContain('%2341b883');
  });

  it.each(FRAMEWORKS)('is a component of %s in its own colours', async (framework: Framework) => {
    const [own, asked] = await load(
      await temporaryFolder(),
      [`icon:${flag}?component`, `icon:${brand}?component&color=original`],
      { framework },
    );
    expect(own?.code).toMatch(/#e11[\s\S]*#1e1/);
    expect(asked?.code).toContain('#41b883');
    expect(asked?.code).not.toContain('#original');
  });

  it('keeps them in every form of one build: markup, file, address, component, sprite, style sheet and page', async () => {
    const root = await writeProject({
      'index.html': `<link rel="icon" href="icon:own/flag"><img src="icon:own/brand?color=original" alt=""><img inline src="icon:own/flag" alt=""><script type="module" src="/main.js"></script>`,
      'main.js': `import './main.css'; import svg from 'icon:own/flag?raw'; import file from 'icon:own/flag?url';
        import address from 'icon:own/flag?inline'; import symbol from 'icon:own/flag?sprite'; import Flag from 'icon:own/flag';
        import Brand from 'icon:own/brand?color=original'; import brand from 'icon:own/brand?sprite&color=original';
        console.log(svg, file, address, symbol, Flag, Brand, brand);`,
      'main.css': `a { background: url(icon:own/flag) } b { background: url(icon:own/brand?color=original&url) }`,
    });
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [
        vitePlugin({
          catalog: { embedded: { sets: [], folders: [art] } },
          framework: 'web-component',
          cacheDir: join(root, '.cache'),
        }),
      ],
    });
    const files = await readTree(join(root, 'dist'));
    const texts = [...files].flatMap(([name, bytes]) =>
      name.startsWith('icon-attribution.') ? [] : [[name, decodeURIComponent(String(bytes))]],
    );
    const drawn = (color: RegExp): Record<string, number> => {
      const sums: Record<string, number> = { html: 0, css: 0, js: 0, svg: 0 };
      for (const [name = '', text = ''] of texts) {
        const kind = name.split('.').at(-1) ?? '';
        sums[kind] = (sums[kind] ?? 0) + (text.match(color)?.length ?? 0);
      }
      return sums;
    };
    // In the script: markup, address and component. Files: the one that page and script ask for, and the sprite.
    for (const color of [/#e11\b/g, /#1e1\b/g])
      expect(drawn(color)).toEqual({ html: 1, css: 1, js: 3, svg: 2 });
    expect(drawn(/#41b883\b/g)).toEqual({ html: 1, css: 0, js: 1, svg: 2 });
    // The script has it from the code that components share.
    expect(drawn(/currentColor/g)).toEqual({ html: 0, css: 0, js: 1, svg: 0 });
    const { icons } = parseManifest(String(files.get('icon-attribution.json')));
    expect(
      icons.map(({ title, changes, usedIn }) => [
        title,
        changes.filter(({ kind }) => kind === 'recolor'),
        [...new Set(usedIn.map(({ kind }) => kind))].toSorted(),
      ]),
    ).toEqual([
      ['Brand', [], ['asset', 'inline-html', 'inline-js', 'sprite-symbol']],
      ['Flag', [], ['asset', 'inline-css', 'inline-html', 'inline-js', 'sprite-symbol']],
    ]);
  });
});
