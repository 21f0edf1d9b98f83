/** Below this number of icons a reader finds everything by looking. */
export const SEARCH_FROM = 25;

/** Id of the element that holds the drawings of a long list: base64 of deflated JSON, a list of HTML in the order of the grids. */
export const DRAWINGS_ID = 'drawings';

/**
 * What a reader can do on the page beyond reading it: search, copy a credit, unfold. The page is whole without it, but
 * for the drawings of a long list. Written for the page, not for this package: nothing is interpolated, and every word
 * that it shows stands in the page.
 */
export const PAGE_SCRIPT: string = `
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const fill = (text, values) => text.replace(/\\{(\\w+)\\}/g, (place, name) => Object.hasOwn(values, name) ? values[name] : place);

  // The drawings of long lists come when their grid is unfolded or printed.
  let drawings = [];
  const grids = all('.set details').map((details) => ({ details, items: all('.grid > li', details) }));
  const draw = (details) => {
    let at = 0;
    for (const grid of grids) {
      if (drawings.length > 0 && grid.details === details && !grid.drawn) {
        grid.drawn = true;
        grid.items.forEach((item, index) => item.insertAdjacentHTML('afterbegin', drawings[at + index]));
        label(grid.items);
      }
      at += grid.items.length;
    }
  };
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    drawings = JSON.parse(await new Response(stream).text());
    for (const { details } of grids) if (details.open) draw(details);
  };
  document.addEventListener('toggle', ({ target }) => target.open && draw(target), true);
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = grids.map(({ details }) => details).filter(({ open }) => !open);
    for (const details of folded) { details.open = true; draw(details); }
  });
  addEventListener('afterprint', () => { for (const details of folded) details.open = false; });

  // An address with #icon-ID leads into a folded grid, too.
  const unfold = () => {
    const item = document.getElementById(decodeURI(location.hash.slice(1)));
    const details = item && item.closest('details');
    if (details && !details.open) { details.open = true; item.scrollIntoView(); }
  };
  addEventListener('hashchange', unfold);
  unfold();

  // Copying: a drawing is a button that opens the dialog.
  const dialog = document.getElementById('copy');
  const titleOf = (item) => item.querySelector('[property="dct:title"], .title, a, bdi').textContent;
  function label(items) {
    for (const item of items) {
      const tile = item.querySelector('.tile');
      if (tile === null) continue;
      tile.removeAttribute('aria-hidden');
      tile.setAttribute('role', 'button');
      tile.tabIndex = 0;
      tile.setAttribute('aria-label', fill(dialog.dataset.label, { title: titleOf(item) }));
    }
  }
  label(all('.credits > li, .grid > li'));
  const partsOf = (node, title) => [...node.childNodes].flatMap((child) => {
    if (child.localName === 'var') return { text: title };
    if (child.localName === 'a') return { text: child.textContent, href: child.href };
    return child.childNodes.length > 0 ? partsOf(child, title) : child.textContent === '' ? [] : { text: child.textContent };
  });
  const linesOf = (item) => {
    const title = titleOf(item);
    const link = item.querySelector('.title a, :scope > a');
    const quoted = link ? { text: '“' + title + '”', href: link.href } : { text: '“' + title + '”' };
    const [author, ...rest] = all('.author, .requested, .terms', item.closest('.set') ?? item).map((line) => partsOf(line, title));
    return [[quoted, { text: ' ' }, ...author], ...rest];
  };
  const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => '&#' + character.charCodeAt(0) + ';');
  const escapeMarkdown = (text) => text.replace(/[\\\\\`*_[\\]<>&]/g, '\\\\$&');
  const formats = {
    text: ({ text, href }) => href && href !== text ? text + ' (' + href + ')' : text,
    html: ({ text, href }) => href ? '<a href="' + escapeHtml(href) + '">' + escapeHtml(text) + '</a>' : escapeHtml(text),
    markdown: ({ text, href }) => !href ? escapeMarkdown(text) : href === text ? '<' + href + '>' : '[' + escapeMarkdown(text) + '](<' + href + '>)',
  };
  const area = dialog.querySelector('textarea');
  const status = dialog.querySelector('output');
  let chosen;
  const show = () => {
    const format = formats[dialog.querySelector('input:checked').value];
    area.value = linesOf(chosen).map((parts) => parts.map(format).join('') + '.').join(' ');
    status.textContent = '';
  };
  const open = (target) => {
    const tile = target.closest && target.closest('.tile[role]');
    if (!tile) return false;
    chosen = tile.closest('li');
    dialog.querySelector('h2').textContent = titleOf(chosen);
    show();
    dialog.showModal();
    return true;
  };
  document.addEventListener('click', ({ target }) => {
    if (open(target)) return;
    if (target === dialog || target.value === 'close') dialog.close();
    if (target.value !== 'copy') return;
    area.select();
    const done = () => { status.textContent = dialog.dataset.copied; };
    if (navigator.clipboard) navigator.clipboard.writeText(area.value).then(done, () => document.execCommand('copy') && done());
    else if (document.execCommand('copy')) done();
  });
  document.addEventListener('keydown', (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && open(event.target)) event.preventDefault();
  });
  dialog.addEventListener('change', show);
  for (const hint of all('.choose')) hint.hidden = false;

  const packed = document.getElementById('drawings');
  if (packed) unpack(packed.textContent);

  // Search: every word of the query begins a word of the icon, its set or its licence.
  const box = document.getElementById('find');
  if (!box) return;
  const found = document.getElementById('found');
  const none = document.getElementById('none');
  const fold = (text) => ' ' + text.normalize('NFKD').replace(/\\p{M}+/gu, '').toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
  const texts = (root, selector) => all(selector, root).map(({ textContent }) => textContent).join(' ');
  const wordsOf = (item) => (item.dataset.words ?? '') + ' ' + item.id.slice(5) + ' ' + titleOf(item) + ' ' + texts(item, '.author bdi');
  const lists = all('main > section').flatMap((section) => {
    const licence = section.dataset.words + ' ' + texts(section, ':scope > h2');
    return all(':scope > .credits, :scope > .set', section).map((list) => ({
      section,
      list,
      details: list.querySelector('details'),
      shared: fold(licence + ' ' + (list.dataset.words ?? '') + ' ' + texts(list, ':scope > h3, .facts .author bdi')),
      items: all(':scope > li, .grid > li', list).map((item) => ({ item, words: undefined })),
    }));
  });
  const total = lists.reduce((sum, { items }) => sum + items.length, 0);
  let before;
  const search = () => {
    const wanted = fold(box.value).split(' ').filter(Boolean).map((word) => ' ' + word);
    const isSearching = wanted.length > 0;
    if (isSearching) before ??= lists.map(({ details }) => details && details.open);
    const shown = new Set();
    let sum = 0;
    lists.forEach(({ section, list, details, shared, items }, index) => {
      const rest = wanted.filter((word) => !shared.includes(word));
      let here = 0;
      for (const entry of items) {
        entry.words ??= fold(wordsOf(entry.item));
        const matches = rest.every((word) => entry.words.includes(word));
        if (entry.item.hidden === matches) entry.item.hidden = !matches;
        if (matches) here += 1;
      }
      list.hidden = here === 0;
      if (here > 0) shown.add(section);
      if (details && isSearching) details.open = here > 0;
      else if (details && before) details.open = before[index];
      sum += here;
    });
    for (const section of all('main > section')) section.hidden = !shown.has(section);
    if (!isSearching) before = undefined;
    found.textContent = isSearching ? fill(found.dataset.found, { n: sum, total }) : '';
    none.hidden = sum > 0;
    none.textContent = sum > 0 ? '' : fill(none.dataset.words, { words: box.value.trim() });
  };
  box.closest('.search').hidden = false;
  box.addEventListener('input', search);
  if (box.value !== '') search();
})();
`;

