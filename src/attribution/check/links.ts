import { Parser } from 'htmlparser2';

export type SiteTexts = ReadonlyMap<string, string>;

export interface SiteGraph {
  pages: string[];
  /** The page itself and every file that it shows, runs or frames, as far as names in text tell. */
  loads(page: string): ReadonlySet<string>;
  /** Pages that a page or one of its frames links to. */
  links(page: string): ReadonlySet<string>;
  /** The page and all that it shows within itself. */
  frames(page: string): ReadonlySet<string>;
  /** Scripts that stand in a page, its frames left out. */
  scripts(page: string): readonly string[];
}

const PAGE = /\.(?:x?html?|php)$/i;
/** Ends of names of files in scripts, styles and markup. */
const ENDING = /\.(?:[cm]?js|css|svg|png|json|webmanifest)\b/gi;
const IN_NAME = /[\w@$%~+./\u0080-\uffff-]/;
const LONGEST = 300;
/** Runtimes that put the names of their chunks together when they run. */
const NAMELESS = /webpackChunk|rspackChunk|webpackJsonp|__webpack_require__|\.u=\w+=>/;

/**
 * Which files of a finished site belong to which page, and where its links lead. A site may lie below a folder of its
 * host (`/app/…`): an address that names no file is looked up without its first folders.
 *
 * @param paths every file of the site
 * @param isCredits a page of credits: links to addresses of the web count where they name one, since they are most
 *   likely to this site
 */
export function createSiteGraph(
  paths: readonly string[],
  { texts, isCredits }: { texts: SiteTexts; isCredits: (page: string) => boolean },
): SiteGraph {
  const known = new Set(paths);
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const find = createLookup(known);
  const pages = [...texts.keys()].filter((path) => PAGE.test(path));

  /** A name that no address of a site has tells the file all the same, where there is but one. */
  function named(name: string, from: string): string | undefined {
    const address = URL.canParse(name, `${SITE}${from}`)
      ? new URL(name, `${SITE}${from}`).href
      : '';
    const found = find(address) ?? find(`${SITE}${name.replace(/^(?:\.{0,2}\/)+/, '')}`);
    const [only, ...others] = byName.get(name.slice(name.lastIndexOf('/') + 1)) ?? [];
    return found ?? (others.length === 0 ? only : undefined);
  }

  const namesOf = new Map<string, Set<string>>();
  for (const [path, text] of texts) {
    const names = new Set<string>();
    for (const name of new Set(fileNamesIn(text))) {
      const file = named(name, path);
      if (file !== undefined && !PAGE.test(file)) names.add(file);
    }
    namesOf.set(path, names);
  }
  const nameless = new Set(
    [...texts].filter(([, text]) => NAMELESS.test(text)).map(([path]) => path),
  );
  const mentioned = new Set([...namesOf.values()].flatMap((names) => Array.from(names)));
  const orphans = paths.filter((path) => /\.(?:[cm]?js|css)$/i.test(path) && !mentioned.has(path));

  const ownByPage = new Map(
    pages.map((page) => {
      const { links, frames, scripts } = addressesOf(texts.get(page) ?? '', page);
      const toPages = (addresses: string[]): Set<string> =>
        new Set(
          [...new Set(addresses)].flatMap((address) => {
            const file = find(address);
            const isMeant = address.startsWith(SITE) || (file !== undefined && isCredits(file));
            return file !== undefined && isMeant ? [file] : [];
          }),
        );
      return [page, { links: toPages(links), frames: toPages(frames), scripts }];
    }),
  );
  const frames = (page: string): Set<string> =>
    closure(page, (each) => ownByPage.get(each)?.frames ?? []);

  return {
    pages,
    frames,
    scripts: (page) => ownByPage.get(page)?.scripts ?? [],
    loads(page) {
      const loaded = new Set<string>();
      for (const root of frames(page))
        for (const path of closure(root, (each) => namesOf.get(each) ?? [])) loaded.add(path);
      if ([...loaded].some((path) => nameless.has(path)))
        for (const orphan of orphans)
          for (const path of closure(orphan, (each) => namesOf.get(each) ?? [])) loaded.add(path);
      return loaded;
    },
    links: (page) =>
      new Set([...frames(page)].flatMap((each) => Array.from(ownByPage.get(each)?.links ?? []))),
  };
}

