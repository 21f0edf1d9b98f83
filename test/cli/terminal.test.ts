import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Icon } from '../../src/client.ts';
import { runOn } from './support/fake-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { widest } from './support/lines.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const { env } = catalog;

/** An answer with names as untrusted people write them. */
function answerWith(...terms: string[]): void {
  const icons = terms.map((term, at) => ({
    id: String(at + 1),
    term,
    attribution: term,
    creator: { name: term, permalink: '/', username: term },
    collections: [],
    license_description: 'public-domain',
    permalink: '/',
    styles: [],
    tags: [term],
    thumbnail_url: `${env()['ICON_CATALOG_URL']}/thumbnail`,
  }));
  const usage_limits = { monthly: { limit: 10, usage: 1 } };
  const generated_at = '2026-01-01 00:00:00.000000';
  catalog.intercept = ({ url }) => {
    if (url.endsWith('/thumbnail')) return undefined;
    const single = /\/v2\/icon\/\d+/.test(url);
    const found = single ? { icon: icons[0] } : { icons };
    return Response.json({ ...found, generated_at, total: icons.length, usage_limits });
  };
}

describe('untrusted text', () => {
  const hostile = 'a\u001b]0;title\u0007\u001b[2Jb\u009b31m\nc\u202ed\u2066\u0000\ufeff\u{e0041}';

  it.each(['search', 'show 1'])('gives a terminal nothing to obey: %s', async (line) => {
    answerWith(hostile);
    const { code, out, err } = await runOn(line.split(' '), { env: env() });
    expect(code).toBe(0);
    expect(out() + err()).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff\u{e0041}]/u);
    expect(out()).toContain('b');
  });

  it('is the same value in JSON, with nothing to obey', async () => {
    answerWith(hostile);
    const { out } = await runOn(['search', '--json'], { env: env() });
    expect(out()).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff\u{e0041}]/u);
    expect((JSON.parse(out()) as Icon[])[0]?.term).toBe(hostile);
  });

  it('keeps columns straight where it is wide', async () => {
    answerWith(
      '猫と家の長い名前がここにあります'.repeat(3),
      '👩‍👩‍👧‍👦 family',
      'plain',
      'e\u0301te\u0301',
    );
    const { out } = await runOn(['search'], { env: env() });
    expect(widest(out())).toBeLessThanOrEqual(80);
    const [head = '', ...rows] = out().trimEnd().split('\n');
    const at = head.indexOf('LICENCE');
    const columns = rows.map((row) => widest(row.slice(0, row.indexOf('public-domain'))));
    expect(columns).toEqual(rows.map(() => at));
  });
});

describe('colours', () => {
  it('are there on a terminal, and not with NO_COLOR', async () => {
    const colourful = await runOn(['search', 'home', '--no-thumbnails'], {
      env: env(),
      terminal: true,
    });
    const plain = await runOn(['search', 'home'], {
      env: { ...env(), NO_COLOR: '1' },
      terminal: true,
    });
    expect(colourful.out()).toContain('\u001b[1m');
    expect(plain.out()).not.toContain('\u001b');
    expect(stripVTControlCharacters(colourful.out())).toBe(plain.out());
  });

  it('are not in a pipe', async () => {
    const { stdout, stderr } = await runCli(['show', '5'], { env: env() });
    expect(stdout + stderr).not.toContain('\u001b');
  });
});

describe('the bar of --all', () => {
  const args = ['search', '--all', '--limit=100'];

  it('is on a terminal, in one line, until the end', async () => {
    const { err, out } = await runOn([...args, '--json'], { env: env(), terminal: true });
    const found = (JSON.parse(out()) as Icon[]).length;
    expect(catalog.calls).toHaveLength(Math.ceil(found / 100));
    const drawn = err().split('\r\u001b[2K').slice(1).map(stripVTControlCharacters);
    const last = drawn.pop();
    expect(drawn.at(0)).toBe(`${'░'.repeat(30)} 0 of ${found} icons`);
    expect(drawn.at(-1)).toBe(`${'█'.repeat(30)} ${found} of ${found} icons`);
    expect(drawn.filter((line) => line.includes('\n') || widest(line) > 79)).toEqual([]);
    expect(last).toMatch(/^394 of 394 icons; [^\n]+\n$/);
  });

  it('has its words where a terminal does not know its size', async () => {
    const { err } = await runOn(args, { env: env(), terminal: true, columns: 0 });
    expect(err()).toContain('100 of 394 icons');
  });

  it('is one summary line elsewhere', async () => {
    const { err } = await runOn(args, { env: env() });
    expect(err()).toMatch(/^394 of 394 icons; [^\n]+\n$/);
  });

  it('is gone where a page fails', async () => {
    catalog.intercept = ({ url }) =>
      url.includes('next_page') ? Response.json({ message: 'no' }, { status: 404 }) : undefined;
    const { code, err } = await runOn(args, { env: env(), terminal: true });
    expect(code).toBe(1);
    expect(stripVTControlCharacters(err()).split('\r').at(-1)).toMatch(
      /^error \[CATALOG_NOT_FOUND\]/,
    );
  });
});

