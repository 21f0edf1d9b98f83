import type { Agent, Dispatcher } from 'undici';

export interface Undici {
  Agent: typeof Agent;
  /** What a dispatcher's own `request` is; `this` is the dispatcher. */
  request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
}

/**
 * The parts of undici that calls need. Its index loads WebSockets, caches, mocks and `fetch` besides, which takes a
 * cold run about 60 ms before its first call. A version that keeps the parts elsewhere is loaded whole.
 */
export async function loadUndici(): Promise<Undici> {
  try {
    const [{ default: agent }, { default: request }] = await Promise.all([
      import('undici/lib/dispatcher/agent.js'),
      import('undici/lib/api/api-request.js'),
    ]);
    // Loaders that turn `import()` into `require` give no default export.
    if (agent !== undefined) return { Agent: agent, request };
  } catch {
    // Another version.
  }
  const undici = await import('undici');
  return { Agent: undici.Agent, request: undici.Dispatcher.prototype.request };
}
