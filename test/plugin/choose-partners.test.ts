import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { choosePartners } from '../../src/plugin/choose-partners.ts';
import type { Fragment } from '../../src/plugin/fragment.ts';
import { withoutOverwritten } from '../../src/plugin/still-shipped.ts';

let built = 0;
function fragment(id: string, folder: string, { bundler = 'vite', file = `${id}.js` } = {}) {
  const made: Fragment = {
    build: { id, bundler, consumer: 'client', precision: 'emitted' },
    usages: [{ id: 'icon:1#', file, kind: 'inline-js' }],
    complete: true,
    folder: resolve(folder),
    entries: '',
    expected: [],
    order: (built += 1),
    sizes: {},
    published: {},
    told: '',
  };
  return made;
}

it('the server of a project belongs to the client beside it, not to that of another edition', () => {
  const staging = fragment('client', 'staging/client');
  const production = fragment('client', 'production/client');
  const server = fragment('ssr', 'staging/server');
  const all = [staging, production, server];
  expect(choosePartners(server, all)).toEqual([staging]);
  expect(choosePartners(staging, all)).toEqual([server]);
});

it('of two that are as near, the last one counts', () => {
  const [, last, server] = [fragment('client', 'a'), fragment('client', 'b'), fragment('ssr', 'c')];
  expect(choosePartners(server, [last, fragment('client', 'd'), server])).not.toEqual([last]);
  expect(choosePartners(server, [last, server])).toEqual([last]);
});

it('other bundlers count where they write to the same folder', () => {
  const client = fragment('client', 'dist');
  const same = fragment('esbuild', 'dist', { bundler: 'esbuild' });
  const elsewhere = fragment('esbuild', 'other', { bundler: 'esbuild' });
  expect(choosePartners(client, [client, same, elsewhere])).toEqual([same]);
});

it('a file speaks for whoever wrote it last', () => {
  const first = fragment('webpack', 'dist', { bundler: 'webpack', file: 'main.js' });
  const second = fragment('rspack', 'dist', { bundler: 'rspack', file: 'main.js' });
  const third = fragment('rspack', 'other', { bundler: 'rspack', file: 'main.js' });
  expect(withoutOverwritten([first, second, third])).toEqual([second, third]);
});
