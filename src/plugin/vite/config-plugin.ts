import { normalize } from 'node:path';
import type { Plugin } from 'vite';
import type { SessionConfig } from '../session-config.ts';

/** Starts the dev server again when the project's file of options changes, as Vite does for its own configuration. */
export function createConfigPlugin(config: SessionConfig): Plugin {
  return {
    name: 'unplugin-icon-catalog:config',
    apply: 'serve',
    configureServer(server) {
      if (config.files.length === 0) return;
      const { watcher } = server;
      const onChange = (file: string): void => {
        if (config.files.includes(normalize(file))) void server.restart();
      };
      for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, onChange);
    },
  };
}
