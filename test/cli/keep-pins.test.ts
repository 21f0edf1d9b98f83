import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { encodeLockfile } from '../../src/store/lockfile-format.ts';
import { readLockfile } from '../../src/store/lockfile.ts';
import type { LockEntry } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';
import { runInProject, type ProjectRun } from './support/project-cli.ts';

const id = {
  bus: embeddedIconId('maki', 'bus'),
  cafe: embeddedIconId('maki', 'cafe'),
  fuel: embeddedIconId('maki', 'fuel'),
  home: embeddedIconId('tabler', 'home'),
  lion: embeddedIconId('game-icons', 'lion'),
};

const SOURCES = {
  'icon-catalog.config.json': JSON.stringify({
    aliases: { bus: id.bus, cafe: id.cafe, lion: id.lion },
  }),
  'src/main.ts': `import bus from 'icon:bus?size=24';\nimport again from 'icon:bus?color=ff0000';\nimport credits from 'icon:credits';\n`,
  'src/page.vue': `<script setup>import set from 'icon:set?ids=bus,cafe'</script>\n<style>a { mask: url(icon:${id.home}) }</style>\n`,
  'src/art.mdx': `import png from 'icon:lion?filetype=png&size=64'\n`,
  'tsconfig.json': '{}',
};
/** Lines of the lock that these sources need. */
const LINES = [`${id.bus}:svg`, `${id.cafe}:svg`, `${id.home}:svg`, `${id.lion}:png:64`];

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
beforeEach(() => catalog.reset());
afterAll(() => catalog.close());

interface Project {
  root: string;
  run(args: string, options?: Parameters<typeof runInProject>[2]): Promise<ProjectRun>;
  lock(): Promise<string>;
  /** Keys of the lock, in its order. */
  lines(): Promise<string[]>;
}

async function project(files: Record<string, string> = SOURCES): Promise<Project> {
  const root = await writeProject(files);
  const lock = (): Promise<string> => readFile(join(root, 'icons.lock'), 'utf8').catch(() => '');
  return {
    root,
    lock,
    lines: async () => [...(await lock()).matchAll(/^"(\d[^"]*)":/gm)].map(([, key]) => key ?? ''),
    run: (args, options = {}) =>
      runInProject(root, args.split(' '), {
        ...options,
        env: {
          ICON_CATALOG_URL: catalog.url,
          ICON_CATALOG_KEY: catalog.key,
          ICON_CATALOG_SECRET: catalog.secret,
          ICON_CATALOG_CACHE_DIR: join(root, '.cache'),
          ...options.env,
        },
      }),
  };
}

/** The same project on a machine that has no catalog. */
const NOWHERE = { ICON_CATALOG_URL: '', ICON_CATALOG_KEY: '', ICON_CATALOG_SECRET: '' };

