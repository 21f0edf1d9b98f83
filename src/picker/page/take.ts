import type { AddAnswer, PickerIcon } from '../api.ts';
import { Failure, post } from './client.ts';
import { type Look, withCreditComment } from './copy-forms.ts';
import { report } from './hits.ts';
import type { Store } from './store.ts';
import { countOf, plain, toAlias } from './text.ts';

/** What the user takes: copies, aliases that are written, the bag. */

const MOST_RECENT = 24;

interface Taken {
  id: string;
  alias: string;
  /** The name of the icon that the alias takes the place of. */
  replaces?: string | undefined;
}

export interface Take {
  copy(text: Copied, what: string): Promise<void>;
  /** Returns what is wrong with the names, if something is. */
  add(items: readonly Taken[]): Promise<Failure | undefined>;
  undo(): Promise<void>;
  open(use: number): Promise<void>;
  copySvg(icon: PickerIcon, look: Look): Promise<void>;
  downloadSvg(icon: PickerIcon, look: Look): Promise<void>;
  raiseBudget(): Promise<boolean>;
  toggleBag(icon: PickerIcon, into?: boolean): void;
  remember(id: string): void;
}

/** What is copied, or will be; undefined if it could not be had, which the user knows already. */
type Copied = string | Promise<string | undefined>;

async function toBlob(text: Copied): Promise<Blob> {
  const found = await text;
  if (found === undefined) throw new Error('There is nothing to copy.');
  return new Blob([found], { type: 'text/plain' });
}

async function writeClipboard(text: Copied): Promise<boolean> {
  try {
    // Safari lets a page copy while a click is handled, not later: it takes the promise of a text then.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': toBlob(text) })]);
    return true;
  } catch {
    const found = await text;
    if (found === undefined) return false;
    // The clipboard of pages that are not secure (a dev server on the local network) takes only what is selected.
    const field = document.createElement('textarea');
    field.value = found;
    field.className = 'offscreen';
    document.body.append(field);
    const before = document.activeElement;
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}

const MOST_ATTEMPTS = 30;
const ATTEMPT_REST = 500;

/** A change of the configuration has some dev servers start again, which ends the answer that reports it. */
async function untilAnswered<Answer>(ask: (attempt: string) => Promise<Answer>): Promise<Answer> {
  const attempt = `${Date.now()}-${Math.random()}`;
  for (let left = MOST_ATTEMPTS; ; left -= 1) {
    try {
      return await ask(attempt);
    } catch (error) {
      const isLost = error instanceof Failure && error.detail.code === 'GONE';
      if (!isLost || left === 0) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, ATTEMPT_REST);
      });
    }
  }
}

type Writes = Pick<Take, 'add' | 'undo'>;

function createWrites(store: Store, refresh: () => Promise<void>): Writes {
  return {
    async add(items) {
      const write = store.get().project?.write;
      store.set({ writing: true });
      try {
        const body = {
          items: items.map(({ id, alias, replaces }) =>
            alias === '' ? { id } : { id, alias, replaces },
          ),
          ...(write?.possible === true && { ifMatch: write.hash }),
        };
        const answer = await untilAnswered((attempt) => post('add', { ...body, attempt }));
        await accept(store, items, answer);
        return undefined;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { problem } = store.get();
        report(store, error);
        // It is shown where the user pressed Add.
        store.set({ problem });
        return error;
      } finally {
        store.set({ writing: false });
        // Not waited for: the focus moves after this, and the user may have gone on meanwhile.
        void refresh();
      }
    },
    async undo() {
      const { undo, writing } = store.get();
      const last = undo.at(-1);
      // A second press while the first one is on its way means the same write.
      if (last === undefined || writing) return;
      store.set({
        undo: undo.slice(0, -1),
        written: undefined,
        writing: true,
        toast: { text: 'Taking it back…' },
      });
      try {
        const { costs, write } = await untilAnswered((attempt) =>
          post('undo', { undo: last.token, attempt }),
        );
        const { project } = store.get();
        store.set({
          costs,
          toast: { text: `Undone: ${last.text}` },
          ...(project && { project: { ...project, write } }),
        });
      } catch (error) {
        fail(store, error);
      }
      store.set({ writing: false });
      await refresh();
    },
  };
}

