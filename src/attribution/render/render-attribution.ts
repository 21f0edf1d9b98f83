import { deflateSync, strToU8 } from 'fflate';
import { IconCatalogError } from '../../errors.ts';
import type { Manifest, PageLanguage, PageWords } from '../../types.ts';
import {
  groupIcons,
  isRequested,
  nameLicense,
  nameSections,
  RDFA_PREFIX,
  type Section,
  summarize,
  toWebAddress,
} from '../credit/describe-credit.ts';
import { escapeHtml, toPlainLine } from '../../untrusted.ts';
import {
  DRAWINGS_ID,
  PAGE_SCRIPT,
  PAGE_SCRIPT_SOURCE,
  PAGE_STYLE,
  SEARCH_FROM,
} from './page-assets.ts';
import { count, fill, ownValue, resolveLanguage } from './page-words.ts';
import {
  type PageContext,
  renderFragment,
  type RenderFragmentOptions,
  renderSection,
} from './section.ts';
import { renderCycloneDx, renderSpdx } from './software-bill.ts';
import { renderJson, renderMarkdown, renderText } from './text.ts';

export const ATTRIBUTION_FORMATS = [
  'json',
  'html',
  'html-fragment',
  'markdown',
  'text',
  'spdx',
  'cyclonedx',
] as const;
export type AttributionFormat = (typeof ATTRIBUTION_FORMATS)[number];

export interface RenderAttributionOptions extends PageOptions {
  /** By icon id: safe `<svg>` markup, or a `data:` address of a picture, for the formats that draw. */
  artwork?: ReadonlyMap<string, string> | undefined;
  /** A page of your own for `html`. */
  template?: PageTemplate | undefined;
  /** Level of the first heading of a fragment, 1–5. @default 2 */
  headingLevel?: number | undefined;
  /** Seconds since 1970 for SPDX, which wants a time. @default 0 */
  sourceDateEpoch?: number | undefined;
}

/**
 * The credits in one of their formats. The same manifest gives the same text.
 *
 * @example
 * const manifest = JSON.parse(await readFile('dist/icon-attribution.json', 'utf8'));
 * const section = renderAttribution(manifest, 'html-fragment');
 * @throws IconCatalogError OPTIONS_INVALID for a template without a place for the credits
 */
export function renderAttribution(
  manifest: Manifest,
  format: AttributionFormat,
  {
    artwork = new Map(),
    template,
    headingLevel,
    sourceDateEpoch,
    ...page
  }: RenderAttributionOptions = {},
): string {
  switch (format) {
    case 'json':
      return renderJson(manifest);
    case 'html':
      return template === undefined
        ? renderHtml(manifest, artwork, page)
        : fillTemplate(template, { manifest, artwork, headingLevel, language: page.language });
    case 'html-fragment':
      return renderFragment(manifest, { artwork, headingLevel, language: page.language });
    case 'markdown':
      return renderMarkdown(manifest);
    case 'text':
      return renderText(manifest);
    case 'spdx':
      return renderSpdx(manifest, { sourceDateEpoch });
    case 'cyclonedx':
      return renderCycloneDx(manifest, { title: page.title });
  }
}

/** Stands in a page for the credits. White space within it does not matter. */
const PLACE = /<!--\s*icon-credits\s*-->/;

export interface PageParts {
  /** The credits as one `<section>`. */
  fragment: string;
  manifest: Manifest;
}

/** A page that holds `<!-- icon-credits -->` where the credits go, or a function that returns the page. */
export type PageTemplate = string | ((parts: PageParts) => string);

/** @throws IconCatalogError OPTIONS_INVALID for a page without a place for the credits */
function fillTemplate(
  template: PageTemplate,
  { manifest, ...options }: { manifest: Manifest } & RenderFragmentOptions,
): string {
  const fragment = renderFragment(manifest, options);
  if (typeof template === 'function') return template({ fragment, manifest });
  if (!PLACE.test(template)) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: 'The template of the credits page has no place for the credits.',
      remedy: 'Write <!-- icon-credits --> where they are to stand.',
      path: 'template',
    });
  }
  return template.replace(PLACE, () => fragment);
}

