import type { EndpointName } from '../catalog/endpoints.ts';
import { writeBlacklistOf, readBlacklistOf } from './blacklist-calls.ts';
import { type Call, type Handler, blacklistOf, fileUrl, thumbnailUrl } from './call.ts';
import { stampMicroseconds } from './dates.ts';
import { download } from './download.ts';
import { badRequest, notFound } from './http-error.ts';
import type { Icon } from './library.ts';
import { paginate } from './paging.ts';
import { DEFAULT_THUMBNAIL_SIZE } from './params.ts';
import { collectionRecord, iconRecord } from './records.ts';
import { selectCollections, selectIcons } from './select.ts';

type V2Name = Exclude<EndpointName, `v1${string}`>;

/** One function an endpoint of v2; `usage_limits` is added to what they return. */
export const V2_HANDLERS: Record<V2Name, Handler> = {
  icon(call) {
    const icon = findIcon(call);
    const { text } = icon.collection.license;
    return {
      generated_at: stampMicroseconds(call.now),
      // Lists leave the text out, which would make them many times as long.
      icon: { ...describe(call, icon, true), ...(text !== undefined && { license_text: text }) },
      total: 1,
    };
  },

  icons(call) {
    const items = selectIcons(call);
    const page = paginate({ items, query: call.query, question: questionOf(call, 'icons') });
    return {
      generated_at: stampMicroseconds(call.now),
      icons: page.items.map((icon) => describe(call, icon, call.query.flag('include_svg'))),
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
    return {
      collection: {
        ...collectionRecord(collection),
        icons: page.items.map((icon) => describe(call, icon, call.query.flag('include_svg'))),
        ...tokens(page),
      },
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

/** Rule 9 for single items: what the blacklist removes is not there. */
function findIcon(call: Call): Icon {
  const id = Number(call.path['icon_id']);
  const icon = call.library.icon(id);
  if (!icon || blacklistOf(call)?.icon(icon)) throw notFound(`Icon ${id}`);
  return icon;
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

/** What decides which items a list has; pages of the same question belong together. */
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
