import { copyrightOf } from '../license/list.ts';
import type { Credit, Manifest, ManifestIcon, PageLanguage, PageWords } from '../../types.ts';
import {
  creditFragment,
  type CreditLine,
  describeCredit,
  describeShared,
  describeTerms,
  groupIcons,
  groupSets,
  type IconSet,
  licenseLabel,
  nameLicense,
  nameSections,
  RDFA_PREFIX,
  type Section,
  summarize,
  textsOf,
  toWebAddress,
} from '../credit/describe-credit.ts';
import { escapeHtml, splitAddresses } from '../../untrusted.ts';
import { count, fill, resolveLanguage } from './page-words.ts';

/** What the parts of one page share. */
export interface PageContext {
  /** By icon id: safe `<svg>` markup, or a `data:` address of a picture. */
  artwork: ReadonlyMap<string, string>;
  words: PageWords;
  /** Level of a licence's heading, 1–6; that of a set is one deeper. */
  heading: number;
  /** True in the page of this package, whose style sheet draws empty tiles and sizes the others. */
  styled: boolean;
  /** Collects the drawings of sets, in the order of the page, if a script is to place them. */
  packed?: string[] | undefined;
  /** Texts of licences by their digests, and the digests of those that the page shows already. */
  texts: { all: Readonly<Record<string, string>> | undefined; shown: Set<string> };
  /** Sets in the page so far, which gives each its fragment. */
  sets: number;
}

/** The icons under one licence: each that stands alone, then sets of many as grids. */
export function renderSection(section: Section, context: PageContext): string {
  const { fragment, name, icons } = section;
  const { words, heading } = context;
  const { single, sets } = groupSets(icons);
  const list =
    single.length === 0
      ? ''
      : `<ul class="credits">\n${single.map((icon) => renderCredit(icon, context)).join('')}</ul>\n`;
  return `<section id="${fragment}" aria-labelledby="${fragment}-name"${renderAliases(icons[0])}>
<h${heading} id="${fragment}-name"><bdi>${escapeHtml(nameLicense(name, words))}</bdi></h${heading}>
${renderLine(describeTerms(section, words))}
${list}${sets.map((set) => renderSet(set, context)).join('')}${renderTexts(section, context)}</section>
`;
}

/** Each text once in a page, folded; what it is of, and who holds the rights, can be seen. */
function renderTexts(section: Section, { texts, words }: PageContext): string {
  const name = nameLicense(section.name, words);
  return textsOf(section, texts.all, texts.shown)
    .map((text) => {
      const holders = copyrightOf(text)?.replaceAll('\n', '; ');
      const title = escapeHtml(fill(words.textOf, { licence: name }));
      return `<details class="text">
<summary>${title}${holders === undefined ? '' : ` – <bdi>${escapeHtml(holders)}</bdi>`}</summary>
<pre>${escapeHtml(text)}</pre>
</details>
`;
    })
    .join('');
}

/** Short names of the licence, by which people search. */
function renderAliases(icon: Credit | undefined): string {
  if (icon === undefined) return '';
  const { license } = icon;
  const general = license.status === 'attribution' ? ' CC BY' : '';
  const own = license.spdx.replace(/^LicenseRef-/, '');
  return ` data-words="${escapeHtml(`${licenseLabel(license)} ${own}${general}`)}"`;
}

/** One icon, with RDFa about `#icon-ID`. */
function renderCredit(icon: ManifestIcon, { artwork, styled, words }: PageContext): string {
  const drawing = artwork.get(icon.id);
  const tile = drawing === undefined && !styled ? '' : `${renderTile(drawing, styled)}\n`;
  return `<li ${renderSubject(icon)}${renderWords(icon)}>
${tile}<div class="caption">
${describeCredit(icon, words).map(renderLine).join('\n')}
</div>
</li>
`;
}

/** What the search finds besides what is to be read: sets, and their short names, which imports are written with. */
function renderWords({ collections, creator }: Credit): string {
  const words = [...collections.map(({ name }) => name), creator.username ?? ''].join(' ').trim();
  return words === '' ? '' : ` data-words="${escapeHtml(words)}"`;
}

