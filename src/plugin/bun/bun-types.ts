/** What is used of Bun's bundler, written out: its types come with globals that would take the place of Node's. */

export interface BunPlugin {
  name: string;
  setup(build: BunBuilder): void | Promise<void>;
}

export interface BunBuilder {
  /** The options of `Bun.build`, open to change. Absent in `bun run`. */
  config?: BunBuildConfig;
  /** Absent in `bun run`, as is `onEnd`. */
  onStart?(callback: () => void | Promise<void>): unknown;
  onEnd?(callback: (result: BunBuildResult) => void | Promise<void>): unknown;
  onResolve(
    options: { filter: RegExp; namespace?: string },
    callback: (args: { path: string; importer: string; kind: string }) => {
      path: string;
      namespace: string;
      sideEffects?: boolean;
    },
  ): unknown;
  onLoad(
    options: { filter: RegExp; namespace?: string },
    callback: (args: { path: string }) => BunLoaded | undefined | Promise<BunLoaded | undefined>,
  ): unknown;
}

export interface BunLoaded {
  contents: string | Uint8Array;
  loader: 'js' | 'file' | 'css';
}

export interface BunBuildConfig {
  entrypoints?: readonly string[];
  outdir?: string;
  format?: string;
  root?: string;
  publicPath?: string;
  target?: string;
  metafile?: unknown;
  plugins?: BunPlugin[];
  throw?: boolean;
  sourcemap?: unknown;
}

export interface BunArtifact extends Blob {
  /** Absolute where the build has an `outdir`. */
  path: string;
  kind: string;
}

export interface BunBuildResult {
  success: boolean;
  outputs: BunArtifact[];
  logs: unknown[];
  metafile?: { outputs: Record<string, { inputs: Record<string, unknown> }> };
}

export interface BunApi {
  build(config: BunBuildConfig): Promise<BunBuildResult>;
}
