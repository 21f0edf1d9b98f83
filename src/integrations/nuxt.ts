import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSession } from '../build/session.ts';
import { SENDER_HEADER } from '../bundlers/vite/dev-requests.ts';
import type { DevFiles } from '../bundlers/vite/dev-server.ts';
import { createVitePlugin } from '../bundlers/vite/plugin.ts';
import { IconCatalogError } from '../errors.ts';
import { optionsPaths, readProjectOptions, rootWithOptions, SCRIPTS } from '../options/file.ts';
import { typesEntry } from '../component.ts';
import type { Options } from '../options/options.ts';
import { attributionFileNames, resolveAttribution } from '../options/resolve-attribution.ts';
import { checkOptions } from '../options/schema.ts';

/**
 * The Vite plugin in both builds of Nuxt, with components of Vue as the default form, and the types of both. Without
 * options it takes those of the project's own file, and has Nuxt start again when that changes.
 *
 * @returns a promise where a file has to be read
 */
export function addToNuxt(inline: Options | undefined, nuxt: NuxtInstance): Promise<void> | void {
  const given = { ...nuxt.options.iconCatalog, ...inline };
  // Nuxt hands over an empty object where nothing is written.
  const { dev, rootDir, watch } = nuxt.options;
  const own = SCRIPTS.map((extension) => join(rootDir, `nuxt.config.${extension}`));
  if (Object.keys(given).length > 0) return setUp(given, nuxt, { root: rootDir, configs: own });
  const root = rootWithOptions(rootDir);
  const configs = [...optionsPaths(root), ...own];
  watch?.push(...optionsPaths(root));
  return readProjectOptions(root).then(
    (options) => setUp(options, nuxt, { root, configs }),
    (error: unknown) => {
      // A server that does not start watches no files, and could not restart once the file is fixed.
      if (dev !== true) throw error;
      setUp({}, nuxt, { root, configs, startsBroken: true });
    },
  );
}

function setUp(
  given: Options,
  nuxt: NuxtInstance,
  {
    root,
    configs,
    startsBroken = false,
  }: { root: string; configs: readonly string[]; startsBroken?: boolean },
): void {
  const usual = { framework: 'vue' } as const;
  const options: Options = { ...usual, ...given };
  checkOptions(options);
  const { builder = 'vite' } = nuxt.options;
  if (typeof builder === 'string' && !builder.includes('vite'))
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `The Nuxt module works with the Vite builder, and \`builder\` is ${JSON.stringify(builder)}.`,
      remedy:
        'Leave `builder` out of nuxt.config, or add `unplugin-icon-catalog/webpack` or `/rspack` to the configurations in the hooks `webpack:config` or `rspack:config`.',
      path: 'builder',
    });
  // Nuxt publishes this folder: it has the one list of both builds.
  const published = join(nuxt.options.buildDir, 'dist/client');
  // In dev one server renders pages, and browsers ask the other.
  const files: DevFiles = new Map();
  const filled = new WeakSet<object>();
  const listening = addressOf(nuxt);
  // Once for the client and once for the server: each has a plugin of its own, and both share one session's work.
  nuxt.hook('vite:extendConfig', (config, { isClient } = { isClient: true }) => {
    config.plugins ??= [];
    // With `experimental.viteEnvironmentApi` both have one list.
    if (filled.has(config.plugins)) return;
    filled.add(config.plugins);
    const session = createSession(startsBroken ? undefined : options, 'vite', usual);
    config.plugins.push(
      createVitePlugin(options, session, {
        // Vite's own is the folder `app`, where neither the command line nor its user looks for a lock file.
        root,
        files,
        startsBroken,
        site: () => published,
        base: () => nuxt.options.app?.baseURL ?? '/',
        // Browsers ask the client's server, which is the one that has the icon browser's address to print.
        framework: { configs, ...(isClient && { listening }) },
      }),
    );
  });
  nuxt.hook('nitro:build:public-assets', ({ options: { output } }) =>
    publishCredits(options, {
      from: published,
      to: output.publicDir,
    }),
  );
  if (nuxt.options.dev === true) {
    const { buildDir } = nuxt.options;
    nuxt.hook('nitro:config', (nitro) => addPageGuard(nitro, buildDir));
  }
  nuxt.hook('prepare:types', ({ references }) => {
    references.push({ types: typesEntry(options.framework) });
  });
}

