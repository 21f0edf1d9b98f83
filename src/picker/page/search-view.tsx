import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { activeFilters, keyOf, LONGEST, toRequest } from './address.ts';
import { useApp } from './app.ts';
import { Among, Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { focusCell } from './keys.ts';
import { Mark, MarkButton } from './pictures.tsx';
import { Announcer, More, NoHits, Skeleton } from './results.tsx';
import { isStarting, listedIcons, overlay, priceOf, type State, whyNoCall } from './store.ts';
import { countOf, formatAge, formatNumber, plain } from './text.ts';

/** The search: a field, what a search costs, filters, hits. */

export function SearchView(): VNode {
  const app = useApp();
  const state = app.store.get();
  const { place, results, local, settings } = state;
  const shown = results ?? local;
  const icons = useMemo(() => listedIcons(state), [results, local, place, state.project]);
  const isFirst = results === undefined;
  // The catalog is asked next by itself: that this machine has none is no answer yet.
  const isComing =
    results !== undefined &&
    (results.status !== 'done' || (results.from === 'local' && app.browse.isWaiting()));
  // Those that are used stand above.
  const listed = isFirst ? icons.filter(({ uses }) => uses.length === 0) : icons;
  return (
    <>
      <h1 class="offscreen">Search icons</h1>
      <Field />
      <Filters />
      <div class="loaded">
        <Count shown={icons.length} />
        <Among loaded={shown?.icons ?? []} />
      </div>
      {isFirst && <FirstVisit />}
      {shown === undefined && isStarting(state) && <Skeleton layout={settings.size} />}
      {!isFirst && results.icons.length === 0 && isComing && <Skeleton layout={settings.size} />}
      {!isFirst && icons.length === 0 && !isComing && <NoHits results={results} />}
      {shown !== undefined && listed.length > 0 && (
        <section class="hits" aria-label={isFirst ? 'Icons of this machine' : 'Hits'}>
          {isFirst && <h2>On this machine</h2>}
          <Grid
            label={isFirst ? 'Icons of this machine' : `Icons for ${plain(place.query, 60)}`}
            icons={listed}
            layout={settings.size}
            busy={shown.status === 'loading'}
          />
        </section>
      )}
      {shown !== undefined && <More hits={shown} load={app.browse.more} />}
      <Announcer count={icons.length} />
    </>
  );
}

function Field(): VNode {
  const app = useApp();
  const { place } = app.store.get();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Typing is what a page without an icon in its address is opened for.
    if (app.store.get().place.icon === undefined) field.current?.focus({ preventScroll: true });
  }, [app]);
  return (
    <form
      class="field"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void app.browse.submit();
      }}
    >
      <Mark name="search" />
      <label class="offscreen" for="query">
        Search icons
      </label>
      <input
        ref={field}
        id="query"
        type="search"
        enterkeyhint="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="Search icons"
        maxLength={LONGEST}
        value={place.query}
        onInput={(event) => app.browse.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          focusCell(app.store.get().place.icon);
        }}
      />
      {place.query !== '' && (
        <MarkButton
          name="close"
          label="Clear the search"
          onClick={() => {
            app.browse.type('');
            field.current?.focus();
          }}
        />
      )}
      <Offer />
    </form>
  );
}

/** What Enter does, and what it costs. */
function Offer(): VNode | null {
  const state = useApp().store.get();
  const { place, results } = state;
  const why = whyNoCall(state);
  if (place.query.trim() === '' && activeFilters(place).length === 0) {
    return <kbd class="hint">/</kbd>;
  }
  if (why !== undefined) return <span class="offer off">Only this machine: {why}</span>;
  const isAnswered =
    results !== undefined &&
    results.from !== 'local' &&
    results.status === 'done' &&
    keyOf(results.request) === keyOf(toRequest(place, true));
  if (isAnswered || isAsking(state)) return null;
  return (
    <button type="submit" class="offer" aria-label={`Enter: search the catalog${priceOf(state)}`}>
      <kbd>Enter</kbd>
      <span>search the catalog {priceOf(state) !== '' && <b>(1 call)</b>}</span>
    </button>
  );
}

/** The catalog has been asked for just this and has not answered yet. */
function isAsking({ results, place }: State): boolean {
  return (
    results?.status === 'loading' &&
    results.asked?.remote === true &&
    keyOf(results.asked) === keyOf(toRequest(place, true))
  );
}

/** "120 of 281 icons". */
function countFrom(shown: number, total = shown): string {
  return total > shown
    ? `${formatNumber(shown)} of ${countOf(total, 'icon')}`
    : countOf(shown, 'icon');
}

