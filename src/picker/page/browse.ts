import type { SearchRequest } from '../api.ts';
import { activeFilters, keyOf, type Place, toRequest, type Navigation } from './address.ts';
import { Failure, post } from './client.ts';
import { createHits, type Hits, loadPages, report, toResults } from './hits.ts';
import { findIcon, type Results, type Store, whyNoCall } from './store.ts';
import { plain } from './text.ts';

/** When what is searched. What costs a call happens on Enter, on a button, or after a rest while typing. */

/** What is on this machine is so near that each pause between two keys can ask. */
const LOCAL_REST = 60;
const REMOTE_REST = 600;
const SHORTEST = 3;

export interface Browse extends Pick<Hits, 'more'> {
  /** Shows what the address asks for; never a call. */
  arrive(): void;
  type(query: string): void;
  /** Searches the catalog: at most one call. */
  submit(fresh?: boolean): Promise<void>;
  filter(change: Partial<Place>): void;
  suggest(query: string): Promise<void>;
  loadCollections(remote: boolean, next?: boolean): Promise<void>;
  loadCollection(remote: boolean, next?: boolean): Promise<void>;
  /** True while a search of the catalog is about to follow the one of this machine. */
  isWaiting(): boolean;
}

/** Nothing is searched: the page shows what is on this machine. */
function isEmpty(place: Place): boolean {
  return (
    place.query.trim() === '' && activeFilters({ ...place, collection: undefined }).length === 0
  );
}

export function createBrowse(store: Store, navigation: Navigation): Browse {
  const hits = createHits(store, navigation);
  let localTimer = 0;
  let remoteTimer = 0;
  let isWaiting = false;

  const stopTimers = (): void => {
    clearTimeout(localTimer);
    clearTimeout(remoteTimer);
    isWaiting = false;
  };

  /** After a rest. What the server kept needs no call. */
  const searchByItself = (): void => {
    isWaiting = false;
    const { results, place } = store.get();
    const isAnswered =
      results !== undefined &&
      results.from !== 'local' &&
      keyOf(results.request) === keyOf(toRequest(place, true));
    if (isAnswered) store.set({});
    else void hits.run(true);
  };

  const browse: Browse = {
    more: hits.more,
    arrive() {
      stopTimers();
      const { place } = store.get();
      const listed =
        place.view === 'search'
          ? isEmpty(place)
            ? hits.loadLocal()
            : hits.run(false)
          : place.view === 'collections' && place.collection !== undefined
            ? browse.loadCollection(false)
            : Promise.resolve();
      void listed.then(() => findLinked(store, navigation));
      if (place.view === 'collections' || isEmpty(place)) void browse.loadCollections(false);
    },
    type(query) {
      navigation.restored = undefined;
      navigation.go(
        { query, view: 'search', collection: undefined, creator: undefined },
        'replace',
      );
      stopTimers();
      const state = store.get();
      if (isEmpty(state.place)) {
        browse.arrive();
        return;
      }
      localTimer = window.setTimeout(() => void hits.run(false), LOCAL_REST);
      isWaiting =
        state.settings.auto && query.trim().length >= SHORTEST && whyNoCall(state) === undefined;
      if (isWaiting) remoteTimer = window.setTimeout(searchByItself, REMOTE_REST);
    },
    async submit(fresh = false) {
      stopTimers();
      navigation.restored = undefined;
      navigation.go({ view: 'search' }, 'push');
      if (isEmpty(store.get().place)) browse.arrive();
      else await hits.run(whyNoCall(store.get()) === undefined, fresh);
    },
    filter(change) {
      navigation.restored = undefined;
      navigation.go(change, 'replace');
      browse.arrive();
    },
    suggest: (query) => suggest(store, query),
    ...createCollections(store, navigation),
    isWaiting: () => isWaiting,
  };
  return browse;
}

async function suggest(store: Store, query: string): Promise<void> {
  const { results } = store.get();
  if (results === undefined || results.suggesting === 'asked') return;
  const asking: Results = { ...results, suggesting: 'asked' };
  store.set({ results: asking });
  const tell = (change: Partial<Results>): void => {
    // The words are for these hits; others may be shown meanwhile.
    if (store.get().results === asking) store.set({ results: { ...results, ...change } });
  };
  try {
    const { suggestions, costs } = await post('suggest', { query });
    store.set({ costs });
    tell({ suggestions, suggesting: 'answered' });
  } catch (error) {
    report(store, error);
    tell({});
  }
}

/** The icon of the address may be in no list, as in a link from someone else; no call. */
async function findLinked(store: Store, navigation: Navigation): Promise<void> {
  const { icon: id, view } = store.get().place;
  const isMissing = (): boolean =>
    id !== undefined && store.get().place.icon === id && findIcon(store.get(), id) === undefined;
  if (id === undefined || !isMissing()) return;
  try {
    const { icon } = await post('icon', { id, remote: false });
    store.set({ linked: icon });
  } catch (error) {
    const isUnknown = error instanceof Failure && /^(?:NOT_FOUND|BODY)$/.test(error.detail.code);
    if (!isUnknown) report(store, error);
    else if (isMissing() && store.get().place.view === view) {
      navigation.go({ icon: undefined }, 'replace');
      const text = `This machine does not know the icon ${plain(id, 60)}.`;
      store.set({ toast: { text, tone: 'problem' } });
    }
  }
}

function createCollections(
  store: Store,
  navigation: Navigation,
): Pick<Browse, 'loadCollections' | 'loadCollection'> {
  /** The collection that is on its way. The page and its address both ask for it, and a later answer would have fewer pages. */
  let awaited: string | undefined;
  return {
    async loadCollections(remote, next = false) {
      const { collections } = store.get();
      if (!remote && collections !== undefined) return;
      if (next && collections?.status !== 'done') return;
      const list = collections?.list ?? [];
      store.set({ collections: { list, ...collections, status: 'loading' } });
      try {
        const body = { remote, ...(next && { nextPage: collections?.nextPage }) };
        const answer = await post('collections', body);
        const { nextPage } = answer;
        store.set({
          collections: {
            list: next ? [...list, ...answer.collections] : answer.collections,
            ...(nextPage !== undefined && { nextPage }),
            status: 'done',
          },
          costs: answer.costs,
        });
      } catch (error) {
        report(store, error);
        store.set({ collections: { ...collections, list, status: 'done' } });
      }
    },
    async loadCollection(remote, next = false) {
      const { place, shown } = store.get();
      const id = place.collection ?? '';
      const before = shown?.collection?.id === id ? shown : undefined;
      if (!remote && before !== undefined) return;
      if (next && before?.status !== 'done') return;
      if (!remote && awaited === id) return;
      awaited = id;
      const request: SearchRequest = { query: '', remote };
      store.set({
        shown: {
          request,
          icons: [],
          suggestions: [],
          calls: 0,
          pages: 0,
          ...before,
          status: next ? 'more' : 'loading',
        },
      });
      try {
        const body = { id, remote, ...(next && { nextPage: before?.nextPage }) };
        const answer = await post('collection', body);
        if (store.get().place.collection !== id) return;
        const first = toResults(request, answer, next ? before : undefined);
        const found = await loadPages(first, navigation.restored?.pages, (nextPage) =>
          post('collection', { id, remote: false, nextPage }),
        );
        if (store.get().place.collection !== id) return;
        navigation.remember({ pages: found.pages });
        store.set({ shown: { ...found, collection: answer.collection }, costs: answer.costs });
      } catch (error) {
        report(store, error);
        if (store.get().place.collection === id) store.set({ shown: before });
      } finally {
        if (awaited === id) awaited = undefined;
      }
    },
  };
}
