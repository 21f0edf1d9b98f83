import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallArguments, prepareCall } from '../catalog/arguments.ts';
import {
  type Answer,
  AnswerPromise,
  type CatalogMethods,
  createMethods,
} from '../catalog/client.ts';
import type { EndpointName } from '../catalog/endpoints.ts';
import type * as queries from '../catalog/queries.ts';
import type { Icon } from '../catalog/records.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { writeWhole } from '../store/files.ts';
import { createSign, readCacheKey, type Sign } from '../store/packs.ts';
import { createSingleFlight } from './build-state.ts';
import { type CatalogConnection, configuredCatalog } from './connection.ts';

/** The lists whose answers are kept. */
const LISTS = ['icons', 'autocomplete', 'collections', 'collection'] as const;
type ListName = (typeof LISTS)[number];

function isList(name: EndpointName): name is ListName {
  return LISTS.some((one) => one === name);
}

export interface Found<Name extends ListName> {
  /** Of a kept answer without addresses of files, and without what the catalog said about the use of the key. */
  answer: Answer<Name>;
  /** Milliseconds since 1970. */
  askedAt: number;
  isKept: boolean;
}

export interface AskOptions {
  /** Asks the catalog even if an answer is kept. */
  fresh?: boolean | undefined;
  /** `false`: only kept answers count, however old they are, and no call is made. @default true */
  remote?: boolean | undefined;
}

/** Every method resolves with `undefined` only if `remote` is false and nothing is kept. */
export interface Searches {
  icons(query: queries.IconsQuery, options?: AskOptions): Promise<Found<'icons'> | undefined>;
  suggestions(
    query: string,
    options?: queries.AutocompleteOptions & AskOptions,
  ): Promise<Found<'autocomplete'> | undefined>;
  collections(
    query: queries.CollectionsQuery,
    options?: AskOptions,
  ): Promise<Found<'collections'> | undefined>;
  collection(
    id: string,
    query: queries.CollectionQuery,
    options?: AskOptions,
  ): Promise<Found<'collection'> | undefined>;
  /**
   * A client whose lists come from kept answers unless `fresh` is set; their options of a call do not count. Nothing of the
   * catalog is opened, nor is its code loaded, before a call is made.
   */
  client(options: { fresh: boolean }): CatalogMethods;
  /** The icons of all kept answers, the latest record of each. */
  known(): Promise<ReadonlyMap<string, Icon>>;
}

/** Milliseconds for which an answer stands in for another call. */
const FRESH = 24 * 60 * 60 * 1000;
/** Milliseconds after which a kept answer is removed. Until then it helps to find icons without a call. */
const OLD = 30 * FRESH;

const SIGNATURE = 64;

/**
 * Searches, suggestions and collections of the catalog, for picker and command line alike. Equal questions cost one call a
 * day, and one if they are asked at the same time. Answers lie in the cache folder, signed with the key of this machine,
 * and without addresses, which would have expired. The embedded catalog of this process meters no calls, so none of its
 * answers is kept.
 */
export function createSearches(
  options: ResolvedOptions,
  {
    connection,
    warn,
    now = Date.now,
  }: {
    connection: Pick<CatalogConnection, 'session'>;
    warn(message: string): void;
    now?: () => number;
  },
): Searches {
  const once = createSingleFlight();
  let opened: Promise<AnswerFolder | undefined> | undefined;
  const folder = (): Promise<AnswerFolder | undefined> =>
    (opened ??= openFolder(options, { warn, now }));

  async function ask<Name extends ListName>(
    name: Name,
    canonical: string,
    { fresh = false, remote = true, send }: AskOptions & { send: () => Promise<Answer<Name>> },
  ): Promise<Found<Name> | undefined> {
    const kept = await folder();
    const find = async (): Promise<Found<Name> | undefined> => {
      const found = await kept?.read(canonical);
      return found && { ...(found as Kept<Name>), isKept: true };
    };
    if (!remote) return find();
    return once(`${name} ${canonical}`, async () => {
      const found = fresh ? undefined : await find();
      if (found !== undefined && now() - found.askedAt < FRESH) return found;
      const answer = await send();
      const askedAt = now();
      await kept?.write(canonical, { askedAt, answer: withoutAddresses(answer) });
      return { answer, askedAt, isKept: false };
    });
  }

  const list = async <Name extends ListName>(
    name: Name,
    args: CallArguments,
    how?: AskOptions,
  ): Promise<Found<Name> | undefined> =>
    ask(name, canonicalCall(name, args), {
      ...how,
      fresh: how?.fresh === true || isPersonal(args),
      send: async () => (await connection.session()).call(name, args),
    });

  return {
    icons: (query, how) => list('icons', { query }, how),
    suggestions: (query, { fresh, remote, ...rest } = {}) =>
      list('autocomplete', { query: { query, ...rest } }, { fresh, remote }),
    collections: (query, how) => list('collections', { query }, how),
    collection: (id, query, how) =>
      list('collection', { segments: { collection_id: id }, query }, how),
    client: ({ fresh }) =>
      createMethods((name, args, how) => {
        const answered = isList(name)
          ? list(name, args, { fresh }).then((one) => ({
              data: one?.answer as never,
              response: KEPT,
            }))
          : connection.session().then(async ({ call }) => {
              const { data, response } = await call(name, args, how).withResponse();
              return { data, response: () => response };
            });
        return new AnswerPromise(answered);
      }),
    async known() {
      const kept = await folder();
      return (await kept?.icons()) ?? new Map<string, Icon>();
    },
  };
}

