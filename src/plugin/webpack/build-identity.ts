import type { Compiler } from 'webpack';
import type { ManifestBuild } from '../../types.ts';
import { isNextServer } from './asset-place.ts';

/** How this compiler's build is called in the manifest. Known once the compiler's defaults are applied. */
export function buildIdentity(compiler: Compiler, bundler: string): ManifestBuild {
  const { externalsPresets, output } = compiler.options;
  return {
    id: slug(compiler.name ?? '') || bundler,
    bundler,
    consumer: externalsPresets.node === true || isNextServer(output) ? 'server' : 'client',
    precision: 'module-graph',
  };
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
}
