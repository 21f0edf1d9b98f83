import type { EndpointName } from '../catalog/endpoints.ts';
import { isObject } from '../untrusted.ts';
import { download } from './assets.ts';
import { type BlacklistKind, type BlacklistRecord, writeBlacklist } from './blacklist.ts';
import { blacklistOf, type Call, fileUrl, type Handler, thumbnailUrl } from './call.ts';
import { badRequest, DEFAULT_THUMBNAIL_SIZE, notFound, paginate } from './params.ts';
import { type Collection, type Icon, isPublicDomain } from './library.ts';
import { collectionRecord, iconRecord, stylesOf } from './records.ts';
import { sha256Hex } from '../store/hash.ts';
import { fold, stampMicroseconds, words } from './words.ts';

type V2Name = Exclude<EndpointName, `v1${string}`>;

/** One function an endpoint of v2; `usage_limits` is added to what they return. */
export const V2_HANDLERS: Record<V2Name, Handler> = {
  icon(call) {
    const icon = findIcon(call);
    const { text } = icon.collection.license;
    return {
      generated_at: stampMicroseconds(call.now),
      icon: { ...describe(call, icon, true), ...(text !== undefined && { license_text: text }) },
      total: 1,
    };
  },

  icons(call) {
    const items = selectIcons(call);
    const page = paginate({ items, query: call.query, question: questionOf(call, 'icons') });
    return {
      generated_at: stampMicroseconds(call.now),
      ...describeAll(call, page.items),
      ...tokens(page),
      total: items.length,
    };
  },

  download: (call) => download(call, findIcon(call)),

  collection(call) {
    const blacklist = blacklistOf(call);
    const id = Number(call.path['collection_id']);
    const collection = call.library.collection(id);
    if (!collection || blacklist?.collection(collection)) throw notFound(`Collection ${id}`);
    const icons = collection.icons.filter((icon) => !blacklist?.icon(icon));
    const page = paginate({
      items: icons,
      query: call.query,
      question: questionOf(call, `collection ${id}`),
    });
    const { icons: shown, ...texts } = describeAll(call, page.items);
    return {
      collection: { ...collectionRecord(collection), icons: shown, ...tokens(page) },
      ...texts,
      generated_at: stampMicroseconds(call.now),
      total: icons.length,
    };
  },

  collections(call) {
    const items = selectCollections(call);
    const page = paginate({ items, query: call.query, question: questionOf(call, 'collections') });
    return {
      collections: page.items.map(collectionRecord),
      generated_at: stampMicroseconds(call.now),
      ...tokens(page),
      total: items.length,
    };
  },

  autocomplete(call) {
    const text = call.query.text('query');
    if (text === undefined) throw badRequest('query must be given.');
    const blacklist = blacklistOf(call);
    const suggestions = call.search.suggest(
      text,
      (term) => !blacklist?.text(term),
      call.query.number('limit') ?? 10,
    );
    return { generated_at: stampMicroseconds(call.now), suggestions };
  },

  usage: ({ account }) => ({
    monthly: { limit: account.limits.monthly ?? 0, usage: account.usage.counts.monthly },
  }),
  blacklist: readBlacklistOf,
  blacklistIds: (call) =>
    writeBlacklistOf(
      call,
      call.query.text('type') === 'collection' ? 'collection_ids' : 'icon_ids',
    ),
  blacklistTerms: (call) => writeBlacklistOf(call, 'search_terms'),
};

/** Rule 9 for single items: an item that the blacklist removes is not found. */
function findIcon(call: Call): Icon {
  const id = Number(call.path['icon_id']);
  const icon = call.library.icon(id);
  if (!icon || blacklistOf(call)?.icon(icon)) throw notFound(`Icon ${id}`);
  return icon;
}

/** A list has each text of a licence once, under its digest: with every icon it would be many times as long. */
function describeAll(
  call: Call,
  icons: readonly Icon[],
): { icons: object[]; license_texts?: Record<string, string> } {
  const withFile = call.query.flag('include_svg');
  const digests = new Map<string, string>();
  const described = icons.map((icon) => {
    const record = describe(call, icon, withFile);
    const { text } = icon.collection.license;
    if (text === undefined) return record;
    const digest = digests.get(text) ?? sha256Hex(text);
    digests.set(text, digest);
    return { ...record, license_text_digest: digest };
  });
  const texts = [...digests].map(([text, digest]) => [digest, text] as const);
  return {
    icons: described,
    ...(texts.length > 0 && { license_texts: Object.fromEntries(texts) }),
  };
}

