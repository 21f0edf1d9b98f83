import { Parser } from 'htmlparser2';
import { findStyleReferences } from './style-references.ts';
import { readAttributes, type TagAttribute } from './tokens.ts';

/** A start tag that contains `icon:`. */
interface PageTag {
  /** In lower case. */
  name: string;
  start: number;
  end: number;
  attributes: TagAttribute[];
  /** Values by lower-case name, with character references decoded. */
  values: Record<string, string>;
}

export type PageReference = PageTag & {
  place:
    | 'image'
    | 'srcset'
    | 'favicon'
    | 'use'
    | 'inline'
    | 'style'
    /** An element that shows no picture: a script, a frame, a link. */
    | 'elsewhere';
  /** The attribute that contains it. */
  attribute: string;
};

/** The text of a `<style>` that contains `icon:`. */
interface PageStyle {
  start: number;
  end: number;
}

interface FoundInPage {
  references: PageReference[];
  styles: PageStyle[];
  /** Where the plugin can insert markup: before `</body>`, or else at the end. */
  bodyEnd: number;
}

type Place = PageReference['place'];

/** The attributes whose address is the address of a picture. */
const PLACES: Record<string, Record<string, Place>> = {
  img: { src: 'image', srcset: 'srcset' },
  source: { src: 'image', srcset: 'srcset' },
  input: { src: 'image' },
  video: { poster: 'image' },
  image: { href: 'image', 'xlink:href': 'image' },
  link: { href: 'favicon', imagesrcset: 'srcset' },
  use: { href: 'use', 'xlink:href': 'use' },
};
const ADDRESSES = new Set(['src', 'srcset', 'href', 'xlink:href', 'poster', 'data', 'imagesrcset']);

/** Every `icon:` of an HTML document. Comments, scripts and texts are not read. */
export function findPageReferences(html: string): FoundInPage {
  const references: PageReference[] = [];
  const styles: PageStyle[] = [];
  let bodyEnd = html.length;
  let inStyle = false;
  const parser = new Parser(
    {
      onopentag(name, values) {
        inStyle = name === 'style';
        // Elements that HTML implies have no tag.
        const tag = { start: parser.startIndex, end: parser.endIndex + 1 };
        if (html[tag.start] !== '<') return;
        if (!Object.values(values).some((value) => value.includes('icon:'))) return;
        const attributes = readAttributes(html, tag);
        references.push(...inTag({ name, ...tag, attributes, values }));
      },
      ontext() {
        if (!inStyle) return;
        const { startIndex: start, endIndex } = parser;
        const last = styles.at(-1);
        // A long text arrives in pieces.
        if (last?.end === start) last.end = endIndex + 1;
        else styles.push({ start, end: endIndex + 1 });
      },
      onclosetag(name) {
        inStyle = false;
        if (name === 'body' && html.startsWith('</', parser.startIndex))
          bodyEnd = parser.startIndex;
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  );
  parser.end(html);
  return {
    references,
    styles: styles.filter(
      ({ start, end }) => findStyleReferences(html.slice(start, end)).length > 0,
    ),
    bodyEnd,
  };
}

function inTag(tag: PageTag): PageReference[] {
  const { name, values } = tag;
  if (name === 'img' && 'inline' in values && isIcon(values['src']))
    return [{ ...tag, place: 'inline', attribute: 'src' }];
  const found: PageReference[] = [];
  for (const [attribute, value] of Object.entries(values)) {
    if (attribute === 'style') {
      if (findStyleReferences(value).length > 0) found.push({ ...tag, place: 'style', attribute });
    } else if (ADDRESSES.has(attribute) && holdsIcon(attribute, value)) {
      const place = PLACES[name]?.[attribute] ?? 'elsewhere';
      found.push({ ...tag, place, attribute });
    }
  }
  return found;
}

function holdsIcon(attribute: string, value: string): boolean {
  return attribute.endsWith('srcset') ? /(?:^|[\s,])icon:/.test(value) : isIcon(value);
}

function isIcon(value: string | undefined): boolean {
  return value?.trimStart().startsWith('icon:') === true;
}
