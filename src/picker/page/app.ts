import { type Context as PreactContext, createContext } from 'preact';
import { useContext, useLayoutEffect, useReducer } from 'preact/hooks';
import { type Place, createNavigation, type Navigation } from './address.ts';
import { type Browse, createBrowse } from './browse.ts';
import { createStore, type State, type Store } from './store.ts';
import { createTake, type Take } from './take.ts';
import { post } from './client.ts';
import { report } from './hits.ts';

/** The parts of the page that have no picture, and how components reach them. */
export interface App {
  store: Store;
  navigation: Navigation;
  browse: Browse;
  take: Take;
  live: Live;
  /** Goes to another screen or icon, as an entry of the history. */
  go(change: Partial<Place>): void;
}

export function createApp(): App {
  const store = createStore();
  const live = createLive(store);
  const navigation = createNavigation(store, () => app.browse.arrive());
  const app: App = {
    store,
    navigation,
    browse: createBrowse(store, navigation),
    take: createTake(store, live.refresh),
    live,
    go(change) {
      navigation.restored = undefined;
      navigation.go(change, 'push');
      if (change.icon !== undefined) app.take.remember(change.icon);
      if (change.view !== undefined) {
        scrollTo(0, 0);
        app.browse.arrive();
      }
    },
  };
  return app;
}

const Context: PreactContext<App | undefined> = createContext<App | undefined>(undefined);
export const AppProvider: PreactContext<App | undefined>['Provider'] = Context.Provider;

export function useApp(): App {
  const app = useContext(Context);
  if (app === undefined) throw new Error('A component stands outside of the page.');
  return app;
}

/** The state, again after each change. */
export function useStore(store: Store): State {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // Not after the next frame: an answer may come before it, and the one after that may be no change.
  useLayoutEffect(() => store.subscribe(() => draw(undefined)), [store]);
  return store.get();
}

/** Milliseconds between two looks. */
const PAUSE = 1200;
/** The share of time that looking may take. */
const PATIENCE = 20;

interface Live {
  refresh(): Promise<void>;
}

/** Keeps the project's part of the page up to date: an editor, a build or another tab changes it too. No call. */
function createLive(store: Store): Live {
  let timer = 0;
  let running: Promise<void> | undefined;
  let last = '';
  let shown: State['project'];
  const ask = async (): Promise<void> => {
    const began = performance.now();
    try {
      const project = await post('project', {});
      const text = JSON.stringify(project);
      const now = store.get();
      // What a write has said of the project meanwhile is not what was answered last.
      if (text !== last || now.project !== shown || now.connection !== 'open') {
        shown = project;
        store.set({ project, costs: project.costs, connection: 'open' });
      }
      last = text;
    } catch (error) {
      report(store, error);
    }
    clearTimeout(timer);
    const took = performance.now() - began;
    timer = window.setTimeout(() => void look(), Math.max(PAUSE, took * PATIENCE));
  };
  const refresh = (): Promise<void> => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
  // A token that is wrong stays wrong, and a page that no one sees needs no news.
  async function look(): Promise<void> {
    if (document.visibilityState === 'visible' && store.get().connection !== 'token')
      await refresh();
  }
  document.addEventListener('visibilitychange', () => void look());
  return { refresh };
}
