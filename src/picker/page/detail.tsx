import { Fragment, type VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { type Place, writePlace } from './address.ts';
import { useApp } from './app.ts';
import { CopyList } from './copy-list.tsx';
import { closePanel, step } from './keys.ts';
import { Mark, MarkButton } from './pictures.tsx';
import { Preview, type Stage, Stages } from './preview.tsx';
import { findIcon, listedIcons, priceOf } from './store.ts';
import { TakePanel } from './take-panel.tsx';
import { plain, webAddress } from './text.ts';

/** One icon: how it looks, what its licence asks for, and how it is taken. Nothing here costs a call but Add. */

/**
 * Where there is no place beside the list, the details are a page of their own: it begins at its top, and the list is where
 * it was. The focus goes back to the icon, also if Back closes the details.
 */
function useWayBack(icon: string | undefined, top: number): void {
  const last = useRef(icon);
  last.current = icon ?? last.current;
  useLayoutEffect(() => {
    const isPage = document.querySelector<HTMLElement>('main')?.offsetParent === null;
    if (isPage) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true });
    }
    const goBack = (): void => {
      if (document.activeElement === document.body) {
        const cell = `[data-id="${CSS.escape(last.current ?? '')}"]`;
        document.querySelector<HTMLElement>(cell)?.focus({ preventScroll: true });
      }
      if (isPage) document.activeElement?.closest('.cell')?.scrollIntoView({ block: 'nearest' });
    };
    return () =>
      requestAnimationFrame(() => {
        if (isPage) scrollTo(0, top);
        // The grid has measured itself before the second frame.
        requestAnimationFrame(goBack);
      });
  }, []);
}

/** `top`: how far the list was scrolled before the details took its place. */
export function Detail({ top }: { top: number }): VNode | null {
  const app = useApp();
  const [stage, setStage] = useState<Stage>('sheet');
  const state = app.store.get();
  const { place } = state;
  useWayBack(place.icon, top);
  const icon = findIcon(state, place.icon ?? '');
  if (icon === undefined) return null;
  const list = listedIcons(state);
  const at = list.findIndex(({ id }) => id === icon.id);
  return (
    <aside class="detail" aria-label="Details">
      <div class="detail-bar">
        <MarkButton
          name="back"
          label="Previous icon"
          disabled={at < 1}
          onClick={() => step(app, -1)}
        />
        <MarkButton
          name="next"
          label="Next icon"
          disabled={at === -1 || at === list.length - 1}
          onClick={() => step(app, 1)}
        />
        <Stages stage={stage} onChange={setStage} />
        <span class="grow" />
        <BagButton icon={icon} />
        <MarkButton name="close" label="Close" onClick={() => closePanel(app)} />
      </div>
      {/* The focus stays where it is when another icon is shown. */}
      <p class="offscreen" role="status">
        {at === -1 ? '' : `${plain(icon.term, 120)}, ${at + 1} of ${list.length}`}
      </p>
      <Preview icon={icon} stage={stage} />
      <div class="detail-text">
        <h2 tabIndex={-1} dir="auto">
          {plain(icon.term, 120)}
        </h2>
        <Creator icon={icon} />
        <TakePanel key={icon.id} icon={icon} />
        <License icon={icon} />
        <CopyList icon={icon} />
        <Credit icon={icon} />
        <Uses icon={icon} />
        <Tags icon={icon} />
      </div>
    </aside>
  );
}

function BagButton({ icon }: { icon: PickerIcon }): VNode {
  const app = useApp();
  const isIn = app.store.get().bag.some((item) => item.icon.id === icon.id);
  return (
    <button
      type="button"
      class="quiet with-text"
      aria-pressed={isIn}
      onClick={() => app.take.toggleBag(icon)}
    >
      <Mark name="bag" />
      {isIn ? 'In the bag' : 'Bag'}
    </button>
  );
}

const MOST_COLLECTIONS = 4;

function Creator({ icon }: { icon: PickerIcon }): VNode {
  const app = useApp();
  const { creator, url, collections } = icon;
  const pages = [
    ['website', webAddress(creator?.url)],
    ['source', webAddress(url)],
  ] as const;
  return (
    <p class="creator">
      by{' '}
      {creator === undefined ? (
        'unknown creator'
      ) : (
        <SearchLink
          change={{ creator: creator.name }}
          text={creator.name}
          title="Only icons of this designer, of those that are loaded"
        />
      )}
      {collections.length > 0 && (
        <>
          {' in '}
          {collections.slice(0, MOST_COLLECTIONS).map(({ id, name }, at) => (
            <Fragment key={id}>
              {at > 0 && ', '}
              <button
                type="button"
                class="link"
                onClick={() => app.go({ view: 'collections', collection: id, icon: undefined })}
              >
                <bdi>{plain(name, 40)}</bdi>
              </button>
            </Fragment>
          ))}
        </>
      )}
      {pages.map(
        ([label, page]) =>
          page !== undefined && (
            <Fragment key={label}>
              {' · '}
              <a href={page} target="_blank" rel="noopener noreferrer">
                {label}
              </a>
            </Fragment>
          ),
      )}
    </p>
  );
}

