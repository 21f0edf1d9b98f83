import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicSigns, vendorNotice } from '../../src/pipeline/vendor.ts';
import { writeReuse } from '../../src/project/sync.ts';
import { record } from '../attribution/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-project.ts';

const vendorFile = 'icons.vendor.ndjson';
const PRIVATE = '{"private":true}';

/** A project with this manifest, in a repository with this remote. */
async function project(manifest: string, remote?: string): Promise<string> {
  const root = await temporaryFolder();
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root });
  git('init', '-q');
  if (remote !== undefined) git('remote', 'add', 'origin', remote);
  await writeFiles(root, { 'package.json': manifest });
  return root;
}

describe('a repository looks public', () => {
  it.each([
    ['git@github.com:owner/name.git', 'github.com'],
    ['https://user:hidden-token@gitlab.com/owner/name', 'gitlab.com'],
    ['ssh://git@codeberg.org:22/owner/name.git', 'codeberg.org'],
  ])('where it pushes to %s', async (remote, host) => {
    expect(await publicSigns(await project(PRIVATE, remote))).toEqual([`git pushes to ${host}`]);
  });

  it.each(['git@git.corp.example:o/n.git', '/srv/git/github.com/n.git', 'https://notgithub.com/x'])(
    'but not where it pushes to %s',
    async (remote) => {
      expect(await publicSigns(await project(PRIVATE, remote))).toEqual([]);
    },
  );

  it.each([
    ['{}', ['package.json does not say "private": true']],
    [PRIVATE, []],
    [
      '{"private":true,"repository":"owner/name"}',
      ['package.json names a repository on github.com'],
    ],
    [
      '{"private":true,"repository":"gitlab:o/n"}',
      ['package.json names a repository on gitlab.com'],
    ],
    [
      '{"private":true,"repository":{"url":"git+https://github.com/o/n.git"}}',
      ['package.json names a repository on github.com'],
    ],
    ['{"private":true,"repository":"https://git.corp.example/o/n"}', []],
    ['no json', []],
  ])('by its manifest %s', async (manifest, signs) => {
    expect(await publicSigns(await project(manifest))).toEqual(signs);
  });

  it('also from a package within it, and from a worktree of it', async () => {
    const root = await project(PRIVATE, 'git@github.com:owner/name.git');
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root });
    await writeFiles(root, { 'packages/app/package.json': PRIVATE });
    git(...identity, 'commit', '-qm', 'one', '--allow-empty');
    const tree = join(await temporaryFolder(), 'tree');
    git('worktree', 'add', '-q', tree);
    for (const folder of [join(root, 'packages/app'), tree])
      expect(await publicSigns(folder)).toEqual(['git pushes to github.com']);
    await writeFiles(root, { 'packages/app/src/page.js': '', 'packages/app/package.json': '{}' });
    expect(await publicSigns(join(root, 'packages/app/src'))).toEqual([
      'package.json does not say "private": true',
      'git pushes to github.com',
    ]);
  });
});

describe('the warning about a vendor file', () => {
  const records = [
    record({ id: '123' }),
    record({ id: '45' }),
    record({ id: '7', license_description: 'public-domain' }),
    record({ id: '8', license_description: 'MIT' }),
    record({ id: '9', license_description: 'house rules' }),
  ];

  it('names the licences and their icons, and no address', async () => {
    const root = await project(PRIVATE, 'https://user:hidden-token@github.com/o/n');
    const notice = await vendorNotice({ root, vendorFile, records, assert: {} });
    expect(notice).toMatchInlineSnapshot(`
      "icons.vendor.ndjson holds icons as the catalog sent them, and this repository looks public (git pushes to github.com): who commits the file redistributes them, under conditions of
        MIT License: icon 8
        Unknown licence, called “house rules” by the catalog: icon 9
        Creative Commons Attribution, version not stated by the catalog: icons 45, 123
        State whose they are in REUSE.toml or in icons.vendor.ndjson.license, and this warning ends: \`icon-catalog sync --reuse\` writes it."
    `);
  });

  it('is left out in a private project, and for icons that may be passed on as one likes', async () => {
    const secret = await project(PRIVATE);
    expect(await vendorNotice({ root: secret, vendorFile, records, assert: {} })).toBeUndefined();
    const root = await project('{}');
    const free = records.slice(2, 3);
    expect(await vendorNotice({ root, vendorFile, records: free, assert: {} })).toBeUndefined();
  });

  it('ends with REUSE files or a .license file', async () => {
    const one = await project('{}');
    await writeReuse(one, { files: ['icons.lock', vendorFile], records, assert: {} });
    expect(await vendorNotice({ root: one, vendorFile, records, assert: {} })).toBeUndefined();
    const other = await project('{}');
    await writeFiles(other, { [`${vendorFile}.license`]: 'SPDX-License-Identifier: MIT\n' });
    expect(await vendorNotice({ root: other, vendorFile, records, assert: {} })).toBeUndefined();
  });
});
