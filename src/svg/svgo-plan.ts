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
    size.longestAttribute > LIMITS.slowPath ||
    size.characters * size.longestAttribute > LIMITS.slowProduct;
  if (optimize === true) return isSlow ? LINEAR : [safePreset(size.hasUse)];
  const plugins = (optimize.plugins ?? ['preset-default']).map((plugin) =>
    withPrecision(plugin, optimize.floatPrecision),
  );
  return isSlow ? plugins.flatMap(onlyLinear) : plugins;
}

/** What takes a time proportional to the file: for drawings on which the rest of svgo would stall. */
const LINEAR: PluginConfig[] = [
  { name: 'cleanupNumericValues', params: { floatPrecision: 4 } },
  'convertColors',
];

function safePreset(hasUse: boolean): PluginConfig {
  return {
    name: 'preset-default',
    params: {
      floatPrecision: 4,
      overrides: {
        // svgo 4.1.0 makes a wrong curve of `c3-2 6-2 9 0s6 2 9 0` otherwise.
        convertPathData: { convertToQ: false },
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

const QUADRATIC = new Set([
  'applyTransforms',
  'collapseGroups',
  'convertPathData',
  'convertShapeToPath',
  'mergePaths',
  'moveElemsAttrsToGroup',
  'moveGroupAttrsToElems',
  'removeHiddenElems',
  'removeOffCanvasPaths',
  'reusePaths',
]);

/** The user's own plugins stay; built-in ones that would stall go. */
function onlyLinear(plugin: PluginConfig): PluginConfig[] {
  const name = typeof plugin === 'string' ? plugin : plugin.name;
  if (name === 'preset-default') return LINEAR;
  return QUADRATIC.has(name) ? [] : [plugin];
}

function withPrecision(plugin: PluginConfig, floatPrecision: number | undefined): PluginConfig {
  if (floatPrecision === undefined) return plugin;
  if (typeof plugin === 'string')
    return { name: plugin, params: { floatPrecision } } as PluginConfig;
  const params = 'params' in plugin ? plugin.params : undefined;
  return { ...plugin, params: { ...params, floatPrecision } } as PluginConfig;
}
