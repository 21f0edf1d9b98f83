import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const KEY = 'k3y-that-must-not-be-seen';
const SECRET = 's3cret-that-must-not-be-seen';
const FORBIDDEN = [KEY, SECRET, 'oauth_', 'Signature=', 'Expires='];

describe('secrets', () => {
  it('are in no output, cache or log, of good builds and failed ones', async () => {
    const catalog = await startCountingCatalog({
      keys: [{ key: KEY, secret: SECRET, monthlyLimit: 100 }],
    });
    onTestFinished(() => catalog.close());
    const [one, two, three] = iconIds('maki', 3);
    const lines: string[] = [];
    const keep = (message: string): void => void lines.push(message);
    const logger = {
      info: keep,
      warn: keep,
      warnOnce: keep,
      error: keep,
      clearScreen: () => undefined,
      hasErrorLogged: () => false,
      hasWarned: false,
    };
    const root = await writeProject({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import a from 'icon:${one}'; import b from 'icon:${two}?url'; import c from 'icon:${three}?filetype=png&size=64'; import d from 'icon:credits'; console.log(a, b, c, d);`,
    });
    const cacheDir = join(root, '.cache');
    const { url: baseUrl, key, secret } = catalog;
    const options = { root, configFile: false, customLogger: logger } as const;
    const plugin = (retries: number) =>
      vitePlugin({ catalog: { baseUrl, key, secret }, cacheDir, retries });
    await build({ ...options, plugins: [plugin(0)] });
    const searched = [...(await readTree(join(root, 'dist'))), ...(await readTree(cacheDir))];
    expect(searched.length).toBeGreaterThan(10);
    expect(lines.join('\n')).toContain('6 signed calls');

    const failures = [
      (response: import('node:http').ServerResponse) =>
        response.writeHead(401).end(`bad signature for ${KEY} ${SECRET} oauth_signature="x"`),
      (response: import('node:http').ServerResponse) =>
        response.writeHead(500).end(`https://x.example/a.svg?Expires=1&Signature=abc`),
      (response: import('node:http').ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"icon":'),
      (response: import('node:http').ServerResponse) => response.destroy(),
    ];
    for (const [index, fail] of failures.entries()) {
      const other = join(root, `.cache-${index}`);
      catalog.intercept = (_path, response) => {
        fail(response);
        return true;
      };
      const failed = build({
        ...options,
        plugins: [vitePlugin({ catalog: { baseUrl, key, secret }, cacheDir: other, retries: 0 })],
      });
      const error: unknown = await failed.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Error);
      lines.push(String(error), (error as Error).stack ?? '', JSON.stringify(error));
      searched.push(...(await readTree(other)));
    }

    for (const word of FORBIDDEN) {
      expect(lines.join('\n')).not.toContain(word);
      for (const [path, bytes] of searched)
        expect(`${path}: ${bytes.includes(word)}`).toBe(`${path}: false`);
    }
  });
});
