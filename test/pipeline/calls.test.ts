import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIcons, type Icons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ latency: 5 });
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

function iconsWith(cacheDir: string, options: Options = {}): Icons {
  const { url: baseUrl, key, secret } = catalog;
  return createIcons(
    { catalog: { baseUrl, key, secret }, cacheDir, ...options },
    { root: cacheDir, env: {}, log: recordingLog() },
  );
}

async function loadAll(icons: Icons, specifiers: string[]): Promise<string[]> {
  const modules = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
  await icons.close();
  return modules.map(({ code }) => code);
}

describe('what a build costs', () => {
  it('is two calls an icon cold and none warm, however many variants ask at once', async () => {
    const cacheDir = await temporaryFolder();
    const specifiers = iconIds('tabler', 100).flatMap((id) => [
      `icon:${id}`,
      `icon:${id}?color=ff0000&size=32`,
      `icon:${id}?color=%2300f&as=data`,
    ]);
    const cold = await loadAll(iconsWith(cacheDir, { concurrency: 8 }), specifiers);
    expect(catalog.calls).toHaveLength(200);
    expect(new Set(catalog.calls).size).toBe(200);
    expect(catalog.peak).toBe(8);

    catalog.reset();
    const warm = await loadAll(iconsWith(cacheDir), specifiers);
    expect(catalog.calls).toEqual([]);
    expect(warm).toEqual(cold);
  });

  it('is one record and one download for five colours in three sizes', async () => {
    const [id = 0] = iconIds('maki', 1);
    const colors = ['currentColor', 'ff0000', '0a0', '#123456', 'ffffff'];
    const specifiers = colors.flatMap((color) =>
      [16, '1.5em', 128].map((size) => `icon:${id}?color=${color}&size=${size}`),
    );
    const codes = await loadAll(iconsWith(await temporaryFolder()), specifiers);
    expect(catalog.calls.toSorted()).toEqual([`GET /v2/icon/${id}`, `GET /v2/icon/${id}/download`]);
    expect(new Set(codes).size).toBe(15);
  });

  it('bounds calls of icons that are found late', async () => {
    const icons = iconsWith(await temporaryFolder(), { concurrency: 3 });
    const ids = iconIds('tabler', 30);
    const loading: Promise<unknown>[] = [];
    for (const id of ids) {
      loading.push(icons.load(`icon:${id}`));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(loading);
    await icons.close();
    expect(catalog.peak).toBe(3);
    expect(catalog.calls).toHaveLength(60);
  });

  it('needs neither address nor key once the project was built with them', async () => {
    const cacheDir = await temporaryFolder();
    const [id = 0] = iconIds('maki', 1);
    const [cold] = await loadAll(iconsWith(cacheDir), [`icon:${id}`]);
    catalog.reset();
    const keyless = createIcons({ cacheDir }, { root: cacheDir, env: {}, log: recordingLog() });
    const { code } = await keyless.load(`icon:${id}`);
    await keyless.close();
    expect(code).toBe(cold);
    expect(catalog.calls).toEqual([]);
  });

  it('stops before the call that would exceed the budget', async () => {
    const icons = iconsWith(await temporaryFolder(), { budget: 5 });
    const ids = iconIds('tabler', 10);
    const results = await Promise.allSettled(ids.map((id) => icons.load(`icon:${id}`)));
    await icons.close();
    expect(catalog.calls).toHaveLength(5);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.length).toBeGreaterThanOrEqual(5);
    expect(failed.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      failed.map(() => 'BUDGET_EXCEEDED'),
    );
  });

  it('ends with the limit of the key, and says which icons are still missing', async () => {
    const icons = iconsWith(await temporaryFolder(), { concurrency: 2 });
    let answered = 0;
    catalog.intercept = (_path, response) => {
      answered += 1;
      if (answered <= 4) return false;
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"message":"limit"}');
      return true;
    };
    const ids = iconIds('tabler', 20);
    const results = await Promise.allSettled(ids.map((id) => icons.load(`icon:${id}`)));
    await icons.close();
    expect(catalog.calls.length).toBeLessThanOrEqual(6);
    expectNamedOnce(results, ids, 'CATALOG_USAGE_LIMIT');
  });

  it('ends with a catalog that hangs after one wave of calls, and names each missing icon once', async () => {
    const icons = iconsWith(await temporaryFolder(), { timeout: 150 });
    catalog.intercept = () => true;
    const ids = iconIds('tabler', 300);
    const results = await Promise.allSettled(ids.map((id) => icons.load(`icon:${id}`)));
    await icons.close();
    // If each of the 300 icons was waited for, there would be 900 calls.
    expect(catalog.calls.length).toBeLessThanOrEqual(16);
    expectNamedOnce(results, ids, 'CATALOG_UNAVAILABLE');
  });

  it.each([401, 403])(
    'ends with a key that is refused with %i, after one wave of calls',
    async (status) => {
      const icons = iconsWith(await temporaryFolder(), {});
      catalog.intercept = (_path, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}');
        return true;
      };
      const ids = iconIds('tabler', 100);
      const results = await Promise.allSettled(ids.map((id) => icons.load(`icon:${id}`)));
      await icons.close();
      expect(catalog.calls.length).toBeLessThanOrEqual(8);
      expectNamedOnce(results, ids, status === 401 ? 'CATALOG_UNAUTHORIZED' : 'CATALOG_FORBIDDEN');
    },
  );

  it('goes on where a key may not have some of the files', async () => {
    const icons = iconsWith(await temporaryFolder(), { concurrency: 1 });
    const ids = iconIds('tabler', 6);
    catalog.intercept = (path, response) => {
      if (!ids.slice(0, 4).some((id) => path.startsWith(`/v2/icon/${id}/download`))) return false;
      response.writeHead(403, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const results = await Promise.allSettled(ids.map((id) => icons.load(`icon:${id}`)));
    await icons.close();
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'rejected'),
      'fulfilled',
      'fulfilled',
    ]);
  });
});

