import { createIcons } from '../../src/index.ts';
import type { Options } from '../../src/options/options.ts';

/** By name: what only this drawing has. Found without the package's own search, which is not to judge itself. */
export type Artwork = ReadonlyMap<string, string>;

/** Markup by name. */
export async function drawIcons(
  options: Options,
  names: readonly string[],
): Promise<Map<string, string>> {
  const icons = createIcons(options);
  const drawings = new Map<string, string>();
  for (const name of names) drawings.set(name, (await icons.load(`icon:${name}`)).svg ?? '');
  await icons.close();
  return drawings;
}

/** The longest path of each icon, without white space and commas, of which addresses have one for the other. */
export function artworkOf(drawings: ReadonlyMap<string, string>): Artwork {
  const artwork = new Map<string, string>();
  for (const [name, svg] of drawings) {
    const paths = Array.from(svg.matchAll(/\sd="([^"]+)"/g), ([, data = '']) => bare(data));
    artwork.set(name, paths.toSorted((a, b) => b.length - a.length)[0] ?? '');
  }
  return artwork;
}

/** Names of the icons whose drawing is in a text, however it is written there. */
export function findArtwork(texts: Iterable<string>, artwork: Artwork): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const layer of layersOf(text))
      for (const [name, path] of artwork) if (layer.includes(path)) found.add(name);
  }
  return [...found].toSorted();
}

/** A text without its escapes, and every file that is packed within it. */
function layersOf(text: string, depth = 0): string[] {
  const plain = unescape(unescape(text));
  const inner = Array.from(plain.matchAll(/base64,([A-Za-z\d+/=]{40,})/g), ([, packed = '']) =>
    Buffer.from(packed, 'base64').toString('latin1'),
  );
  return [bare(plain), ...(depth > 2 ? [] : inner.flatMap((each) => layersOf(each, depth + 1)))];
}

function unescape(text: string): string {
  const char = (digits: string, base: number): string =>
    String.fromCodePoint(Math.min(Number.parseInt(digits, base), 0x10_ff_ff));
  return text
    .replace(/\\u\{?([\da-f]{4,6})\}?/gi, (_, digits: string) => char(digits, 16))
    .replace(/\\x([\da-f]{2})/gi, (_, digits: string) => char(digits, 16))
    .replace(/%([\da-f]{2})/gi, (_, digits: string) => char(digits, 16))
    .replace(/&#x([\da-f]{1,6});/gi, (_, digits: string) => char(digits, 16))
    .replace(/&#(\d{1,7});/g, (_, digits: string) => char(digits, 10))
    .replace(/\\[nrt]/g, ' ');
}

function bare(text: string): string {
  return text.replace(/[\s,\\]+/g, '');
}
