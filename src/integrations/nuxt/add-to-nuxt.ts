import { join } from 'node:path';
import { checkOptions } from '../../check-options.ts';
import { optionsPaths, readProjectOptions } from '../../config/options-file.ts';
import { IconCatalogError } from '../../errors.ts';
import type { Options } from '../../options.ts';
import { createSession } from '../../plugin/session.ts';
import type { DevFiles } from '../../plugin/vite/create-dev-server.ts';
import { createVitePlugin } from '../../plugin/vite/create-vite-plugin.ts';
import { publishCredits } from './publish-credits.ts';
import { typesEntry } from '../types-reference.ts';
import type { NuxtInstance } from './nuxt-types.ts';

/**
 * The Vite plugin in both builds of Nuxt, with components of Vue as the default form, and the types of both. Without
 * options it takes those of the project's own file, and has Nuxt start again when that changes.
 *
 * @returns a promise where a file has to be read
 */
export function addToNuxt(inline: Options | undefined, nuxt: NuxtInstance): Promise<void> | void {
  const given = { ...nuxt.options.iconCatalog, ...inline };
  // Nuxt hands over an empty object where nothing is written.
  if (Object.keys(given).length > 0) return setUp(given, nuxt);
  const { dev, rootDir, watch } = nuxt.options;
  watch?.push(...optionsPaths(rootDir));
  return readProjectOptions(rootDir).then(
    (options) => setUp(options, nuxt),
    (error: unknown) => {
      // A server that does not start watches nothing: it would not be there once the file is mended.
      if (dev !== true) throw error;
      setUp({}, nuxt, { startsBroken: true });
    },
  );
}

function setUp(
  given: Options,
  nuxt: NuxtInstance,
  { startsBroken = false }: { startsBroken?: boolean } = {},
): void {
  const usual = { framework: 'vue' } as const;
  const options: Options = { ...usual, ...given };
  checkOptions(options);
  const { builder = 'vite' } = nuxt.options;
  if (typeof builder === 'string' && !builder.includes('vite')) throw notVite(builder);
  // Vite's own root is the folder `app`, where neither the command line nor its user looks for a lock file.
  const { rootDir: root } = nuxt.options;
  // Nuxt publishes this folder: it has the one list of both builds.
  const published = join(nuxt.options.buildDir, 'dist/client');
  // In dev one server renders pages, and browsers ask the other.
  const files: DevFiles = new Map();
  const filled = new WeakSet<object>();
  // Once for the client and once for the server: each has a plugin of its own, and both share one session's work.
  nuxt.hook('vite:extendConfig', (config) => {
    config.plugins ??= [];
    // With `experimental.viteEnvironmentApi` both have one list.
    if (filled.has(config.plugins)) return;
    filled.add(config.plugins);
    const session = createSession(startsBroken ? undefined : options, 'vite', usual);
    config.plugins.push(
      createVitePlugin(options, session, {
        root,
        files,
        startsBroken,
        site: () => published,
        base: () => nuxt.options.app?.baseURL ?? '/',
      }),
    );
  });
  nuxt.hook('nitro:build:public-assets', ({ options: { output } }) =>
    publishCredits(options, {
      from: published,
      to: output.publicDir,
    }),
  );
  nuxt.hook('prepare:types', ({ references }) => {
    references.push({ types: typesEntry(options) });
  });
}

function notVite(builder: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `The Nuxt module works with the Vite builder, and \`builder\` is ${JSON.stringify(builder)}.`,
    remedy:
      'Leave `builder` out of nuxt.config, or add `unplugin-icon-catalog/webpack` or `/rspack` to the configurations in the hooks `webpack:config` or `rspack:config`.',
    path: 'builder',
  });
}