function renderSubject({ id }: Credit): string {
  const fragment = creditFragment(id);
  return `id="${fragment}" about="#${fragment}" typeof="cc:Work"`;
}

/**
 * Icons that differ in name and address alone: what they share is said once and stays in sight while the grid is folded.
 * Each icon takes it over by `rdfa:copy` (https://www.w3.org/TR/html-rdfa/#property-copying).
 */
function renderSet(set: IconSet<ManifestIcon>, context: PageContext): string {
  const { name, url, requested, icons } = set;
  const { words, heading, packed } = context;
  context.sets += 1;
  const fragment = `set-${context.sets}`;
  const title = `<bdi>${escapeHtml(name)}</bdi>`;
  const address = toWebAddress(url);
  const level = Math.min(6, heading + 1);
  const shared = describeShared(icons[0] as Credit, words).map(renderLine);
  if (requested !== undefined) {
    const { before, after } = requested;
    const rest = after === null ? '' : `<var>${escapeHtml(words.iconName)}</var>${linkText(after)}`;
    shared.push(
      `<p class="requested">${escapeHtml(words.credit)}<bdi>${linkText(before)}${rest}</bdi></p>`,
    );
  }
  const items = icons.map((icon) => renderGridItem(icon, fragment, context));
  return `<article class="set" aria-labelledby="${fragment}"${renderWords(icons[0] as Credit)}>
<h${level} id="${fragment}">${address === null ? title : `<a href="${escapeHtml(address)}">${title}</a>`}</h${level}>
<div class="facts" resource="#${fragment}" typeof="rdfa:Pattern">
${shared.join('\n')}
</div>
<details${packed === undefined ? ' open' : ''}>
<summary>${escapeHtml(count(icons.length, words.icons, words))}</summary>
<ul class="grid">
${items.join('\n')}
</ul>
</details>
</article>
`;
}

function renderGridItem(
  icon: ManifestIcon,
  set: string,
  { artwork, styled, packed, words }: PageContext,
): string {
  const drawing = artwork.get(icon.id);
  const tile = drawing === undefined && !styled ? '' : renderTile(drawing, styled);
  packed?.push(tile);
  const name =
    icon.title === null
      ? escapeHtml(fill(words.untitled, { id: icon.id }))
      : `<bdi property="dct:title">${escapeHtml(icon.title)}</bdi>`;
  const address = toWebAddress(icon.source.url);
  const link =
    address === null ? name : `<a property="dct:source" href="${escapeHtml(address)}">${name}</a>`;
  return `<li ${renderSubject(icon)} property="rdfa:copy" resource="#${set}">${packed === undefined ? tile : ''}${link}</li>`;
}

/** One line of a credit as a paragraph. */
function renderLine({ kind, before, term, link, after }: CreditLine): string {
  const content = renderLink(link, renderTerm(kind, term));
  return `<p class="${kind}">${escapeHtml(before)}${content}${escapeHtml(after)}</p>`;
}

function renderTerm(kind: CreditLine['kind'], term: CreditLine['term']): string {
  if (term === undefined) return '';
  const text = kind === 'requested' ? linkText(term.text) : escapeHtml(term.text);
  if (term.tag === undefined) return text;
  return `<${term.tag}${renderProperty(term.property)}>${text}</${term.tag}>`;
}

function renderLink(link: CreditLine['link'], content: string): string {
  if (link === undefined) return content;
  return `<a${renderProperty(link.property)} href="${escapeHtml(link.href)}">${content}</a>`;
}

function renderProperty(property: string | undefined): string {
  return property === undefined ? '' : ` property="${property}"`;
}

/** Untrusted text with its web addresses as links. */
function linkText(text: string): string {
  return splitAddresses(text)
    .map((part, index) => {
      const html = escapeHtml(part);
      return index % 2 === 0 ? html : `<a href="${html}">${html}</a>`;
    })
    .join('');
}

