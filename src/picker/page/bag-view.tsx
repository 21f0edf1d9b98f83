import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from './app.ts';
import type { Failure } from './client.ts';
import { referenceOf, setImport, withoutDefaults } from './copy-forms.ts';
import { setOf } from './grid.tsx';
import { Glyph, MarkButton } from './pictures.tsx';
import { type BagItem, overlay, takenAliases } from './store.ts';
import { Diff, Suggestion } from './take-panel.tsx';
import { checkAlias, countOf, plain, suggestAlias, type AliasProblem } from './text.ts';

/** Several icons: their names are written at once. */

interface Named extends BagItem {
  name: string;
  problem?: AliasProblem;
}

/** Each icon with its name: the one that was typed, or one that is free. */
function nameAll(bag: readonly BagItem[], taken: ReadonlySet<string>): Named[] {
  const names = new Set(taken);
  return bag.map((item) => {
    const name = item.alias === '' ? suggestAlias(plain(item.icon.term), names) : item.alias;
    const problem =
      item.icon.license.verdict === 'refused'
        ? { message: 'The licence policy of this project refuses this icon.' }
        : checkAlias(name, names);
    names.add(name);
    return { ...item, name, ...(problem && { problem }) };
  });
}

export function BagView(): VNode {
  const app = useApp();
  const { bag, project, writing, place, written } = app.store.get();
  const [failure, setFailure] = useState<Failure>();
  const items = nameAll(bag, takenAliases(project));
  const icons = overlay(
    bag.map(({ icon }) => icon),
    project,
  );
  const calls = icons.filter(({ local, pinned }) => !local && !pinned).length;
  const isOff = items.length === 0 || writing || items.some(({ problem }) => problem !== undefined);
  const look = withoutDefaults({ color: place.color, size: place.size }, project?.defaults ?? {});
  const setCode = setImport(icons.map(referenceOf), look);
  if (items.length === 0) {
    return (
      <>
        <h1>Bag</h1>
        <section class="empty" aria-label="Empty bag">
          <h2>Nothing in the bag</h2>
          <p>
            The mark in the corner of an icon puts it here. <kbd>x</kbd> does the same in the grid,
            and <kbd>Shift</kbd> with an arrow takes several.
          </p>
        </section>
        {written !== undefined && written.ids.length > 1 && written.diff !== '' && (
          <Diff text={written.diff} />
        )}
      </>
    );
  }
  return (
    <>
      <h1>Bag</h1>
      <p class="lead">
        {countOf(items.length, 'icon')}. Adding them all writes one change
        {project?.isFree === true
          ? ''
          : ` and costs ${calls === 0 ? 'no call' : `up to ${countOf(calls, 'call')}`}`}
        .
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff)
            void app.take
              .add(items.map(({ icon, name }) => ({ id: icon.id, alias: name })))
              .then(setFailure);
        }}
      >
        <ul class="bag">
          {items.map((item) => (
            <BagRow key={item.icon.id} item={item} />
          ))}
        </ul>
        {failure !== undefined && (
          <div class="notice problem" role="alert">
            <p>{plain(failure.detail.message, 400)}</p>
            {failure.detail.remedy !== undefined && <p>{plain(failure.detail.remedy, 400)}</p>}
          </div>
        )}
        <p class="actions">
          <button type="submit" class="primary" disabled={isOff}>
            Add {countOf(items.length, 'icon')}
          </button>
          <button type="button" onClick={() => void app.take.copy(setCode, 'set')}>
            Copy as a set
          </button>
          <button type="button" onClick={() => app.store.set({ bag: [] })}>
            Empty the bag
          </button>
        </p>
      </form>
      <pre class="lines" tabIndex={0} aria-label="Import of the set">
        {setCode}
      </pre>
    </>
  );
}

const MOST_SHOWN = 5;

export function BagBar(): VNode {
  const app = useApp();
  const { bag } = app.store.get();
  return (
    <section class="bag-bar" aria-label="Bag">
      <span class="bag-pictures" aria-hidden="true">
        {bag.slice(-MOST_SHOWN).map(({ icon }) => (
          <Glyph key={icon.id} icon={icon} size={20} />
        ))}
      </span>
      <span class="grow">{countOf(bag.length, 'icon')}</span>
      <button
        type="button"
        class="primary"
        onClick={() => app.go({ view: 'bag', icon: undefined, collection: undefined })}
      >
        Name and add
      </button>
      <MarkButton name="close" label="Empty the bag" onClick={() => app.store.set({ bag: [] })} />
    </section>
  );
}

/** Side by side, as pages show them. */
const COMPARED = [16, 24, 48];

function BagRow({ item }: { item: Named }): VNode {
  const app = useApp();
  const { icon, name, problem, alias } = item;
  const { color } = app.store.get().place;
  const term = plain(icon.term, 60);
  const rename = (next: string): void => {
    const { bag } = app.store.get();
    app.store.set({
      bag: bag.map((each) =>
        each.icon.id === icon.id ? { icon: each.icon, alias: next.trim() } : each,
      ),
    });
  };
  return (
    <li>
      <span class="bag-sizes">
        {COMPARED.map((size) => (
          <Glyph key={size} icon={icon} size={size} {...(color !== undefined && { color })} />
        ))}
      </span>
      <span class="bag-term" dir="auto">
        {term}
        <span class="dim">
          {[setOf(icon), icon.license.label]
            .flatMap((text) => (text === undefined ? [] : [plain(text, 40)]))
            .join(' · ')}
        </span>
      </span>
      <span class="bag-name">
        <input
          type="text"
          aria-label={`Name of ${term}`}
          aria-invalid={problem !== undefined}
          value={alias}
          placeholder={name}
          spellcheck={false}
          onInput={(event) => rename(event.currentTarget.value)}
        />
        {problem !== undefined && (
          <span class="hint-line wrong">
            {problem.message}
            {problem.suggestion !== undefined && (
              <Suggestion name={problem.suggestion} onTake={rename} />
            )}
          </span>
        )}
      </span>
      <MarkButton
        name="close"
        label={`Take ${term} out of the bag`}
        onClick={() => app.take.toggleBag(icon, false)}
      />
    </li>
  );
}
