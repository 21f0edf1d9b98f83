/** The icon browser in the toolbar of Astro's dev server: its page in a panel. Astro loads this file in browsers. */

/** What is used of the interface of Astro's toolbar. */
interface ToolbarApp {
  onToggled(toggled: (change: { state: boolean }) => void): void;
  toggleState(change: { state: boolean }): void;
}

const STYLE = `
.panel { position: fixed; z-index: 9999999999; inset: 16px 16px 84px; max-width: 1280px; margin: 0 auto; display: flex;
  overflow: hidden; border: 1px solid #7773; border-radius: 12px; background: Canvas; color-scheme: light dark;
  box-shadow: 0 12px 48px #0006; }
.panel[hidden] { display: none; }
iframe { flex: 1; border: 0; }`;

const toolbarApp: { init(canvas: ShadowRoot, app: ToolbarApp): void } = {
  init(canvas, app) {
    const panel = document.createElement('div');
    const style = document.createElement('style');
    const frame = document.createElement('iframe');
    style.textContent = STYLE;
    panel.className = 'panel';
    panel.hidden = true;
    frame.title = 'Icons';
    panel.append(frame);
    canvas.append(style, panel);
    // The page handles the key as long as it has something to close.
    frame.addEventListener('load', () => {
      frame.contentWindow?.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) app.toggleState({ state: false });
      });
    });
    app.onToggled(({ state }) => {
      panel.hidden = !state;
      if (state && frame.src === '') frame.src = address();
      if (state) frame.focus();
    });
  },
};

/** Vite puts the base of the site in place of this name. */
function address(): string {
  const base = (import.meta as unknown as { env: { BASE_URL: string } }).env.BASE_URL;
  return `${base.replace(/\/$/, '')}/__icon-catalog/`;
}

export default toolbarApp;
