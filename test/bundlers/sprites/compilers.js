import { fileURLToPath } from 'node:url';
import { bundlerCache, folder } from './options.js';

/** What webpack and Rspack are told alike. */
export function configuration(plugin, cache) {
  return {
    mode: 'production',
    context: import.meta.dirname,
    entry: { first: './src/first.js', second: './src/second.js' },
    experiments: { outputModule: true },
    output: {
      path: fileURLToPath(new URL(folder, import.meta.url)),
      module: true,
      filename: '[name].js',
      chunkFormat: 'module',
      chunkLoading: 'import',
      chunkFilename: 'parts/[name]-[contenthash].js',
      clean: true,
    },
    cache:
      bundlerCache === undefined
        ? false
        : cache(fileURLToPath(new URL(bundlerCache, import.meta.url))),
    plugins: [plugin],
  };
}
