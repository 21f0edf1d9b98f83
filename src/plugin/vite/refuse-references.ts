import { IconCatalogError } from '../../errors.ts';
import { withoutFrames } from '../without-frames.ts';

const STYLESHEET = /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
const IN_STYLE = /\burl\(\s*["']?(icon:[^\s"')]*)/;
const IN_PAGE = /<[^<>]*\s(?:src|srcset|href)\s*=\s*["']?(icon:[^\s"'>]*)/i;

/** Ids and texts that Vite need not hand over to find no reference in them. */
export const STYLE_FILTER: { id: RegExp; code: RegExp } = { id: STYLESHEET, code: IN_STYLE };

/**
 * Vite would leave the reference as it is, and the browser would ask for an address that nobody serves.
 * @throws IconCatalogError SPECIFIER_INVALID
 */
export function refuseInStyle(code: string, file: string): void {
  if (!STYLESHEET.test(file)) return;
  const found = IN_STYLE.exec(code)?.[1];
  if (found !== undefined) refuse(found, `url(${found}) in a stylesheet`, file);
}

/** @throws IconCatalogError SPECIFIER_INVALID */
export function refuseInPage(html: string, file: string): void {
  const found = IN_PAGE.exec(html.replace(/<!--[^]*?-->/g, ''))?.[1];
  if (found !== undefined) refuse(found, `\`${found}\` in HTML`, file);
}

function refuse(specifier: string, where: string, file: string): never {
  const error = new IconCatalogError('SPECIFIER_INVALID', {
    message: `Icons cannot be referenced as ${where} in this version yet: only JavaScript and TypeScript can import them.`,
    remedy: `Import \`${specifier}\` in a script, with \`as=url\` for an address, and set it there.`,
    importer: file,
  });
  throw withoutFrames(error);
}
