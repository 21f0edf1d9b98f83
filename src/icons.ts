import { createCreditList } from './pipeline/credits.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { loadIcon } from './pipeline/load-icon.ts';
import { isIconCatalogError } from './errors.ts';
import type { Options } from './options/options.ts';
import { parseRequest } from './request/parse-request.ts';
import { resolveOptions } from './options/resolve-options.ts';
import { withRuntime } from './emit/module-code.ts';
import { dataUriOf } from './emit/svg-text.ts';
import type { Credit, FetchPort, IconInfo, IconRequest, Log } from './types.ts';
import { createLog } from './pipeline/build-state.ts';

/** What a host may bring; every field has the ordinary one of Node as default. */
export interface IconsHost {
  /** The project's root, absolute. @default process.cwd() */
  root?: string;
  /** @default process.env */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default standard error */
  log?: Log;
  /** Used instead of the package's own HTTP client. */
  fetch?: FetchPort;
}

export interface IconModule {
  /**
   * Markup of an svg icon for a page: it has no `xmlns`, which HTML does not need. With `as=url` and `as=data` it is the
   * file. Undefined for png and `as=meta`.
   */
  svg: string | undefined;
  /** The file; undefined for `as=meta`. */
  bytes: Uint8Array | undefined;
  contentType: 'image/svg+xml' | 'image/png';
  credit: Credit;
  icon: IconInfo;
  /**
   * The JavaScript module that a bundler gets. Nothing emits a file here: `as=url` is a data URI, and `as=sprite` the
   * markup of the icon itself.
   */
  code: string;
}

export interface Icons {
  /**
   * The icon of one import specifier.
   *
   * @throws IconCatalogError
   */
  load(specifier: string): Promise<IconModule>;
  /** The credits of every icon that was loaded, one a distinct icon, sorted by id as the catalog writes it. */
  credits(): Credit[];
  /** Loads all of them, so that a later build finds them in the cache. Errors are collected, not thrown. */
  sync(
    specifiers: Iterable<string>,
  ): Promise<{ loaded: string[]; failed: { specifier: string; error: Error }[] }>;
  /** Writes the render pack and closes sockets. */
  close(): Promise<void>;
}

/**
 * The plugin's pipeline without a bundler.
 *
 * @example
 * const icons = createIcons({ catalog: 'embedded' });
 * const { svg } = await icons.load('icon:123?color=ff0000&size=64');
 * await icons.close();
 */
export function createIcons(options: Options = {}, host: IconsHost = {}): Icons {
  const resolved = resolveOptions(options, {
    root: host.root ?? process.cwd(),
    env: host.env ?? process.env,
  });
  const log = createLog(resolved.logLevel, host.log);
  const pipeline = createPipeline(resolved, { log, fetch: host.fetch });
  const context = { pipeline, options: resolved };
  const credits = createCreditList();

  async function load(specifier: string): Promise<IconModule> {
    const request = parseRequest(specifier, resolved);
    const { svg, bytes, credit, icon, module } = await loadIcon(request, context);
    if (request.as !== 'meta') credits.add(credit);
    const contentType = request.filetype === 'png' ? 'image/png' : 'image/svg+xml';
    const alone = module.kind === 'asset' ? (module.inline ?? module) : module;
    const code =
      alone.kind === 'code'
        ? standalone(alone.code, request)
        : alone.code(JSON.stringify(dataUriOf({ source: svg ?? bytes ?? '', contentType })));
    return { svg, bytes, contentType, credit, icon, code };
  }

  /** Where there is no bundler, a component brings along what components share. */
  function standalone(code: string, { as }: IconRequest): string {
    const { framework } = resolved;
    return as === 'component' && typeof framework === 'string'
      ? withRuntime(code, framework)
      : code;
  }

  return {
    load,
    credits: credits.all,
    async sync(specifiers) {
      const loaded: string[] = [];
      const failed: { specifier: string; error: Error }[] = [];
      const waiting = [...specifiers].values();
      // Enough to keep all calls in flight: thousands of icons that only wait would be thousands in memory.
      const walkers = Array.from({ length: 2 * resolved.concurrency + 64 }, async () => {
        for (const specifier of waiting) {
          try {
            await load(specifier);
            loaded.push(specifier);
          } catch (error) {
            if (!isIconCatalogError(error)) throw error;
            failed.push({ specifier, error });
          }
        }
      });
      await Promise.all(walkers);
      await pipeline.flush();
      return { loaded, failed };
    },
    async close() {
      try {
        await pipeline.flush();
        for (const warning of pipeline.licenseWarnings()) log.warn(warning);
      } finally {
        // What was downloaded stays in the cache, whatever keeps the lock from being written.
        await pipeline.close();
      }
    },
  };
}
