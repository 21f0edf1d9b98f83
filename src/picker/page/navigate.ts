import type { SearchRequest } from '../api.ts';
import { parsePlace, type Place, writePlace } from './address.ts';
import type { Store } from './store.ts';

/** The address follows the state, and the state follows Back and Forward. */

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

export function createNavigation(store: Store, arrive: () => void): Navigation {
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
