import type { Options } from '../../options.ts';

/** What we use of Nuxt (versions 3 and 4), which is then no dependency of these types. */
export interface NuxtInstance {
  options: {
    /** A name of a package, a short form of it, or the builder itself. */
    builder?: unknown;
    /** The folder of nuxt.config. */
    rootDir: string;
    /** Where both builds go before they are published: `.nuxt`. */
    buildDir: string;
    /** Where the site is served. */
    app?: { baseURL?: string };
    iconCatalog?: Options;
    /** True in `nuxt dev`. */
    dev?: boolean;
    /** Files whose change has Nuxt start again. */
    watch?: (string | RegExp)[];
  };
  hook(name: 'vite:extendConfig', hook: (config: { plugins?: unknown[] }) => void): unknown;
  hook(
    name: 'nitro:build:public-assets',
    hook: (nitro: { options: { output: { publicDir: string } } }) => Promise<void>,
  ): unknown;
  hook(
    name: 'prepare:types',
    hook: (types: { references: ({ types: string } | object)[] }) => void,
  ): unknown;
}

export interface NuxtModule {
  (options: Options | undefined, nuxt: NuxtInstance): Promise<void> | void;
  getMeta(): Promise<{ name: string; configKey: string }>;
}
