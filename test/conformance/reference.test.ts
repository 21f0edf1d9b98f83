import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { createCatalogClient } from '../../src/client.ts';
import { methodNames, renderReference } from './support/reference.ts';

const PAGE = new URL('../../docs/reference/interface.md', import.meta.url);
const START =
  '<!-- Made by test/conformance/reference.test.ts from the endpoint table; UPDATE_REFERENCE=1 writes it. -->';
const END = '<!-- end of what is made -->';

/** White space of tables is the formatter's. */
function plain(markdown: string): string {
  return markdown.replace(/ +\|/g, ' |').replace(/\| +/g, '| ').replace(/-{3,}/g, '---').trim();
}

test('the documentation has the tables of the interface as the code has them', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(START);
  const [made = '', after = ''] = rest.split(END);
  expect([before, after].map((text) => text.length > 20)).toEqual([true, true]);
  const wanted = renderReference();
  if (env['UPDATE_REFERENCE'] === '1')
    writeFileSync(PAGE, `${before}${START}\n\n${wanted}\n\n${END}${after}`);
  else expect(plain(made)).toBe(plain(wanted));
});

test('the client has every method that the documentation names', () => {
  const client = createCatalogClient({ baseUrl: 'http://catalog.test', key: 'k', secret: 's' });
  for (const name of methodNames()) {
    const [owner, method] = name.startsWith('v1.') ? [client.v1, name.slice(3)] : [client, name];
    expect([name, typeof Reflect.get(owner, method)]).toEqual([name, 'function']);
  }
});
