import type { Icon } from '../client.ts';
import type { Picture } from '../pipeline/thumbnails.ts';
import type { Catalog, Cli } from './command.ts';
import type { Host } from './host.ts';
import { describeStyles, specifierOf } from './listing.ts';
import { type Depth, readPng, scale, toHalfBlocks, toSixel, writePng } from './pixels.ts';
import { fitText, padText, toPlainText, widthOf } from './terminal.ts';

/** How a terminal shows pictures: in a protocol of its own, or as coloured half blocks. */
type Display = { kind: 'kitty' | 'iterm' | 'sixel' } | { kind: 'blocks'; depth: Depth };

interface Parts {
  cli: Cli;
  catalog: Catalog;
}

interface Cells {
  columns: number;
  rows: number;
}

/** Sizes of pictures in cells of the terminal, which are about twice as high as wide. */
const LIST: Cells = { columns: 4, rows: 2 };
const SINGLE: Cells = { columns: 16, rows: 8 };
/** A half block is a pixel, and an icon needs some of them. */
const LIST_OF_BLOCKS: Cells = { columns: 12, rows: 6 };
const SINGLE_OF_BLOCKS: Cells = { columns: 24, rows: 12 };

export function canShowImages(host: Pick<Host, 'env' | 'stdout'>): boolean {
  return findDisplay(host) !== undefined;
}

/** A picture to show above the record of an icon; empty if it cannot be loaded or shown. */
export async function renderThumbnail(icon: Icon, { cli, catalog }: Parts): Promise<string> {
  const display = findDisplay(cli.host);
  const [picture] = display ? await catalog.pictures([icon]) : [];
  const bytes = pngOf(picture);
  if (display?.kind === 'blocks') {
    const lines = bytes && drawBlocks(bytes, SINGLE_OF_BLOCKS, display.depth);
    return lines === undefined ? '' : `${lines.join('\n')}\n`;
  }
  return display && bytes ? `${drawImage(bytes, display.kind, SINGLE)}\n` : '';
}

/**
 * A list with a picture beside each icon; empty if there is no picture to show, which a message explains.
 * @param options.isNumbered icons have numbers, from 1
 */
export async function renderThumbnails(
  icons: readonly Icon[],
  { cli, catalog }: Parts,
  { isNumbered }: { isNumbered: boolean },
): Promise<string> {
  const display = findDisplay(cli.host);
  if (display === undefined) {
    cli.note('No thumbnails: they need a terminal with colours.');
    return '';
  }
  const pictures = await catalog.pictures(icons);
  if (pictures.some((picture) => picture !== undefined && 'svg' in picture)) {
    cli.note(
      'No thumbnails: those of installed sets need a renderer. Install it: npm install -D @resvg/resvg-js',
    );
    return '';
  }
  const absent = pictures.filter((picture) => picture === undefined).length;
  if (absent > 0 && catalog.embedded === undefined)
    cli.note(
      `${absent} of ${icons.length} thumbnails are not on this machine: addresses of kept answers have expired. --fresh asks for them, for one call.`,
    );
  if (absent === icons.length) return '';
  const described = icons.map((icon, at) => ({
    bytes: pngOf(pictures[at]),
    number: isNumbered ? String(at + 1).padStart(String(icons.length).length) : '',
    specifier: specifierOf(icon, catalog),
    facts: [icon.term, describeStyles(icon), icon.license_description, icon.creator?.name]
      .map((text) => toPlainText(text ?? ''))
      .filter(Boolean),
  }));
  return display.kind === 'blocks'
    ? renderBlocks(described, { width: cli.width, depth: display.depth })
    : described.map((one) => renderLine(one, display.kind, cli.width)).join('\n');
}

/** Terminals show pixels. An embedded catalog has drawings only if it lacks the package that draws them. */
const pngOf = (picture: Picture | undefined): Uint8Array | undefined =>
  picture && 'png' in picture ? picture.png : undefined;

interface Described {
  bytes: Uint8Array | undefined;
  number: string;
  specifier: string;
  facts: string[];
}

/** One line of text beside the lower row of a picture. */
function renderLine(
  { bytes, number, specifier, facts }: Described,
  kind: 'kitty' | 'iterm' | 'sixel',
  width: number,
): string {
  const { columns, rows } = LIST;
  const drawn = bytes
    ? drawImage(bytes, kind, LIST)
    : `${'\n'.repeat(rows - 1)}${' '.repeat(columns)}`;
  const words = [number, specifier, ...facts.slice(0, 3)].filter(Boolean).join('  ');
  return `${drawn} ${fitText(words, width - columns - 1)}`;
}