describe('thumbnails', () => {
  const KITTY = { KITTY_WINDOW_ID: '1' };
  const ITERM = { TERM_PROGRAM: 'iTerm.app' };

  it.each([
    ['kitty', KITTY, '\u001b_Ga=T,f=100,q=2,c=16,r=8,m=', '\u001b\\'],
    ['Ghostty', { TERM_PROGRAM: 'ghostty' }, '\u001b_Ga=T,f=100,', '\u001b\\'],
    ['iTerm2', ITERM, '\u001b]1337;File=inline=1;size=', '\u0007'],
  ])('are shown by %s', async (_, terminal, start, end) => {
    const [icon] = JSON.parse(
      (await runOn(['search', 'home', '--json'], { env: env() })).out(),
    ) as Icon[];
    const { code, out } = await runOn(['show', icon?.id ?? ''], {
      env: { ...env(), ...terminal },
      terminal: true,
    });
    expect(code).toBe(0);
    expect(out().startsWith(start)).toBe(true);
    expect(out()).toContain(`${end}\n`);
    // A black icon on nothing would be invisible on a dark terminal, so it is a picture on white.
    const base64 = out()
      .slice(0, out().lastIndexOf(`${end}\n`))
      .replace(/\u001b_G[^;]*;/g, '')
      .replace(/\u001b\\/g, '')
      .replace(/^\u001b\]1337;[^:]*:/, '');
    expect(Buffer.from(base64, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('stand beside each icon of a search that asks for them', async () => {
    const { out } = await runOn(['search', 'home', '--thumbnails', '--limit=2'], {
      env: { ...env(), ...KITTY },
      terminal: true,
    });
    expect(out().match(/\u001b_Ga=T,f=100,q=2,c=4,r=2/g)).toHaveLength(2);
    expect(out().match(/public-domain\n/g)).toHaveLength(2);
  });

  it.each([
    ['a pipe', false, KITTY],
    ['a terminal without colours', true, { NO_COLOR: '1' }],
    ['a terminal that can do nothing', true, { TERM: 'dumb' }],
  ])('are left out in %s, and a message reports it', async (_, terminal, added) => {
    const { code, out, err } = await runOn(['search', 'home', '--thumbnails', '--limit=2'], {
      env: { ...env(), ...added },
      terminal,
    });
    expect(code).toBe(0);
    expect(out()).not.toMatch(/\u001b[_\]]|▀/);
    expect(out()).toContain('NAME');
    expect(err()).toContain('No thumbnails');
  });

  it.each([
    ['24-bit colours', { COLORTERM: 'truecolor' }, /\u001b\[38;2;\d+;\d+;\d+;48;2;\d+;\d+;\d+m▀/],
    ['256 colours', { TERM: 'xterm-256color' }, /\u001b\[38;5;\d+;48;5;\d+m▀/],
    ['16 colours', { TERM: 'linux' }, /\u001b\[(?:30|97);(?:40|107)m▀/],
    ['a multiplexer', { ...KITTY, TMUX: '/x', COLORTERM: '24bit' }, /\u001b\[38;2;/],
  ])('are half blocks beside name and import in a terminal of %s', async (_, added, code) => {
    const { out } = await runOn(['search', 'home', '--limit=2'], {
      env: { ...env(), ...added },
      terminal: true,
    });
    expect(out()).toMatch(code);
    expect(out()).not.toContain('\u001b_G');
    const lines = stripVTControlCharacters(out()).trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^▀{12} Home/);
    expect(lines[1]).toMatch(/^▀{12} icon:\d+ +▀{12} icon:\d+$/);
    expect(widest(out())).toBeLessThanOrEqual(80);
    // White paper, as an icon is mostly black.
    if ('COLORTERM' in added) expect(out()).toContain('48;2;255;255;255');
  });

  it('are sixel pictures where TERM is of a terminal that shows them', async () => {
    const { out } = await runOn(['search', 'home', '--limit=2'], {
      env: { ...env(), TERM: 'foot' },
      terminal: true,
    });
    expect(out().match(/\u001bPq"1;1;40;40#/g)).toHaveLength(2);
    expect(stripVTControlCharacters(out())).toContain('Home');
  });

  it('are drawn from this machine for an answer that is kept: no call, no download', async () => {
    const shared = {
      ...env(),
      COLORTERM: 'truecolor',
      ICON_CATALOG_CACHE_DIR: await temporaryFolder(),
    };
    const search = (...more: string[]): ReturnType<typeof runOn> =>
      runOn(['search', 'home', '--limit=2', ...more], { env: shared, terminal: true });
    // Without a terminal nothing is drawn, so nothing is downloaded.
    await runOn(['search', 'home', '--limit=2'], { env: shared });
    expect(catalog.calls).toEqual(['GET /v2/icon']);
    const bare = await search();
    expect(bare.out()).toContain('NAME');
    expect(bare.err()).toContain('2 of 2 thumbnails are not on this machine');
    expect(catalog.calls).toHaveLength(1);
    const first = await search('--fresh');
    expect(catalog.calls).toHaveLength(4);
    const second = await search();
    expect(second.out()).toBe(first.out());
    expect(second.out()).toContain('▀');
    expect(catalog.calls).toHaveLength(4);
  });

  it('may be missing: what is no PNG, or is unavailable, is left out', async () => {
    answerWith('one');
    const { code, out } = await runOn(['show', '1'], {
      env: { ...env(), ...KITTY },
      terminal: true,
    });
    expect(code).toBe(0);
    expect(out()).not.toContain('\u001b_G');
    expect(out()).toContain('one');
  });
});
