import { Fragment, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { writePlace } from './address.ts';
import { useApp } from './app.ts';
import { CopyList } from './copy-list.tsx';
import { closePanel, step } from './keys.ts';
import { Mark, MarkButton } from './marks.tsx';
import { Preview, type Stage, Stages } from './preview.tsx';
import { findIcon, listedIcons, priceOf } from './store.ts';
import { TakePanel } from './take-panel.tsx';
import { plain, webAddress } from './text.ts';

/** One icon: how it looks, what its licence asks for, and how it is taken. Nothing here costs a call but Add. */

export function Detail(): VNode | null {
  const app = useApp();
  const [stage, setStage] = useState<Stage>('sheet');
  const state = app.store.get();
  const { place } = state;
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
      <Preview icon={icon} stage={stage} />
      <div class="detail-text">
        <h2 tabIndex={-1} dir="auto">
          {plain(icon.term, 120)}
        </h2>
        <Creator icon={icon} />
        <TakePanel key={icon.id} icon={icon} />
        <License icon={icon} />
        <CopyList icon={icon} />
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
  const address = webAddress(creator?.url);
  const name = creator === undefined ? 'unknown creator' : plain(creator.name, 80);
  const page = webAddress(url);
  return (
    <p class="creator">
      by{' '}
      {address === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer">
          <bdi>{name}</bdi>
        </a>
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
      {page !== undefined && (
        <>
          {' · '}
          <a href={page} target="_blank" rel="noopener noreferrer">
            source
          </a>
        </>
      )}
    </p>
  );
}

function License({ icon }: { icon: PickerIcon }): VNode {
  const { license, credit } = icon;
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
      <p class="credit">
        <span class="dim">Credit </span>
        <bdi>{plain(credit, 400)}</bdi>
      </p>
    </section>
  );
}

const MOST_USES = 12;

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
                {plain(file, 120)}:{line}
              </bdi>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="dim">and {rest} more</p>}
    </section>
  );
}

const MOST_TAGS = 16;

function Tags({ icon }: { icon: PickerIcon }): VNode | null {
  const app = useApp();
  const { place } = app.store.get();
  const tags = icon.tags.slice(0, MOST_TAGS);
  if (tags.length === 0) return null;
  const styles = icon.styles.filter((style) => style === 'line' || style === 'solid');
  return (
    <section class="block" aria-labelledby="tags">
      <h3 id="tags">Tags</h3>
      <p class="tags">
        {tags.map((tag) => (
          <a
            key={tag}
            class="chip"
            href={
              writePlace({
                ...place,
                view: 'search',
                query: tag,
                icon: undefined,
                collection: undefined,
              }) || '?'
            }
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              app.go({ view: 'search', query: tag, icon: undefined, collection: undefined });
            }}
          >
            <bdi>{plain(tag, 40)}</bdi>
          </a>
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