/** "37 icons · 1 call · 4,812 left". */
function Count({ shown }: { shown: number }): VNode {
  const app = useApp();
  const state = app.store.get();
  const { results, local, costs, place, project, connection } = state;
  const isFree = project?.isFree === true;
  if (results === undefined) {
    return (
      <p class="count-line">
        {local === undefined || shown === 0
          ? ' '
          : `${countFrom(shown, local.total)} on this machine${isFree ? '' : ' · 0 calls'}`}
      </p>
    );
  }
  const { from, askedAt, icons, total, request, calls } = results;
  if (from === undefined || isAsking(state)) return <p class="count-line">Searching…</p>;
  const isNarrowed = shown < icons.length;
  const isOther = keyOf(request) !== keyOf(toRequest(place, true)) && from !== 'local';
  const expired = icons.some(({ thumbExpired }) => thumbExpired);
  // What is typed meanwhile finds nothing new.
  const isEarlier = connection === 'gone' && request.query.trim() !== place.query.trim();
  const found = countFrom(shown, isNarrowed ? undefined : total);
  const parts = [
    isEarlier ? `${found} for “${plain(request.query, 40)}”` : found,
    ...(isNarrowed ? [`narrowed from ${formatNumber(icons.length)} loaded`] : []),
    ...(from === 'local'
      ? ['on this machine']
      : from === 'kept' && askedAt !== undefined
        ? [`asked ${formatAge(askedAt, Date.now())}`]
        : isFree
          ? []
          : [countOf(calls, 'call')]),
    ...(costs?.left === undefined ? [] : [`${formatNumber(costs.left)} left`]),
  ];
  const canCall = whyNoCall(state) === undefined;
  return (
    <p class="count-line">
      {parts.join(' · ')}
      {isOther && canCall && (
        <button type="button" class="link" onClick={() => void app.browse.submit()}>
          Search the catalog with these filters{priceOf(state)}
        </button>
      )}
      {!isOther && canCall && (from === 'kept' || expired) && (
        <button type="button" class="link" onClick={() => void app.browse.submit(true)}>
          {expired ? 'Reload the pictures' : 'Ask again'}
          {priceOf(state)}
        </button>
      )}
    </p>
  );
}

const WORDS = ['calendar', 'arrow', 'user', 'search', 'heart', 'home', 'mail', 'settings'];

/** What a page can start with that has nothing to show. */
function FirstWords(): VNode {
  const app = useApp();
  const price = priceOf(app.store.get());
  return (
    <section class="empty" aria-label="First words">
      <h2>Which icon do you need?</h2>
      <p class="lead">
        Type a word and press Enter.
        {price !== '' &&
          ' A search is one call of the catalog, and the same search is free for 24 hours. Looking, filtering, colours, sizes and copying are always free.'}
      </p>
      <p class="tags">
        <span>Try{price}</span>
        {WORDS.map((word) => (
          <button
            key={word}
            type="button"
            class="chip"
            onClick={() => {
              app.browse.type(word);
              void app.browse.submit();
            }}
          >
            {word}
          </button>
        ))}
      </p>
    </section>
  );
}

function FirstVisit(): VNode {
  const app = useApp();
  const state = app.store.get();
  const { project, recent, local, collections, settings } = state;
  const used = project?.icons.filter(({ uses }) => uses.length > 0) ?? [];
  const known = new Map(
    [...(local?.icons ?? []), ...(project?.icons ?? [])].map((icon) => [icon.id, icon]),
  );
  const lately = recent.flatMap((id) => known.get(id) ?? []);
  const isBare =
    local?.status === 'done' && known.size === 0 && activeFilters(state.place).length === 0;
  return (
    <>
      {isBare && whyNoCall(state) === undefined && <FirstWords />}
      {used.length > 0 && (
        <section class="hits" aria-labelledby="used">
          <h2 id="used">Used here</h2>
          <Grid label="Used here" icons={used} layout={settings.size} rows={1} />
        </section>
      )}
      {lately.length > 0 && (
        <section class="hits" aria-labelledby="lately">
          <h2 id="lately">Lately looked at</h2>
          <Grid
            label="Lately looked at"
            icons={overlay(lately, project)}
            layout={settings.size}
            rows={1}
          />
        </section>
      )}
      {collections !== undefined && collections.list.length > 0 && (
        <section class="hits" aria-labelledby="sets">
          <h2 id="sets">Collections</h2>
          <p class="tags">
            {collections.list.slice(0, 12).map(({ id, name, iconCount }) => (
              <button
                key={id}
                type="button"
                class="chip"
                onClick={() => app.go({ view: 'collections', collection: id })}
              >
                {plain(name, 40)}
                {iconCount !== undefined && <span class="dim"> {formatNumber(iconCount)}</span>}
              </button>
            ))}
          </p>
        </section>
      )}
    </>
  );
}
