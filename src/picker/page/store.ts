import type {
  Costs,
  PickerCollection,
  PickerError,
  PickerIcon,
  ProjectAnswer,
  SearchRequest,
} from '../api.ts';
import { parsePlace, type Place } from './address.ts';

/** All that the page shows, in one object, and the few ways in which it is kept. */

export interface Results {
  request: SearchRequest;
  /** `more`: the next page is on its way. */
  status: 'loading' | 'more' | 'done';
  icons: readonly PickerIcon[];
  /** What is asked while it loads. */
  asked?: SearchRequest;
  from?: 'catalog' | 'kept' | 'local';
  askedAt?: string;
  total?: number;
  nextPage?: string;
  suggestions: readonly string[];
  /** What became of the button that asks for words. */
  suggesting?: 'asked' | 'answered';
  calls: number;
  pages: number;
  collection?: PickerCollection;
}

export interface Collections {
  list: readonly PickerCollection[];
  nextPage?: string;
  status: 'loading' | 'done';
}

export interface BagItem {
  icon: PickerIcon;
  alias: string;
}

export interface Toast {
  text: string;
  /** The toast offers to take the last write back. */
  undo?: boolean;
  tone?: 'plain' | 'problem';
}

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  size: 'small' | 'large';
  auto: boolean;
  keys: boolean;
}

/** What the last write of an icon did, for its panel. */
export interface Written {
  ids: readonly string[];
  importLine: string;
  diff: string;
  copy?: { lines: string; reason: string };
}

export interface State {
  place: Place;
  project?: ProjectAnswer;
  costs?: Costs;
  results?: Results;
  collections?: Collections;
  shown?: Results;
  /** The icon of the address, if no list that is loaded has it. */
  linked?: PickerIcon;
  /** What is on this machine, for the first visit. */
  local?: Results;
  connection: 'open' | 'gone' | 'token';
  /** The last refusal of a call, shown above the hits until something succeeds. */
  problem?: PickerError['error'];
  bag: readonly BagItem[];
  /** Undo tokens of writes, the last one at the end. */
  undo: readonly { token: string; text: string }[];
  written?: Written;
  writing: boolean;
  toast?: Toast;
  settings: Settings;
  recent: readonly string[];
}

