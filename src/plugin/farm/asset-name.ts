import { createHash } from 'node:crypto';
import { parse } from 'node:path';

/**
 * Name of an emitted file by Farm's `output.assetsFilename`. Farm fills such templates in for files on disk only, so
 * this does what it does: `[resourceName]`, `[contentHash]`, `[hash]`, `[ext]`.
 */
export function assetName(template: string, fileName: string, source: string | Uint8Array): string {
  const { name, ext } = parse(fileName);
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return template
    .replaceAll('[resourceName]', name)
    .replaceAll('[entryName]', name)
    .replaceAll('[contentHash]', hash)
    .replaceAll('[hash]', hash)
    .replaceAll('[ext]', ext.slice(1));
}
