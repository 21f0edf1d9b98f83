import { rewritePage } from '../../markup/rewrite-page.ts';
import { createPagePort } from '../page-port.ts';
import type { ImageDialect } from '../place-image.ts';
import type { PlacedIcon, PlacedIcons } from '../placed-icons.ts';
import type { EmitContext } from '../rollup/rollup-types.ts';
import type { ImageSession } from '../session-types.ts';

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
}: {
  session: ImageSession;
  icons: PlacedIcons;
  keyOf(context: object): object;
  dialectOf(context: EmitContext): ImageDialect;
  isDev(): boolean;
}): PageRewriter {
  let current: EmitContext | undefined;
  return {
    begin(context) {
      current = context as EmitContext;
    },
    async rewrite(html, file) {
      if (current === undefined) return html;
      const found: PlacedIcon[] = [];
      const port = createPagePort(session, {
        file,
        dialect: dialectOf(current),
        placeholder: isDev(),
        placed: (icon) => void found.push(icon),
        // Vite makes style sheets of them, which are ours in their turn.
        styles: false,
      });
      const page = await rewritePage(html, file, port);
      icons.set(keyOf(current), file, found);
      return page;
    },
  };
}
