import { expect, type TestContext } from 'vitest';
import { checkTargets } from './support/conformance.ts';
import { MICROSECONDS, SECONDS, get, listOf, fieldsOf, type Fields } from './support/read.ts';
import { WORD, type Target } from './support/target.ts';

/** What a field holds; `?` at the end: it may be left out. */
type Kind = (value: unknown) => boolean;
type Table = Readonly<Record<string, Kind>>;
type Samples = (target: Target) => Promise<readonly unknown[]>;

const isText: Kind = (value) => typeof value === 'string';
const isInteger: Kind = (value) => Number.isInteger(value);
const isArrayOf =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.every(kind);
const isFlag: Kind = (value) => value === '1' || value === '0' || value === '';
const isAddress: Kind = (value) => isText(value) && /^https?:\/\//.test(String(value));
const isPath: Kind = (value) => isText(value) && !/^[a-z]+:/i.test(String(value));
const isObject: Kind = (value) => typeof value === 'object' && value !== null;
const isAbsent: Kind = (value) => value === undefined;
const either =
  (...kinds: Kind[]): Kind =>
  (value) =>
    kinds.some((kind) => kind(value));
const matches =
  (pattern: RegExp): Kind =>
  (value) =>
    isText(value) && pattern.test(String(value));
const isTextId = matches(/^\d+$/);
const isEmptyText: Kind = (value) => value === '';

const CREATOR: Table = { name: isText, permalink: isPath, username: isText };

function holds(table: Table): Kind {
  return (value) =>
    isObject(value) && Object.entries(table).every(([name, kind]) => kind((value as Fields)[name]));
}

const isStyle: Kind = (value) => {
  const { style, line_weight } = fieldsOf(value);
  if (style === undefined) return line_weight === undefined;
  if (style !== 'solid' && style !== 'line') return false;
  if (line_weight === undefined) return true;
  return (
    style === 'line' &&
    isInteger(line_weight) &&
    Number(line_weight) >= 1 &&
    Number(line_weight) <= 60
  );
};

const V2_ICON: Table = {
  id: isTextId,
  term: isText,
  attribution: isText,
  creator: holds(CREATOR),
  collections: isArrayOf(
    holds({ creator: holds(CREATOR), id: isTextId, name: isText, permalink: isPath }),
  ),
  license_description: isText,
  permalink: isPath,
  styles: isArrayOf(isStyle),
  tags: isArrayOf(isText),
  thumbnail_url: isAddress,
  icon_url: either(isAddress, isAbsent),
};

const V2_COLLECTION: Table = {
  id: isTextId,
  name: isText,
  creator: holds(CREATOR),
  icon_count: isInteger,
  permalink: isPath,
  tags: isArrayOf(isText),
};

const V2_BLACKLIST: Table = {
  collection_ids: isArrayOf(isInteger),
  icon_ids: isArrayOf(isInteger),
  search_terms: isArrayOf(isText),
};

const V2_ENVELOPE: Table = {
  generated_at: matches(MICROSECONDS),
  total: isInteger,
  usage_limits: holds({ monthly: holds({ limit: isInteger, usage: isInteger }) }),
};

const PERSON: Table = { location: isText, name: isText, permalink: isText, username: isText };

const V1_COLLECTION: Table = {
  id: isTextId,
  name: isText,
  slug: isText,
  description: isText,
  permalink: isText,
  author: holds(PERSON),
  author_id: isText,
  date_created: matches(SECONDS),
  date_updated: matches(SECONDS),
  is_collaborative: isFlag,
  is_featured: isFlag,
  is_published: isFlag,
  is_store_item: isFlag,
  sponsor: isObject,
  sponsor_campaign_link: isText,
  sponsor_id: isText,
  tags: isArrayOf(isText),
  template: isText,
};

