import { expect, it, onTestFinished } from 'vitest';
import { createServer } from 'vite';
import { pickerState } from '../../src/picker/shell.ts';
import vitePlugin from '../../src/vite.ts';
import { writeProject } from '../support/write-project.ts';

it('answers the first requests of a page, which arrive together', async () => {
  const root = await writeProject({
    'icon-catalog.config.json': JSON.stringify({
      catalog: { embedded: { sets: [], folders: [{ path: 'art', name: 'art' }] } },
      cacheDir: '.cache',
    }),
    'art/bus.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M1 1h9v9z"/></svg>',
  });
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
    plugins: [vitePlugin()],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  const { token } = pickerState(root);
  const ask = async (name: string, body: object): Promise<number> => {
    const response = await fetch(`${url}__icon-catalog/api/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        origin: new URL(url).origin,
      },
      body: JSON.stringify(body),
    });
    return response.status;
  };
  const search = { query: 'bus', remote: true };
  const first = [ask('project', { opened: true }), ask('collections', { remote: true })];
  const others = ['bus', 'car', 'park'].map((query) => ask('search', { ...search, query }));
  expect(await Promise.all([...first, ...others])).toEqual([200, 200, 200, 200, 200]);
});
