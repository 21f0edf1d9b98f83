import type { IconCatalogError } from '../errors.ts';

/** One attempt of a call, before it is sent. It never holds credentials: the call is signed afterwards. */
export interface RequestEvent {
  method: string;
  /** Path below the base address. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** 1 for the first attempt. Redirects and corrected clocks send again within one attempt. */
  attempt: number;
}

/** What a result states about its answer besides the body. */
export interface CatalogResponse {
  status: number;
  /**
   * Headers about limits, caching and the request; never cookies, challenges or signed addresses. Names are in lower
   * case.
   */
  headers: Readonly<Record<string, string>>;
  /** The service's own id of the request (`x-request-id` and the like), for its support. */
  requestId: string | undefined;
}

export interface ResponseEvent extends RequestEvent, CatalogResponse {
  /** Milliseconds from sending to the end of the body. */
  duration: number;
}

export interface RetryEvent extends RequestEvent {
  /** The reason why the attempt failed. */
  error: IconCatalogError;
  /** Milliseconds until the next attempt. */
  delay: number;
}
