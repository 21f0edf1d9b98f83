import type { Part } from '../../build/outdated.ts';
import { createPagePort } from '../../build/pages.ts';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
  type PlacedIcons,
} from '../../build/placed-images.ts';
import type { ImageSession } from '../../build/session-types.ts';
import { createCopies } from '../../markup/drawing.ts';
import { rewritePage } from '../../markup/rewrite-page.ts';
import type { DevDialect, EmitContext } from '../rollup/types.ts';

interface MadePage {
  page: string;
  parts: readonly Part[];
}

export interface PageRewriter {
  /** A build begins: its context is needed, as `transformIndexHtml` has none that could emit a file. */
  begin(context: object): void;
  rewrite(html: string, file: string): Promise<string>;
}

export function rewritePages({
  session,
  icons,
  keyOf,
  dialectOf,
  isDev,
  made,
}: {
  session: ImageSession;
  icons: PlacedIcons;
  keyOf(context: object): object;
  dialectOf(context: EmitContext): ImageDialect;
  isDev(): boolean;
  /** Makes a page, again if lock or options changed meanwhile. */
  made(file: string, make: () => Promise<MadePage>): Promise<MadePage>;
}): PageRewriter {
  let current: EmitContext | undefined;
  return {
    begin(context) {
      current = context as EmitContext;
    },
    async rewrite(html, file) {
      if (current === undefined) return html;
      const dialect = dialectOf(current);
      const key = keyOf(current);
      const make = async (): Promise<MadePage> => {
        const found: PlacedIcon[] = [];
        const parts: Part[] = [];
        const port = createPagePort(session, {
          copies: createCopies(html),
          file,
          dialect,
          placeholder: isDev(),
          asked: (part) => void parts.push(part),
          placed: (icon) => void found.push(icon),
          // Vite makes style sheets of them, which are ours in their turn.
          styles: false,
        });
        const page = await rewritePage(html, file, port);
        icons.set(key, file, found);
        return { page, parts };
      };
      return (await made(file, make)).page;
    },
  };
}

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