function License({ icon }: { icon: PickerIcon }): VNode {
  const { license } = icon;
  const address = webAddress(license.url);
  const label = plain(license.label, 80);
  return (
    <section class={`license ${license.verdict}`} aria-label="Licence">
      <p class="license-name">
        {address === undefined ? (
          <b>{label}</b>
        ) : (
          <a href={address} target="_blank" rel="noopener noreferrer">
            <b>{label}</b>
          </a>
        )}
        <span class="verdict">
          {license.verdict === 'refused'
            ? 'not allowed here'
            : license.verdict === 'warned'
              ? 'allowed with a warning'
              : license.requiresCredit
                ? 'credit is added for you'
                : 'no credit needed'}
        </span>
      </p>
      <p>{plain(license.asks, 400)}</p>
      {license.reason !== undefined && <p class="why">{plain(license.reason, 400)}</p>}
    </section>
  );
}

/** What builds write for it, where the licence asks for it. */
function Credit({ icon }: { icon: PickerIcon }): VNode {
  return (
    <section class="block" aria-labelledby="credit">
      <h3 id="credit">Credit</h3>
      <p class="credit">
        <bdi>{plain(icon.credit, 400)}</bdi>
      </p>
    </section>
  );
}

const MOST_USES = 12;

/** Of a long path the end says more than the beginning. */
function endOf(file: string): string {
  return file.length > 100 ? `…${file.slice(-100)}` : file;
}

function Uses({ icon }: { icon: PickerIcon }): VNode | null {
  const app = useApp();
  if (icon.uses.length === 0) return null;
  const rest = icon.uses.length - MOST_USES;
  return (
    <section class="block" aria-labelledby="uses">
      <h3 id="uses">Used here</h3>
      <ul class="uses">
        {icon.uses.slice(0, MOST_USES).map(({ use, file, line }) => (
          <li key={use}>
            <button type="button" class="link" onClick={() => void app.take.open(use)}>
              <bdi>
                {plain(endOf(file), 120)}:{line}
              </bdi>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="dim">and {rest} more</p>}
    </section>
  );
}

interface SearchLinkProps {
  change: Partial<Place>;
  text: string;
  class?: string;
  title?: string;
}

/** Other hits, without a call; in a tab of its own, too. */
function SearchLink({ change: wanted, text, ...rest }: SearchLinkProps): VNode {
  const app = useApp();
  const { place } = app.store.get();
  const change: Partial<Place> = {
    view: 'search',
    icon: undefined,
    collection: undefined,
    ...wanted,
  };
  return (
    <a
      {...rest}
      href={writePlace({ ...place, ...change }) || '?'}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        app.go(change);
      }}
    >
      <bdi>{plain(text, 80)}</bdi>
    </a>
  );
}

const MOST_TAGS = 16;

function Tags({ icon }: { icon: PickerIcon }): VNode | null {
  const app = useApp();
  const tags = icon.tags.slice(0, MOST_TAGS);
  if (tags.length === 0) return null;
  const styles = icon.styles.filter((style) => style === 'line' || style === 'solid');
  return (
    <section class="block" aria-labelledby="tags">
      <h3 id="tags">Tags</h3>
      <p class="tags">
        {tags.map((tag) => (
          <SearchLink
            key={tag}
            class="chip"
            change={{ query: tag, creator: undefined }}
            text={tag}
          />
        ))}
      </p>
      <p>
        <button
          type="button"
          class="link"
          onClick={() => {
            const weight: [number, number] | undefined =
              icon.lineWeight === undefined ? undefined : [icon.lineWeight, icon.lineWeight];
            app.navigation.go(
              {
                view: 'search',
                query: tags.slice(0, 2).join(' '),
                styles,
                weight,
                icon: undefined,
                collection: undefined,
              },
              'push',
            );
            void app.browse.submit();
          }}
        >
          More like this{priceOf(app.store.get())}
        </button>
      </p>
    </section>
  );
}
