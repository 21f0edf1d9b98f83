import type { LoadedCode } from './rollup-types.ts';

export function withoutMap(code: string): LoadedCode {
  return { code, moduleSideEffects: false, moduleType: 'js' };
}

/** Keeps generated code out of source maps. */
export function withoutMappings(code: string): LoadedCode {
  return { ...withoutMap(code), map: { mappings: '' } };
}