function describe(call: Call, icon: Icon, withFile: boolean): object {
  return iconRecord(icon, {
    thumbnail_url: thumbnailUrl(
      call,
      icon,
      call.query.number('thumbnail_size') ?? DEFAULT_THUMBNAIL_SIZE,
    ),
    icon_url: withFile ? fileUrl(call, icon, '.svg') : undefined,
  });
}

function tokens(page: { next_page?: string; prev_page?: string }): object {
  const { next_page, prev_page } = page;
  return { ...(next_page && { next_page }), ...(prev_page && { prev_page }) };
}

/** The filters that decide which items a list has. Pages of the same filters belong together. */
function questionOf({ query }: Call, list: string): string {
  return JSON.stringify([
    list,
    query.text('query'),
    query.list('styles'),
    query.range('line_weight'),
    query.flag('limit_to_public_domain'),
    query.flag('blacklist'),
  ]);
}

/** The time in milliseconds for which GET repeats its answer. */
const CACHE = 600_000;

/** GET blacklist. The interface caches it for ten minutes; filters and POST answers see changes at once. */
function readBlacklistOf({ account, now }: Call): { blacklist: BlacklistRecord } {
  const kept = account.blacklistSnapshot;
  if (!kept || now >= kept.until || now < kept.until - CACHE) {
    account.blacklistSnapshot = { list: account.blacklist, until: now + CACHE };
  }
  return { blacklist: account.blacklistSnapshot?.list ?? account.blacklist };
}

/** Both POST calls: checks the body, writes, answers with the complete list after the change. */
async function writeBlacklistOf(
  call: Call,
  kind: BlacklistKind,
): Promise<{ blacklist: BlacklistRecord }> {
  const { account, body, state } = call;
  account.blacklist = writeBlacklist(account, kind, readBody(body, kind));
  await state.saveBlacklist(account.key, account.blacklist);
  return { blacklist: account.blacklist };
}

function readBody(
  body: unknown,
  kind: BlacklistKind,
): { entries: (number | string)[]; overwrite: boolean } {
  const isTerms = kind === 'search_terms';
  const { blacklist, overwrite = false } = isObject(body) ? body : {};
  const isEntry = isTerms ? isTerm : isId;
  if (!Array.isArray(blacklist) || !blacklist.every(isEntry)) {
    throw badRequest(
      `The body must be JSON with \`blacklist\`, an array of ${isTerms ? 'texts that are not empty' : 'integer ids'}.`,
    );
  }
  if (typeof overwrite !== 'boolean') throw badRequest('`overwrite` must be true or false.');
  return { entries: blacklist, overwrite };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTerm(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Icons of a v2 list, best match first. Cheap filters go first: styles are measured only for what is left. */
function selectIcons(call: Call): readonly Icon[] {
  const { query, search } = call;
  let icons = search.find(query.text('query') ?? '');
  if (query.flag('limit_to_public_domain')) icons = icons.filter(isPublicDomain);
  const blacklist = blacklistOf(call);
  if (blacklist) icons = icons.filter((icon) => !blacklist.icon(icon));
  const styles = query.list('styles');
  if (styles)
    icons = icons.filter((icon) => stylesOf(icon).some(({ style }) => styles.includes(style)));
  const weight = query.range('line_weight');
  return weight ? icons.filter((icon) => hasLineWeight(icon, weight)) : icons;
}

function hasLineWeight(icon: Icon, [low, high]: readonly [number, number]): boolean {
  return stylesOf(icon).some(
    ({ line_weight }) => line_weight !== undefined && line_weight >= low && line_weight <= high,
  );
}

/** Collections whose name, author or tags hold all words of the query; all of them without one. */
function selectCollections(call: Call): readonly Collection[] {
  const blacklist = blacklistOf(call);
  const text = call.query.text('query') ?? '';
  const wanted = words(text);
  if (wanted.length === 0 && text.trim() !== '') return [];
  return call.library.collections.filter((collection) => {
    if (blacklist?.collection(collection)) return false;
    const { name, prefix, author, tags } = collection;
    const known = fold([name, prefix, author.name, ...tags].join(' '));
    return wanted.every((word) => known.includes(word));
  });
}
