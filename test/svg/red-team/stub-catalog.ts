import { createIcons, type Icons } from '../../../src/icons.ts';
import type { Options } from '../../../src/options/options.ts';
import { recordingLog } from '../../support/recording-log.ts';

const usage_limits = { monthly: { limit: 1_000_000, usage: 1 } };

/**
 * The library on a catalog that answers with these files.
 * @param words what every field of a record that untrusted people fill in says
 */
export function iconsOf(
  files: ReadonlyMap<number, Uint8Array>,
  { root, words = 'Star', ...options }: Options & { root: string; words?: string },
): Icons {
  const creator = {
    name: words,
    permalink: `/creator/${encodeURIComponent('a')}`,
    username: words,
  };
  const record = (id: string): object => ({
    id,
    term: words,
    attribution: words,
    creator,
    collections: [{ id: '1', name: words, permalink: words, creator }],
    license_description: 'public-domain',
    permalink: `javascript:${words}`,
    styles: [{ style: words }],
    tags: [words],
    thumbnail_url: words,
  });
  const fetch = async ({ url }: Request): Promise<Response> => {
    const [, id = '', download] = /\/v2\/icon\/(\d+)(\/download)?/.exec(url) ?? [];
    const bytes = Buffer.from(files.get(Number(id)) ?? []);
    return Response.json(
      download === undefined
        ? { generated_at: '', usage_limits, icon: record(id) }
        : {
            usage_limits,
            content_type: 'image/svg+xml',
            base64_encoded_file: bytes.toString('base64'),
          },
    );
  };
  return createIcons(
    {
      catalog: { baseUrl: 'https://catalog.example', key: 'stub-key', secret: 'stub-secret' },
      cacheDir: `${root}/cache`,
      ...options,
    },
    { root, env: {}, log: recordingLog(), fetch },
  );
}