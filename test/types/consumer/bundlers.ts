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
import type { Options } from 'unplugin-icon-catalog';

const options: Options = { catalog: { embedded: { sets: ['tabler'], folders: ['icons'] } } };

export const rollupPlugin: RollupPlugin | RollupPlugin[] = rollup(options);
export const rolldownPlugin: RolldownPlugin | RolldownPlugin[] = rolldown(options);
export const webpackConfig: WebpackConfiguration = { plugins: [webpack(options)] };
export const rspackConfig: RspackConfiguration = { plugins: [rspack(options)] };
export const esbuildPlugin: EsbuildPlugin = esbuild(options);
export const farmPlugin: JsPlugin = farm(options);
export const bunPluginName: string = bun(options).name;
