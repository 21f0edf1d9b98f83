import type { Plugin } from 'vite';

/** What we use of Astro's configuration. */
export interface AstroConfig {
  root: URL;
  /** Public path of the site. */
  base: string;
  /** `static`: all of `outDir` is published. */
  output?: string;
  outDir: URL;
  build: {
    /** Folder of emitted files in the site. */
    assets: string;
    /** Folder that is published beside a server. */
    client: URL;
  };
}

/** What we use of Astro's integration interface (versions 5 to 7), which is then no dependency of these types. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:setup'(setup: {
      command: 'dev' | 'build' | 'preview' | 'sync';
      config: Pick<AstroConfig, 'root'>;
      updateConfig(change: { vite: { plugins: Plugin[] } }): unknown;
      /** A file whose change has the dev server start again. */
      addWatchFile(path: string): void;
    }): Promise<void>;
    'astro:config:done'(done: {
      config: AstroConfig;
      injectTypes(types: { filename: string; content: string }): unknown;
    }): void;
    'astro:build:done'(done: {
      /** Folder of the finished site. */
      dir: URL;
      logger: { info(message: string): void; warn(message: string): void };
    }): Promise<void>;
  };
}