const V1_UPLOAD: Table = {
  id: isTextId,
  term: isText,
  term_id: either(isInteger, isEmptyText),
  term_slug: isText,
  attribution: isText,
  attribution_preview_url: either(isAddress, isAbsent),
  date_uploaded: either(matches(/^\d{4}-\d\d-\d\d$/), isEmptyText),
  icon_url: either(isAddress, isAbsent),
  preview_url: isAddress,
  preview_url_42: isAddress,
  preview_url_84: isAddress,
  is_active: isFlag,
  license_description: isText,
  permalink: isText,
  sponsor: isObject,
  sponsor_campaign_link: either(isText, (value) => value === null),
  sponsor_id: isText,
  uploader: either(holds(PERSON), isEmptyText),
  uploader_id: isText,
  year: either(isInteger, (value) => value === null),
};

const isV1Usage: Kind = holds({ daily: isInteger, hourly: isInteger, monthly: isInteger });
const isV1Limit = either(isInteger, (value) => value === null);

interface Resource {
  table: Table;
  samples: Samples;
  v1?: boolean;
}

const list =
  (path: string, field: string): Samples =>
  async (target) =>
    listOf((await get(target, path))[field]);
const v1Icons = list(`/icons/${WORD}?limit=20`, 'icons');
const v1Single: Samples = async (target) => {
  const [first] = listOf(await v1Icons(target));
  return [(await get(target, `/icon/${String(first?.['id'])}`))['icon']];
};
const v1Collection: Samples = async (target) => {
  const [first] = listOf((await get(target, '/collections?limit=1'))['collections']);
  return [(await get(target, `/collection/${String(first?.['id'])}`))['collection']];
};
const icon: Samples = async (target) => {
  const { icons } = await target.subjects();
  return Promise.all(
    icons.slice(0, 3).map(async ({ id }) => (await get(target, `/v2/icon/${id}`))['icon']),
  );
};
const collection: Samples = async (target) => {
  const { collectionId } = await target.subjects();
  return [(await get(target, `/v2/collection/${collectionId}?limit=2`))['collection']];
};

const RESOURCES: Readonly<Record<string, Resource>> = {
  'v2 creator': {
    table: CREATOR,
    samples: async (target) => listOf(await icon(target)).map(({ creator }) => creator),
  },
  'v2 icon': { table: V2_ICON, samples: icon },
  'v2 icon of a list': {
    table: V2_ICON,
    samples: list(`/v2/icon?query=${WORD}&limit=30&include_svg=1`, 'icons'),
  },
  'v2 icon of a collection': {
    table: V2_ICON,
    samples: async (target) => fieldsOf((await collection(target))[0])['icons'] as unknown[],
  },
  'v2 collection of a list': {
    table: V2_COLLECTION,
    samples: list('/v2/collection?limit=20', 'collections'),
  },
  'v2 collection': {
    table: { ...V2_COLLECTION, icons: isArrayOf(holds(V2_ICON)), next_page: isText },
    samples: collection,
  },
  'v2 blacklist': {
    table: V2_BLACKLIST,
    samples: async (target) => [(await get(target, '/v2/client/blacklist'))['blacklist']],
  },
  'v2 usage': {
    table: { monthly: holds({ limit: isInteger, usage: isInteger }) },
    samples: async (target) => [await get(target, '/v2/client/usage')],
  },
  'v2 response envelope': {
    table: V2_ENVELOPE,
    samples: async (target) => {
      const { icons, collectionId } = await target.subjects();
      return Promise.all(
        [
          `/v2/icon/${icons[0]!.id}`,
          '/v2/icon?limit=1',
          '/v2/collection?limit=1',
          `/v2/collection/${collectionId}?limit=1`,
        ].map((path) => get(target, path)),
      );
    },
  },
  'v2 response envelope of suggestions': {
    table: {
      generated_at: V2_ENVELOPE['generated_at']!,
      usage_limits: V2_ENVELOPE['usage_limits']!,
      suggestions: isArrayOf(isText),
    },
    samples: async (target) => [await get(target, '/v2/icon/autocomplete?query=ar')],
  },
  'v2 download response': {
    table: {
      base64_encoded_file: matches(/^[A-Za-z\d+/]+={0,2}$/),
      content_type: matches(/^image\/svg\+xml\b/),
      usage_limits: V2_ENVELOPE['usage_limits']!,
    },
    samples: async (target) => {
      const { publicDomain } = await target.subjects();
      return [await get(target, `/v2/icon/${publicDomain.id}/download?filetype=svg`)];
    },
  },
  'v1 collection': {
    table: { ...V1_COLLECTION, icon_count: isTextId },
    samples: v1Collection,
    v1: true,
  },
  'v1 collection of a list': {
    table: { ...V1_COLLECTION, icon_count: isAbsent },
    samples: list('/collections?limit=20', 'collections'),
    v1: true,
  },
  'v1 icon': {
    table: {
      ...V1_UPLOAD,
      collections: isArrayOf(holds(V1_COLLECTION)),
      tags: isArrayOf(holds({ id: either(isTextId, isInteger), slug: isText })),
    },
    samples: v1Single,
    v1: true,
  },
  'v1 icon of a list by term': {
    table: { ...V1_UPLOAD, collections: isArrayOf(holds(V1_COLLECTION)), tags: isAbsent },
    samples: v1Icons,
    v1: true,
  },
  'v1 upload': {
    table: { ...V1_UPLOAD, collections: isAbsent, tags: isAbsent },
    samples: async (target) => {
      const [first] = listOf(await v1Collection(target));
      const username = encodeURIComponent(String(fieldsOf(first?.['author'])['username']));
      return listOf((await get(target, `/user/${username}/uploads?limit=5`))['uploads']);
    },
    v1: true,
  },
  'v1 usage': {
    table: {
      limits: holds({ daily: isV1Limit, hourly: isV1Limit, monthly: isV1Limit }),
      usage: isV1Usage,
    },
    samples: async (target) => [await get(target, '/oauth/usage')],
    v1: true,
  },
};

