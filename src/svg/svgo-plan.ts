import type { Config, PluginConfig } from 'svgo';
import { LIMITS } from './limits.ts';

export interface DrawingSize {
  elements: number;
  characters: number;
  longestAttribute: number;
  /** `use` shows an element in places where it inherits something else than in its own. */
  hasUse: boolean;
  hasAnimation: boolean;
}

/** The stages of svgo that stand between ours. Precision and exceptions are those that changed no rendering. */
export function planSvgo(optimize: boolean | Config, size: DrawingSize): PluginConfig[] {
  // What is animated is not what it looks like at rest.
  if (optimize === false || size.hasAnimation) return [];
  const isSlow =
    size.elements > LIMITS.slowElements ||
    size.characters > LIMITS.slowCharacters ||
    size.longestAttribute > LIMITS.slowPath;
  if (optimize === true) return [safePreset({ isSlow, hasUse: size.hasUse })];
  const plugins = (optimize.plugins ?? ['preset-default']).map((plugin) =>
    withPrecision(plugin, optimize.floatPrecision),
  );
  return isSlow ? plugins.flatMap(withoutPathData) : plugins;
}

function safePreset({ isSlow, hasUse }: { isSlow: boolean; hasUse: boolean }): PluginConfig {
  return {
    name: 'preset-default',
    params: {
      floatPrecision: 4,
      overrides: {
        // svgo 4.1.0 makes a wrong curve of `c3-2 6-2 9 0s6 2 9 0` otherwise.
        convertPathData: isSlow ? false : { convertToQ: false },
        mergePaths: false,
        moveGroupAttrsToElems: false,
        // Ours replace these.
        cleanupIds: false,
        inlineStyles: false,
        mergeStyles: false,
        minifyStyles: false,
        ...(hasUse
          ? { removeUnknownsAndDefaults: { defaultAttrs: false, uselessOverrides: false } }
          : {}),
      },
    },
  };
}

const PATH_PLUGINS = new Set(['convertPathData', 'mergePaths']);

function withoutPathData(plugin: PluginConfig): PluginConfig[] {
  const name = typeof plugin === 'string' ? plugin : plugin.name;
  if (PATH_PLUGINS.has(name)) return [];
  if (name !== 'preset-default') return [plugin];
  const params =
    typeof plugin === 'object' && 'params' in plugin
      ? (plugin.params as PresetParams | undefined)
      : undefined;
  return [
    {
      name: 'preset-default',
      params: {
        ...params,
        overrides: { ...params?.overrides, convertPathData: false, mergePaths: false },
      },
    },
  ];
}

interface PresetParams {
  floatPrecision?: number;
  overrides?: Record<string, never>;
}

function withPrecision(plugin: PluginConfig, floatPrecision: number | undefined): PluginConfig {
  if (floatPrecision === undefined) return plugin;
  if (typeof plugin === 'string')
    return { name: plugin, params: { floatPrecision } } as PluginConfig;
  return {
    ...plugin,
    params: { ...('params' in plugin ? plugin.params : undefined), floatPrecision },
  } as PluginConfig;
}
