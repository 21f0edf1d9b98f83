import type { VNode } from 'preact';
import { useApp } from './app.ts';
import { KEYS } from './keys.ts';
import type { Settings } from './store.ts';

/** Keys, what costs a call, settings. */

const COSTS: readonly [what: string, calls: string][] = [
  [
    'Opening the page, moving, filtering what is loaded, previewing colours and sizes, copying',
    '0',
  ],
  ['Icons of this machine: cache, lock file, installed sets', '0'],
  ['A search of the catalog, each page of it', '1'],
  ['The same search again within 24 hours', '0'],
  ['Suggestions, the list of collections, one collection', '1'],
  ['Adding an icon that is not on this machine', '1'],
];

export function HelpView(): VNode {
  const app = useApp();
  const { settings } = app.store.get();
  const set = (change: Partial<Settings>): void =>
    app.store.set({ settings: { ...settings, ...change } });
  return (
    <div class="help">
      <h1>Help</h1>
      <section aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <p class="dim">Single letters count while the grid or the details have the focus.</p>
        <dl class="keys">
          {KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                {keys
                  .split('  ')
                  .map((key) => (key.trim() === 'or' ? ' or ' : <kbd key={key}>{key.trim()}</kbd>))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="costs">
        <h2 id="costs">What costs a call</h2>
        <p class="dim">
          A catalog counts signed calls. Nothing here makes one that you did not ask for.
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Calls</th>
            </tr>
          </thead>
          <tbody>
            {COSTS.map(([what, calls]) => (
              <tr key={what}>
                <td>{what}</td>
                <td>{calls}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <label class="setting">
          <input
            type="checkbox"
            checked={settings.auto}
            onChange={() => set({ auto: !settings.auto })}
          />
          <span>
            Search the catalog while typing, after a rest and three letters{' '}
            <span class="dim">(1 call each)</span>
          </span>
        </label>
        <label class="setting">
          <input
            type="checkbox"
            checked={settings.keys}
            onChange={() => set({ keys: !settings.keys })}
          />
          <span>Shortcuts of a single key</span>
        </label>
      </section>
    </div>
  );
}
