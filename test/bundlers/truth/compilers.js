import { fileURLToPath } from 'node:url';
import { client, server } from './options.js';

const inProject = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What webpack and Rspack are told alike. */
export function configurations({ plugins, styles, experiments = {} }) {
  const shared = {
    mode: 'production',
    context: import.meta.dirname,
    experiments: { outputModule: true, ...experiments },
    cache: false,
  };
  const output = {
    filename: '[name].js',
    module: true,
    chunkFormat: 'module',
    chunkLoading: 'import',
  };
  return [
    {
      ...shared,
      name: 'client',
      entry: { main: './src/main.js' },
      output: { ...output, path: inProject(client), publicPath: 'auto' },
      module: { rules: [{ test: /\.css$/, ...styles }] },
      plugins: plugins(),
    },
    {
      ...shared,
      name: 'server',
      target: 'node',
      entry: { server: './src/server.js' },
      output: { ...output, path: inProject(server), library: { type: 'module' } },
      plugins: plugins().slice(0, 1),
    },
  ];
}
