/** One exchange with the service, after signing. Two doors implement it: sockets (undici) and a given `fetch`. */
export interface Wire {
  /** Resolves with the whole answer, whatever its status. Redirects are answers. Rejects where there is none. */
  send(request: WireRequest): Promise<WireResponse>;
  /** Ends open exchanges and sockets. */
  close(): Promise<void>;
}

interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Lower-case names of all headers. */
  headerNames(): string[];
  body: Uint8Array;
}

/** Largest answer that is read, in bytes. */
export const MAX_RESPONSE_SIZE: number = 64 * 1024 * 1024;

/** The code that undici gives to answers past the limit; the fetch door uses it too. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