/** What a site says of itself on its credits page. */
interface PageOptions {
  /** Name of the site. */
  title?: string | undefined;
  /** Where the name leads: an address or a path of the site. */
  home?: string | undefined;
  /** A language that comes with the package (`en`, `de`), or one of your own. @default 'en' */
  language?: string | PageLanguage | undefined;
  /** The same list in other formats: name of the format → address, relative to the page. */
  formats?: Readonly<Record<string, string>> | undefined;
}

/** A longer list has its sets folded and their drawings packed, so that a page of thousands opens at once. */
const LONG = 500;

/**
 * `icon-attribution.html`: one page that asks for nothing from anywhere.
 * `artwork`, by icon id: safe `<svg>` markup, or a `data:` address of a picture; icons without it get an empty tile.
 */
export function renderHtml(
  manifest: Manifest,
  artwork: ReadonlyMap<string, string>,
  options: PageOptions = {},
): string {
  const { attributes, words } = resolveLanguage(options.language);
  const { icons, generator } = manifest;
  const packed = icons.length > LONG ? [] : undefined;
  const texts = { all: manifest.texts, shown: new Set<string>() };
  const context: PageContext = { artwork, words, heading: 2, styled: true, packed, texts, sets: 0 };
  const sections = nameSections(groupIcons(manifest));
  const main = sections.map((section) => renderSection(section, context)).join('');
  const title = `${words.title}${options.title === undefined ? '' : ` – ${options.title}`}`;
  const hasScript = icons.length > 0;
  const footer = isRequested(manifest) ? words.footerRequested : words.footer;
  return `<!DOCTYPE html>
<html ${attributes} prefix="${RDFA_PREFIX}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${hasScript ? ` script-src ${PAGE_SCRIPT_SOURCE};` : ''} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(toPlainLine(generator.name))}">
<meta name="description" content="${escapeHtml(summarize(manifest, words))}">
${renderPageOptions(options)}<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
${renderHeader(manifest, words, options)}
<div class="columns${sections.length > 1 ? '' : ' single'}">
${sections.length > 1 ? renderNavigation(sections, words) : ''}<main>
${sections.length === 0 ? renderEmpty(words) : main}<p id="none" class="none" data-words="${escapeHtml(words.nothingFound)}" aria-live="polite" hidden></p>
</main>
</div>
<footer>
<p>${escapeHtml(fill(footer, { generator: toPlainLine(generator.name) }))}</p>
${renderFormats(options.formats, words)}</footer>
${hasScript ? `${renderDialog(words)}${renderPacked(packed)}<script>${PAGE_SCRIPT}</script>\n` : ''}</body>
</html>
`;
}

/** Builds of other projects that add to the page find here what it is to say of the site. */
const PAGE_OPTIONS = 'icon-credits';

function renderPageOptions({ title, home, language }: PageOptions): string {
  const text = JSON.stringify({ title, home, language });
  return text === '{}' ? '' : `<meta name="${PAGE_OPTIONS}" content="${escapeHtml(text)}">\n`;
}

/** What `renderHtml` was given about the site; nothing for a page that says nothing, or that somebody else wrote. */
export function readPageOptions(page: string): Pick<PageOptions, 'title' | 'home' | 'language'> {
  const [, text = '{}'] =
    new RegExp(`<meta name="${PAGE_OPTIONS}" content="([^"]*)">`).exec(page) ?? [];
  try {
    const json = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    const read = JSON.parse(json) as PageOptions;
    resolveLanguage(read.language);
    return read;
  } catch {
    return {};
  }
}

function renderEmpty(words: PageWords): string {
  return `<section class="empty" aria-labelledby="empty">
<h2 id="empty">${escapeHtml(words.emptyTitle)}</h2>
<p>${escapeHtml(words.emptyText)}</p>
</section>
`;
}

