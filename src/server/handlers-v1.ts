import type { EndpointName } from '../catalog/endpoints.ts';
import type { Call, Handler } from './call.ts';
import { notFound, slice } from './params.ts';
import { type Collection, type Icon, isPublicDomain } from './library.ts';
import {
  v1CollectionRecord,
  v1FoundIconRecord,
  v1IconRecord,
  v1SingleCollectionRecord,
  v1SingleIconRecord,
} from './records.ts';
import { fold } from './words.ts';

type V1Name = Extract<EndpointName, `v1${string}`>;

export const V1_HANDLERS: Record<V1Name, Handler> = {
  v1CollectionById: (call) => ({ collection: v1SingleCollectionRecord(findCollection(call)) }),
  v1CollectionBySlug: (call) => ({ collection: v1SingleCollectionRecord(findCollection(call)) }),
  v1CollectionIconsById: (call) => iconList(call, findCollection(call).icons),
  v1CollectionIconsBySlug: (call) => iconList(call, findCollection(call).icons),
  v1Collections: (call) => ({
    collections: slice(call.library.collections, call.query).map(v1CollectionRecord),
  }),

  v1IconById(call) {
    const id = Number(call.path['id']);
    const icon = call.library.icon(id);
    if (!icon) throw notFound(`Icon ${id}`);
    return { icon: v1SingleIconRecord(call, icon) };
  },

  v1IconByTerm(call) {
    const term = call.path['term'] ?? '';
    const best = call.search.find(term).find((icon) => isCalled(icon, term));
    if (!best) throw notFound('An icon of this term');
    return { icon: v1SingleIconRecord(call, best) };
  },

  v1Icons(call) {
    const found = call.search.find(call.path['term'] ?? '');
    const icons = call.query.flag('limit_to_public_domain') ? found.filter(isPublicDomain) : found;
    return {
      generated_at: new Date(call.now).toUTCString(),
      icons: slice(icons, call.query).map((icon) => v1FoundIconRecord(call, icon)),
    };
  },

  v1Usage({ account }) {
    const { daily, hourly, monthly } = account.limits;
    return { limits: { daily, hourly, monthly }, usage: { ...account.usage.counts } };
  },

  v1UserUploads(call) {
    const username = call.path['username'] ?? '';
    const uploads = collectionsOf(call, username).flatMap(({ icons }) => icons);
    return {
      generated_at: new Date(call.now).toUTCString(),
      uploads: slice(uploads, call.query).map((icon) => v1IconRecord(call, icon)),
    };
  },

  v1UserCollections: (call) => ({
    collections: collectionsOf(call, Number(call.path['user_id'])).map(v1CollectionRecord),
  }),

  v1UserCollection(call) {
    const { user_id, slug } = call.path;
    const collection = collectionsOf(call, Number(user_id)).find(({ prefix }) => prefix === slug);
    if (!collection) throw notFound('This collection of the user');
    return { collection: v1SingleCollectionRecord(collection) };
  },
};

function findCollection({ library, path }: Call): Collection {
  const collection =
    path['id'] === undefined
      ? library.collection(path['slug'] ?? '')
      : library.collection(Number(path['id']));
  if (!collection) throw notFound('This collection');
  return collection;
}

function collectionsOf({ library }: Call, user: number | string): Collection[] {
  const collections = library.collectionsOfUser(user);
  if (collections.length === 0) throw notFound('User');
  return collections;
}

function iconList(call: Call, icons: readonly Icon[]): object {
  return {
    generated_at: new Date(call.now).toUTCString(),
    icons: slice(icons, call.query).map((icon) => v1IconRecord(call, icon)),
  };
}

/** The string form of a path addresses by name or slug, not by search. */
function isCalled({ name, term, collection }: Icon, asked: string): boolean {
  const wanted = fold(asked.trim());
  return [name, term, ...collection.synonyms(name)].some((known) => fold(known) === wanted);
}
