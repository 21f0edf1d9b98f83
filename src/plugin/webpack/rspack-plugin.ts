import type { RspackPluginInstance } from '@rspack/core';
import type { Compiler } from 'webpack';
import type { Session } from '../session-types.ts';
import { createWebpackPlugin } from './webpack-plugin.ts';

/**
 * The same plugin for Rspack. Its compiler has webpack's interface as far as this package uses it, but types of its
 * own; the tests run both.
 */
export function createRspackPlugin(options: {
  createSession(): Session;
  /** Path of icon-loader.cjs. */
  loader: string;
  /** Path of style-loader.cjs. */
  styleLoader: string;
}): RspackPluginInstance {
  const plugin = createWebpackPlugin({ ...options, bundler: 'rspack' });
  return { apply: (compiler) => plugin.apply(compiler as unknown as Compiler) };
}
