import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { ALIASES, BUNDLERS, createProject } from './project.ts';
import type { Build, Project, Shown } from './project.ts';
import { creditsOf } from './read-build.ts';

let catalog: CountingCatalog;
let project: Project;
/** The same project on another place of the machine. */
let other: Project;
let first: Build;
let shownFirst: Shown;

/** One build, by one bundler, with a catalog. Then the catalog is gone for good. */
beforeAll(async () => {
  [catalog, project, other] = await Promise.all([
    startCountingCatalog(),
    createProject(),
    createProject(),
  ]);
  first = await project.build('esbuild', { cache: 'shared', catalog });
  shownFirst = await project.show('esbuild');
  await catalog.close();
});
afterAll(() => Promise.all([project.remove(), other.remove()]));

/** An address on which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe.each(BUNDLERS)('%s without a catalog', (bundler) => {
  it('builds from what another bundler has left in the cache for another project', async () => {
    expect(first).toMatchObject({ exitCode: 0 });
    const cache = join(project.root, '.icons/shared');
    const { exitCode, said, output } = await other.build(bundler, { cache, catalog });
    expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
    const shown = await other.show(bundler);
    expect(shown.markup).toEqual(shownFirst.markup);
    expect(shown.lazy.markup).toEqual(shownFirst.lazy.markup);
    expect(shown.credits).toEqual(shownFirst.credits);
    expect(creditsOf({ output })).toEqual(creditsOf(first));
  });

  it('fails with an empty cache, and says of which import', async () => {
    const dead = { url: await deadAddress(), key: 'a-key', secret: 'a-secret', calls: [] };
    const cache = `none-${bundler}`;
    const options = { retries: 0 };
    const failed = await project.build(bundler, { cache, catalog: dead, options });
    const { exitCode, said, output } = failed;
    expect(exitCode).toBeGreaterThan(0);
    expect([...output.keys()]).toEqual([]);
    // One error for all icons.
    expect(said.match(/\[CATALOG_UNAVAILABLE\]/g)).toHaveLength(1);
    expect(said).toContain('the connection was refused');
    expect(said).toMatch(/imported by \S*src.(?:main|lazy|barrel)\.js/);
    expect(said).toContain('Check the network and the address of the catalog');
    expect(said).not.toMatch(/a-key|a-secret|oauth_/);
  });
});

describe('a key that the catalog refuses', () => {
  let refusing: CountingCatalog;
  beforeAll(async () => {
    refusing = await startCountingCatalog();
    refusing.intercept = (_path, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
  });
  afterAll(() => refusing.close());

  // All of them are shown above what they print of one error.
  it.each(['vite', 'webpack', 'esbuild'] as const)(
    'is one error for all icons in %s',
    async (bundler) => {
      const cache = `refused-${bundler}`;
      const { exitCode, said, output } = await project.build(bundler, { cache, catalog: refusing });
      expect(exitCode).toBeGreaterThan(0);
      expect([...output.keys()]).toEqual([]);
      expect(said.match(/\[CATALOG_UNAUTHORIZED\]/g)).toHaveLength(1);
      const [reason = '', list = ''] = said.split('The icons are:');
      expect(reason).toContain(
        '[CATALOG_UNAUTHORIZED] The catalog refused the signature or the key',
      );
      // Each with its place; a build that ends at the first error would name none of the lazy part.
      expect(list).toMatch(/icon:home\S*, imported by \S*src.main\.js:\d+:\d+/);
      expect(list).toMatch(/imported by \S*src.lazy\.js:\d+:\d+/);
    },
  );
});

describe('without anything configured', () => {
  it.each(BUNDLERS)('%s builds from the cache', async (bundler) => {
    const { exitCode, said, output } = await project.build(bundler, { cache: 'shared' });
    expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
    expect(creditsOf({ output })).toEqual(creditsOf(first));
  });

  it.each(BUNDLERS)('%s says what to configure where the cache is empty', async (bundler) => {
    const { exitCode, said } = await project.build(bundler, { cache: `unset-${bundler}` });
    expect(exitCode).toBeGreaterThan(0);
    expect(said).toContain(join('src', 'main.js'));
    // One error for all icons, and one sentence of what to do.
    expect(said.match(/\[CATALOG_NOT_CONFIGURED\]/g)).toHaveLength(1);
    expect(said.match(/set ICON_CATALOG_URL, ICON_CATALOG_KEY/g)).toHaveLength(1);
    // Rolldown and esbuild print their own call stack below every error, those of their own too.
    const own = /node_modules\/(?:rolldown|esbuild)\//;
    const frames = (said.match(/^ +at .*/gm) ?? []).filter(
      (frame) => !['rolldown', 'esbuild'].includes(bundler) || !own.test(frame),
    );
    expect(frames).toEqual([]);
    // Nor does the code of this package help anybody, which Bun would show.
    expect(said).not.toMatch(/^\d+ \| /m);
  });
});

describe('an import that is written wrongly', () => {
  it.each(BUNDLERS)('is reported by %s with the file and the nearest spelling', async (bundler) => {
    const { home = 0, ...others } = ALIASES;
    const options = { aliases: { ...others, house: home, hom: home } };
    const { exitCode, said } = await project.build(bundler, { cache: 'shared', catalog, options });
    expect(exitCode).toBeGreaterThan(0);
    expect(said).toContain('SPECIFIER_INVALID');
    expect(said).toContain('icon:home');
    expect(said).toContain('icon:hom');
    expect(said).toMatch(/imported by \S*src.(?:main|lazy)\.js/);
  });
});
