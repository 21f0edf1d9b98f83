import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResolvedConfig, ViteDevServer } from 'vite';
import type { Session } from '../../build/session-interface.ts';
import type { PickerState } from '../../picker/state.ts';
import {
  createPickerHandler,
  editorOf,
  isCi,
  isOpenTo,
  MARK,
  pickerAddress,
  pickerState,
  projectOfSession,
} from '../../picker/shell.ts';
import type { PickerFramework } from './builds.ts';
import { hostNames, viteLog } from './environments.ts';

type PickerSession = Pick<Session, 'config' | 'resolvedOptions'>;

/** What is used of the context that Vite DevTools passes to plugins, which is then no dependency. */
export interface DevToolsContext {
  viteConfig: ResolvedConfig;
  viteServer?: ViteDevServer;
  docks: {
    register(dock: {
      id: string;
      title: string;
      icon: string;
      type: 'iframe';
      url: string;
    }): unknown;
    activate?(id: string): unknown;
  };
  commands?: { register(command: { id: string; title: string; handler(): void }): unknown };
}

/** `undefined`: there is no icon browser. */
function stateOf(
  { config, resolvedOptions }: PickerSession,
  vite: ResolvedConfig,
): PickerState | undefined {
  const { picker = true } = config.options;
  if (picker === false || isCi(process.env) || isForTests(vite)) return undefined;
  return pickerState(resolvedOptions().root, picker === true ? undefined : picker.budget);
}

/** Answers below `/__icon-catalog/` of a dev server, and has its address among those that the server prints. */
export function servePicker(
  server: ViteDevServer,
  session: PickerSession,
  framework: PickerFramework | undefined,
): void {
  const { config } = server;
  const state = stateOf(session, config);
  if (state === undefined) return;
  const { root } = session.resolvedOptions();
  const { host } = config.server;
  const access = {
    hosts: hostNames(config.server),
    isOpen: host === true || isOpenTo(typeof host === 'string' ? host : 'localhost'),
  };
  const { handle, close } = createPickerHandler({
    project: projectOfSession(session, process.env, () => configOf(config, framework)),
    access,
    state,
    log: viteLog(config),
    openEditor: editorOf(root, process.env),
  });
  server.middlewares.use(handle);
  server.httpServer?.once('close', () => void close());
  const print = (url: string): void => {
    config.logger.info(`  ➜  Icons:   ${pickerAddress(url, '/', state)}`);
    if (access.isOpen)
      config.logger.warn(
        '     Everyone who reaches this server and knows this address can add icons.',
      );
  };
  showAddress(server, print);
  void framework?.listening?.then(({ url, isOpen }) => {
    access.isOpen ||= isOpen;
    if (state.shown !== url) print(url);
    state.shown = url;
  });
}

const DOCK = 'unplugin-icon-catalog';

/** Docks are shown to browsers only that the user has let in, unless that was switched off: then the page asks. */
export function addDock(
  { viteConfig, viteServer, docks, commands }: DevToolsContext,
  session: PickerSession,
  base: string = viteConfig.base,
): void {
  const state = viteServer && stateOf(session, viteConfig);
  if (state === undefined) return;
  const { devtools } = viteConfig as { devtools?: { config?: { clientAuth?: boolean } } };
  const isForAll =
    devtools?.config?.clientAuth === false ||
    process.env['VITE_DEVTOOLS_DISABLE_CLIENT_AUTH'] === 'true';
  const url = pickerAddress('', base, state);
  docks.register({
    id: DOCK,
    title: 'Icons',
    icon: `data:image/svg+xml,${encodeURIComponent(MARK)}`,
    type: 'iframe',
    url: isForAll ? url.replace(/#.*/, '') : url,
  });
  commands?.register({
    id: `${DOCK}:browse`,
    title: 'Browse icons',
    handler: () => void docks.activate?.(DOCK),
  });
}

/** Vitest has dev servers, and so has a build of Astro. */
function isForTests({ mode, plugins, server }: ResolvedConfig): boolean {
  const isVitest = plugins.some(({ name }) => name === 'vitest' || name.startsWith('vitest:'));
  return mode === 'test' || isVitest || server.watch === null;
}

/** The file in which the plugin is called. */
function configOf(
  config: ResolvedConfig,
  framework: PickerFramework | undefined,
): string | undefined {
  const { vitepress } = config as { vitepress?: { configPath?: string } };
  const path =
    framework?.configs.find((each) => existsSync(each)) ??
    vitepress?.configPath ??
    config.configFile;
  return path === undefined ? undefined : resolve(path);
}

/** One line below the server's own addresses, and a shortcut that prints it again. */
function showAddress(server: ViteDevServer, print: (url: string) => void): void {
  const show = (): void => {
    const [url] = server.resolvedUrls?.local ?? server.resolvedUrls?.network ?? [];
    if (url !== undefined) print(url);
  };
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    show();
  };
  // Vite 4 has none.
  if (!('bindCLIShortcuts' in server)) return;
  const bind = server.bindCLIShortcuts.bind(server);
  server.bindCLIShortcuts = (options) =>
    bind({
      ...options,
      customShortcuts: [
        ...(options?.customShortcuts ?? []),
        { key: 'i', description: 'show the address of the icon browser', action: show },
      ],
    });
}