/** CSP source of the script: base64 of its SHA-256. Held by a test. */
export const PAGE_SCRIPT_SOURCE = "'sha256-SNRgR9qM50FJrDZIEDUv1KJb3R8ROOEanQBGkpglbE0='";

/** The style of the credits page: system fonts, light and dark, phone to print. Every text colour has at least 4.5:1 on its ground. */
export const PAGE_STYLE: string = `
:root {
  color-scheme: light dark;
  --ground: #faf8f4; --plate: #ffffff; --line: #e3ded3; --ink: #211e19; --soft: #635d52; --link: #8a3712; --edge: #857d6f; --mark: #f1e9db;
  --serif: ui-serif, "New York", "Iowan Old Style", "Palatino Linotype", Palatino, "Noto Serif", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #171512; --plate: #211e1a; --line: #38332c; --ink: #f0ebe2; --soft: #b0a799; --link: #f3ad83; --edge: #857c6e; --mark: #2e2922; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body { margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3.5rem); max-width: 84rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
h1, h2, .summary { font-family: var(--serif); font-weight: 500; text-wrap: balance; }
a { color: var(--link); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 3px; }

.home { margin-bottom: 1.5rem; color: var(--soft); }
.home a, .formats a { display: inline-block; min-height: 1.5rem; }
header { padding: clamp(2.5rem, 8vw, 6rem) 0 clamp(2rem, 5vw, 3.5rem); }
h1 { font-size: clamp(2.5rem, 1.6rem + 4.5vw, 4.75rem); line-height: 1.02; letter-spacing: -0.025em; }
.summary { margin-top: 1.1rem; font-size: clamp(1.2rem, 1.05rem + 0.8vw, 1.6rem); line-height: 1.35; }
.thanks { margin-top: 0.6rem; color: var(--soft); max-width: 44rem; }
.notice { margin-top: 1.5rem; padding: 0.7rem 1rem; max-width: 44rem; background: var(--mark); border-inline-start: 3px solid var(--link); }

.search { display: grid; gap: 0.35rem; margin-top: 1.75rem; max-width: 26rem; }
[hidden] { display: none !important; }
.choose { margin-top: 0.25rem; color: var(--soft); font-size: 0.9375rem; }
.none { padding: 1.75rem 0; border-top: 2px solid var(--ink); font-family: var(--serif); font-size: 1.25rem; }
.search label { font-size: 0.9375rem; color: var(--soft); }
.search input { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.85rem; font: inherit; color: var(--ink); background: var(--plate); border: 1px solid var(--edge); border-radius: 0.6rem; }
.search output { min-height: 1.55em; color: var(--soft); font-size: 0.9375rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }

nav { margin-bottom: 2.5rem; }
nav h2 { margin-bottom: 0.6rem; font: 600 0.8125rem/1.4 var(--sans); color: var(--soft); }
nav li + li { border-top: 1px solid var(--line); }
nav a { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: 0.6rem 0; color: inherit; font-size: 0.9375rem; line-height: 1.4; text-decoration: none; }
nav a:hover bdi { text-decoration: underline; text-underline-offset: 0.2em; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; overflow-wrap: normal; }

main { min-width: 0; }
section { padding: 1.75rem 0 3.5rem; border-top: 2px solid var(--ink); }
section h2 { font-size: clamp(1.4rem, 1.2rem + 1vw, 2rem); line-height: 1.2; letter-spacing: -0.01em; }
.note { margin-top: 0.4rem; color: var(--soft); font-size: 0.9375rem; max-width: 44rem; }
.empty p { margin-top: 0.5rem; color: var(--soft); }

.credits { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 2rem; margin-top: 1.25rem; }
.credits > li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 1.1rem; align-items: start; padding: 1.25rem 0; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 9.5rem; }
.credits > li:target { background: var(--mark); box-shadow: -0.75rem 0 0 var(--mark), 0.75rem 0 0 var(--mark); }
.title a, .author a, .terms a, .note a { display: inline-block; min-height: 1.5rem; min-width: 1.5rem; }
.set { padding: 1.5rem 0 0; margin-top: 1.75rem; border-top: 1px solid var(--line); }
.set h3 { font: 600 1.1875rem/1.35 var(--sans); }
.set h3 a { color: inherit; text-decoration-color: var(--soft); }
.facts { margin-top: 0.25rem; max-width: 56rem; }
.facts var { font-style: italic; }
details { margin-top: 0.75rem; }
pre { margin: 0.75rem 0 0; padding: 1rem; max-height: 30rem; overflow: auto; background: var(--mark); font: 0.8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; }
summary { display: inline-block; min-height: 1.75rem; padding: 0.1rem 0; color: var(--link); cursor: pointer; font-size: 0.9375rem; font-weight: 600; }
summary::before { content: ""; display: inline-block; width: 0.45em; height: 0.45em; margin-block: 0 0.15em; margin-inline: 0.15em 0.6em; border: solid; border-width: 0 0.14em 0.14em 0; transform: rotate(-45deg); }
[dir="rtl"] summary::before { transform: rotate(135deg); }
details[open] > summary:first-child::before { transform: rotate(45deg); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: 1rem 0.75rem; margin-top: 0.9rem; }
.grid > li { display: flex; flex-direction: column; align-items: center; gap: 0.4rem; text-align: center; font-size: 0.8125rem; line-height: 1.35; content-visibility: auto; contain-intrinsic-size: auto 7rem; }
.grid > li:target { background: var(--mark); box-shadow: 0 0 0 0.4rem var(--mark); border-radius: 0.25rem; }
.grid > li > a { display: block; min-width: 1.5rem; min-height: 1.5rem; color: inherit; text-decoration-color: var(--line); }
.grid > li > a:hover { text-decoration-color: currentColor; }
.grid .tile { width: 4rem; height: 4rem; }
.grid .tile > svg, .grid .tile > img { width: 1.75rem; height: 1.75rem; }
.tile[role] { cursor: pointer; }
.tile[role]:hover { border-color: var(--link); }
dialog { width: min(34rem, calc(100vw - 2rem)); padding: 1.5rem; background: var(--ground); color: var(--ink); border: 1px solid var(--edge); border-radius: 0.9rem; }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { font-size: 1.5rem; }
dialog fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.9rem 0 0.6rem; padding: 0; border: 0; }
dialog legend { float: inline-start; padding: 0; margin-inline-end: 1.25rem; color: var(--soft); }
dialog label { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 1.5rem; }
dialog input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
dialog textarea { display: block; width: 100%; padding: 0.7rem 0.85rem; font: 0.875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--ink); background: var(--plate); border: 1px solid var(--edge); border-radius: 0.6rem; resize: vertical; }
.buttons { display: flex; gap: 0.6rem; align-items: center; margin-top: 0.9rem; }
button { min-height: 2.5rem; padding: 0.3rem 1.1rem; font: inherit; color: var(--ink); background: none; border: 1px solid var(--edge); border-radius: 0.6rem; cursor: pointer; }
button[value="copy"] { color: var(--ground); background: var(--link); border-color: var(--link); }
.tile { display: grid; place-items: center; width: 4.5rem; height: 4.5rem; overflow: hidden; background: var(--plate); border: 1px solid var(--line); border-radius: 0.75rem; }
.tile > svg, .tile > img { display: block; width: 2.5rem; height: 2.5rem; object-fit: contain; }
.tile.plate { background: #ffffff; color: #211e19; }
.tile.blank { border-style: dashed; background: none; }
.title { font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }
.title a { color: inherit; text-decoration-color: var(--soft); }
.author { font-size: 0.9375rem; }
.requested, .terms { color: var(--soft); font-size: 0.8125rem; line-height: 1.5; }
.requested { margin-top: 0.3rem; }
.caption > .terms { margin-top: 0.15rem; }

footer { padding: 1.5rem 0 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; }

@media (min-width: 62rem) {
  .columns:not(.single) { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 4rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.75rem 0 1.5rem; border-top: 2px solid var(--ink); }
}
@media (forced-colors: active) {
  .tile { forced-color-adjust: none; background: #ffffff; color: #211e19; }
}
@media print {
  :root { --ground: #ffffff; --plate: #ffffff; --line: #bbbbbb; --ink: #000000; --soft: #333333; --link: #000000; --mark: #ffffff; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  .home { margin-bottom: 1.5rem; color: var(--soft); }
.home a, .formats a { display: inline-block; min-height: 1.5rem; }
header { padding: 0 0 1.5rem; }
  nav, .search, .choose, .home, .formats, dialog, summary { display: none !important; }
  pre { max-height: none; padding: 0; background: none; font-size: 6.5pt; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .set { padding: 0.6rem 0 0; margin-top: 0.8rem; }
  .set h3 { font-size: 10.5pt; break-after: avoid; }
  .grid { grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 1.2mm 1mm; margin-top: 2mm; }
  .grid > li { content-visibility: visible; break-inside: avoid; gap: 0.4mm; font-size: 6pt; line-height: 1.15; }
  .grid > li > a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; min-height: 0; text-decoration: none; }
  .grid .tile { width: 7.5mm; height: 7.5mm; border: 0; }
  .grid .tile > svg, .grid .tile > img { width: 6.5mm; height: 6.5mm; }
  .columns:not(.single) { display: block; }
  section { padding: 1rem 0 1.5rem; }
  .credits { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .credits > li { content-visibility: visible; break-inside: avoid; padding: 0.6rem 0; grid-template-columns: 3rem minmax(0, 1fr); }
  .tile { width: 3rem; height: 3rem; }
  .tile > svg, .tile > img { width: 1.75rem; height: 1.75rem; }
  h2 { break-after: avoid; }
  .title a { text-decoration: none; }
  .title a::after { content: " (" attr(href) ")"; font-weight: 400; font-size: 0.8em; }
}
`;
