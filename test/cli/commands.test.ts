import { describe, expect, it } from 'vitest';
import type { Collection, Icon, Usage } from '../../src/client.ts';
import { widest } from './support/lines.ts';
import { withoutSignatures } from '../../src/cli/terminal.ts';
import { writeProject } from '../support/write-project.ts';
import { runOn } from './support/fake-host.ts';
import { runInProject } from './support/project-cli.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort();
const { env } = catalog;

/** Runs in this process, which takes a tenth of the time of a new one. Tests that call `runCli` start the built command. */
async function runJson<Value>(args: readonly string[]): Promise<Value> {
  const { code, out, err } = await runOn([...args, '--json'], { env: env() });
  expect(err()).not.toMatch(/^error/m);
  expect(code).toBe(0);
  return JSON.parse(out()) as Value;
}

describe('search', () => {
  it('shows a table that fits into 80 columns, and counts on standard error', async () => {
    const { code, stdout, stderr } = await runCli(['search', 'house', '--limit', '10'], {
      env: env(),
    });
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/ID +NAME +STYLE +LICENCE +CREATOR/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(11);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    expect(stderr).toMatch(
      /^10 of \d+ icons; \d+ of 1000000 calls this month\. For more, add --next-page /,
    );
  });

  it('uses the width that COLUMNS says', async () => {
    const args = ['search', 'house', '--limit', '50'];
    const narrow = await runCli(args, { env: { ...env(), COLUMNS: '60' } });
    const wide = await runCli(args, { env: { ...env(), COLUMNS: '200' } });
    expect(widest(narrow.stdout)).toBeLessThanOrEqual(60);
    expect(narrow.stdout).toContain('…');
    expect(wide.stdout).not.toContain('…');
  });

  it('sends every filter under the name of the wire', async () => {
    const icons = await runJson<Icon[]>([
      'search',
      'arrow',
      'left',
      '--style=line',
      '--line-weight=30-60',
      '--thumbnail-size=42',
      '--include-svg',
      '--limit=4',
      '--show-signed',
    ]);
    expect(icons).toHaveLength(4);
    for (const { styles, icon_url, thumbnail_url } of icons) {
      expect(styles?.map(({ style }) => style)).toEqual(['line']);
      expect(styles?.[0]?.line_weight).toBeGreaterThanOrEqual(30);
      expect(icon_url).toMatch(/Signature=/);
      expect(thumbnail_url).toContain('42');
    }
  });

  it('takes several styles and public-domain icons only', async () => {
    const icons = await runJson<Icon[]>(
      'search --style solid --style line --public-domain --limit 30'.split(' '),
    );
    expect(icons.map((icon) => icon.license_description)).toEqual(
      Array.from({ length: 30 }, () => 'public-domain'),
    );
  });

  it('follows every page with --all, one call each, and repeats nothing', async () => {
    const icons = await runJson<Icon[]>(['search', 'home', '--all', '--limit', '7']);
    expect(catalog.calls).toHaveLength(Math.ceil(icons.length / 7));
    const whole = await runJson<Icon[]>(['search', 'home', '--limit', '1000']);
    expect(icons.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect(new Set(icons.map(({ id }) => id)).size).toBe(icons.length);
  });

  it('goes on at a page that an earlier answer named', async () => {
    const first = await runCli(['search', 'home', '--limit', '3'], { env: env() });
    const token = /--next-page (\S+)/.exec(first.stderr)?.[1] ?? '';
    const second = await runJson<Icon[]>(['search', 'home', '--limit', '3', '--next-page', token]);
    const both = await runJson<Icon[]>(['search', 'home', '--limit', '6']);
    expect(second.map(({ id }) => id)).toEqual(both.slice(3).map(({ id }) => id));
  });

  it('writes an empty list, and reports it, if nothing matches', async () => {
    const { code, stdout, stderr } = await runCli(['search', 'qqqqxyz'], { env: env() });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No icons found');
    expect(await runJson(['search', 'qqqqxyz'])).toEqual([]);
  });
});

describe('show, suggest, collections, collection, usage', () => {
  it('shows an icon', async () => {
    const [found] = await runJson<Icon[]>(['search', 'home', '--limit', '1']);
    const icon = await runJson<Icon>(['show', found?.id ?? '']);
    expect(icon).toMatchObject({ id: found?.id, term: found?.term });
    const { stdout } = await runCli(['show', `icon:${icon.id}`], { env: env() });
    expect(stdout).toContain(icon.term);
    expect(stdout).toContain(`icon:${icon.id}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(icon.attribution);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });

  it('suggests terms, one a line', async () => {
    const terms = await runJson<string[]>(['suggest', 'hou', '--limit', '4']);
    expect(terms).toHaveLength(4);
    const { stdout } = await runCli(['suggest', 'hou', '--limit', '4'], { env: env() });
    expect(stdout).toBe(`${terms.join('\n')}\n`);
  });

  it('lists collections and the icons of one', async () => {
    const collections = await runJson<Collection[]>(['collections']);
    expect(collections.map(({ name = '' }) => name).toSorted()).toEqual([
      'Game Icons',
      'Maki',
      'Tabler Icons',
    ]);
    const [maki] = await runJson<Collection[]>(['collections', 'maki']);
    const shown = await runJson<Collection & { icons: Icon[]; next_page?: string }>([
      'collection',
      maki?.id ?? '',
      '--limit=5',
    ]);
    expect(shown).toMatchObject({ id: maki?.id, next_page: expect.any(String) });
    expect(shown.icons).toHaveLength(5);
    const whole = await runJson<{ icons: Icon[] }>(['collection', maki?.id ?? '', '--all']);
    expect(whole.icons).toHaveLength(maki?.icon_count ?? 0);
    expect(whole).not.toHaveProperty('next_page');
    const table = await runCli(['collection', maki?.id ?? ''], { env: env() });
    expect(table.stdout).toMatch(/^name +Maki$/m);
    expect(widest(table.stdout)).toBeLessThanOrEqual(80);
    expect(widest((await runCli(['collections'], { env: env() })).stdout)).toBeLessThanOrEqual(80);
  });

  it('shows the use of the key', async () => {
    const usage = await runJson<Usage>(['usage']);
    expect(usage.monthly.limit).toBe(1_000_000);
    const { stdout } = await runCli(['usage'], { env: env() });
    expect(stdout).toBe(`this month  ${Number(usage.monthly.usage) + 1} of 1000000 calls (0 %)\n`);
  });

  it('shows the use of the key in a form that it does not know', async () => {
    catalog.intercept = () =>
      Response.json({ monthly: { usage: { icon: 0, service: 3 }, cost: '1.50' } });
    const { code, out } = await runOn(['usage'], { env: env() });
    expect(code).toBe(0);
    expect(out()).toMatch(/icon 0, service 3/);
    expect(out()).toMatch(/1\.50/);
    expect(out()).not.toMatch(/NaN|undefined|object/);
  });
});

describe('api', () => {
  it('sends v2 and v1 calls with parameters as they are written', async () => {
    const v2 = await runJson<{ icons: Icon[] }>([
      'api',
      'get',
      '/v2/icon',
      '--query',
      'query=a=b&c +%',
      '--query',
      'limit=2',
    ]);
    expect(v2).toHaveProperty('icons');
    const v1 = await runJson<{ icons: unknown[] }>([
      'api',
      'GET',
      '/icons/home',
      '--query=limit=2',
    ]);
    expect(v1.icons).toHaveLength(2);
    expect(await runJson(['api', 'GET', '/oauth/usage'])).toHaveProperty('limits.hourly', null);
  });

  it('sends a body, also from standard input', async () => {
    const body = { blacklist: ['käse', '猫'] };
    const path = '/v2/client/blacklist/term';
    const written = await runJson<{ blacklist: { search_terms: string[] } }>([
      'api',
      'POST',
      path,
      '--body',
      JSON.stringify({ ...body, overwrite: true }),
    ]);
    expect(written.blacklist.search_terms).toEqual(body.blacklist);
    const { stdout } = await runCli(['api', 'POST', path, '--body', '-'], {
      env: env(),
      input: '{"blacklist":[],"overwrite":true}',
    });
    expect(JSON.parse(stdout)).toHaveProperty('blacklist.search_terms', []);
  });
});

describe('signed addresses', () => {
  it.each([
    ['show', (id: string) => ['show', id]],
    ['search', () => ['search', 'home', '--limit=1', '--include-svg']],
    ['api', (id: string) => ['api', 'GET', `/v2/icon/${id}`]],
    ['api with an answer of v1', (id: string) => ['api', 'GET', `/icon/${id}`]],
  ])('are in the answer of %s only with --show-signed', async (_, commandFor) => {
    const [found] = await runJson<Icon[]>(['search', 'home', '--limit', '1']);
    const command = [...commandFor(found?.id ?? ''), '--json'];
    const [hidden, shown] = await Promise.all([
      runCli(command, { env: env() }),
      runCli([...command, '--show-signed'], { env: env() }),
    ]);
    expect(hidden.stdout).not.toMatch(/Signature|Expires/);
    expect(hidden.stderr).toContain('--show-signed prints them');
    expect(hidden.stdout).toMatch(/"icon_url": "http:[^"?]+\.svg\?…"/);
    expect(shown.stdout).toMatch(/"icon_url": "http:[^"?]+\.svg\?Expires=\d+&Signature=[^"]+"/);
    expect(shown.stderr).not.toContain('--show-signed');
    // Nothing else differs.
    const strip = (text: string): string => text.replace(/\?(?:…|Expires=[^"]*)/g, '');
    const same = (text: string): unknown => ({
      ...(JSON.parse(strip(text)) as object),
      generated_at: '',
      usage_limits: '',
    });
    expect(same(hidden.stdout)).toEqual(same(shown.stdout));
  });

  it('are recognised among other addresses', () => {
    for (const address of [
      'https://cdn.example/1.svg?X-Amz-Date=1&X-Amz-Signature=abc',
      'https://cdn.example/1.svg?Policy=a&Key-Pair-Id=b',
      'https://cdn.example/1.svg?se=1&sig=abc%2F',
    ])
      expect(withoutSignatures(`"${address}"`)).toBe('"https://cdn.example/1.svg?…"');
    const plain = 'https://catalog.example/icon/?q=design&signature-style=bold icon:1?color=f00';
    expect(withoutSignatures(plain)).toBe(plain);
  });
});

describe('the embedded catalog in process', () => {
  it('needs no key', async () => {
    const { code, stdout } = await runCli(['search', 'whale', '--embedded', '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Icon[])[0]?.term).toMatch(/whale/i);
  });

  it.each(['show', 'download'])(
    '%s takes an alias of the project, and names the nearest one',
    async (command) => {
      const root = await writeProject({
        'icon-catalog.config.mjs': `export default { catalog: { embedded: { sets: ['tabler'], root: ${JSON.stringify(process.cwd())} } }, aliases: { house: 'tabler/home' } };\n`,
      });
      const found = await runInProject(root, [command, 'house']);
      expect(found).toMatchObject({ code: 0 });
      expect(found.out + found.err).toContain('“Home” by');
      const misspelt = await runInProject(root, [command, 'huose']);
      expect(misspelt).toMatchObject({ code: 1 });
      expect(misspelt.err).toContain('Did you mean `icon:house`?');
    },
  );

  it('prints names that can be imported, and takes them', async () => {
    const table = await runCli(['search', 'home', '--embedded', '--limit', '20']);
    expect(table.stdout).toMatch(/^IMPORT[^]*^icon:tabler\/home /m);
    const [found] = await runJson<(Icon & { import: string })[]>(['search', 'whale', '--embedded']);
    expect(found?.import).toMatch(/^icon:[\w-]+\/[\w-]*whale/);
    const shown = await runJson(['show', found?.import ?? '', '--embedded']);
    expect(shown).toMatchObject({ id: found?.id, import: found?.import });
    const fields = await runOn(['show', 'tabler/home', '--embedded']);
    expect(fields.out()).toMatch(/^import +icon:tabler\/home$/m);

    const whole = await runJson<Collection>(['collection', 'maki', '--embedded', '--limit', '1']);
    expect(whole.name).toBe('Maki');
    const unknown = await runOn(['collection', 'mak', '--embedded']);
    expect([unknown.code, unknown.err()]).toEqual([
      1,
      expect.stringMatching(
        /No icon set "mak" is among .*\n +`npx icon-catalog collections` lists/,
      ),
    ]);
    const misspelt = await runOn(['show', 'tabler/hoome', '--embedded']);
    expect(misspelt).toMatchObject({ code: 1 });
    expect(misspelt.err()).toContain('Did you mean `icon:tabler/home`?');
    const service = await runOn(['show', 'tabler/home'], { env: env() });
    expect(service).toMatchObject({ code: 1 });
    expect(service.err()).toContain('is a name of the embedded catalog');
    expect(service.err()).toContain('npx icon-catalog search home');
    const ids = await runCli(['search', 'home', '--limit', '1'], { env: env() });
    expect(ids.stdout).toMatch(/^ *ID /);
  });
});
