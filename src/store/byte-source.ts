/** A place that may hold bytes by their digest. The corridor asks one after the other, and checks what it gets. */
export interface ByteSource {
  /** For messages: `the vendor file icons.vendor.ndjson`. */
  readonly name: string;
  /** Committed with the project: bytes without their digest are an error instead of a miss. */
  readonly committed?: boolean;
  /** Behind a network: not asked in `offline` mode. */
  readonly remote?: boolean;
  /** `undefined`: it does not have them. Fails only where that must stop the build. */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /** Whether `get` would have them, without reading them. A tier without it is not looked through in advance. */
  has?(integrity: string): Promise<boolean>;
  /**
   * Bytes that another tier or the catalog had. Fails only where that must stop the build.
   * @param key under which the content store finds bytes that no lock names
   */
  put?(integrity: string, bytes: Uint8Array, key?: string): Promise<void>;
  /** What it holds under this digest is something else. */
  discard?(integrity: string): Promise<void>;
  /** The build is over: writes what is held back. */
  flush?(): Promise<void>;
  close?(): Promise<void>;
}
