import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { FREE, type Harness, createHarness } from './support.ts';
import { createFolder } from './project.ts';

const ARROW = embeddedIconId('tabler', 'arrow-left');
const AERIALWAY = embeddedIconId('maki', 'aerialway');

let harness: Harness;
beforeAll(() => {
  harness = createHarness();
});

interface File {
  base64_encoded_file: string;
  content_type: string;
  usage_limits: object;
}
async function file(path: string, from = harness): Promise<{ bytes: Buffer; type: string }> {
  const { status, body } = await from.get(path);
  expect(status, body.message).toBe(200);
  const { base64_encoded_file, content_type, usage_limits } = body as unknown as File;
  expect(usage_limits).toMatchObject({ monthly: { limit: 5000 } });
  return { bytes: Buffer.from(base64_encoded_file, 'base64'), type: content_type };
}
const side = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('svg: a whole document, black unless asked otherwise', async () => {
  const { bytes, type } = await file(`/v2/icon/${ARROW}/download`);
  expect(type).toBe('image/svg+xml');
  expect(bytes.toString()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path fill="none" stroke="#000000" stroke-linecap="round" stroke-linejoin="round" stroke-width="2" d="M5 12h14M5 12l6 6m-6-6l6-6"/></svg>',
  );
});

test.each([
  ['f00', '#ff0000'],
  ['%23F00', '#ff0000'],
  ['00ff7F', '#00ff7f'],
  ['010203', '#010203'],
  ['%2300FF7f', '#00ff7f'],
])('color=%s paints %s', async (color, painted) => {
  expect((await file(`/v2/icon/${ARROW}/download?color=${color}`)).bytes.toString()).toContain(
    `stroke="${painted}"`,
  );
});

test('png: square, at the size asked for, 1200 without one', async () => {
  const asked = await file(`/v2/icon/${AERIALWAY}/download?filetype=png&size=64&color=ff0000`);
  expect(asked.type).toBe('image/png');
  expect(side(asked.bytes)).toEqual([64, 64]);
  expect(side((await file(`/v2/icon/${AERIALWAY}/download?filetype=png`)).bytes)).toEqual([
    1200, 1200,
  ]);
  expect(side((await file(`/v2/icon/${AERIALWAY}/download?filetype=png&size=20`)).bytes)).toEqual([
    20, 20,
  ]);
});

test.each([
  'size=64',
  'filetype=svg&size=64',
  'filetype=png&size=19',
  'filetype=png&size=1201',
  'filetype=png&size=64.5',
  'filetype=gif',
  'filetype=SVG',
  'color=red',
  'color=ff00',
  'color=ff0000ff',
  'color=',
  'color=%23',
])('%s is refused with 400', async (query) => {
  expect((await harness.get(`/v2/icon/${AERIALWAY}/download?${query}`)).status).toBe(400);
});

test('free keys may download public-domain icons only', async () => {
  const credentials = FREE;
  expect((await harness.get(`/v2/icon/${AERIALWAY}/download`, { credentials })).status).toBe(200);
  const refused = await harness.get(`/v2/icon/${ARROW}/download`, { credentials });
  expect(refused.status).toBe(403);
  expect(refused.body.message).toMatch(/public-domain/);
  expect((await harness.get('/v2/icon/5/download', { credentials })).status).toBe(404);
});

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}
const { PNG } = createRequire(import.meta.url)('pngjs') as {
  PNG: { sync: { read(bytes: Buffer): Pixels } };
};
const readPng = (bytes: Buffer): Pixels => PNG.sync.read(bytes);

test('a wide file is centred in its square', async () => {
  const root = await createFolder({
    'art/wide.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path fill="#f00" d="M0 0h40v20H0z"/></svg>',
  });
  const own = createHarness({ root, sets: [], folders: ['art'] });
  const { bytes } = await file(
    `/v2/icon/${embeddedIconId('art', 'wide')}/download?filetype=png&size=40`,
    own,
  );
  const { data, width, height } = readPng(bytes);
  expect([width, height]).toEqual([40, 40]);
  const alpha = (x: number, y: number): number | undefined => data[(y * width + x) * 4 + 3];
  expect([alpha(20, 5), alpha(20, 20), alpha(20, 35), alpha(0, 20)]).toEqual([0, 255, 0, 255]);
});

const wrap = (body: string, root = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" ${root}>${body}</svg>`;
test.each([
  ['an image', wrap('<image href="/etc/hostname"/>')],
  [
    'an image with a prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:image href="x.png"/></s:svg>',
  ],
  ['feImage', wrap('<filter id="a"><feImage href="x.png"/></filter>')],
  ['script', wrap('<script>1</script>')],
  ['an entity', `<!DOCTYPE svg [<!ENTITY x "y">]>${wrap('&x;')}`],
  ['a file elsewhere', wrap('<use href="other.svg#a"/>')],
  ['a hidden reference', wrap('<use xlink:href="&#47;etc/x#a"/>')],
  ['a paint elsewhere', wrap('<path fill="url(http://x.test/a#b)"/>')],
  ['an endless filter', wrap('<filter id="a"><feTurbulence numOctaves="999"/></filter>')],
  [
    'references that multiply',
    wrap(
      `<defs><path id="a0" d="M0 0h1"/>${Array.from({ length: 20 }, (_, at) => `<g id="a${at + 1}"><use href="#a${at}"/><use href="#a${at}"/></g>`).join('')}</defs><use href="#a20"/>`,
    ),
  ],
  [
    'references in a circle',
    wrap('<g id="a"><use xlink:href="#b"/></g><g id="b"><use href="#a"/></g>'),
  ],
  [
    'patterns in a circle',
    wrap('<pattern id="a"><path fill="url(#a)"/></pattern><path style="fill:url(#a)"/>'),
  ],
  ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg"><path'],
])('a folder file with %s is served as it is and not drawn', async (_, markup) => {
  const root = await createFolder({ 'art/bad.svg': markup });
  const own = createHarness({ root, sets: [], folders: ['art'] });
  const id = embeddedIconId('art', 'bad');
  expect((await file(`/v2/icon/${id}/download`, own)).bytes.toString()).toBe(markup);
  const drawn = await own.get(`/v2/icon/${id}/download?filetype=png`);
  expect([drawn.status, drawn.body.message]).toEqual([
    422,
    expect.stringContaining('cannot be drawn as PNG'),
  ]);
  expect(
    (await own.server.fetch(new Request(`http://catalog.test/asset/thumbnail/${id}-42.png`)))
      .status,
  ).toBe(422);
});

test('a flag with fifty stars is drawn', async () => {
  const stars = Array.from(
    { length: 50 },
    (_, at) => `<use href="#star" x="${at % 9}" y="${Math.floor(at / 9)}"/>`,
  ).join('');
  const root = await createFolder({
    'art/flag.svg': wrap(`<defs><path id="star" d="M0 0h1v1z"/></defs>${stars}`),
  });
  const own = createHarness({ root, sets: [], folders: ['art'] });
  expect(
    (await file(`/v2/icon/${embeddedIconId('art', 'flag')}/download?filetype=png&size=64`, own))
      .type,
  ).toBe('image/png');
});