describe('sync', () => {
  it('says what it would cost, pins what sources refer to, and then costs nothing', async () => {
    const { run, lines, lock } = await project();
    const dry = await run('sync --dry-run --json');
    expect(dry).toMatchObject({ code: 0, json: { references: 6, icons: 4, calls: 8 } });
    expect(catalog.calls).toEqual([]);
    expect(await lock()).toBe('');

    const first = await run('sync --json');
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ calls: 8, problems: [], unknown: [], warnings: [] });
    expect(catalog.calls).toHaveLength(8);
    expect((await lines()).toSorted()).toEqual(LINES.toSorted());
    expect(first.err).toBe(
      '6 references to 4 icons (3 files read); 4 lines added to icons.lock; 8 calls.\n',
    );

    const before = await lock();
    const again = await run('sync');
    expect(again).toMatchObject({ code: 0, out: '' });
    expect(again.err).toContain('0 lines added to icons.lock; 0 calls.');
    expect(catalog.calls).toHaveLength(8);
    expect(await lock()).toBe(before);
    expect(await run('sync --dry-run --json')).toMatchObject({ json: { calls: 0, missing: [] } });
  });

  it('pins what pages and style sheets show, whatever the form of scripts is', async () => {
    const { run, lines } = await project({
      'icon-catalog.config.json': '{ "framework": "react", "defaults": { "as": "meta" } }',
      'a.css': `a { background: url(icon:${id.bus}?color=f00) }`,
      'b.html': `<img src="icon:${id.cafe}?filetype=png"><img inline src="icon:${id.fuel}" alt=""><svg><use href="icon:${id.home}"/></svg>`,
      'c.jsx': `import Lion from 'icon:${id.lion}?component'`,
    });
    expect(await run('sync --json')).toMatchObject({ code: 0, json: { references: 5 } });
    expect((await lines()).toSorted()).toEqual(
      [
        `${id.bus}:svg`,
        `${id.cafe}:png`,
        `${id.fuel}:svg`,
        `${id.home}:svg`,
        `${id.lion}:svg`,
      ].toSorted(),
    );
  });

  it('shows what it added in a table that names licences', async () => {
    const { run } = await project();
    const { out } = await run('sync');
    expect(out.split('\n')[0]).toMatch(/^LINE +NAME +LICENCE +BYTES$/);
    expect(out).toMatch(new RegExp(`^${id.lion}:png:64 +Lion +creative-commons-attribution`, 'm'));
  });

  it('writes exact types for the imports of scripts, and forgets those that are gone', async () => {
    const { run, root } = await project();
    await writeFile(join(root, 'icon-catalog.d.ts'), 'declare module "icon:old" {\n}\n');
    await run('sync');
    const text = await readFile(join(root, 'icon-catalog.d.ts'), 'utf8');
    expect([...text.matchAll(/^declare module "(.*)"/gm)].map(([, name]) => name)).toEqual([
      // All aliases are declared, and of them those that are imported with parameters.
      'icon:bus',
      'icon:bus?color=ff0000',
      'icon:bus?size=24',
      'icon:cafe',
      'icon:lion',
      'icon:lion?filetype=png&size=64',
      'icon:set?ids=bus,cafe',
    ]);
    const { mtimeMs } = await stat(join(root, 'icon-catalog.d.ts'));
    await run('sync src/main.ts');
    expect((await stat(join(root, 'icon-catalog.d.ts'))).mtimeMs).toBe(mtimeMs);
  });

  it('names every reference that cannot be pinned, with its place, and pins the others', async () => {
    const { run, lines, root } = await project();
    await writeFiles(root, {
      'src/wrong.js': "import a from 'icon:99999999';\n\nimport b from 'icon:buss';\n",
      'src/late.js': 'import(`icon:${name}`);\nconst = broken;\n',
    });
    const { code, err, json } = await run('sync --json');
    expect(code).toBe(1);
    expect((await lines()).toSorted()).toEqual(LINES.toSorted());
    expect(err).toContain('error 2 references cannot be pinned:');
    expect(err).toMatch(/\[SPECIFIER_INVALID\][^]*imported by src\/wrong\.js:3:16[^]*icon:bus/);
    expect(err).toMatch(/\[CATALOG_NOT_FOUND\][^]*imported by src\/wrong\.js:1:16/);
    expect(err).toMatch(/^warning src\/late\.js:2:7 cannot be read .*searched for as plain text/m);
    expect(json).toMatchObject({
      problems: [{ code: 'SPECIFIER_INVALID' }, { code: 'CATALOG_NOT_FOUND' }],
    });
  });

  it('says where it has the options from if an alias or an option is unknown', async () => {
    const { run, root } = await project();
    await writeFiles(root, { 'src/wrong.js': "import a from 'icon:buss';\n" });
    const known = 'an alias (`bus`, `cafe`, `lion`; the options were read from';
    expect((await run('sync --dry-run')).err).toContain(`${known} icon-catalog.config.json)`);
    expect((await run('add house')).err).toContain(`${known} icon-catalog.config.json)`);
    await writeFiles(root, { 'icon-catalog.config.json': '{ "alias": {} }' });
    const wrong = await run('sync');
    expect(wrong.err).toMatch(
      /OPTIONS_INVALID[^]*`alias`[^]*The options were read from icon-catalog\.config\.json\./,
    );
    await rm(join(root, 'icon-catalog.config.json'));
    expect((await run('add house')).err).toContain(
      'an alias (none is set; no configuration with the plugin was found in this folder or in the package around it: looked for icon-catalog.config.*',
    );
  });

  const CALLED = "import iconCatalog from 'unplugin-icon-catalog/vite';\n[iconCatalog()]";
  const ABSENT = 'no configuration with the plugin was found';
  const NUXT = "defineNuxtConfig({ modules: ['unplugin-icon-catalog/nuxt'] })";
  it.each([
    ['rsbuild.config.ts', CALLED, CALLED.replace('()', '({ aliases })')],
    ['eleventy.config.js', CALLED, CALLED.replace('()', '({ aliases })')],
    ['docusaurus.config.ts', CALLED, CALLED.split('\n')[0] ?? ''],
    ['astro.config.mjs', CALLED, CALLED.replace('()', '({ aliases })')],
    ['next.config.mjs', CALLED, CALLED.replace('()', '({ aliases })')],
    ['.storybook/main.ts', CALLED, CALLED.replace('()', '({ aliases })')],
    ['nuxt.config.ts', NUXT, NUXT.replace(/('[^']*')/, '[$1, { aliases }]')],
  ])('names icon-catalog.config.* if the options stand in %s', async (file, bare, configured) => {
    const { run, root } = await project({ [file]: '' });
    // A name in a list is no call.
    const called = bare === NUXT ? ABSENT : `the options were read from ${file})`;
    for (const [text, source] of [
      ["import 'somewhere-else';", ABSENT] as const,
      [bare, called] as const,
    ]) {
      await writeFiles(root, { [file]: text });
      const none = await run('add house');
      expect(none.err).toContain(`none is set; ${source}`);
      expect(none.err).not.toContain('warning');
    }
    await writeFiles(root, { [file]: configured });
    const { code, err } = await run('add house');
    expect(code).toBe(1);
    // The folder has neither the package nor what the configuration refers to.
    expect(err).toMatch(
      `error [OPTIONS_INVALID] The command line cannot read the options in ${file}: it `,
    );
    expect(err).toContain(
      'Put the options into icon-catalog.config.ts (or .js, .json) in this folder, and call the plugin without any',
    );
  });

  it('fetches bytes that the cache has lost, and refuses those that differ from the lock', async () => {
    const { run, root, lock } = await project();
    await run('sync');
    await rm(join(root, '.cache'), { recursive: true });
    catalog.reset();
    const before = await lock();
    expect(await run('sync --dry-run --json')).toMatchObject({ json: { calls: 4, missing: [] } });
    expect((await run('sync')).code).toBe(0);
    expect(catalog.calls).toHaveLength(4);
    expect(await lock()).toBe(before);
  });

  it('is not held back by CI, and says where nothing is configured', async () => {
    const { run, lines } = await project();
    const unconfigured = await run('sync', { env: NOWHERE });
    expect(unconfigured.code).toBe(1);
    expect(unconfigured.err).toContain('CATALOG_NOT_CONFIGURED');
    // Where a lock exists, CI means `locked` to builds.
    await run('add bus');
    expect((await run('sync', { env: { CI: '1' } })).code).toBe(0);
    expect(await lines()).toHaveLength(4);
  });
});

