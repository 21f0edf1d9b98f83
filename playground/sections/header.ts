import { peaks, themes } from '../icons/interface.ts';

const labels = { auto: 'As the device', light: 'Light', dark: 'Dark' } as const;

export function header(): string {
  const choices = (Object.keys(labels) as (keyof typeof labels)[])
    .map(
      (
        theme,
      ) => `<button type="button" data-theme-choice="${theme}" aria-pressed="false" title="${labels[theme]}">
        ${themes[theme]}<span class="hidden">${labels[theme]}</span>
      </button>`,
    )
    .join('');
  return `<a class="brand" href="#top">${peaks}<span>Ostervale<br />High Route</span></a>
    <nav aria-label="Sections">
      <a href="#profile">Route</a>
      <a href="#huts">Huts</a>
      <a href="#season">Season</a>
      <a href="#wildlife">Wildlife</a>
      <a href="#packing">Packing</a>
    </nav>
    <div class="themes" role="group" aria-label="Colours of this page">${choices}</div>`;
}

/** Light, dark or as the device says; remembered for the next visit. */
export function startThemes(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-theme-choice]');
  const show = (): void => {
    const current = document.documentElement.dataset['theme'] ?? 'auto';
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button.dataset['themeChoice'] === current));
    }
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const choice = button.dataset['themeChoice'] ?? 'auto';
      if (choice === 'auto') delete document.documentElement.dataset['theme'];
      else document.documentElement.dataset['theme'] = choice;
      localStorage.setItem('theme', choice);
      show();
    });
  }
  show();
}
