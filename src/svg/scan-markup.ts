import type { SvgLimits } from '../types.ts';
import { checkLimit, invalidSvg, LIMITS, tooLargeSvg } from './limits.ts';

export interface MarkupSize {
  elements: number;
  longestAttribute: number;
}

/**
 * Walks the tags once, before anything that recurses or backtracks sees the text: svgo parses without limits and takes
 * a file that was cut off for a whole one.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE
 */
export function scanMarkup(
  text: string,
  context: { id: number; limits?: SvgLimits | undefined },
): MarkupSize {
  const { id } = context;
  const size: MarkupSize = { elements: 0, longestAttribute: 0 };
  if ((text.match(/\bxmlns\b/g)?.length ?? 0) > LIMITS.namespaces)
    throw tooLargeSvg(id, `it declares more than ${LIMITS.namespaces} namespaces`);
  if ((text.match(/<(?:[\w.-]+:)?stop\b/g)?.length ?? 0) > LIMITS.stops)
    throw tooLargeSvg(id, `its gradients have more than ${LIMITS.stops} stops`);
  let depth = 0;
  let roots = 0;
  let at = text.indexOf('<');
  while (at !== -1) {
    const special = specialEnd(text, at);
    if (special === -1)
      throw invalidSvg(id, 'it ends in the middle of a comment, CDATA section or instruction');
    let end = special;
    if (end === undefined) {
      const tag = readTag(text, { at, id, size });
      end = tag.end;
      if (tag.closes) depth -= 1;
      else {
        size.elements += 1;
        if (depth === 0) roots += 1;
        if (!tag.empty) depth += 1;
      }
      if (depth < 0 || roots > 1) throw invalidSvg(id, 'it is not one well-formed document');
      if (depth > LIMITS.depth)
        throw tooLargeSvg(id, `its elements are nested deeper than ${LIMITS.depth}`);
      checkLimit('elements', size.elements, context);
    }
    at = text.indexOf('<', end);
  }
  if (roots === 0) throw invalidSvg(id, 'it is not SVG');
  if (depth !== 0) throw invalidSvg(id, 'it ends before its last element is closed');
  return size;
}

/** End of a comment, CDATA section or instruction at `at`; -1 where it has none; undefined where a tag stands. */
function specialEnd(text: string, at: number): number | undefined {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end === -1 ? -1 : end + close.length;
  }
  return undefined;
}

// What svgo's parser takes for a comment or a tag after white space, or in lower case, would be counted differently here.
const TAG_START = /<\/?[A-Za-z_:\u0080-\uffff]/y;

interface Tag {
  end: number;
  closes: boolean;
  empty: boolean;
}

function readTag(
  text: string,
  { at, id, size }: { at: number; id: number; size: MarkupSize },
): Tag {
  TAG_START.lastIndex = at;
  if (!TAG_START.test(text)) throw invalidSvg(id, 'it is not well-formed XML');
  let attributes = 0;
  let position = at + 1;
  for (;;) {
    const code = text.charCodeAt(position);
    if (Number.isNaN(code)) throw invalidSvg(id, 'it ends in the middle of a tag');
    if (code === 0x3e) break;
    if (code === 0x3c) throw invalidSvg(id, 'it is not well-formed XML');
    if (code === 0x22 || code === 0x27) {
      const close = text.indexOf(code === 0x22 ? '"' : "'", position + 1);
      if (close === -1) throw invalidSvg(id, 'it ends in the middle of an attribute');
      const length = close - position;
      if (length > LIMITS.attributeLength)
        throw tooLargeSvg(id, 'it has an attribute of more than 256 kB');
      if (length > size.longestAttribute) size.longestAttribute = length;
      attributes += 1;
      if (attributes > LIMITS.attributes)
        throw tooLargeSvg(id, `an element has more than ${LIMITS.attributes} attributes`);
      position = close;
    }
    position += 1;
  }
  return {
    end: position + 1,
    closes: text.charAt(at + 1) === '/',
    empty: text.charAt(position - 1) === '/',
  };
}
