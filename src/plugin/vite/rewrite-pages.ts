import { rewritePage } from '../../markup/rewrite-page.ts';
import { createPagePort } from '../page-port.ts';
import type { ImageDialect } from '../place-image.ts';
import type { PlacedIcon, PlacedIcons } from '../placed-icons.ts';
import type { EmitContext } from '../rollup/rollup-types.ts';
import type { ImageSession } from '../session-types.ts';

interface MadePage {
  page: string;
  found: readonly PlacedIcon[];
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
  held,
}: {
  session: ImageSession;
  icons: PlacedIcons;
  keyOf(context: object): object;
  dialectOf(context: EmitContext): ImageDialect;
  isDev(): boolean;
  /** Makes a page, again where another lock was read meanwhile. */
  made(file: string, make: () => Promise<MadePage>): Promise<MadePage>;
  /** References of a page, as they are spelled. */
  held(file: string, specifiers: readonly string[]): void;
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
        const specifiers: string[] = [];
        const port = createPagePort(session, {
          file,
          dialect,
          placeholder: isDev(),
          // Told before it can fail: a mended alias has the page loaded again.
          asked: (specifier) => void specifiers.push(specifier),
          placed: (icon) => void found.push(icon),
          // Vite makes style sheets of them, which are ours in their turn.
          styles: false,
        });
        held(file, specifiers);
        const page = await rewritePage(html, file, port);
        icons.set(key, file, found);
        return { page, found };
      };
      return (await made(file, make)).page;
    },
  };
}
