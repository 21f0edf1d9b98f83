/** Below this number of icons a reader finds everything by looking. */
export const SEARCH_FROM = 25;

/**
 * Shows the search box, which is of no use without it, and hides what does not match. The page is whole without it.
 * Written for the page, not for this package: nothing is interpolated.
 */
export const PAGE_SCRIPT: string = `
(() => {
  const box = document.getElementById('find');
  const status = document.getElementById('found');
  const sections = [...document.querySelectorAll('main > section')].map((element) => ({
    element,
    items: [...element.querySelectorAll('.credits > li')].map((item) => ({ item, words: undefined })),
  }));
  const fold = (text) => text.normalize('NFKD').replace(/\\p{M}+/gu, '').toLowerCase();
  const total = sections.reduce((sum, { items }) => sum + items.length, 0);
  const search = () => {
    const wanted = fold(box.value).split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const { element, items } of sections) {
      let here = 0;
      for (const entry of items) {
        entry.words ??= fold(entry.item.querySelector('.title').textContent + ' ' + entry.item.querySelector('.author').textContent);
        const matches = wanted.every((word) => entry.words.includes(word));
        if (entry.item.hidden === matches) entry.item.hidden = !matches;
        if (matches) here += 1;
      }
      element.hidden = here === 0;
      found += here;
    }
    status.textContent = wanted.length === 0 ? '' : found + ' of ' + total;
  };
  box.closest('.search').hidden = false;
  box.addEventListener('input', search);
  if (box.value !== '') search();
})();
`;

/** CSP source of the script: base64 of its SHA-256. Held by a test. */
export const PAGE_SCRIPT_SOURCE = "'sha256-6l1OntnL8AXuwFae/d9tlGak2BScVBJvbbCOBYQRIUs='";
