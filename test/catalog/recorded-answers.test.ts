import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CatalogClient } from '../../src/client.ts';
import { openSession } from './support.ts';

interface Recorded {
  /** What is special about the answer. */
  name: string;
  /** Path of the call. */
  path: string;
  body: unknown;
}

/** Answers in the shapes that a live service of this interface sends; names and numbers are made up. */
const { answers } = JSON.parse(
  readFileSync(new URL('recorded-answers.json', import.meta.url), 'utf8'),
) as { answers: Recorded[] };

/** The method of the client whose call has this path. */
function call(client: CatalogClient, path: string): Promise<unknown> {
  const [first = '', second = '', third = '', fourth = ''] = path.slice(1).split('/');
  const { v1 } = client;
  if (first === 'v2') {
    if (second === 'client') return third === 'usage' ? client.usage() : client.blacklist();
    if (second === 'collection') return third ? client.collection(third) : client.collections();
    if (third === 'autocomplete') return client.autocomplete('a');
    if (fourth === 'download') return client.download(third);
    return third ? client.icon(third) : client.icons();
  }
  if (first === 'oauth') return v1.usage();
  if (first === 'collections') return v1.collections();
  if (first === 'collection') return third ? v1.collectionIcons(second) : v1.collection(second);
  if (first === 'icon') return v1.icon(second);
  if (first === 'icons') return v1.icons(second);
  if (third === 'uploads') return v1.userUploads(second);
  return fourth ? v1.userCollection(second, fourth) : v1.userCollections(second);
}

/** Everything in the answer that is not in what the client made of it, by its path. */
function lost(sent: unknown, read: unknown, path = ''): string[] {
  const said = (value: unknown): boolean => value !== null && value !== '';
  if (typeof sent !== 'object' || sent === null) {
    return said(sent) && String(sent) !== String(read) ? [path] : [];
  }
  // An unknown person is said as an empty object.
  const entries = Object.entries(sent).filter(([, value]) => said(value));
  return entries.flatMap(([field, value]) =>
    lost(value, Reflect.get(Object(read) as object, field), `${path}.${field}`),
  );
}

describe('recorded answers', () => {
  it('are at least 36', () => expect(answers.length).toBeGreaterThanOrEqual(36));

  it.each(answers)('$name ($path)', async ({ path, body }) => {
    const seen: string[] = [];
    const { client } = openSession({
      baseUrl: 'http://recorded.invalid',
      fetch: (request) => {
        seen.push(new URL(request.url).pathname);
        return Promise.resolve(Response.json(body));
      },
    });
    const read = await call(client, path);
    expect(seen).toEqual([path]);
    expect(lost(body, read)).toEqual([]);
  });
});
