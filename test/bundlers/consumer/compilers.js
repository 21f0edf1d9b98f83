import { fileURLToPath } from 'node:url';
import { bundlerCache, folder } from './options.js';

/** What webpack and Rspack are told alike. */
export function configuration(plugin, cache) {
  return {
    mode: 'production',
    context: import.meta.dirname,
    entry: { main: './src/main.js' },
    experiments: { outputModule: true },
    output: {
      path: fileURLToPath(new URL(folder, import.meta.url)),
      module: true,
      chunkFormat: 'module',
      chunkLoading: 'import',
      clean: true,
    },
    cache:
      bundlerCache === undefined
        ? false
        : cache(fileURLToPath(new URL(bundlerCache, import.meta.url))),
    plugins: [plugin],
  };
}
