/** A place that may hold bytes by their digest. The pipeline asks one after the other, and checks what it gets. */
export interface ByteSource {
  /** For messages: `the vendor file icons.vendor.ndjson`. */
  readonly name: string;
  /** True if it is committed with the project: bytes that do not match their digest are an error instead of a miss. */
  readonly committed?: boolean;
  /** True if it is behind a network: it is not asked in `offline` mode. */
  readonly remote?: boolean;
  /** `undefined`: it does not have them. It only fails if that must stop the build. */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /** Whether `get` would have them, without reading them. A source without it is not searched in advance. */
  has?(integrity: string): Promise<boolean>;
  /**
   * Stores bytes that another source or the catalog had. Fails only if that must stop the build.
   * @param key under which the content store finds bytes that no lock names
   */
  put?(integrity: string, bytes: Uint8Array, key?: string): Promise<void>;
  /** The content under this digest is something else. */
  discard?(integrity: string): Promise<void>;
  /** The build is over: writes what is still pending. */
  flush?(): Promise<void>;
  close?(): Promise<void>;
}
