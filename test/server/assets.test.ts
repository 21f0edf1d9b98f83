import { beforeEach, expect, test } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { NOW, type Harness, createHarness } from './support.ts';
import { createFolder } from './project.ts';

const ID = embeddedIconId('maki', 'aerialway');
let harness: Harness;
beforeEach(() => {
  harness = createHarness({ sets: ['maki'] });
});

const load = (url: string): Promise<Response> => harness.server.fetch(new Request(url));
async function addresses(): Promise<{ icon_url: string; thumbnail_url: string }> {
  return (await harness.get(`/v2/icon/${ID}`)).body['icon'] as {
    icon_url: string;
    thumbnail_url: string;
  };
}

test('an icon address lives for exactly one hour', async () => {
  const { icon_url } = await addresses();
  expect(new URL(icon_url).searchParams.get('Expires')).toBe(String(Math.floor(NOW / 1000) + 3600));
  harness.clock.now = (Math.floor(NOW / 1000) + 3600) * 1000 - 1;
  const alive = await load(icon_url);
  expect(alive.status).toBe(200);
  expect(alive.headers.get('content-type')).toBe('image/svg+xml');
  expect(await alive.text()).toMatch(/^<svg /);
  harness.clock.now += 1;
  const dead = await load(icon_url);
  expect(dead.status).toBe(403);
  expect(((await dead.json()) as { message: string }).message).toMatch(/expired/);
});

test('an address cannot be made, stretched or moved to another icon', async () => {
  const { icon_url } = await addresses();
  const url = new URL(icon_url);
  const expires = Number(url.searchParams.get('Expires'));
  const other = embeddedIconId('maki', 'airport');
  for (const forged of [
    icon_url.replace(`Expires=${expires}`, `Expires=${expires + 1}`),
    icon_url.replace(`Expires=${expires}`, `Expires=1e99`),
    icon_url.replace(String(ID), String(other)),
    icon_url.replace('.svg', '-1200.png'),
    icon_url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    icon_url.replace(/Signature=.*/, 'Signature='),
    `${url.origin}${url.pathname}`,
  ]) {
    expect((await load(forged)).status, forged).toBe(403);
  }
  const elsewhere = createHarness({ sets: ['maki'] });
  expect((await elsewhere.server.fetch(new Request(icon_url))).status).toBe(403);
});

test('thumbnails are PNG files of 42, 84 and 200 px that anyone may have, at any time', async () => {
  for (const size of [42, 84, 200]) {
    const icon = (await harness.get(`/v2/icon/${ID}?thumbnail_size=${size}`)).body['icon'] as {
      thumbnail_url: string;
    };
    harness.clock.now += 86_400_000;
    const response = await load(icon.thumbnail_url);
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([size, size]);
  }
});

test('assets are not metered', async () => {
  const { icon_url, thumbnail_url } = await addresses();
  await load(icon_url);
  await load(thumbnail_url);
  expect((await harness.get('/v2/client/usage')).body['monthly']).toEqual({
    limit: 5000,
    usage: 2,
  });
});

test('the 1200 px PNG of v1 and the attribution preview', async () => {
  const { body } = await harness.get(`/icon/${ID}?include_png_1200=1`);
  const icon = body['icon'] as { preview_url_1200: string };
  const png = Buffer.from(await (await load(icon.preview_url_1200)).arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 1200]);
  harness.clock.now += 3_600_000;
  expect((await load(icon.preview_url_1200)).status).toBe(403);
  expect(icon).not.toHaveProperty('attribution_preview_url');
  const address = `http://catalog.test/asset/attribution/${ID}.svg`;
  const preview = await (await load(address)).text();
  expect(preview).toContain(
    '“Aerialway” by Mapbox (https://github.com/mapbox/maki) from Maki, CC0 (CC0-1.0)',
  );
});

test('a preview holds untrusted credit text and markup as text and image only', async () => {
  const root = await createFolder({
    'art/x.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  });
  const own = createHarness({
    root,
    sets: [],
    folders: [{ path: 'art', author: '</text><script>alert(1)</script>' }],
  });
  const response = await own.server.fetch(
    new Request(`http://catalog.test/asset/attribution/${embeddedIconId('art', 'x')}.svg`),
  );
  const text = await response.text();
  expect(text).not.toMatch(/<script|onload/);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});
