import type { Icon } from '../client.ts';
import type { Catalog, Cli } from './command.ts';
import { fitText, toPlainText } from './terminal.ts';
import type { Host } from './host.ts';
import { describeStyles } from './listing.ts';

type Protocol = 'kitty' | 'iterm';
interface Parts {
  cli: Cli;
  catalog: Catalog;
}

/** Size of a picture in cells of the terminal, which are about twice as high as wide. */
const CELLS = { list: { columns: 4, rows: 2 }, single: { columns: 16, rows: 8 } } as const;

export function canShowImages(host: Pick<Host, 'env' | 'stdout'>): boolean {
  return detectProtocol(host) !== undefined;
}

/** A picture to show above the record of an icon; empty if it cannot be loaded or shown. */
export async function renderThumbnail(icon: Icon, { cli, catalog }: Parts): Promise<string> {
  const protocol = detectProtocol(cli.host);
  const [bytes] = await load([icon], { cli, catalog });
  return protocol && bytes ? `${drawImage(bytes, protocol, CELLS.single)}\n` : '';
}

/**
 * A list with a picture beside each icon. If the terminal cannot show pictures, the list is empty
 * and a message is printed.
 */
export async function renderThumbnails(
  icons: readonly Icon[],
  { cli, catalog }: Parts,
): Promise<string> {
  const protocol = detectProtocol(cli.host);
  if (protocol === undefined) {
    cli.note(
      'No thumbnails: they need a terminal that shows images (kitty, Ghostty, WezTerm, iTerm2).',
    );
    return '';
  }
  const pictures = await load(icons, { cli, catalog });
  return icons
    .map((icon, at) => {
      const bytes = pictures[at];
      const { columns, rows } = CELLS.list;
      const drawn = bytes
        ? drawImage(bytes, protocol, CELLS.list)
        : `${'\n'.repeat(rows - 1)}${' '.repeat(columns)}`;
      const { id, term = '', license_description = '' } = icon;
      const facts = [id, term, describeStyles(icon), license_description];
      const words = facts.filter(Boolean).map(toPlainText).join('  ');
      return `${drawn} ${fitText(words, cli.width - columns - 1)}`;
    })
    .join('\n');
}

/**
 * Finds the image protocol in the variables that the terminal sets. Multiplexers swallow images, so
 * inside them there is none.
 */
function detectProtocol({ env, stdout }: Pick<Host, 'env' | 'stdout'>): Protocol | undefined {
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL = '' } = env;
  if (!stdout.isTerminal || env['TMUX'] || /^(?:screen|tmux|dumb)/.test(TERM)) return undefined;
  if (
    env['KITTY_WINDOW_ID'] ||
    TERM === 'xterm-kitty' ||
    /^(?:ghostty|WezTerm)$/.test(TERM_PROGRAM)
  ) {
    return 'kitty';
  }
  return TERM_PROGRAM === 'iTerm.app' || LC_TERMINAL === 'iTerm2' ? 'iterm' : undefined;
}

/** kitty accepts base64 in pieces of at most 4096 characters. */
const PIECE = 4096;

function drawImage(
  bytes: Uint8Array,
  protocol: Protocol,
  cells: { columns: number; rows: number },
): string {
  const base64 = Buffer.from(bytes).toString('base64');
  const { columns, rows } = cells;
  if (protocol === 'iterm') {
    return `\u001b]1337;File=inline=1;size=${bytes.length};width=${columns};height=${rows}:${base64}\u0007`;
  }
  const pieces = base64.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];
  return pieces
    .map((piece, at) => {
      const more = at < pieces.length - 1 ? 1 : 0;
      const head = at === 0 ? `a=T,f=100,q=2,c=${columns},r=${rows},m=${more}` : `m=${more}`;
      return `\u001b_G${head};${piece}\u001b\\`;
    })
    .join('');
}

async function load(
  icons: readonly Icon[],
  { cli, catalog }: Parts,
): Promise<(Uint8Array | undefined)[]> {
  const { fetchImages } = await import('../catalog/fetch-images.ts');
  const addresses = icons.map((icon) => icon.thumbnail_url ?? '');
  return fetchImages(addresses, {
    ...catalog.assets,
    embedded: catalog.embedded,
    env: cli.host.env,
  });
}
