/** What a page says of other pages. Addresses are absolute, those of the site itself below `SITE`. */
export interface PageAddresses {
  /** Where somebody who looks at the page can go. */
  links: string[];
  /** Pages within the page. */
  frames: string[];
  /** Scripts within the page. */
  scripts: string[];
}

/** An address that nothing on the web has. */
export const SITE = 'http://site.invalid/';

const TAG = /<(?:!--|(a|area|base|embed|frame|iframe|meta|object|script)(?=[\s/>]))/gi;
const ATTRIBUTE = /[\s/]*([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;

/** Reads a page in one pass. Comments are not looked into: nobody sees what is in them. */
export function addressesOf(html: string, page: string): PageAddresses {
  const found: PageAddresses = { links: [], frames: [], scripts: [] };
  let base = `${SITE}${page}`;
  const add = (list: string[], address: string | undefined): void => {
    const resolved = address === undefined ? undefined : resolve(address, base);
    if (resolved !== undefined) list.push(resolved);
  };
  for (const { name, attributes, content } of tagsIn(html)) {
    const refresh = /refresh/i.test(attributes.get('http-equiv') ?? '');
    if (name === 'base') base = resolve(attributes.get('href') ?? '', base) ?? base;
    if (name === 'a' || name === 'area')
      add(found.links, attributes.get('href') ?? attributes.get('xlink:href'));
    if (name === 'meta' && refresh)
      add(found.links, /url\s*=\s*["']?([^"']*)/i.exec(attributes.get('content') ?? '')?.[1]);
    if (name === 'script') found.scripts.push(content);
    if (['embed', 'frame', 'iframe', 'object'].includes(name))
      add(found.frames, attributes.get('src') ?? attributes.get('data'));
    const inner = name === 'iframe' ? attributes.get('srcdoc') : undefined;
    if (inner === undefined || inner.length >= html.length) continue;
    const { links, frames, scripts } = addressesOf(inner, page);
    found.links.push(...links);
    found.frames.push(...frames);
    found.scripts.push(...scripts);
  }
  return found;
}

interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Of a script. */
  content: string;
}

function* tagsIn(html: string): Generator<Tag> {
  let at = 0;
  for (;;) {
    TAG.lastIndex = at;
    const tag = TAG.exec(html);
    if (tag === null) return;
    at = TAG.lastIndex;
    const name = tag[1]?.toLowerCase();
    if (name === undefined) {
      at = endOf(html, '-->', at);
      continue;
    }
    const attributes = new Map<string, string>();
    ATTRIBUTE.lastIndex = at;
    for (let part = ATTRIBUTE.exec(html); part !== null; part = ATTRIBUTE.exec(html)) {
      at = ATTRIBUTE.lastIndex;
      const [, key = '', double, single, bare] = part;
      attributes.set(key.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
    }
    at = endOf(html, '>', at);
    const start = at;
    if (name === 'script') at = endOf(html, '</script', at);
    yield { name, attributes, content: html.slice(start, at) };
  }
}

function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** Without query and hash. */
function resolve(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const { origin, pathname, protocol } = new URL(address, base);
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname}` : undefined;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g,
    (written, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return NAMED[name] ?? written;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : written;
    },
  );
}
