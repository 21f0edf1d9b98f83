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
      shared: fold(licence + ' ' + texts(list, ':scope > h3, .facts .author bdi')),
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
export const PAGE_SCRIPT_SOURCE = "'sha256-hmxynYf1Ka/MQhA/+1hzRf04Wyu3qsrPtzYfJnM2Baw='";
