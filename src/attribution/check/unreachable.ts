import type { SiteGraph, SiteTexts } from './links.ts';

/** The records of `icon:credits`, as they stand in scripts; a list that a page shows. */
const RECORDS = /%22credits%22%3A/;
const SHOWN = /class="icon-credits"|typeof="cc:Work"/;

/** True for pages that show a list of credits: the one of the build, or one in a layout of the project’s own. */
export function createCreditsPages(
  texts: SiteTexts,
  isCreditsFile: (path: string) => boolean,
): (page: string) => boolean {
  return (page) =>
    /\.(?:x?html?|php)$/i.test(page) && (isCreditsFile(page) || SHOWN.test(texts.get(page) ?? ''));
}

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
  const isLeading = (text: string): boolean => RECORDS.test(text) || named(text);
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