describe('add', () => {
  it('pins ids, aliases, specifiers and sets', async () => {
    const { run, lines } = await project();
    const { code, err } = await run(
      `add ${id.fuel} bus icon:cafe?filetype=png icon:set?ids=lion,bus`,
    );
    expect(code).toBe(0);
    expect(err).toBe('4 lines added to icons.lock; 8 calls.\n');
    expect((await lines()).toSorted()).toEqual(
      [`${id.bus}:svg`, `${id.cafe}:png`, `${id.fuel}:svg`, `${id.lion}:svg`].toSorted(),
    );
    expect((await run('add bus')).err).toBe('0 lines added to icons.lock; 0 calls.\n');
  });

  it('refuses what is no icon', async () => {
    const { run } = await project();
    expect(await run('add buss')).toMatchObject({
      code: 1,
      err: expect.stringContaining('icon:bus'),
    });
    expect((await run('add')).code).toBe(2);
  });
});

describe('update', () => {
  const drawing = (path: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}"/></svg>`;

  /** A catalog over a folder of drawings, which can change. */
  async function changing(): Promise<{
    project: Project;
    serve(license: string, author: string): Promise<Record<string, string>>;
  }> {
    const made = await project({
      'art/box.svg': drawing('M1 1h9v9H1z'),
      'art/dot.svg': drawing('M2 2h3v3H2z'),
    });
    return {
      project: made,
      async serve(license, author) {
        const served = await startCountingCatalog({
          sets: [],
          folders: [{ path: 'art', name: 'Art', author, license }],
          root: made.root,
        });
        closing.push(served);
        const { url, key, secret } = served;
        return { ICON_CATALOG_URL: url, ICON_CATALOG_KEY: key, ICON_CATALOG_SECRET: secret };
      },
    };
  }
  const closing: CountingCatalog[] = [];
  afterAll(() => Promise.all(closing.map((served) => served.close())));

  it('shows what differs by field, rights first; --check writes nothing', async () => {
    const { project: made, serve } = await changing();
    const { root, run, lock } = made;
    const before = await serve('public-domain', 'Aya');
    const searched = JSON.parse((await run('search box --json', { env: before })).out) as {
      id: string;
    }[];
    const box = searched[0]?.id ?? '';
    expect((await run(`add ${box}`, { env: before })).code).toBe(0);
    const pinned = await lock();
    expect(await run('update --check', { env: before })).toMatchObject({ code: 0, out: '' });

    await writeFile(join(root, 'art/box.svg'), drawing('M1 1h8v8H1z'));
    const after = await serve('creative-commons-attribution', 'Bo');
    const checked = await run('update --check --json', { env: after });
    expect(checked.code).toBe(1);
    const { differences } = checked.json as { differences: { field: string; legal: boolean }[] };
    expect(differences[0]).toMatchObject({
      key: `${box}:svg`,
      field: 'license_description',
      locked: 'public-domain',
      current: 'creative-commons-attribution',
      legal: true,
    });
    expect(differences.map(({ field }) => field)).toContain('integrity');
    expect(checked.err).toContain('1 icon differs from icons.lock');
    const verified = await run('verify --online --json', { env: after });
    expect(verified).toMatchObject({
      code: 1,
      json: {
        problems: [
          {
            code: 'LOCK_MISMATCH',
            message: expect.stringContaining(
              'license_description was “public-domain”, is “creative-commons-attribution”; attribution was',
            ),
          },
        ],
      },
    });
    // The same words from both, with old and new.
    const problemsOf = ({ json }: { json: unknown }): { message: string }[] =>
      (json as { problems: { message: string }[] }).problems;
    expect(problemsOf(checked)).toEqual(problemsOf(verified));
    expect(checked.err).toContain(
      `The catalog states other rights for icon ${box} than icons.lock: license_description was “public-domain”, is “creative-commons-attribution”; attribution was`,
    );
    expect(await run('verify', { env: after })).toMatchObject({ code: 0 });
    expect(await run('verify --online', { env: before })).toMatchObject({ code: 0 });
    expect(await lock()).toBe(pinned);

    const updated = await run('update', { env: after });
    expect(updated.code).toBe(0);
    expect(updated.out).toContain('  - public-domain\n  + creative-commons-attribution');
    expect(updated.err).toMatch(
      /^1 icon asked for; 1 icon differs from icons\.lock, 1 of them in licence, credit or creator; 1 icon updated; 2 calls\.$/m,
    );
    expect(await lock()).toMatch(new RegExp(`^"${box}:svg":\\{"rev":2,`, 'm'));
    const again = await run('update --check', { env: after });
    expect(again.code).toBe(0);
    expect(again.err).toContain(
      '1 icon asked for; 0 icons differ from icons.lock; nothing was written;',
    );
    // The new bytes are here: a build without a network has them.
    expect(
      (
        await run('verify', {
          env: { ...after, ...NOWHERE, ICON_CATALOG_URL: after['ICON_CATALOG_URL'] ?? '' },
        })
      ).code,
    ).toBe(0);
  });

  it('leaves an icon as it was whose new licence the policy refuses', async () => {
    const { project: made, serve } = await changing();
    const { root, run, lock } = made;
    const before = await serve('public-domain', 'Aya');
    const [box] = JSON.parse((await run('search box --json', { env: before })).out) as {
      id: string;
    }[];
    await run(`add ${box?.id}`, { env: before });
    const pinned = await lock();
    await writeFiles(root, {
      'icon-catalog.config.json': JSON.stringify({ licenses: { allow: ['public-domain'] } }),
    });
    const after = await serve('creative-commons-attribution', 'Aya');
    expect(await run('update', { env: after })).toMatchObject({
      code: 1,
      err: expect.stringContaining('LICENSE_REFUSED'),
    });
    expect(await lock()).toBe(pinned);
  });

  it('names the catalog’s new site in the lock once every icon was asked for again, and not before', async () => {
    const { run, lock } = await project();
    const site = async (): Promise<string | undefined> =>
      /^"catalog":"(.+)",$/m.exec(await lock())?.[1];
    const moved = { env: { ICON_CATALOG_SITE_URL: 'https://icons.example/' } };
    await run('sync');
    const first = await site();
    expect(first).toMatch(/^sha512-/);
    expect(await run(`update ${id.bus}`, moved)).toMatchObject({ code: 0 });
    expect(await site()).toBe(first);
    expect(await run('update', moved)).toMatchObject({ code: 0 });
    expect(await site()).toMatch(/^sha512-/);
    expect(await site()).not.toBe(first);
  });

  it('updates only what it is asked to, and only what is pinned', async () => {
    const { run } = await project();
    await run('sync');
    catalog.reset();
    expect((await run('update bus')).code).toBe(0);
    expect(catalog.calls).toEqual([`GET /v2/icon/${id.bus}`, `GET /v2/icon/${id.bus}/download`]);
    expect(await run(`update ${id.fuel}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('LOCK_MISSING'),
    });
  });
});

describe('verify', () => {
  it('holds without a network, and names all problems at once', async () => {
    const { run, root, lock } = await project();
    await run('sync');
    catalog.reset();
    expect(await run('verify')).toMatchObject({ code: 0, out: '' });
    await writeFiles(root, { 'src/new.js': "import 'icon:1';\nimport 'icon:busss';\n" });
    await rm(join(root, '.cache', 'content'), { recursive: true });
    const { code, err, json } = await run('verify --json');
    expect(code).toBe(1);
    const { problems } = json as { problems: { code: string; importer?: string }[] };
    expect(problems.map((problem) => problem.code).toSorted()).toEqual([
      'LOCK_MISSING',
      'SPECIFIER_INVALID',
    ]);
    expect(err).toMatch(
      /\[LOCK_MISSING\] icons\.lock has no line for `icon:1`\.\n.*src\/new\.js:1:9/,
    );
    await writeFile(join(root, 'icons.lock'), (await lock()).replace('"rev":1', '"rev":'));
    expect(await run('verify')).toMatchObject({
      code: 1,
      err: expect.stringContaining('LOCK_INVALID'),
    });
    expect(catalog.calls).toEqual([]);
  });

  it('distinguishes bytes that this machine lacks from bytes that are wrong, and fails for them when asked to', async () => {
    const { run, root } = await project();
    await run('sync');
    await rm(join(root, '.cache'), { recursive: true });
    const clone = await run('verify --json', { env: NOWHERE });
    const { unverified, problems, lines } = clone.json as Record<string, unknown>;
    expect({ code: clone.code, problems, lines }).toEqual({
      code: 0,
      problems: [],
      lines: LINES.length,
    });
    expect((unverified as string[]).toSorted()).toEqual(LINES.toSorted());
    expect(clone.err).toContain(`Not verified, as no place on this machine has the bytes: 4 lines`);
    const asked = await run('verify --require-bytes --json', { env: NOWHERE });
    expect(asked.code).toBe(1);
    const { problems: found } = asked.json as { problems: { code: string }[] };
    expect(found.map(({ code }) => code)).toEqual(LINES.map(() => 'OFFLINE_MISSING'));
  });

  it('and update find lines that do not say what was written, which update fixes', async () => {
    const { run, root, lock } = await project();
    await run('sync');
    const right = await lock();
    const file = join(root, 'icons.lock');
    const at = right.indexOf(`"${id.bus}:svg"`);
    const damaged = right.slice(0, at) + right.slice(at).replace('"name":"', '"name":"X');
    await writeFile(file, damaged);
    const line = right.slice(0, at).split('\n').length;
    const verified = await run('verify --json');
    expect(verified).toMatchObject({
      code: 1,
      json: { problems: [{ code: 'LOCK_MISMATCH', icon: String(id.bus) }], unverified: [] },
    });
    expect(verified.err).toContain(`icons.lock:${line} (${id.bus}:svg)`);
    const asked = await run('verify --online --json');
    const { problems } = asked.json as { problems: { code: string; message: string }[] };
    expect(problems.map(({ code }) => code)).toEqual(['LOCK_MISMATCH', 'LOCK_MISMATCH']);
    expect(problems[1]?.message).toContain('creator.name');
    // Nothing else writes the file: it would confirm what was not checked.
    for (const command of ['sync', `add ${id.fuel}`, 'prune --yes', `update ${id.cafe}`])
      expect(await run(command), command).toMatchObject({
        code: 1,
        err: expect.stringContaining(`npx icon-catalog update ${id.bus}`),
      });
    const checked = await run('update --check --json');
    const { differences } = checked.json as { differences: { field: string; legal: boolean }[] };
    expect(checked.code).toBe(1);
    expect(differences.map(({ field }) => field)).toEqual(['creator.name', 'check']);
    expect(await lock()).toBe(damaged);
    expect((await run(`update ${id.bus}`)).code).toBe(0);
    expect((await run('verify')).code).toBe(0);
    const repaired = (await lock()).split('\n');
    expect(repaired.filter((text) => !right.includes(text))).toEqual([
      expect.stringMatching(new RegExp(`^"${id.bus}:svg":\\{"rev":2,`)),
    ]);
  });

  it('reports lines that say different things of one icon’s rights', async () => {
    const { run, root } = await project({ 'src/a.ts': `import 'icon:${id.lion}'` });
    await run('sync');
    await run(`add icon:${id.lion}?filetype=png`);
    expect(await run('verify')).toMatchObject({ code: 0 });
    const file = join(root, 'icons.lock');
    const { catalog: digest, entries } = (await readLockfile(file, 'icons.lock')).content();
    const write = (change: (entry: LockEntry) => LockEntry): Promise<void> => {
      const changed = new Map(
        [...entries].map(([key, entry]) => [key, key.endsWith(':png') ? entry : change(entry)]),
      );
      return writeFile(file, encodeLockfile({ catalog: digest, entries: changed }));
    };
    await write((entry) => ({ ...entry, rev: 2, tags: [] }));
    expect(await run('verify')).toMatchObject({ code: 0 });
    await write((entry) => ({ ...entry, rev: 2, license_description: 'public-domain' }));
    const { code, err } = await run('verify');
    expect(code).toBe(1);
    expect(err).toMatch(
      /LOCK_MISMATCH[^]*:png", license_description was “creative-commons-attribution”, is “public-domain” in the newest line/,
    );
  });

  it('holds licences against the policy', async () => {
    const { run, root } = await project();
    await run('sync');
    const { aliases } = JSON.parse(SOURCES['icon-catalog.config.json']) as { aliases: object };
    await writeFiles(root, {
      'icon-catalog.config.json': JSON.stringify({
        aliases,
        licenses: { allow: ['MIT', 'public-domain'] },
      }),
    });
    const { code, json } = await run('verify --json');
    expect(code).toBe(1);
    expect(json).toMatchObject({ problems: [{ code: 'LICENSE_REFUSED', icon: String(id.lion) }] });
  });
});

describe('prune', () => {
  it('removes what no source refers to, once asked to', async () => {
    const { run, lines } = await project();
    await run('sync');
    await run(`add ${id.fuel}`);
    const dry = await run('prune --dry-run --json');
    expect(dry).toMatchObject({
      code: 0,
      json: { removed: [], unused: [{ key: `${id.fuel}:svg` }] },
    });
    expect(await lines()).toHaveLength(5);

    const unasked = await run('prune');
    expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining('Add --yes') });
    const refused = await run('prune', { terminal: true, answer: false });
    expect(refused).toMatchObject({
      code: 0,
      err: expect.stringContaining('Nothing was changed.') as string,
    });
    expect(refused.questions[0]).toContain(`${id.fuel}:svg Fuel`);
    expect(await lines()).toHaveLength(5);

    expect((await run('prune', { terminal: true, answer: true })).code).toBe(0);
    expect((await lines()).toSorted()).toEqual(LINES.toSorted());
    expect(await run('prune --yes')).toMatchObject({ code: 0, out: '' });
  });

  it('keeps what installed and linked packages bring into the last build, which only `add` can pin', async () => {
    const { run, lines, root } = await project();
    await writeFiles(root, {
      'src/app.js': `import bus from 'icon:${id.bus}'; import fuel from 'ui'; import lion from 'kit'; console.log(bus, fuel, lion);`,
      'node_modules/ui/package.json': '{ "name": "ui", "type": "module", "main": "index.js" }',
      'node_modules/ui/index.js': `export { default } from 'icon:${id.fuel}?color=ff0000';`,
    });
    // As `npm link` has it: the files of the package are not below the project.
    const kit = await writeProject({
      'package.json': '{ "name": "kit", "type": "module", "main": "index.js" }',
      'index.js': `export { default } from 'icon:${id.lion}';`,
    });
    await symlink(kit, join(root, 'node_modules/kit'), 'junction');
    await run('sync');
    await run(`add ${id.home}`);
    const { url: baseUrl, key, secret } = catalog;
    const built = (): Promise<unknown> =>
      build({
        root,
        configFile: false,
        logLevel: 'silent',
        build: { outDir: '.output/public', rollupOptions: { input: join(root, 'src/app.js') } },
        plugins: [
          vitePlugin({
            catalog: { baseUrl, key, secret },
            cacheDir: join(root, '.cache'),
            mode: 'locked',
          }),
        ],
      });
    const names = [`icon:${id.fuel}?color=ff0000`, `icon:${id.lion}`];
    const add = `npx icon-catalog add '${names[0]}' ${names[1]}`;
    await expect(built()).rejects.toThrow(
      `Run \`${add}\` where the catalog can be reached, and commit icons.lock: the sources that`,
    );
    await run(`add ${names.join(' ')}`);
    await built();
    // An editor of Windows has saved it since.
    const list = join(root, '.output/public/icon-attribution.json');
    await writeFile(list, `\uFEFF${await readFile(list, 'utf8')}`);

    const before = await lines();
    const { code, err, json } = await run('prune --yes --json');
    expect(code).toBe(0);
    const pinned = [`${id.fuel}:svg`, `${id.lion}:svg`].toSorted().map((key) => ({ key }));
    expect(json).toMatchObject({ removed: [], kept: pinned });
    expect(err).toContain(
      '2 lines that no source refers to stay: the last build shipped the icons (.output/public/icon-attribution.json).',
    );
    expect(await lines()).toEqual(before);
    await rm(join(root, '.output'), { recursive: true });
    expect(await run('prune --yes --json')).toMatchObject({
      json: { removed: pinned, kept: [] },
    });
  });

  it('counts icons that only classes of Tailwind name, as sync does', async () => {
    const shown = `bg-[url(icon:${id.bus}?color=f00)]`;
    const { run, lines, root } = await project({
      'index.html': `<link rel="stylesheet" href="/style.css"><p class="${shown}">x</p>`,
      'style.css': '@import "tailwindcss";',
    });
    // What Tailwind's own plugin does: it writes a rule for each class that it finds in the sources.
    const tailwind: Plugin = {
      name: 'tailwind',
      enforce: 'pre',
      async transform(_, file) {
        if (!file.endsWith('style.css')) return undefined;
        const [, address = ''] =
          /bg-\[(url[^\]]+)/.exec(await readFile(join(root, 'index.html'), 'utf8')) ?? [];
        return `.bg-icon { background-image: ${address} }`;
      },
    };
    const { url: baseUrl, key, secret } = catalog;
    const options = { catalog: { baseUrl, key, secret }, cacheDir: join(root, '.cache') };
    const built = (): Promise<unknown> =>
      build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin({ ...options, mode: 'locked' }), tailwind],
      });
    await expect(built()).rejects.toThrow('LOCK_MISSING');
    expect((await run('sync')).code).toBe(0);
    await built();
    expect(await run('prune --yes --json')).toMatchObject({ json: { removed: [], kept: [] } });
    expect(await lines()).toEqual([`${id.bus}:svg`]);
  });

  it('removes nothing while a reference cannot be known, unless it is forced to', async () => {
    const { run, lines, root } = await project();
    await run('sync');
    await writeFiles(root, { 'src/art.mdx': '', 'src/late.js': 'import(`icon:${name}`);\n' });
    const { code, err } = await run('prune --yes');
    expect(code).toBe(1);
    expect(err).toContain('what src/late.js:1:8 refers to cannot be known');
    expect(await lines()).toHaveLength(4);
    expect((await run('prune --force')).code).toBe(0);
    expect(await lines()).toHaveLength(3);
  });
});

describe('a vendor file', () => {
  it('follows the lock through every command', async () => {
    const aliases = { bus: id.bus, cafe: id.cafe, lion: id.lion };
    const { run, root } = await project({
      ...SOURCES,
      'icon-catalog.config.json': JSON.stringify({ aliases, vendor: true }),
    });
    const vendor = join(root, 'icons.vendor.ndjson');
    const count = async (): Promise<number> =>
      (await readFile(vendor, 'utf8')).trimEnd().split('\n').length;
    await run('sync');
    // The icons, and what the catalog is called.
    expect(await count()).toBe(LINES.length + 1);
    await run(`add ${id.fuel}`);
    expect(await count()).toBe(LINES.length + 2);
    await rm(join(root, '.cache'), { recursive: true });
    expect(await run('verify', { env: NOWHERE })).toMatchObject({ code: 0 });
    await run('prune --yes', { env: NOWHERE });
    expect(await count()).toBe(LINES.length + 1);
    expect(await run('verify', { env: NOWHERE })).toMatchObject({ code: 0 });
  });
});
