/** Two files of undici 7, which declares types for its index only. */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';
  /** `undefined` where a loader gives no default export. */
  const agent: typeof Agent | undefined;
  export default agent;
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';
  /** What a dispatcher's own `request` is; `this` is the dispatcher. */
  function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
  export default request;
}
