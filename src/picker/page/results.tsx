import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { activeFilters } from './address.ts';
import { useApp } from './app.ts';
import { priceOf, type Results, whyNoCall } from './store.ts';
import { countOf, formatNumber, plain } from './text.ts';

/** What stands in the place of hits, below them, and what is said about them. */

export function NoHits({ results }: { results: Results }): VNode {
  const app = useApp();
  const state = app.store.get();
  const { place } = state;
  const filters = activeFilters(place);
  const isLocal = results.from === 'local';
  const canCall = whyNoCall(state) === undefined;
  const { suggesting } = results;
  return (
    <section class="empty" aria-label="No hits">
      <h2>
        Nothing {isLocal ? 'on this machine ' : ''}
        {place.query === '' ? 'with these filters' : `for “${plain(place.query, 80)}”`}
      </h2>
      {filters.length > 0 && (
        <p class="tags">
          <span>Without</span>
          {filters.map(({ label, drop }) => (
            <button key={label} type="button" class="chip" onClick={() => app.browse.filter(drop)}>
              {label} ×
            </button>
          ))}
        </p>
      )}
      {isLocal && canCall && (
        <p>
          <button type="button" class="primary" onClick={() => void app.browse.submit()}>
            Search the catalog{priceOf(state)}
          </button>
        </p>
      )}
      {results.suggestions.length > 0 ? (
        <p class="tags">
          <span>Try</span>
          {results.suggestions.slice(0, 3).map((word) => (
            <button key={word} type="button" class="chip" onClick={() => app.browse.type(word)}>
              {plain(word, 40)}
            </button>
          ))}
        </p>
      ) : suggesting === 'answered' ? (
        <p role="status">The catalog has no word to suggest.</p>
      ) : (
        canCall &&
        place.query !== '' && (
          <p>
            <button
              type="button"
              disabled={suggesting === 'asked'}
              onClick={() => void app.browse.suggest(place.query)}
            >
              {suggesting === 'asked' ? 'Asking…' : `Suggest words${priceOf(state)}`}
            </button>
          </p>
        )
      )}
    </section>
  );
}

const SKELETON_REST = 150;

/** The shape of a grid, if the answer takes longer than a glance. */
export function Skeleton({ layout }: { layout: 'small' | 'large' }): VNode | null {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_REST);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`skeleton ${layout}`} aria-busy="true" aria-label="Loading" role="img">
      {isLate && Array.from({ length: 24 }, (_, at) => <i key={at} />)}
    </div>
  );
}

/** The next page: a button that says what it costs; what costs nothing comes by itself. */
export function More({
  hits,
  total = hits.total,
  load,
}: {
  hits: Pick<Results, 'nextPage' | 'status'> & { icons: readonly unknown[]; total?: number };
  total?: number | undefined;
  load(): Promise<void>;
}): VNode | null {
  const state = useApp().store.get();
  const price = priceOf(state);
  const button = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (price !== '' || button.current === null) return undefined;
    const observer = new IntersectionObserver(
      // Several changes may come at once, while the page is busy.
      (entries) => entries.at(-1)?.isIntersecting === true && void load(),
      { rootMargin: '100% 0px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [price, hits.nextPage]);
  if (hits.nextPage === undefined || whyNoCall(state) !== undefined) return null;
  const rest = total === undefined ? 0 : total - hits.icons.length;
  return (
    <p class="more" ref={button}>
      <button type="button" disabled={hits.status !== 'done'} onClick={() => void load()}>
        {hits.status === 'done'
          ? `Load more${rest > 0 ? ` of ${formatNumber(rest)}` : ''}${price}`
          : 'Loading…'}
      </button>
    </p>
  );
}

const ANNOUNCE_REST = 400;

/** Says the count once a search has come to rest, and not for hits that the next answer replaces. */
export function Announcer({ count }: { count: number }): VNode {
  const app = useApp();
  const { results } = app.store.get();
  const status = useRef<HTMLParagraphElement>(null);
  const isDone = results?.status === 'done';
  const query = results?.request.query ?? '';
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => {
      const text = `${countOf(count, 'icon')} for ${plain(query, 60)}`;
      if (app.browse.isWaiting() || status.current === null) return;
      if (status.current.textContent !== text) status.current.textContent = text;
    }, ANNOUNCE_REST);
    return () => clearTimeout(timer);
  });
  return <p class="offscreen" role="status" ref={status} />;
}
