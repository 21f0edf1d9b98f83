import type { SearchRequest } from '../api.ts';
import { plain } from './text.ts';

/** What the page's address says: where the user is, and what is searched. */

export const VIEWS = ['search', 'collections', 'project', 'bag', 'help'] as const;
export type View = (typeof VIEWS)[number];

export type Style = 'line' | 'solid';

export interface Place {
  view: View;
  query: string;
  styles: Style[];
  weight?: [from: number, to: number];
  publicDomain: boolean;
  allowed: boolean;
  /** Id of a collection: the one that is shown, or the one that narrows the hits. */
  collection?: string;
  /** Name of the designer whose icons alone are shown of those that are loaded. */
  creator?: string;
  icon?: string;
  /** Colour and size of the preview and of what is copied. */
  color?: string;
  size?: number;
}

/** Where a choice of colour begins. */
export const FIRST_COLOR = '#1d5c46';
export const LIGHTEST = 1;
export const HEAVIEST = 60;
/** Letters of a query; more of them were pasted by mistake. */
export const LONGEST = 200;

const isStyle = (text: string): text is Style => text === 'line' || text === 'solid';

export function parseColor(text: string | null): string | undefined {
  if (text === null) return undefined;
  if (text === 'currentColor') return text;
  const hex = /^#?((?:[0-9a-f]{3}){1,2})$/i.exec(text.trim())?.[1]?.toLowerCase();
  return hex?.length === 3 ? hex.replace(/./g, '$&$&') : hex;
}

function parseWeight(text: string | null): Place['weight'] {
  const [, from, to] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text ?? '') ?? [];
  if (from === undefined) return undefined;
  const clamp = (value: string): number => Math.min(HEAVIEST, Math.max(LIGHTEST, Number(value)));
  const [low = LIGHTEST, high = HEAVIEST] = [clamp(from), clamp(to ?? from)].toSorted(
    (a, b) => a - b,
  );
  return low === LIGHTEST && high === HEAVIEST ? undefined : [low, high];
}

/** Whatever does not parse is left out: an address may have been typed. */
export function parsePlace(search: string): Place {
  const params = new URLSearchParams(search);
  const view = VIEWS.find((each) => each === params.get('view')) ?? 'search';
  const size = Number(params.get('size') ?? Number.NaN);
  return {
    view,
    query: (params.get('q') ?? '').slice(0, LONGEST),
    styles: [...new Set((params.get('style') ?? '').split(',').filter(isStyle))],
    weight: parseWeight(params.get('weight')),
    publicDomain: params.get('pd') === '1',
    allowed: params.get('ok') === '1',
    collection: params.get('in') || undefined,
    creator: params.get('by') || undefined,
    icon: params.get('icon') || undefined,
    color: parseColor(params.get('color')),
    size: size >= 1 && size <= 1200 ? Math.round(size) : undefined,
  };
}

export function writePlace(place: Place): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') params.set(name, String(value));
  };
  put('q', place.query);
  put('style', place.styles.join(','));
  put('weight', place.weight?.join('-'));
  put('pd', place.publicDomain ? 1 : undefined);
  put('ok', place.allowed ? 1 : undefined);
  put('in', place.collection);
  put('by', place.creator);
  put('view', place.view === 'search' ? undefined : place.view);
  put('icon', place.icon);
  put('size', place.size);
  put('color', place.color);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The part of a place that a catalog can answer. */
export function toRequest(place: Place, remote: boolean): SearchRequest {
  return {
    query: place.query.trim(),
    ...(place.styles.length > 0 && { styles: place.styles }),
    ...(place.weight && { lineWeight: place.weight }),
    ...(place.publicDomain && { publicDomain: true }),
    remote,
  };
}

/** Equal for requests with equal answers. */
export function keyOf({ query, styles = [], lineWeight, publicDomain }: SearchRequest): string {
  return JSON.stringify([query, [...styles].toSorted(), lineWeight ?? [], publicDomain ?? false]);
}

/** The filters of a place, each with its name and the change that drops it. */
export function activeFilters(place: Place): { label: string; drop: Partial<Place> }[] {
  return [
    ...place.styles.map((style) => ({
      label: `${style} icons`,
      drop: { styles: place.styles.filter((each) => each !== style) },
    })),
    ...(place.weight
      ? [{ label: `line weight ${place.weight.join('–')}`, drop: { weight: undefined } }]
      : []),
    ...(place.publicDomain ? [{ label: 'public domain', drop: { publicDomain: false } }] : []),
    ...(place.allowed ? [{ label: 'allowed by this project', drop: { allowed: false } }] : []),
    ...(place.collection === undefined
      ? []
      : [{ label: 'one collection', drop: { collection: undefined } }]),
    ...(place.creator === undefined
      ? []
      : [{ label: `by ${plain(place.creator, 40)}`, drop: { creator: undefined } }]),
  ];
}

interface Remembered {
  y?: number;
  pages?: number;
  /** What the catalog was asked: filters that were chosen later only narrow its answer. */
  sent?: SearchRequest | undefined;
}

export interface Navigation {
  /** `push` makes an entry of the history. */
  go(change: Partial<Place>, how: 'push' | 'replace'): void;
  remember(what: Remembered): void;
  /** What the entry that the user came back to remembers; undefined once it was used. */
  restored?: Remembered;
}

function readHistory(): Remembered {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

/** The address follows the state, and the state follows Back and Forward. */
export function createNavigation(
  store: { get(): { place: Place }; set(change: { place: Place }): void },
  arrive: () => void,
): Navigation {
  history.scrollRestoration = 'manual';
  let timer = 0;
  const remember = (what: Remembered): void =>
    history.replaceState({ ...readHistory(), ...what }, '');
  const navigation: Navigation = {
    go(change, how) {
      const place = { ...store.get().place, ...change };
      const address = location.pathname + writePlace(place);
      clearTimeout(timer);
      if (how === 'push') {
        remember({ y: scrollY });
        history.pushState(readHistory(), '', address);
      } else history.replaceState(history.state, '', address);
      store.set({ place });
    },
    remember,
    restored: readHistory(),
  };
  addEventListener('scroll', () => {
    clearTimeout(timer);
    // A page that has not got its height back yet must not forget it.
    timer = window.setTimeout(() => navigation.restored ?? remember({ y: scrollY }), 120);
  });
  addEventListener('pagehide', () => navigation.restored ?? remember({ y: scrollY }));
  addEventListener('popstate', () => {
    clearTimeout(timer);
    navigation.restored = readHistory();
    store.set({ place: parsePlace(location.search) });
    arrive();
  });
  return navigation;
}
