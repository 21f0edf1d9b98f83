import type { Plugin as RollupPlugin } from 'rollup';
import type { Plugin as RolldownPlugin } from 'rolldown';
import type { Configuration as WebpackConfiguration } from 'webpack';
import type { Configuration as RspackConfiguration } from '@rspack/core';
import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { JsPlugin } from '@farmfe/core';
import esbuild from 'unplugin-icon-catalog/esbuild';
import farm from 'unplugin-icon-catalog/farm';
import rolldown from 'unplugin-icon-catalog/rolldown';
import rollup from 'unplugin-icon-catalog/rollup';
import rspack from 'unplugin-icon-catalog/rspack';
import webpack from 'unplugin-icon-catalog/webpack';
import bun from 'unplugin-icon-catalog/bun';
import iconCatalog, { type Options } from 'unplugin-icon-catalog';
import vite from 'unplugin-icon-catalog/vite';
import type { Plugin as VitePlugin } from 'vite';

const options: Options = { catalog: { embedded: { sets: ['tabler'], folders: ['icons'] } } };

export const rollupPlugin: RollupPlugin | RollupPlugin[] = rollup(options);
export const rolldownPlugin: RolldownPlugin | RolldownPlugin[] = rolldown(options);
export const webpackConfig: WebpackConfiguration = { plugins: [webpack(options)] };
export const rspackConfig: RspackConfiguration = { plugins: [rspack(options)] };
export const esbuildPlugin: EsbuildPlugin = esbuild(options);
export const farmPlugin: JsPlugin = farm(options);
export const bunPluginName: string = bun(options).name;

/** All of them from the package's root, each as its own entry has it. */
export const vitePlugins: VitePlugin[] = iconCatalog.vite(options);
export const factories: [typeof vite, typeof rollup, typeof rolldown, typeof webpack] = [
  iconCatalog.vite,
  iconCatalog.rollup,
  iconCatalog.rolldown,
  iconCatalog.webpack,
];
export const others: [typeof rspack, typeof esbuild, typeof farm, typeof bun] = [
  iconCatalog.rspack,
  iconCatalog.esbuild,
  iconCatalog.farm,
  iconCatalog.bun,
];
