import { resolve } from 'node:path';
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite';
import type { BundlerSession } from '../../build/session-interface.ts';
import { findOptionsFile } from '../../options/file.ts';
import type { ResolvedOptions } from '../../options/resolve-options.ts';
import type { PickerProject } from '../../picker/project.ts';
import { createPickerHandler, isCi, pickerAddress, pickerState } from '../../picker/shell.ts';
import { viteLog } from './environments.ts';

/**
 * The icon browser below `/__icon-catalog/` of a dev server, with its address among those that the server prints. None in
 * tests, on CI machines, and in servers that only serve a build.
 */
export function createPickerPlugin(
  session: Pick<BundlerSession, 'config' | 'resolvedOptions'>,
): Plugin {
  return {
    name: 'unplugin-icon-catalog:picker',
    apply: 'serve',
    configureServer(server) {
      const { config } = server;
      const { picker = true } = session.config.options;
      if (picker === false || isCi(process.env) || isForTests(config)) return;
      const { root } = session.resolvedOptions();
      const state = pickerState(root, picker === true ? undefined : picker.budget);
      const { handle, close } = createPickerHandler(
        {
          project: createProject(session, config),
          access: { hosts: namesOf(config.server), isOpen: isOpen(config.server) },
          state,
          log: viteLog(config),
          async openEditor(place) {
            const { createEditorOpener } = await import('../../picker/open-editor.ts');
            return createEditorOpener(root, process.env)(place);
          },
        },
        config.base,
      );
      server.middlewares.use(handle);
      server.httpServer?.once('close', () => void close());
      showAddress(server, () => {
        const [url] = server.resolvedUrls?.local ?? server.resolvedUrls?.network ?? [];
        return url === undefined ? undefined : pickerAddress(url, '/', state);
      });
    },
  };
}

/** Vitest has dev servers, and so has a build of Astro. */
function isForTests({ mode, plugins, server }: ResolvedConfig): boolean {
  const isVitest = plugins.some(({ name }) => name === 'vitest' || name.startsWith('vitest:'));
  return mode === 'test' || isVitest || server.watch === null;
}

/** The same object while the options are the same. */
function createProject(
  session: Pick<BundlerSession, 'config' | 'resolvedOptions'>,
  { configFile }: ResolvedConfig,
): () => Promise<PickerProject> {
  let known: { resolved: ResolvedOptions; project: Promise<PickerProject> } | undefined;
  async function open(resolved: ResolvedOptions): Promise<PickerProject> {
    const { files } = session.config;
    const own = files.length > 0 ? await findOptionsFile(resolved.root) : undefined;
    const config = own?.path ?? (configFile === undefined ? undefined : resolve(configFile));
    return { resolved, env: process.env, config };
  }
  return async () => {
    const resolved = session.resolvedOptions();
    // Requests that arrive together get one project: opening another closes the catalog of the one before.
    if (known?.resolved !== resolved) known = { resolved, project: open(resolved) };
    return known.project;
  };
}

/** Names that the user has given to this machine. */
function namesOf({ allowedHosts, host, hmr, origin }: ResolvedConfig['server']): string[] {
  return [
    ...(Array.isArray(allowedHosts) ? allowedHosts : []),
    host,
    typeof hmr === 'object' ? hmr.host : undefined,
    origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : undefined,
  ].filter((name) => typeof name === 'string');
}

function isOpen({ host }: ResolvedConfig['server']): boolean {
  return host === true || (typeof host === 'string' && !/^(?:localhost|127\.|\[?::1)/.test(host));
}

/** One line below the server's own addresses, and a shortcut that prints it again. */
function showAddress(server: ViteDevServer, address: () => string | undefined): void {
  const { logger } = server.config;
  const print = (): void => {
    const url = address();
    if (url === undefined) return;
    logger.info(`  ➜  Icons:   ${url}`);
    if (isOpen(server.config.server))
      logger.warn('     Everyone who reaches this server and knows this address can add icons.');
  };
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    print();
  };
  const bind = server.bindCLIShortcuts.bind(server);
  server.bindCLIShortcuts = (options) =>
    bind({
      ...options,
      customShortcuts: [
        ...(options?.customShortcuts ?? []),
        { key: 'i', description: 'show the address of the icon browser', action: print },
      ],
    });
}
