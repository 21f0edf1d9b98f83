/** What we use of cacache 20, which brings no types. */
declare module 'cacache' {
  interface CacacheEntry {
    key: string;
    integrity: string;
    size?: number;
    time: number;
    metadata?: unknown;
  }
  // By name: loaders that turn `import()` into `require` give no default export.
  export const get: {
    info(cache: string, key: string): Promise<CacacheEntry | null>;
    byDigest(cache: string, integrity: string): Promise<Uint8Array>;
    hasContent(cache: string, integrity: string): Promise<object | false | undefined>;
  };
  export function put(
    cache: string,
    key: string,
    data: Uint8Array,
    options: { algorithms: ['sha512']; metadata: unknown },
  ): Promise<unknown>;
  export const index: {
    insert(
      cache: string,
      key: string,
      integrity: string,
      options: { metadata: unknown },
    ): Promise<CacacheEntry | undefined>;
  };
  export const rm: { content(cache: string, integrity: string): Promise<unknown> };
}