/** What went wrong with something small is said in passing. */
function fail(store: Store, error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  const { problem } = store.get();
  report(store, error);
  store.set({ toast: { text: error.detail.message, tone: 'problem' }, problem });
}

async function draw(store: Store, icon: PickerIcon, look: Look): Promise<string | undefined> {
  try {
    const { svg, costs } = await post('render', { id: icon.id, ...look, fetch: true });
    store.set({ costs });
    return svg && withCreditComment(svg, icon.credit);
  } catch (error) {
    fail(store, error);
    return undefined;
  }
}

export function createTake(store: Store, refresh: () => Promise<void>): Take {
  const take: Take = {
    ...createWrites(store, refresh),
    async copy(text, what) {
      const isCopied = await writeClipboard(text);
      if ((await text) === undefined) return;
      store.set({
        toast: isCopied
          ? { text: `Copied ${what}` }
          : { text: 'The browser did not let this page copy.', tone: 'problem' },
      });
    },
    async open(use) {
      try {
        await post('open', { use });
        store.set({ toast: { text: 'Opened in your editor' } });
      } catch (error) {
        fail(store, error);
      }
    },
    copySvg: (icon, look) => take.copy(draw(store, icon, look), 'SVG with its credit'),
    async downloadSvg(icon, look) {
      const svg = await draw(store, icon, look);
      if (svg === undefined) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      link.download = `${icon.aliases[0]?.replaceAll('/', '-') ?? toAlias(plain(icon.term))}.svg`;
      link.click();
      URL.revokeObjectURL(link.href);
    },
    async raiseBudget() {
      try {
        const { costs } = await post('budget', {});
        store.set({ costs, problem: undefined });
        return true;
      } catch (error) {
        fail(store, error);
        return false;
      }
    },
    toggleBag(icon, into) {
      const { bag } = store.get();
      const isIn = bag.some((item) => item.icon.id === icon.id);
      if (into === isIn) return;
      store.set({
        bag: isIn ? bag.filter((item) => item.icon.id !== icon.id) : [...bag, { icon, alias: '' }],
      });
    },
    remember(id) {
      const { recent } = store.get();
      store.set({ recent: [id, ...recent.filter((each) => each !== id)].slice(0, MOST_RECENT) });
    },
  };
  return take;
}

async function accept(store: Store, items: readonly Taken[], answer: AddAnswer): Promise<void> {
  const { added, diff, undo, copy, write, costs } = answer;
  const ids = items.map(({ id }) => id);
  const names = added.map(({ id, alias }) => alias ?? id);
  const old = items[0]?.replaces;
  const text =
    names.length !== 1
      ? `Added ${countOf(names.length, 'icon')}`
      : old === undefined
        ? `Added ${names[0]}`
        : `Renamed ${old} to ${names[0]}`;
  const { project, bag } = store.get();
  store.set({
    costs,
    written: {
      ids,
      importLine: added.map(({ importLine }) => importLine).join('\n'),
      diff,
      ...(copy && { copy }),
    },
    bag:
      copy === undefined && bag.some(({ icon }) => ids.includes(icon.id))
        ? bag.filter(({ icon }) => !ids.includes(icon.id))
        : bag,
    ...(project && { project: { ...project, write } }),
    ...(undo !== undefined && { undo: [...store.get().undo, { token: undo, text }] }),
    ...(copy === undefined && { toast: { text, undo: undo !== undefined } }),
  });
  if (copy !== undefined && (await writeClipboard(copy.lines))) {
    store.set({ toast: { text: 'Copied the lines' } });
  }
}
