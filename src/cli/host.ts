/** What the command line needs from the machine; `node-host.ts` has the real one, tests bring their own. */
export interface Host {
  /** Folder in which relative paths and icon sets are looked for. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True where somebody can be asked: keyboard and terminal are both there. */
  readonly canAsk: boolean;
  /** Asks on standard error. Anything but yes is false. */
  confirm(question: string): Promise<boolean>;
  /** The whole of standard input. */
  readInput(): Promise<string>;
  exists(path: string): Promise<boolean>;
  /** Text of a file; fails as the file system does. */
  readFile(path: string): Promise<string>;
  /** Default export of a JavaScript module of the project; fails as its import does. */
  importDefault(path: string): Promise<unknown>;
  /** Writes a new file; false where one is there and `overwrite` is not set. */
  writeFile(path: string, bytes: Uint8Array, options: { overwrite: boolean }): Promise<boolean>;
  /** Resolves when the process is asked to end (SIGINT, SIGTERM). */
  interrupted(): Promise<void>;
}

export interface Output {
  write(chunk: string | Uint8Array): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; `undefined` elsewhere. */
  readonly columns: number | undefined;
  /** False where `NO_COLOR` is set and where nothing shows colours. */
  readonly hasColor: boolean;
}
