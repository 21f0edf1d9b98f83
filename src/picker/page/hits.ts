import type { SearchAnswer, SearchRequest } from '../api.ts';
import { keyOf, toRequest, type Navigation } from './address.ts';
import { Failure, post } from './client.ts';
import type { Results, Store } from './store.ts';

/** One search at a time, and the answers of this visit. */

/** Answers that are kept, for Back and for words that are typed again. */
const MOST_KEPT = 24;

const NOTHING = { icons: [], suggestions: [], calls: 0, pages: 0 };

export interface Hits {
  /** Searches what the address asks for. Only `remote` may cost a call. */
  run(remote: boolean, fresh?: boolean): Promise<void>;
  /** Loads the next page: one call. */
  more(): Promise<void>;
  /** Loads what is on this machine, for a page without a query. */
  loadLocal(): Promise<void>;
}

/** Takes note of a refusal. An aborted call is none. */
export function report(store: Store, error: unknown): void {
  if (!(error instanceof Failure)) return;
  const { detail, costs = store.get().costs } = error;
  if (detail.code === 'GONE') store.set({ connection: 'gone' });
  else if (detail.code === 'UNAUTHORIZED') store.set({ connection: 'token' });
  else store.set({ problem: detail, ...(costs && { costs }) });
}

export function toResults(request: SearchRequest, answer: SearchAnswer, before?: Results): Results {
  return {
    request,
    status: 'done',
    icons: before === undefined ? answer.icons : [...before.icons, ...answer.icons],
    from: answer.from,
    ...(answer.askedAt !== undefined && { askedAt: answer.askedAt }),
    ...(answer.total !== undefined && { total: answer.total }),
    ...(answer.nextPage !== undefined && { nextPage: answer.nextPage }),
    suggestions: answer.suggestions ?? [],
    calls: (before?.calls ?? 0) + answer.costs.calls,
    pages: (before?.pages ?? 0) + 1,
  };
}

/** Hits of the catalog that a new filter only narrows say more than what is on this machine. */
function isPoorer(next: Results, before: Results | undefined): before is Results {
  return (
    next.from === 'local' &&
    before?.from !== undefined &&
    before.from !== 'local' &&
    before.request.query === next.request.query
  );
}

/** The pages that were loaded before a reload, from what the server kept. */
export async function loadPages(
  first: Results,
  pages = 1,
  ask: (nextPage: string) => Promise<SearchAnswer> = (nextPage) =>
    post('search', { ...first.request, nextPage, remote: false }),
): Promise<Results> {
  let whole = first;
  for (let page = 1; page < pages && whole.nextPage !== undefined; page += 1) {
    const answer = await ask(whole.nextPage);
    if (answer.from === 'local') break;
    whole = toResults(whole.request, answer, whole);
  }
  return whole;
}

async function loadLocal(store: Store, navigation: Navigation): Promise<void> {
  store.set({ results: undefined });
  const { local } = store.get();
  if (local !== undefined) {
    navigation.remember({ pages: local.pages });
    return;
  }
  const request: SearchRequest = { query: '', remote: false };
  try {
    const answer = await post('search', request);
    const whole = await loadPages(toResults(request, answer), navigation.restored?.pages);
    store.set({ local: whole, costs: answer.costs });
  } catch (error) {
    report(store, error);
  }
}

function keep(kept: Map<string, Results>, results: Results): void {
  const key = keyOf(results.request);
  kept.delete(key);
  kept.set(key, results);
  for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
}

async function loadMore(
  store: Store,
  navigation: Navigation,
  { kept, show }: { kept: Map<string, Results>; show: (results: Results) => void },
): Promise<void> {
  const state = store.get();
  const name = state.results === undefined ? 'local' : 'results';
  const before = state[name];
  if (before?.nextPage === undefined || before.status !== 'done') return;
  const waiting: Results = { ...before, status: 'more' };
  store.set({ [name]: waiting });
  // Another search may have taken the place of these hits meanwhile.
  const isShown = (): boolean => store.get()[name] === waiting;
  try {
    const request = { ...before.request, remote: true, nextPage: before.nextPage };
    const answer = await post('search', request);
    const whole = toResults(before.request, answer, before);
    if (name === 'local') {
      store.set({ local: whole });
      if (store.get().results === undefined) navigation.remember({ pages: whole.pages });
    } else if (isShown()) show(whole);
    else keep(kept, whole);
    store.set({ costs: answer.costs });
  } catch (error) {
    report(store, error);
    if (isShown()) store.set({ [name]: before });
  }
}

export function createHits(store: Store, navigation: Navigation): Hits {
  const kept = new Map<string, Results>();
  let running: { controller: AbortController; paid?: string } | undefined;

  const show = (results: Results): void => {
    if (results.from !== 'local') keep(kept, results);
    const sent = results.from === 'local' ? undefined : results.request;
    navigation.remember({ sent, pages: results.pages });
    store.set({ results });
  };

  const hits: Hits = {
    async run(remote, fresh = false) {
      const asked = toRequest(store.get().place, remote);
      const { sent } = navigation.restored ?? {};
      const request = sent?.query === asked.query && !remote ? { ...sent, remote } : asked;
      const key = keyOf(request);
      // Enter after a rest: the answer that is on its way has been paid for.
      if (remote && !fresh && running?.paid === key) return;
      running?.controller.abort();
      const known = kept.get(key);
      if (known !== undefined && !fresh) {
        show(known);
        return;
      }
      const controller = new AbortController();
      const mine = { controller, ...(remote && { paid: key }) };
      running = mine;
      const { results: before } = store.get();
      store.set({ results: { request, ...NOTHING, ...before, asked: request, status: 'loading' } });
      try {
        const body = fresh ? { ...request, fresh } : request;
        const answer = await post('search', body, controller.signal);
        const next = await loadPages(toResults(request, answer), navigation.restored?.pages);
        if (controller.signal.aborted) return;
        show(isPoorer(next, before) ? { ...before, status: 'done' } : next);
        store.set({
          costs: answer.costs,
          connection: 'open',
          ...(remote && { problem: undefined }),
        });
      } catch (error) {
        if (controller.signal.aborted) return;
        report(store, error);
        const { results } = store.get();
        if (results !== undefined) store.set({ results: { ...results, status: 'done' } });
        // What is on this machine shows instead of the hits of an earlier search.
        const isShown = before?.status === 'done' && before.request.query === request.query;
        if (remote && !isShown) await hits.run(false);
      } finally {
        if (running === mine) running = undefined;
      }
    },
    more: () => loadMore(store, navigation, { kept, show }),
    async loadLocal() {
      running?.controller.abort();
      await loadLocal(store, navigation);
    },
  };
  return hits;
}