export interface Store {
  get(): State;
  set(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

const DEFAULTS: Settings = { theme: 'auto', size: 'large', auto: true, keys: true };

/** Storage may be full, forbidden or hold what an earlier version wrote. */
function read<T>(storage: Storage, name: string, fallback: T): T {
  try {
    const value: unknown = JSON.parse(storage.getItem(`icon-catalog:${name}`) ?? 'null');
    return value !== null && typeof value === typeof fallback ? (value as T) : fallback;
  } catch {
    return fallback;
  }
}

export function keep(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(`icon-catalog:${name}`, JSON.stringify(value));
  } catch {
    // The page works without it.
  }
}

export function createStore(): Store {
  const listeners = new Set<() => void>();
  const bag = read<unknown>(sessionStorage, 'bag', []);
  const recent = read<unknown>(localStorage, 'recent', []);
  let state: State = {
    place: parsePlace(location.search),
    connection: 'open',
    bag: Array.isArray(bag) ? (bag as BagItem[]) : [],
    undo: [],
    writing: false,
    settings: { ...DEFAULTS, ...read(localStorage, 'settings', DEFAULTS) },
    recent: Array.isArray(recent) ? recent.filter((id) => typeof id === 'string') : [],
  };
  return {
    get: () => state,
    set(change) {
      const before = state;
      state = { ...state, ...change };
      if (state.bag !== before.bag) keep(sessionStorage, 'bag', state.bag);
      if (state.recent !== before.recent) keep(localStorage, 'recent', state.recent);
      if (state.settings !== before.settings) keep(localStorage, 'settings', state.settings);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Icons as the project knows them now: what another tab, an editor or a build changed counts. */
export function overlay(
  icons: readonly PickerIcon[],
  project: ProjectAnswer | undefined,
): readonly PickerIcon[] {
  if (project === undefined) return icons;
  const known = new Map(project.icons.map((icon) => [icon.id, icon]));
  return icons.map((icon) => {
    const now = known.get(icon.id);
    if (now !== undefined) {
      const { aliases, pinned, uses, local } = now;
      return { ...icon, aliases, pinned, uses, local: local || icon.local };
    }
    const isStale = icon.pinned || icon.uses.length > 0 || icon.aliases.length > 0;
    return isStale ? { ...icon, aliases: [], pinned: false, uses: [] } : icon;
  });
}

/** Hits that the filters leave, of those that are loaded. Filters that the search had already do nothing. */
export function narrow(
  icons: readonly PickerIcon[],
  place: Place,
  sent: SearchRequest,
): readonly PickerIcon[] {
  const { styles, weight, publicDomain, allowed, collection, creator } = place;
  const hasStyles = styles.length > 0 && String(styles) !== String(sent.styles ?? []);
  const hasWeight = weight !== undefined && String(weight) !== String(sent.lineWeight ?? []);
  const hasDomain = publicDomain && sent.publicDomain !== true;
  return icons.filter(
    (icon) =>
      (!hasStyles || styles.some((style) => icon.styles.includes(style))) &&
      (!hasWeight ||
        (icon.lineWeight !== undefined &&
          icon.lineWeight >= weight[0] &&
          icon.lineWeight <= weight[1])) &&
      (!hasDomain || icon.license.description === 'public-domain') &&
      (!allowed || icon.license.verdict !== 'refused') &&
      (collection === undefined || icon.collections.some(({ id }) => id === collection)) &&
      (creator === undefined || icon.creator?.name === creator),
  );
}

export function takenAliases(project: ProjectAnswer | undefined): Set<string> {
  return new Set(project?.icons.flatMap(({ aliases }) => aliases));
}

/** What a button says of its cost. Icons of this machine cost nothing. */
export function priceOf({ project }: State): string {
  return project?.isFree === true ? '' : ' (1 call)';
}

/** Nothing has been refused yet: what is not there is on its way. */
export function isStarting({ connection, problem }: State): boolean {
  return connection === 'open' && problem === undefined;
}

/** Why no call is made, or undefined if one can be. */
export function whyNoCall({ project, costs, connection }: State): string | undefined {
  if (connection !== 'open') return 'no connection';
  if (project?.configured === false) return 'no catalog is configured';
  if (project?.mode === 'offline') return 'offline';
  if (costs?.stopped === undefined) return undefined;
  return costs.stopped.code === 'CATALOG_USAGE_LIMIT'
    ? 'the limit is reached'
    : 'calls are stopped';
}

/** Where an icon may be known from, the nearest first. */
export function findIcon(state: State, id: string): PickerIcon | undefined {
  const { results, shown, local, project, bag, linked } = state;
  const lists = [
    results?.icons,
    shown?.icons,
    project?.icons,
    local?.icons,
    bag.map(({ icon }) => icon),
    linked && [linked],
  ];
  for (const list of lists) {
    const found = list?.find((icon) => icon.id === id);
    if (found !== undefined) return overlay([found], project)[0];
  }
  return undefined;
}

export function listedIcons(state: State): readonly PickerIcon[] {
  const { place, results, shown, local, project, bag } = state;
  if (place.view === 'project') return byNeed(project?.icons ?? []);
  if (place.view === 'bag')
    return overlay(
      bag.map(({ icon }) => icon),
      project,
    );
  if (place.view === 'collections') return overlay(shown?.icons ?? [], project);
  const hits = results ?? local;
  return hits === undefined ? [] : overlay(narrow(hits.icons, place, hits.request), project);
}

/** Icons that nothing uses come first: they are what there is to do. */
export function byNeed(icons: readonly PickerIcon[]): readonly PickerIcon[] {
  const nameOf = (icon: PickerIcon): string => icon.aliases[0] ?? icon.term;
  return icons.toSorted(
    (a, b) =>
      Number(a.uses.length > 0) - Number(b.uses.length > 0) || nameOf(a).localeCompare(nameOf(b)),
  );
}
