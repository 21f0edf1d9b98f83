import type { EmitContext, DevDialect } from '../rollup/rollup-types.ts';
import { byteLength, INLINE_LIMIT, type ImageDialect } from '../place-image.ts';

/** What is read of Vite's build options. */
export interface ViteBuild {
  sourcemap?: unknown;
  lib?: unknown;
  assetsInlineLimit?: number | ((file: string, content: Buffer) => boolean | undefined);
}

/** Addresses as Vite's own assets have them. */
export function imageDialect(
  context: EmitContext,
  { dev, build }: { dev: DevDialect | undefined; build: ViteBuild | undefined },
): ImageDialect {
  return {
    emit({ fileName, source, contentType }, id) {
      if (dev !== undefined) {
        const module = { kind: 'asset', fileName, source, contentType, code: String } as const;
        return { address: JSON.parse(dev.serve(module)) as string, reference: id };
      }
      const reference = context.emitFile({ type: 'asset', name: fileName, source });
      return { address: `__VITE_ASSET__${reference}__`, reference };
    },
    isSmall({ fileName, source }) {
      // As for every other asset of a library: it has no place of its own.
      if (build?.lib) return true;
      const { assetsInlineLimit = INLINE_LIMIT } = build ?? {};
      if (typeof assetsInlineLimit === 'number') return byteLength(source) < assetsInlineLimit;
      const content = Buffer.from(source as string);
      return assetsInlineLimit(fileName, content) ?? content.length < INLINE_LIMIT;
    },
  };
}
