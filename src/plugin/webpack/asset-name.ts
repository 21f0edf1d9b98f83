import { createHash } from 'node:crypto';
import type { Compilation } from 'webpack';

type AssetModuleFilename = NonNullable<Compilation['outputOptions']['assetModuleFilename']>;
type PathDataModule = Parameters<Exclude<AssetModuleFilename, string>>[0];

/** As long as webpack's own hashes are by default (`output.hashDigestLength`). */
const HASH_LENGTH = 20;

/** `[hash]`, `[contenthash:8]`, `[fullhash:base64:6]`: for an asset all of them mean the hash of its content. */
const HASH_PLACEHOLDER = /\[(?:full|content|chunk|module)?hash(?::[a-z]\w*)?(?::(\d+))?\]/g;

/**
 * File name of an emitted icon, by the project's own `output.assetModuleFilename`, as for every other asset.
 * The hash is written here and not by the bundler: there is neither chunk nor module id while modules are built.
 */
export function assetName(
  compilation: Compilation,
  asset: { fileName: string; source: string | Uint8Array },
): string {
  const contentHash = createHash('sha256').update(asset.source).digest('hex').slice(0, HASH_LENGTH);
  const { assetModuleFilename } = compilation.outputOptions;
  const template =
    typeof assetModuleFilename === 'function'
      ? // Functions are typed for webpack's own calls, which also know the module.
        assetModuleFilename({ filename: asset.fileName, contentHash } as PathDataModule)
      : assetModuleFilename;
  const hashed = template.replaceAll(HASH_PLACEHOLDER, (_match, length?: string) =>
    contentHash.slice(0, length === undefined ? HASH_LENGTH : Number(length)),
  );
  return compilation.getPath(hashed, { filename: asset.fileName });
}
