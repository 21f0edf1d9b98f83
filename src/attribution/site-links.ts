import { Parser } from 'htmlparser2';

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

/** Elements with a page of their own. */
const FRAMES: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/**
 * Reads a page in one pass. What visitors cannot see is left out: comments, templates, hidden elements, and links without
 * a text or another name.
 */
export function addressesOf(html: string, page: string): PageAddresses {
  const found: PageAddresses = { links: [], frames: [], scripts: [] };
  let base = `${SITE}${page}`;
  /** Open elements, true for those that show nothing. */
  const hidden: boolean[] = [];
  let link: { address: string | undefined; isNamed: boolean } | undefined;
  let script: string | undefined;
  const add = (list: string[], address: string | undefined): void => {
    const resolved = address === undefined ? undefined : resolve(address, base);
    if (resolved !== undefined) list.push(resolved);
  };
  const endLink = (): void => {
    if (link?.isNamed === true) add(found.links, link.address);
    link = undefined;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const isHidden = hidden.at(-1) === true || name === 'template' || isInvisible(attributes);
        hidden.push(isHidden);
        if (name === 'script') script = '';
        if (name === 'base') base = resolve(attributes['href'] ?? '', base) ?? base;
        if (name === 'meta' && /refresh/i.test(attributes['http-equiv'] ?? ''))
          add(found.links, /url\s*=\s*["']?([^"']*)/i.exec(attributes['content'] ?? '')?.[1]);
        if (isHidden) return;
        const address = attributes['href'] ?? attributes['xlink:href'];
        if (name === 'area') add(found.links, address);
        if (name === 'a') {
          endLink();
          link = { address, isNamed: false };
        }
        if (link !== undefined) link.isNamed ||= isName(attributes, name);
        if (!FRAMES.has(name)) return;
        add(found.frames, attributes['src'] ?? attributes['data']);
        const inner = name === 'iframe' ? attributes['srcdoc'] : undefined;
        if (inner === undefined || inner.length >= html.length) return;
        const { links, frames, scripts } = addressesOf(inner, page);
        found.links.push(...links);
        found.frames.push(...frames);
        found.scripts.push(...scripts);
      },
      ontext(text) {
        if (script !== undefined) script += text;
        else if (link !== undefined && hidden.at(-1) !== true && /\S/.test(text))
          link.isNamed = true;
      },
      onclosetag(name) {
        hidden.pop();
        if (name === 'a') endLink();
        if (name !== 'script' || script === undefined) return;
        found.scripts.push(script);
        script = undefined;
      },
      onend: endLink,
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return found;
}

/** True for elements that are not shown, as far as their own attributes say. */
export function isInvisible({ hidden, style = '' }: Record<string, string>): boolean {
  const isHidden = hidden !== undefined && hidden !== 'until-found';
  return isHidden || /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

function isName(attributes: Record<string, string>, element: string): boolean {
  const { alt, title } = attributes;
  const names = [attributes['aria-label'], title, element === 'img' ? alt : undefined];
  return names.some((name) => /\S/.test(name ?? ''));
}

/** Without query and hash. */
function resolve(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const { origin, pathname, protocol } = new URL(address, base);
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname}` : undefined;
}