/**
 * Pages are rendered in another process, which asks for modules without saying for which request: an icon that an image
 * tag of another site would cost cannot be refused there, and the page is not rendered. Links and frames lead to it as
 * before, and so do the scripts of origins that the project lets read it.
 */
function addPageGuard(nitro: NitroConfig, buildDir: string): void {
  // Nitro knows its plugins by path. Nothing is written there.
  const path = join(buildDir, 'icon-catalog-page-guard.mjs');
  nitro.virtual = { ...nitro.virtual, [path]: PAGE_GUARD };
  nitro.plugins = [...(nitro.plugins ?? []), path];
}

const PAGE_GUARD = `const remedies = {
  foreign: 'for another site. If that site is yours, set \`cors: true\` in the \`routeRules\` of the page.',
  rebound: 'for a host name that is not configured. If the name is yours, list it in \`vite.server.allowedHosts\` in place of \`true\`.',
};
export default ({ hooks }) => hooks.hook('render:before', (context) => {
  const { req, res } = context.event.node;
  const sender = req.headers['${SENDER_HEADER}'];
  if (sender !== 'rebound' && (sender !== 'foreign' || res.hasHeader('access-control-allow-origin'))) return;
  context.response = {
    statusCode: 403,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: 'In development, unplugin-icon-catalog has no page rendered ' + remedies[sender],
  };
});`;

/**
 * Nuxt's own server listens, before those of Vite are made. It listens on all addresses, also if the user has not asked for
 * that: it then lists those of this machine alone.
 */
function addressOf(nuxt: NuxtInstance): Promise<{ url: string; isOpen: boolean }> {
  return new Promise((resolve) => {
    nuxt.hook('listen', async (_, { url, getURLs }) => {
      const { baseURL = '/' } = nuxt.options.app ?? {};
      const listed = (await getURLs?.()) ?? [];
      resolve({
        url: new URL(baseURL.replace(/^\./, ''), url).href,
        isOpen: listed.some(({ type }) => type !== 'local'),
      });
    });
  });
}

/** Nuxt publishes of the client's build the folder of scripts alone: the attribution files beside it go along. */
async function publishCredits(
  { attribution = {} }: Options,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (attribution === false) return;
  for (const fileName of attributionFileNames(resolveAttribution(attribution))) {
    const target = join(to, fileName);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, fileName), target);
  }
}

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
  hook(
    name: 'vite:extendConfig',
    hook: (config: { plugins?: unknown[] }, build?: { isClient: boolean }) => void,
  ): unknown;
  hook(
    name: 'listen',
    hook: (
      server: unknown,
      listener: { url: string; getURLs?(): Promise<{ type?: string }[]> },
    ) => Promise<void>,
  ): unknown;
  hook(
    name: 'nitro:build:public-assets',
    hook: (nitro: { options: { output: { publicDir: string } } }) => Promise<void>,
  ): unknown;
  hook(name: 'nitro:config', hook: (nitro: NitroConfig) => void): unknown;
  hook(
    name: 'prepare:types',
    hook: (types: { references: ({ types: string } | object)[] }) => void,
  ): unknown;
}

interface NitroConfig {
  /** Code of modules that are no files. */
  virtual?: Record<string, unknown>;
  plugins?: string[];
}

export interface NuxtModule {
  (options: Options | undefined, nuxt: NuxtInstance): Promise<void> | void;
  getMeta(): Promise<{ name: string; configKey: string }>;
}
