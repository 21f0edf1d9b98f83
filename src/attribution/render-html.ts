import type { Manifest } from '../types.ts';
import { toPlainLine } from './plain-text.ts';
import { escapeHtml } from './escape-html.ts';
import { groupIcons, INCOMPLETE_NOTICE, isRequested, summarize } from './group-icons.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_SOURCE, SEARCH_FROM } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { nameSections, type Section } from './name-sections.ts';
import { RDFA_PREFIX } from './rdfa-prefix.ts';
import { renderJsonLd } from './render-json-ld.ts';
import { renderSection } from './render-section.ts';

/**
 * `icon-attribution.html`: one page that asks for nothing from anywhere.
 * `artwork`, by icon id: safe `<svg>` markup, or a `data:` address of a picture; icons without it get an empty tile.
 */
export function renderHtml(manifest: Manifest, artwork: ReadonlyMap<string, string>): string {
  const sections = nameSections(groupIcons(manifest));
  const searchable = manifest.icons.length >= SEARCH_FROM;
  return `<!DOCTYPE html>
<html lang="en" prefix="${RDFA_PREFIX}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${searchable ? ` script-src ${PAGE_SCRIPT_SOURCE};` : ''} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(toPlainLine(manifest.generator.name))}">
<title>Icon credits</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
${renderJsonLd(manifest)}
</head>
<body>
${renderHeader(manifest, searchable)}
<div class="columns${sections.length > 1 ? '' : ' single'}">
${sections.length > 1 ? renderNavigation(sections) : ''}<main>
${sections.length === 0 ? EMPTY : sections.map((section) => renderSection(section, { artwork, heading: 'h2', styled: true })).join('')}</main>
</div>
<footer>
<p>Written by ${escapeHtml(toPlainLine(manifest.generator.name))} from ${isRequested(manifest) ? 'what the project asks for' : 'what this site’s output holds'}.</p>
</footer>
${searchable ? `<script>${PAGE_SCRIPT}</script>\n` : ''}</body>
</html>
`;
}

const EMPTY = `<section class="empty" aria-labelledby="empty">
<h2 id="empty">Nothing to credit</h2>
<p>The output holds no icon of the catalog. Icons appear here as soon as a page uses them.</p>
</section>
`;

const SEARCH = `
<div class="search" hidden>
<label for="find">Find an icon or a creator</label>
<input type="search" id="find" autocomplete="off" spellcheck="false">
<output id="found" for="find"></output>
</div>`;

function renderHeader(manifest: Manifest, searchable: boolean): string {
  const { name, siteUrl, termsUrl } = manifest.catalog;
  const site = /^https?:\/\//i.test(siteUrl)
    ? `<a href="${escapeHtml(siteUrl)}"><bdi>${escapeHtml(name)}</bdi></a>`
    : `<bdi>${escapeHtml(name)}</bdi>`;
  const terms =
    termsUrl === undefined || !/^https?:\/\//i.test(termsUrl)
      ? ''
      : ` (<a href="${escapeHtml(termsUrl)}">its terms</a>)`;
  const thanks =
    manifest.icons.length === 0
      ? ''
      : `\n<p class="thanks">They come from ${site}${terms}. Thank you to everyone who drew them.</p>`;
  const notice = manifest.complete ? '' : `\n<p class="notice">${INCOMPLETE_NOTICE}</p>`;
  return `<header>
<h1>Icon credits</h1>
<p class="summary">${summarize(manifest)}</p>${thanks}${notice}${searchable ? SEARCH : ''}
</header>`;
}

function renderNavigation(sections: readonly Section[]): string {
  const items = sections.map(
    ({ fragment, name, icons }) =>
      `<li><a href="#${fragment}"><bdi>${escapeHtml(name)}</bdi> <span class="count">${icons.length}</span></a></li>\n`,
  );
  return `<nav aria-labelledby="licences">
<h2 id="licences">Licences</h2>
<ul>
${items.join('')}</ul>
</nav>
`;
}
