import type { PickerIcon } from '../api.ts';
import type { App } from './app.ts';
import { copyForms } from './copy-forms.ts';
import { findIcon, listedIcons } from './store.ts';

/** The keys of the page. Single ones count only while the grid or the panel has focus. */

export const KEYS: readonly [keys: string, does: string][] = [
  ['/  or  Ctrl K', 'Go to the search field'],
  ['Enter', 'In the field: search the catalog. In the grid: show details'],
  ['↓', 'From the field into the grid'],
  ['Arrows  Home  End  Page ↑ ↓', 'Move in the grid'],
  ['Esc', 'Close the details, clear the search, leave the field: in that order'],
  ['c', 'Copy the import'],
  ['u', 'Copy the import of its address'],
  ['s', 'Copy the CSS picture'],
  ['a', 'Add with a name of your own'],
  ['x  or  Shift + arrows', 'Put into the bag, or take out of it'],
  ['[   ]', 'Previous and next icon in the details'],
  ['o', 'Open the first use in your editor'],
  ['Ctrl Z', 'Take the last write back'],
  ['?', 'This page'],
];

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=radio], [type=checkbox]), textarea, select');

/** What the focus is on: an icon of the grid, the one of the panel, or none. */
function focusedId(app: App, target: EventTarget | null): string | undefined {
  if (!(target instanceof HTMLElement) || isField(target)) return undefined;
  const cell = target.closest<HTMLElement>('[data-id]');
  if (cell !== null) return cell.dataset['id'];
  return target.closest('.detail') === null ? undefined : app.store.get().place.icon;
}

export function focusField(): void {
  const field = document.querySelector<HTMLInputElement>('#query');
  field?.focus();
  field?.select();
}

/** Puts the focus on the cell of an icon, or on the first one of the page. */
export function focusCell(id?: string): void {
  const cells = [...document.querySelectorAll<HTMLElement>('[role=gridcell]')];
  const cell =
    cells.find((each) => each.dataset['id'] === id) ?? cells.find((each) => each.tabIndex === 0);
  cell?.focus();
  // The details are the whole page of a phone: the grid is not shown.
  if (cell !== undefined && document.activeElement !== cell)
    document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true });
}

/** Closes the panel; its icon has the focus again. */
export function closePanel(app: App): void {
  const { icon } = app.store.get().place;
  app.go({ icon: undefined });
  setTimeout(() => focusCell(icon));
}

/** Closes, clears, leaves, in that order; `undefined`: a toolbar around the page may close it. */
function escape(app: App, target: EventTarget | null): (() => void) | undefined {
  const { place } = app.store.get();
  if (place.icon !== undefined) return () => closePanel(app);
  if (place.view === 'search' && place.query !== '') {
    return () => {
      app.browse.type('');
      focusField();
    };
  }
  if (!(target instanceof HTMLElement) || target === document.body) return undefined;
  return () => target.blur();
}

/** Shows the next icon of the list in the panel, or the one before. */
export function step(app: App, by: number): void {
  const state = app.store.get();
  const list = listedIcons(state);
  const at = list.findIndex(({ id }) => id === state.place.icon);
  const next = list[at + by];
  if (at !== -1 && next !== undefined) app.navigation.go({ icon: next.id }, 'replace');
}

/** Copies the form of an icon that has this key. */
export function copyForm(app: App, icon: PickerIcon, key: string): void {
  const { place, project } = app.store.get();
  const { color, size } = place;
  const form = copyForms(icon, { color, size }, project).find((each) => each.key === key);
  if (form === undefined) return;
  app.take.remember(icon.id);
  void app.take.copy(form.code, form.label.toLowerCase());
}

function onIcon(app: App, key: string, id: string): (() => void) | undefined {
  const state = app.store.get();
  const icon = findIcon(state, id);
  if (icon === undefined) return undefined;
  const actions: Record<string, () => void> = {
    Enter: () => {
      app.go({ icon: id });
      setTimeout(() => document.querySelector<HTMLElement>('.detail h2')?.focus());
    },
    a: () => {
      if (state.place.icon !== id) app.go({ icon: id });
      setTimeout(() => document.querySelector<HTMLInputElement>('#alias')?.select());
    },
    c: () => copyForm(app, icon, 'c'),
    u: () => copyForm(app, icon, 'u'),
    s: () => copyForm(app, icon, 's'),
    x: () => app.take.toggleBag(icon),
    o: () => {
      const [use] = icon.uses;
      if (use !== undefined) void app.take.open(use.use);
    },
    '[': () => step(app, -1),
    ']': () => step(app, 1),
  };
  return actions[key];
}

function find(app: App, event: KeyboardEvent): (() => void) | undefined {
  const { key, target } = event;
  const { settings, undo } = app.store.get();
  const isCommand = event.ctrlKey || event.metaKey;
  if (key === 'Escape') return escape(app, target);
  if (isCommand && key.toLowerCase() === 'k') return focusField;
  if (
    isCommand &&
    key.toLowerCase() === 'z' &&
    !event.shiftKey &&
    !isField(target) &&
    undo.length > 0
  ) {
    return () => void app.take.undo();
  }
  if (isCommand || event.altKey) return undefined;
  // In the empty field, too, which shows this key: no search begins with it.
  const isEmptyField =
    target instanceof HTMLInputElement && target.matches('#query:placeholder-shown');
  if (key === '/' && settings.keys && (isEmptyField || !isField(target))) return focusField;
  if (isField(target)) return undefined;
  if (key === '?' && settings.keys) return () => app.go({ view: 'help', icon: undefined });
  const id = focusedId(app, target);
  if (id === undefined || (key !== 'Enter' && !settings.keys)) return undefined;
  // Buttons and links of the panel take Enter themselves.
  if (key === 'Enter' && !(target as HTMLElement).matches('[role=gridcell]')) return undefined;
  return onIcon(app, key, id);
}

export function listenToKeys(app: App): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const action = find(app, event);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}