/** `data:` addresses of pictures; nothing else is drawn from an address. */
const PICTURE = /^data:image\/(?:png|svg\+xml|webp|gif|jpeg)[;,]/;

/** What the root of a drawing needs if it stands alone. The height stays, for hosts whose policy refuses style sheets in pages. */
const ALONE = / (?:xmlns|width|class|aria-hidden|focusable)="[^"]*"/g;

/**
 * The drawing beside a credit, hidden from assistive technology: the title stands next to it.
 * Drawings that do not follow the text colour get a light plate, so that black ones show in the dark.
 *
 * @param styled the page's own style sheet gives drawings their size
 */
function renderTile(artwork: string | undefined, styled: boolean): string {
  if (artwork !== undefined && PICTURE.test(artwork)) {
    return `<div class="tile plate" aria-hidden="true"><img src="${escapeHtml(artwork)}" alt="" loading="lazy" decoding="async"></div>`;
  }
  if (artwork === undefined || !artwork.startsWith('<svg')) {
    return '<div class="tile blank" aria-hidden="true"></div>';
  }
  const plate = artwork.includes('currentColor') ? '' : ' plate';
  return `<div class="tile${plate}" aria-hidden="true">${styled ? bare(artwork) : artwork}</div>`;
}

/** Thousands of drawings stand in one page: their roots say nothing that the page says already. */
function bare(artwork: string): string {
  const end = artwork.indexOf('>');
  return artwork.slice(0, end).replace(ALONE, '') + artwork.slice(end);
}

const TILE =
  /<li id="icon-([^"]+)"[^>]*>\s*<div class="tile[^"]*" aria-hidden="true">(?:(<svg[^]*?<\/svg>)|<img src="(data:image\/png;base64,[\w+/=]*)")/g;
/** A drawing that was made safe has none of these. */
const ACTIVE = /<(?:script|style|foreignObject|iframe)|\son\w+\s*=|(?:java|vb)script:/i;

/** Drawings by icon id, as a page of credits shows them: another build may have icons that this one does not have. */
export function readTiles(page: string): Map<string, string> {
  const artwork = new Map<string, string>();
  for (const [, id = '', svg, picture] of page.matchAll(TILE)) {
    const drawing = svg ?? picture ?? '';
    if (!ACTIVE.test(drawing)) artwork.set(id, drawing);
  }
  return artwork;
}

export interface RenderFragmentOptions {
  artwork?: ReadonlyMap<string, string> | undefined;
  /** Level of the first heading, 1–5. @default 2 */
  headingLevel?: number | undefined;
  /** @default 'en' */
  language?: string | PageLanguage | undefined;
}

/**
 * The credits as one `<section>` for a page of somebody else's layout: no style, no script, the same RDFa, classes and
 * `#icon-ID` as the page.
 */
export function renderFragment(
  manifest: Manifest,
  { artwork = new Map(), headingLevel = 2, language }: RenderFragmentOptions = {},
): string {
  const level = Math.min(5, Math.max(1, Math.trunc(headingLevel)));
  const { code, attributes, words } = resolveLanguage(language);
  const texts = { all: manifest.texts, shown: new Set<string>() };
  const context: PageContext = {
    artwork,
    words,
    heading: level + 1,
    styled: false,
    texts,
    sets: 0,
  };
  const notice = manifest.complete ? '' : `<p class="notice">${escapeHtml(words.incomplete)}</p>\n`;
  const sections = nameSections(groupIcons(manifest)).map((section) =>
    renderSection(section, context),
  );
  return `<section class="icon-credits" aria-labelledby="icon-credits-name" prefix="${RDFA_PREFIX}"${code === 'en' ? '' : ` ${attributes}`}>
<h${level} id="icon-credits-name">${escapeHtml(words.title)}</h${level}>
<p class="summary">${escapeHtml(summarize(manifest, words))}</p>
${notice}${sections.join('')}</section>
`;
}
