import { render } from 'preact';
import { AppProvider, createApp } from './app.ts';
import { keepToken } from './client.ts';
import { Shell } from './shell.tsx';

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
  keepToken();
  void app.live.refresh().then(() => app.browse.arrive());
});