/** Stands for the answer to a call that was not made. */
const KEPT = () => ({ status: 200, headers: {}, requestId: undefined });

/** What the blacklist of a key leaves out changes within minutes, and addresses are all that `include_svg` asks for. */
function isPersonal({ query = {} }: CallArguments): boolean {
  return ('blacklist' in query && Boolean(query.blacklist)) || 'include_svg' in query;
}

/** What only decides which addresses an answer has. */
const ABOUT_ADDRESSES: ReadonlySet<string> = new Set(['thumbnail_size', 'include_svg']);

/**
 * One text for each question, however it is written.
 * @throws IconCatalogError CATALOG_BAD_REQUEST as the call does
 */
function canonicalCall(name: ListName, args: Parameters<typeof prepareCall>[1]): string {
  const { path, query } = prepareCall(name, args);
  const asked = query
    .filter(([param]) => !ABOUT_ADDRESSES.has(param))
    .map(([param, value]) => [param, value.normalize('NFC').trim().replaceAll(/\s+/g, ' ')])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return JSON.stringify([path, asked]);
}

interface Kept<Name extends ListName> {
  askedAt: number;
  answer: Answer<Name>;
}

interface AnswerFolder {
  read(canonical: string): Promise<Kept<ListName> | undefined>;
  write(canonical: string, kept: Kept<ListName>): Promise<void>;
  icons(): Promise<ReadonlyMap<string, Icon>>;
}

/** `undefined`: nothing is kept of this catalog. */
async function openFolder(
  options: ResolvedOptions,
  { warn, now }: { warn(message: string): void; now: () => number },
): Promise<AnswerFolder | undefined> {
  const { catalog } = options;
  const identity = catalog.kind === 'embedded' ? undefined : await configuredCatalog(options);
  if (identity === undefined) return undefined;
  const key = await readCacheKey(options.cacheKey, warn);
  const sign = createSign(key, 'kept answers');
  // What a client key may see is its own. Only the signature of both is written.
  const owner = sign(identity.id, catalog.kind === 'remote' ? catalog.key : '').slice(0, 32);
  return createAnswerFolder(join(options.cacheDir, 'answers', owner), { sign, now });
}

function createAnswerFolder(
  dir: string,
  { sign, now }: { sign: Sign; now: () => number },
): AnswerFolder {
  let isTidy = false;
  let isWritable = true;
  const parsed = new Map<string, { signature: string; kept: Kept<ListName> }>();
  const nameOf = (canonical: string): string => `${sign(canonical).slice(0, 40)}.json`;

  /** The name is signed too, so that no answer can take the place of another one. */
  async function readNamed(name: string): Promise<Kept<ListName> | undefined> {
    const text = await readFile(join(dir, name), 'utf8').catch(() => '');
    const signature = text.slice(0, SIGNATURE);
    const before = parsed.get(name);
    if (before?.signature === signature) return before.kept;
    const body = text.slice(SIGNATURE + 1);
    if (sign(name, body) !== signature) return undefined;
    const kept = JSON.parse(body) as Kept<ListName>;
    parsed.set(name, { signature, kept });
    return kept;
  }

  /** Answers that no search would find any more are removed once a process. */
  async function tidy(): Promise<void> {
    isTidy = true;
    for (const name of await readdir(dir).catch((): string[] => [])) {
      if (!name.endsWith('.json')) continue;
      const kept = await readNamed(name);
      if (kept === undefined || now() - kept.askedAt > OLD)
        await rm(join(dir, name), { force: true });
    }
  }

  return {
    read: (canonical) => readNamed(nameOf(canonical)),
    async write(canonical, kept) {
      if (!isWritable) return;
      const name = nameOf(canonical);
      const body = JSON.stringify(kept);
      try {
        if (!isTidy) await tidy();
        await writeWhole(join(dir, name), `${sign(name, body)}\n${body}`);
      } catch {
        // An answer that is not kept is asked again; the store reports a folder that cannot be written.
        isWritable = false;
      }
    },
    async icons() {
      const names = await readdir(dir).catch((): string[] => []);
      const all = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => readNamed(name)),
      );
      const newestLast = all
        .filter((kept) => kept !== undefined)
        .toSorted((a, b) => a.askedAt - b.askedAt);
      return new Map(
        newestLast.flatMap(({ answer }) => iconsOf(answer)).map((icon) => [icon.id, icon]),
      );
    },
  };
}

/** The icons of an answer, each as the catalog would answer for it alone. */
export function iconsOf(answer: Answer<ListName>): readonly Icon[] {
  if (!('icons' in answer) && !('collection' in answer)) return [];
  const icons = 'icons' in answer ? answer.icons : answer.collection.icons;
  const texts = new Map(Object.entries(answer.license_texts ?? {}));
  const withText = (icon: Icon): Icon => {
    const license_text = texts.get(icon.license_text_digest ?? '');
    return license_text === undefined ? icon : { ...icon, license_text };
  };
  return icons.map(withText);
}

/** Addresses of files die within the hour, and open the file to anyone until then. */
function withoutAddresses<Name extends ListName>(answer: Answer<Name>): Answer<Name> {
  const { usage_limits: _usage, ...rest } = answer;
  return JSON.parse(
    JSON.stringify(rest, (name, value: unknown) =>
      name.endsWith('_url') && !LASTING.has(name) ? undefined : value,
    ),
  ) as Answer<Name>;
}

/** Addresses of pages, which are no files. */
const LASTING: ReadonlySet<string> = new Set(['site_url', 'creator_url', 'license_url']);
