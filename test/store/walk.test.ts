import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn } from '../../src/store/walk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-project.ts';

describe('the files of a folder', () => {
  it('are those below it and links to files; links to folders are not followed', async () => {
    const root = await temporaryFolder();
    const outside = await temporaryFolder();
    await writeFiles(outside, { 'far.svg': '' });
    await writeFiles(root, {
      'b/2.svg': '',
      'a.svg': '',
      'b/c/3.txt': '',
      'node_modules/x.svg': '',
    });
    await symlink('../a.svg', join(root, 'b/link.svg'));
    await symlink('nowhere.svg', join(root, 'dangling.svg'));
    await symlink('.', join(root, 'circle'));
    await symlink(outside, join(root, 'outside'));

    expect(await filesIn(root)).toEqual([
      'a.svg',
      'b/2.svg',
      'b/c/3.txt',
      'b/link.svg',
      'node_modules/x.svg',
    ]);
    const isSkipped = (name: string): boolean => name === 'node_modules' || name === 'c';
    expect(await filesIn(root, { isSkipped })).toEqual(['a.svg', 'b/2.svg', 'b/link.svg']);
    // The folder itself may be a link.
    expect(await filesIn(join(root, 'outside'))).toEqual(['far.svg']);
  });

  it('are not more than a folder holds in which they have been enough', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { '1.svg': '', '2.svg': '', 'deep/3.svg': '' });
    expect(await filesIn(root, { most: 1 })).toEqual(['1.svg', '2.svg']);
  });

  it('fail as the file system does if the folder is not there', async () => {
    await expect(filesIn(join(await temporaryFolder(), 'none'))).rejects.toThrow('ENOENT');
  });
});
