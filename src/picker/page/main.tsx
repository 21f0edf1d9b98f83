import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { View } from './address.ts';
import { type App, AppProvider, createApp, useApp, useStore } from './app.ts';
import { BagBar, BagView } from './bag-view.tsx';
import { keepToken } from './client.ts';
import { CollectionsView } from './collections-view.tsx';
import { Detail } from './detail.tsx';
import { HelpView } from './help-view.tsx';
import { focusCell, listenToKeys } from './keys.ts';
import { forgetBroken, Mark, MarkButton, Sign } from './pictures.tsx';
import { Notices } from './notices.tsx';
import { ProjectView } from './project-view.tsx';
import { SearchView } from './search-view.tsx';
import { findIcon, type Settings, type State } from './store.ts';
import { formatNumber, plain } from './text.ts';

/** What stands around every screen. */

const VIEWS: readonly [view: View, label: string][] = [
  ['search', 'Search'],
  ['collections', 'Collections'],
  ['project', 'This project'],
  ['bag', 'Bag'],
  ['help', 'Help'],
];

const THEMES: readonly Settings['theme'][] = ['auto', 'light', 'dark'];

function Screen({ view }: { view: View }): VNode {
  if (view === 'collections') return <CollectionsView />;
  if (view === 'project') return <ProjectView />;
  if (view === 'bag') return <BagView />;
  if (view === 'help') return <HelpView />;
  return <SearchView />;
}

function titleOf({ place, project }: State): string {
  const screen = VIEWS.find(([view]) => view === place.view)?.[1] ?? '';
  const what = place.view === 'search' && place.query !== '' ? plain(place.query, 40) : screen;
  return `${what} · Icons${project === undefined ? '' : ` of ${plain(project.name, 40)}`}`;
}

/** What the screen lists is there, so that the page is as high as it was. */
function isLoaded({ place, results, local, collections, shown, project }: State): boolean {
  if (place.view === 'search') return (results ?? local)?.status === 'done';
  if (place.view === 'project') return project !== undefined;
  if (place.view !== 'collections') return true;
  return (place.collection === undefined ? collections : shown)?.status === 'done';
}

/** Scrolls to where the entry of the history was left, once the page is as high again. */
function useRestoredScroll(app: App, isReady: boolean): void {
  // After each draw: an entry of the history may lead to a screen that is loaded already.
  useLayoutEffect(() => {
    const { restored } = app.navigation;
    if (!isReady || restored === undefined) return;
    app.navigation.restored = undefined;
    // Rows are measured in this frame; the height is right in the next one.
    requestAnimationFrame(() => scrollTo(0, restored.y ?? 0));
  });
}

function Shell(): VNode {
  const app = useApp();
  const state = useStore(app.store);
  const { place, settings } = state;
  const isOpen = place.icon !== undefined && findIcon(state, place.icon) !== undefined;
  // Before the pictures are drawn.
  useMemo(forgetBroken, [state.connection]);
  const top = useMemo(() => scrollY, [isOpen]);
  useRestoredScroll(app, isLoaded(state));
  useEffect(() => listenToKeys(app), [app]);
  useEffect(() => {
    document.title = titleOf(state);
  });
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (settings.theme === 'auto') delete dataset['theme'];
    else dataset['theme'] = settings.theme;
  }, [settings.theme]);
  return (
    <div class={`shell${isOpen ? ' with-detail' : ''}`}>
      <Header />
      <div class="body">
        <main id="main" tabIndex={-1}>
          <Notices />
          <Screen view={place.view} />
        </main>
        {isOpen && <Detail key="detail" top={top} />}
      </div>
      {state.bag.length > 0 && place.view !== 'bag' && <BagBar />}
      <Status />
    </div>
  );
}

function Header(): VNode {
  const app = useApp();
  const { place, project, bag, settings, costs } = app.store.get();
  const { theme } = settings;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <header class="top">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address is the search's, and its history holds no places in the page.
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
        Skip to the icons
      </a>
      <p class="brand">
        <Sign />
        <span class="brand-name">{project === undefined ? 'Icons' : plain(project.name, 40)}</span>
        {project !== undefined && (
          <span class="brand-from">
            {project.configured ? plain(project.catalog, 60) : 'no catalog'}
          </span>
        )}
      </p>
      <nav aria-label="Screens">
        {VIEWS.map(([view, label]) => (
          <button
            key={view}
            type="button"
            aria-current={place.view === view ? 'page' : undefined}
            onClick={() => app.go({ view, icon: undefined, collection: undefined })}
          >
            {label}
            {view === 'bag' && bag.length > 0 && <span class="count">{bag.length}</span>}
          </button>
        ))}
      </nav>
      <div class="tools">
        {costs !== undefined && project?.isFree !== true && (
          <p class="meter" title="Signed calls of this session">
            <b>{formatNumber(costs.session)}</b> of {formatNumber(costs.budget)} calls
            {costs.left !== undefined && <span> · {formatNumber(costs.left)} left</span>}
          </p>
        )}
        <MarkButton
          name={theme === 'light' ? 'sun' : theme === 'dark' ? 'moon' : 'auto'}
          label={`Theme: ${theme}. Switch to ${next}`}
          title={`Theme: ${theme}`}
          onClick={() => app.store.set({ settings: { ...settings, theme: next } })}
        />
      </div>
    </header>
  );
}

const TOAST_TIME = 8000;

/** The one place that speaks to screen readers, and the toast. */
function Status(): VNode {
  const app = useApp();
  const { toast } = app.store.get();
  const timer = useRef(0);
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    clearTimeout(timer.current);
    if (toast !== undefined && !isHeld) {
      timer.current = window.setTimeout(() => app.store.set({ toast: undefined }), TOAST_TIME);
    }
  }, [toast, isHeld, app]);
  return (
    <div
      class={`toasts${toast?.tone === 'problem' ? ' problem' : ''}`}
      role="status"
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocusCapture={() => hold(true)}
      onBlurCapture={() => hold(false)}
    >
      {toast !== undefined && (
        <div class="toast">
          {toast.tone !== 'problem' && <Mark name="check" />}
          <span>{plain(toast.text)}</span>
          {toast.undo === true && (
            <button
              type="button"
              onClick={({ detail }) => {
                // It leaves with its focus, which no event tells.
                hold(false);
                void app.take.undo();
                const isKey = detail === 0;
                if (isKey) focusCell(app.store.get().place.icon);
              }}
            >
              Undo
            </button>
          )}
        </div>
      )}
    </div>
  );
}

keepToken();
const app = createApp();
const root = document.querySelector('#app');
if (root !== null) {
  render(
    <AppProvider value={app}>
      <Shell />
    </AppProvider>,
    root,
  );
}
app.browse.arrive();
void app.live.refresh();
// The address of the terminal may be opened in the tab that shows the page already.
addEventListener('hashchange', () => {
  if (keepToken()) void app.live.refresh().then(() => app.browse.arrive());
});