/** One error of the build names all icons that failed, and each of them once. */
function expectNamedOnce(
  results: readonly PromiseSettledResult<unknown>[],
  ids: readonly number[],
  code: string,
): void {
  const messages = results.flatMap((result) =>
    result.status === 'rejected' ? [String(result.reason)] : [],
  );
  for (const message of messages) expect(message).toContain(code);
  const lists = messages.filter((message) => message.includes('Still missing: '));
  expect(lists).toHaveLength(1);
  const list = lists[0]!.split('Still missing: ')[1]!;
  const failed = ids.filter((_, index) => results[index]?.status === 'rejected');
  for (const id of failed) expect(list.split(`icon:${id}`)).toHaveLength(2);
}

describe('an answer about another icon', () => {
  it.each(['record', 'file'] as const)('leaves neither in lock nor cache: %s', async (kind) => {
    const folder = await temporaryFolder();
    const [asked = 0, other = 0] = iconIds('maki', 2);
    catalog.intercept = (path, response) => {
      if (path.includes('/download') !== (kind === 'file')) return false;
      const file = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
      const body =
        kind === 'file'
          ? { icon_id: other, content_type: 'image/svg+xml', base64_encoded_file: file }
          : { icon: { id: `${other}`, term: 'Other', license_description: 'public-domain' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
      return true;
    };
    const icons = iconsWith(folder);
    await expect(icons.load(`icon:${asked}`)).rejects.toMatchObject({ code: 'CATALOG_MALFORMED' });
    await icons.close();
    const lock = await readFile(join(folder, 'icons.lock'), 'utf8').catch(() => '');
    expect(lock).not.toMatch(new RegExp(`"(?:${asked}|${other}):`));

    catalog.intercept = undefined;
    catalog.reset();
    const both = [asked, other].map((id) => `icon:${id}`);
    const codes = await loadAll(iconsWith(folder), both);
    expect(catalog.calls).toContain(`GET /v2/icon/${other}`);
    for (const id of [asked, other]) expect(catalog.calls).toContain(`GET /v2/icon/${id}/download`);
    expect(codes).toEqual(await loadAll(iconsWith(await temporaryFolder()), both));
  });
});