/** Each kind of record is asked for once a target. */
const asked = new Map<string, Promise<readonly unknown[]>>();

async function samplesOf(name: string, target: Target): Promise<Fields[]> {
  const key = `${target.name} ${name}`;
  const samples = asked.get(key) ?? RESOURCES[name]!.samples(target);
  asked.set(key, samples);
  const records = listOf(await samples);
  expect(records.length).toBeGreaterThan(0);
  return records;
}

checkTargets(
  Object.entries(RESOURCES).flatMap(([name, { table, v1 }]) =>
    Object.entries(table).map(
      ([field, kind]) =>
        [
          `Resources: ${name}, field ${field}`,
          async (target: Target, context: TestContext) => {
            if (v1 && !(await target.hasV1())) return context.skip('the key has no access to v1');
            const wrong = (await samplesOf(name, target)).filter((record) => !kind(record[field]));
            expect(wrong.map((record) => record[field])).toEqual([]);
            return undefined;
          },
        ] as const,
    ),
  ),
);

checkTargets([
  [
    'Resources: v2 icon, a line weight is an average at 512 px and only of lines',
    async (target) => {
      const { line } = await target.subjects();
      const { bytes } = await target.client.download(line.id, { filetype: 'svg' });
      const markup = Buffer.from(bytes).toString();
      const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(markup)?.[1];
      const width = /stroke-width="([\d.]+)"/.exec(markup)?.[1];
      const weight = line.styles!.find(({ line_weight }) => line_weight)?.line_weight;
      // Files that are drawn as outlines of their lines hold no width to compare with.
      if (width !== undefined) expect(weight).toBe(Math.round((Number(width) / Number(box)) * 512));
      expect(weight).toBeGreaterThan(0);
    },
  ],
  [
    'Resources: v2 usage object stands in every v2 answer but that of usage',
    async (target) => {
      const { icons, collectionId, publicDomain } = await target.subjects();
      for (const path of [
        `/v2/icon/${icons[0]!.id}`,
        `/v2/icon/${publicDomain.id}/download`,
        '/v2/icon?limit=1',
        '/v2/collection?limit=1',
        `/v2/collection/${collectionId}?limit=1`,
        '/v2/icon/autocomplete?query=a',
        '/v2/client/blacklist',
      ]) {
        expect([path, (await get(target, path))['usage_limits']]).toEqual([
          path,
          { monthly: { limit: expect.any(Number), usage: expect.any(Number) } },
        ]);
      }
      expect(await get(target, '/v2/client/usage')).not.toHaveProperty('usage_limits');
    },
  ],
]);