const LEAST = 26;

/** Pictures with their facts beside them, as many in a row as the terminal has space for. */
function renderBlocks(
  icons: readonly Described[],
  { width, depth }: { width: number; depth: Depth },
): string {
  const { columns, rows } = LIST_OF_BLOCKS;
  // What is imported can be copied, so it is cut only if nothing else helps.
  const longest = Math.max(...icons.map(({ specifier }) => widthOf(specifier)));
  const text = Math.max(LEAST, Math.min(longest, width - columns - 1));
  const across = Math.max(1, Math.floor((width + 1) / (columns + text + 2)));
  const blank = Array.from({ length: rows }, () => ' '.repeat(columns));
  const cells = icons.map(({ bytes, number, specifier, facts: [term = '', ...facts] }) => {
    const picture = (bytes && drawBlocks(bytes, LIST_OF_BLOCKS, depth)) ?? blank;
    const lines = [`${number}  ${term}`.trimStart(), specifier, ...facts];
    return picture.map((row, at) => `${row} ${padText(fitText(lines[at] ?? '', text), text)}`);
  });
  const bands = Array.from({ length: Math.ceil(cells.length / across) }, (_, band) =>
    cells.slice(band * across, (band + 1) * across),
  );
  return bands
    .map((band) =>
      Array.from({ length: rows }, (_, row) =>
        band
          .map((cell) => cell[row] ?? '')
          .join(' ')
          .trimEnd(),
      ).join('\n'),
    )
    .join('\n\n');
}

function drawBlocks(bytes: Uint8Array, cells: Cells, depth: Depth): string[] | undefined {
  const pixels = readPng(bytes);
  return pixels && toHalfBlocks(scale(pixels, cells.columns, cells.rows * 2), depth);
}

/**
 * Finds what a terminal shows in the variables that it sets. Multiplexers swallow the protocols of pictures, so inside them
 * there are half blocks.
 */
function findDisplay({ env, stdout }: Pick<Host, 'env' | 'stdout'>): Display | undefined {
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL = '' } = env;
  if (!stdout.isTerminal || TERM === 'dumb') return undefined;
  const isInside = env['TMUX'] !== undefined || /^(?:screen|tmux)/.test(TERM);
  if (!isInside) {
    const isKitty = env['KITTY_WINDOW_ID'] !== undefined || TERM === 'xterm-kitty';
    if (isKitty || /^(?:ghostty|WezTerm)$/.test(TERM_PROGRAM)) return { kind: 'kitty' };
    if (TERM_PROGRAM === 'iTerm.app' || LC_TERMINAL === 'iTerm2') return { kind: 'iterm' };
    if (/^(?:foot|mlterm|contour|yaft)/.test(TERM)) return { kind: 'sixel' };
  }
  return stdout.hasColor ? { kind: 'blocks', depth: depthOf(env) } : undefined;
}

function depthOf(env: Host['env']): Depth {
  const { COLORTERM = '', TERM = '', TERM_PROGRAM = '' } = env;
  if (/^(?:truecolor|24bit)$/.test(COLORTERM) || TERM_PROGRAM === 'vscode') return 24;
  if (env['WT_SESSION'] !== undefined) return 24;
  return TERM.includes('256') || TERM_PROGRAM === 'Apple_Terminal' ? 8 : 4;
}

/** kitty accepts base64 in pieces of at most 4096 characters. */
const PIECE = 4096;
/** Pixels of a cell, as most terminals have them: sixel pictures state no cells. */
const CELL = { width: 10, height: 20 };

function drawImage(
  file: Uint8Array,
  kind: 'kitty' | 'iterm' | 'sixel',
  { columns, rows }: Cells,
): string {
  const pixels = readPng(file);
  if (kind === 'sixel') {
    if (pixels === undefined) return `${'\n'.repeat(rows - 1)}${' '.repeat(columns)}`;
    const sixel = toSixel(scale(pixels, columns * CELL.width, rows * CELL.height));
    // Terminals disagree about where the cursor is afterwards, so it returns to a place that is kept.
    return `${'\n'.repeat(rows - 1)}\u001b[${rows - 1}A\u001b7${sixel}\u001b8\u001b[${rows - 1}B\u001b[${columns}C`;
  }
  const bytes = pixels === undefined ? file : writePng(pixels);
  const base64 = Buffer.from(bytes).toString('base64');
  if (kind === 'iterm') {
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
