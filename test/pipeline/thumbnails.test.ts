import { expect, it } from 'vitest';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createThumbnails } from '../../src/pipeline/thumbnails.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

it('pictures are fetched from the hosts that `catalog.assetHosts` names, and from the catalog', async () => {
  const baseUrl = 'https://api.catalog.example';
  const options = resolveOptions(
    {
      catalog: { baseUrl, key: 'a-key', secret: 'a-secret', assetHosts: ['static.example'] },
      cacheDir: await temporaryFolder(),
    },
    { root: '/', env: {} },
  );
  const asked: string[] = [];
  const fetch = ({ url }: Request): Promise<Response> => {
    asked.push(url);
    return Promise.resolve(new Response(PNG));
  };
  const connection = { access: () => Promise.resolve({ baseUrl, fetch }) };
  const addresses = [
    `${baseUrl}/1.png`,
    'https://static.example/2.png',
    'https://other.example/3.png',
  ];

  const pictures = await createThumbnails(options, { connection, env: {} }).getAll(
    addresses.map((address, at) => ({ id: String(at + 1), address })),
  );

  expect(asked).toEqual(addresses.slice(0, 2));
  expect(pictures.map((picture) => picture !== undefined)).toEqual([true, true, false]);
});
