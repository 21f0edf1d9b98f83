import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReuse } from '../../src/project/sync.ts';
import { record } from '../attribution/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeFiles } from '../support/write-project.ts';

const input = {
  records: [record({ id: '1' }), record({ id: '2', license_description: 'MIT' })],
  assert: {},
  files: ['icons.lock', 'icons.vendor.ndjson'],
};
const TEXT = 'LICENSES/LicenseRef-catalog-creative-commons-attribution.txt';

describe('REUSE files of a project', () => {
  it('are written once, and name the licence texts that are still missing', async () => {
    const root = await temporaryFolder();
    expect(await writeReuse(root, input)).toEqual({
      written: ['REUSE.toml', TEXT],
      removed: [],
      unused: [],
      missing: ['MIT'],
    });
    const before = await stat(join(root, 'REUSE.toml'));
    await writeFiles(root, { 'LICENSES/MIT.txt': 'MIT License' });
    expect(await writeReuse(root, input)).toEqual({
      written: [],
      removed: [],
      unused: [],
      missing: [],
    });
    expect((await stat(join(root, 'REUSE.toml'))).mtimeMs).toBe(before.mtimeMs);
    expect([...(await readTree(root)).keys()].toSorted()).toEqual(
      ['LICENSES/MIT.txt', TEXT, 'REUSE.toml'].toSorted(),
    );
  });

  it('hold the texts of listed licences, if the project has the package that holds them all', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'package.json': '{}',
      'node_modules/spdx-license-list/licenses/MIT.json':
        '{"licenseText": "MIT License\\n\\nText"}',
    });
    const { written, missing } = await writeReuse(root, input);
    expect([written, missing]).toEqual([['REUSE.toml', TEXT, 'LICENSES/MIT.txt'], []]);
    expect(await readFile(join(root, 'LICENSES/MIT.txt'), 'utf8')).toBe('MIT License\n\nText\n');
    await writeFiles(root, { 'LICENSES/MIT.txt': 'Our own copy' });
    expect((await writeReuse(root, input)).written).toEqual([]);
  });

  it('name the texts of listed licences that no icon needs any more, once, and leave them', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'LICENSES/MIT.txt': 'MIT License',
      'LICENSES/ISC.txt': 'ISC License',
    });
    await writeReuse(root, input);
    const rest = { ...input, records: input.records.slice(0, 1) };
    expect((await writeReuse(root, rest)).unused).toEqual(['LICENSES/MIT.txt']);
    expect((await writeReuse(root, rest)).unused).toEqual([]);
    expect(await readFile(join(root, 'LICENSES/MIT.txt'), 'utf8')).toBe('MIT License');
  });

  it('leave what the project wrote, and remove what no icon needs any more', async () => {
    const root = await temporaryFolder();
    const own = 'Terms of our licence with the catalog';
    await writeFiles(root, {
      'LICENSES/LicenseRef-own.txt': own,
      'REUSE.toml': 'version = 1\r\n\r\n[[annotations]]\r\npath = "**"\r\n',
    });
    await writeReuse(root, input);
    const [, mit] = input.records;
    expect(await writeReuse(root, { ...input, records: mit ? [mit] : [] })).toEqual({
      written: ['REUSE.toml'],
      removed: [TEXT],
      unused: [],
      missing: ['MIT'],
    });
    expect(await readFile(join(root, 'LICENSES/LicenseRef-own.txt'), 'utf8')).toBe(own);
    expect(await readFile(join(root, 'REUSE.toml'), 'utf8')).toContain('path = "**"');
    await writeFiles(root, { [TEXT]: own });
    await writeReuse(root, input);
    expect(await readFile(join(root, TEXT), 'utf8')).toBe(own);
  });
});
