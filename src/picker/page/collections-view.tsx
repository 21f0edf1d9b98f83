import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PickerCollection, PickerIcon } from '../api.ts';
import { useApp } from './app.ts';
import { thumbAddress } from './client.ts';
import { Glyph, Mark } from './pictures.tsx';
import { Grid } from './grid.tsx';
import { More, Skeleton } from './results.tsx';
import { listedIcons, priceOf, type State, whyNoCall } from './store.ts';
import { countOf, formatNumber, plain } from './text.ts';

/** Collections of the catalog, and one of them. */

export function CollectionsView(): VNode {
  const app = useApp();
  const state = app.store.get();
  if (state.place.collection !== undefined) return <One />;
  const { collections, project } = state;
  const list = collections?.list ?? [];
  const canCall = whyNoCall(state) === undefined;
  const isBusy = collections?.status === 'loading';
  const ask = (look: 'primary' | 'link'): VNode | false =>
    canCall &&
    project?.isFree !== true && (
      <button
        type="button"
        class={look}
        disabled={isBusy}
        onClick={() => void app.browse.loadCollections(true)}
      >
        Ask the catalog{priceOf(state)}
      </button>
    );
  return (
    <>
      <h1>Collections</h1>
      {list.length === 0 ? (
        <section class="empty" aria-label="No collections">
          <h2>
            {isBusy ? 'Asking the catalog…' : 'The list of collections is not on this machine yet'}
          </h2>
          {ask('primary')}
        </section>
      ) : (
        <p class="lead">
          {countOf(list.length, 'collection')} on this machine. {ask('link')}
        </p>
      )}
      <ul class="cards" aria-busy={isBusy}>
        {list.map((collection) => (
          <li key={collection.id}>
            <Card
              collection={collection}
              icons={specimens(state, collection.id)}
              onOpen={() => app.go({ view: 'collections', collection: collection.id })}
            />
          </li>
        ))}
      </ul>
      {collections !== undefined && (
        <More
          hits={{ ...collections, icons: list }}
          load={() => app.browse.loadCollections(true, true)}
        />
      )}
    </>
  );
}

const MOST_SPECIMENS = 4;

/** A few icons of a collection that are on this machine. */
function specimens({ local, project, results }: State, id: string): PickerIcon[] {
  const known = [...(results?.icons ?? []), ...(local?.icons ?? []), ...(project?.icons ?? [])];
  const found = new Map<string, PickerIcon>();
  for (const icon of known) {
    if (found.size === MOST_SPECIMENS) break;
    const isOfIt = icon.collections.some((each) => each.id === id);
    if (isOfIt && icon.thumb !== undefined) found.set(icon.id, icon);
  }
  return found.size === MOST_SPECIMENS ? [...found.values()] : [];
}

interface CardProps {
  collection: PickerCollection;
  icons: readonly PickerIcon[];
  onOpen(): void;
}

function Card({ collection, icons, onOpen }: CardProps): VNode {
  const { name, description, iconCount, creator, license, thumb } = collection;
  const facts = [
    iconCount === undefined ? '' : countOf(iconCount, 'icon'),
    plain(creator ?? '', 40),
    plain(license ?? '', 40),
  ].filter((text) => text !== '');
  return (
    <button type="button" class="card" onClick={onOpen}>
      {icons.length > 0 ? (
        <span class="card-picture four">
          {icons.map((icon) => (
            <Glyph key={icon.id} icon={icon} size={20} />
          ))}
        </span>
      ) : thumb === undefined ? (
        <span class="card-picture letter" aria-hidden="true">
          {plain(name, 2).match(/./u)}
        </span>
      ) : (
        <img class="card-picture" src={thumbAddress(thumb)} alt="" />
      )}
      <span class="card-text">
        <b dir="auto">{plain(name, 60)}</b>
        <span class="dim">{facts.join(' · ')}</span>
        {description !== undefined && <span class="card-about">{plain(description, 140)}</span>}
      </span>
    </button>
  );
}

function One(): VNode {
  const app = useApp();
  const state = app.store.get();
  const { place, shown, settings, collections } = state;
  const results = shown?.collection?.id === place.collection ? shown : undefined;
  const known = results?.collection ?? collections?.list.find(({ id }) => id === place.collection);
  const icons = results === undefined ? [] : listedIcons(state);
  const canCall = whyNoCall(state) === undefined;
  const isBusy = shown?.status === 'loading';
  useEffect(() => app.browse.arrive(), [app, place.collection]);
  const isPart = results === undefined || results.from === 'local';
  return (
    <>
      <p class="back">
        <button
          type="button"
          class="link"
          onClick={() => app.go({ view: 'collections', collection: undefined, icon: undefined })}
        >
          <Mark name="back" />
          Collections
        </button>
      </p>
      <h1 dir="auto">{plain(known?.name ?? place.collection ?? '', 80)}</h1>
      {known?.description !== undefined && <p class="lead">{plain(known.description, 300)}</p>}
      <p class="count-line">
        {known?.iconCount !== undefined && known.iconCount > icons.length
          ? `${formatNumber(icons.length)} of ${countOf(known.iconCount, 'icon')}`
          : countOf(icons.length, 'icon')}
        {isPart && ' on this machine'}
        {isPart && canCall && !isBusy && (
          <button type="button" class="link" onClick={() => void app.browse.loadCollection(true)}>
            Load this collection{priceOf(state)}
          </button>
        )}
      </p>
      {icons.length === 0 && isBusy && <Skeleton layout={settings.size} />}
      {icons.length > 0 && (
        <Grid
          label={`Icons of ${plain(known?.name ?? '', 60)}`}
          icons={icons}
          layout={settings.size}
          busy={isBusy}
        />
      )}
      {results !== undefined && (
        <More
          hits={results}
          total={known?.iconCount}
          load={() => app.browse.loadCollection(true, true)}
        />
      )}
    </>
  );
}