function renderHeader(
  manifest: Manifest,
  words: PageWords,
  { title, home }: Pick<PageOptions, 'title' | 'home'>,
): string {
  const { icons, complete } = manifest;
  const lines: string[] = [];
  if (home !== undefined) {
    const text = title === undefined ? home : fill(words.back, { site: title });
    lines.push(`<p class="home"><a href="${escapeHtml(home)}">${escapeHtml(text)}</a></p>`);
  } else if (title !== undefined) lines.push(`<p class="home">${escapeHtml(title)}</p>`);
  lines.push(
    `<h1>${escapeHtml(words.title)}</h1>`,
    `<p class="summary">${escapeHtml(summarize(manifest, words))}</p>`,
  );
  if (icons.length > 0)
    lines.push(`<p class="thanks">${renderThanks(manifest.catalog, words)}</p>`);
  if (!complete) lines.push(`<p class="notice">${escapeHtml(words.incomplete)}</p>`);
  if (icons.length > LONG)
    lines.push(
      `<noscript><p class="notice">${escapeHtml(words.drawingsNeedScripts)}</p></noscript>`,
    );
  if (icons.length >= SEARCH_FROM) lines.push(renderSearch(words));
  if (icons.length > 0)
    lines.push(`<p class="choose" hidden>${escapeHtml(words.chooseToCopy)}</p>`);
  return `<header>\n${lines.join('\n')}\n</header>`;
}

function renderThanks({ name, siteUrl, termsUrl }: Manifest['catalog'], words: PageWords): string {
  const label = `<bdi>${escapeHtml(ownValue(words.catalogNames, name) ?? name)}</bdi>`;
  const site =
    toWebAddress(siteUrl) === null ? label : `<a href="${escapeHtml(siteUrl)}">${label}</a>`;
  const terms =
    termsUrl === undefined || toWebAddress(termsUrl) === null
      ? ''
      : ` (<a href="${escapeHtml(termsUrl)}">${escapeHtml(words.terms)}</a>)`;
  const [before = '', after = ''] = words.thanks.split('{catalog}');
  return `${escapeHtml(before)}${site}${terms}${escapeHtml(after)}`;
}

function renderSearch({ find, found }: PageWords): string {
  return `<div class="search" hidden>
<label for="find">${escapeHtml(find)}</label>
<input type="search" id="find" autocomplete="off" spellcheck="false">
<output id="found" for="find" data-found="${escapeHtml(found)}"></output>
</div>`;
}

function renderNavigation(sections: readonly Section[], words: PageWords): string {
  const items = sections.map(
    ({ fragment, name, icons }) =>
      `<li><a href="#${fragment}"><bdi>${escapeHtml(nameLicense(name, words))}</bdi> <span class="count">${count(icons.length, ['{n}', '{n}'], words)}</span></a></li>\n`,
  );
  return `<nav aria-labelledby="licences">
<h2 id="licences">${escapeHtml(words.licenceList)}</h2>
<ul>
${items.join('')}</ul>
</nav>
`;
}

function renderFormats(formats: PageOptions['formats'] = {}, words: PageWords): string {
  const links = Object.entries(formats).map(
    ([name, address]) => `<a href="${escapeHtml(address)}">${escapeHtml(name)}</a>`,
  );
  return links.length === 0
    ? ''
    : `<p class="formats">${escapeHtml(words.otherFormats)}: ${links.join(' · ')}</p>\n`;
}

function renderDialog(words: PageWords): string {
  const formats = { text: words.plainText, html: 'HTML', markdown: 'Markdown' };
  const choices = Object.entries(formats).map(
    ([value, name], index) =>
      `<label><input type="radio" name="format" value="${value}"${index === 0 ? ' checked' : ''}> ${escapeHtml(name)}</label>`,
  );
  return `<dialog id="copy" aria-labelledby="copy-title" data-label="${escapeHtml(words.copyCredit)}" data-copied="${escapeHtml(words.copied)}">
<h2 id="copy-title">${escapeHtml(words.copy)}</h2>
<fieldset>
<legend>${escapeHtml(words.copyAs)}</legend>
${choices.join('\n')}
</fieldset>
<textarea rows="6" readonly aria-labelledby="copy-title"></textarea>
<p class="buttons"><button type="button" value="copy">${escapeHtml(words.copy)}</button> <button type="button" value="close">${escapeHtml(words.close)}</button> <output></output></p>
</dialog>
`;
}

/** Not by Node's own zlib: its output differs between versions and processors, and a page is the same everywhere. */
function renderPacked(drawings: readonly string[] | undefined): string {
  if (drawings === undefined || drawings.every((drawing) => drawing === '')) return '';
  const bytes = deflateSync(strToU8(JSON.stringify(drawings)), { level: 9 });
  return `<script type="text/plain" id="${DRAWINGS_ID}">${Buffer.from(bytes).toString('base64')}</script>\n`;
}
