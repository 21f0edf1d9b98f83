import { post } from './client.ts';
import { report } from './hits.ts';
import type { Store } from './store.ts';

/** Keeps the project's part of the page up to date: an editor, a build or another tab changes it too. No call. */

const PAUSE = 1200;
/** The share of time that looking may take. */
const PATIENCE = 20;

export interface Live {
  refresh(): Promise<void>;
}

export function createLive(store: Store): Live {
  let timer = 0;
  let running: Promise<void> | undefined;
  let last = '';
  const ask = async (): Promise<void> => {
    const began = performance.now();
    try {
      const project = await post('project', last === '' ? { opened: true } : {});
      const text = JSON.stringify(project);
      const wasAway = store.get().connection !== 'open';
      if (text !== last || wasAway)
        store.set({ project, costs: project.costs, connection: 'open' });
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