/** The file of an address: itself, the page of a folder, a page without its ending. */
function createLookup(known: ReadonlySet<string>): (address: string) => string | undefined {
  return (address) => {
    if (!URL.canParse(address)) return undefined;
    const path = decode(new URL(address).pathname.slice(1));
    const folders = path.replace(/\/$/, '').split('/');
    for (let from = 0; from <= folders.length; from += 1) {
      const rest = folders.slice(from).join('/');
      // A page that is missing is not the first page.
      if (rest === '' && !/^$|\/$/.test(path)) return undefined;
      const names = [rest, `${rest}.html`, rest === '' ? 'index.html' : `${rest}/index.html`];
      const found = names.find((name) => known.has(name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function* fileNamesIn(text: string): Generator<string> {
  for (const { 0: ending, index } of text.matchAll(ENDING)) {
    let start = index;
    while (start > 0 && index - start < LONGEST && IN_NAME.test(text.charAt(start - 1))) start -= 1;
    if (start < index) yield text.slice(start, index + ending.length);
  }
}

function closure(start: string, next: (path: string) => Iterable<string>): Set<string> {
  const reached = new Set([start]);
  for (const path of reached) for (const other of next(path)) reached.add(other);
  return reached;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What a page says of other pages. Addresses are absolute, those of the site itself below `SITE`. */
interface PageAddresses {
  /** Where somebody who looks at the page can go. */
  links: string[];
  frames: string[];
  scripts: string[];
}

/** An address that nothing on the web has. */
const SITE = 'http://site.invalid/';

/** Elements with a page of their own. */
const FRAMES: ReadonlySet<string> = new Set(['embed', 'frame', 'iframe', 'object']);

/**
 * Reads a page in one pass. What visitors cannot see is left out: comments, templates, hidden elements, and links without
 * a text or another name.
 */
function addressesOf(html: string, page: string): PageAddresses {
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

/** True for text that has the address of one of these pages in quotes: `"credits.html"`, `'/credits/'`. */
function namesOf(pages: readonly string[]): (text: string) => boolean {
  const stems = pages
    .map((page) => page.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, ''))
    .filter((stem) => stem !== '')
    .map((stem) => stem.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (stems.length === 0) return () => false;
  const any = `(?:${stems.join('|')})`;
  const END = String.raw`["'\`?#\\]`;
  // A word alone says nothing: it has a folder before it or behind it, or an ending.
  const pattern = new RegExp(
    String.raw`["'\`/}]${any}\.html${END}|/${any}/?${END}|["'\`}]${any}/${END}`,
  );
  return (text) => pattern.test(text);
}

/** What a service worker caches ahead is no link: it stands beside its revision. */
const CACHED = /\{[^{}]*\brevision["']?:[^{}]*\}/g;

/** The records of `icon:credits`, as they stand in scripts. */
const RECORDS = /%22credits%22%3A/;

/**
 * Pages that show icons, themselves or by what they load, from which no chain of links leads to the credits.
 *
 * @param options.holders files with icons whose licence asks for credit
 */
export function findUnreachable(
  graph: SiteGraph,
  {
    texts,
    holders,
    isCredits,
  }: {
    texts: SiteTexts;
    holders: ReadonlySet<string>;
    isCredits: (page: string) => boolean;
  },
): string[] {
  const { pages } = graph;
  const targets = pages.filter(isCredits);
  const named = namesOf(targets);
  // Scripts make links, and show records themselves.
  const isLeading = (text: string): boolean =>
    RECORDS.test(text) || named(text.replaceAll(CACHED, ''));
  const leading = new Set(
    [...texts]
      .filter(([path, text]) => !pages.includes(path) && isLeading(text))
      .map(([path]) => path),
  );
  const loads = new Map(pages.map((page) => [page, graph.loads(page)]));
  const links = new Map(pages.map((page) => [page, graph.links(page)]));
  const isLed = (page: string): boolean =>
    graph.scripts(page).some(isLeading) ||
    [...(loads.get(page) ?? [])].some((path) => leading.has(path));
  const reaches = new Set([...targets, ...pages.filter(isLed)]);
  for (let before = -1; before !== reaches.size;) {
    before = reaches.size;
    for (const page of pages)
      if ([...(links.get(page) ?? [])].some((path) => reaches.has(path))) reaches.add(page);
  }
  // Who sees a page within a page has the links around it.
  const framed = new Set(
    pages.filter((page) => reaches.has(page)).flatMap((page) => Array.from(graph.frames(page))),
  );
  return pages
    .filter((page) => !reaches.has(page) && !framed.has(page))
    .filter((page) => [...(loads.get(page) ?? [])].some((path) => holders.has(path)));
}
