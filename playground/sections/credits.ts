import type { Credit } from 'unplugin-icon-catalog';
import credits, { complete } from 'icon:credits';
import { commons, library, licence, outward, search } from '../icons/interface.ts';

const signs: Partial<Record<Credit['license']['status'], string>> = {
  attribution: commons,
  'public-domain': library,
};

/** The in-app page of credits: the same records as the attribution files of this build. */
export function creditList(): string {
  const groups = new Map<string, Credit[]>();
  for (const credit of credits) {
    groups.set(credit.license.name, [...(groups.get(credit.license.name) ?? []), credit]);
  }
  const unfinished = complete
    ? ''
    : '<p class="note">This list grows while the dev server runs; a build lists everything.</p>';
  return `<section class="credits" id="credits" aria-labelledby="credits-title">
    <header><h2 id="credits-title">Drawn by others</h2>
      <p>${credits.length} icons on this page come from people who share their work. These are their names and terms.</p></header>
    ${unfinished}
    <ul class="licences">${[...groups]
      .map(
        ([name, group]) => `<li>${(group[0] && signs[group[0].license.status]) ?? licence}
        <b>${group.length}</b><span>${escape(name)}</span><small>${creators(group)}</small></li>`,
      )
      .join('')}</ul>
    <details><summary>All ${credits.length} credits</summary>
      <label class="find">${search}<span class="hidden">Find an icon or a name</span>
        <input type="search" id="find" placeholder="Find an icon or a name" autocomplete="off" /></label>
      <ul class="all">${credits.map(entry).join('')}</ul></details>
  </section>`;
}

function creators(group: Credit[]): string {
  const names = new Set(group.map(({ creator }) => creator.name ?? 'unknown'));
  return escape([...names].join(', '));
}

function entry({ title, credit, source }: Credit): string {
  const name = escape(title ?? 'Untitled');
  const linked =
    source.url === null ? name : `<a href="${escape(source.url)}">${name}${outward}</a>`;
  return `<li><b>${linked}</b><span>${escape(credit.line)}</span></li>`;
}

export function startCredits(): void {
  const entries = [...document.querySelectorAll<HTMLElement>('.all > li')];
  document.querySelector<HTMLInputElement>('#find')?.addEventListener('input', ({ target }) => {
    const wanted = target instanceof HTMLInputElement ? target.value.trim().toLowerCase() : '';
    for (const element of entries) {
      element.hidden = !element.textContent.toLowerCase().includes(wanted);
    }
  });
}

/** Credits are other people's words. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
