import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIconLock, type IconLock } from '../../src/pipeline/lock.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import type { IconRecord } from '../../src/types.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { recordingLog } from '../support/recording-log.ts';

const record = (id: number): IconRecord => ({
  id: `${id}`,
  term: `Icon ${id}`,
  attribution: '',
  creator: { name: 'Someone', permalink: '/someone/', username: 'someone' },
  collections: [],
  license_description: 'public-domain',
  permalink: `/icon/${id}/`,
  styles: [],
  tags: [],
});

const integrityOf = (digit: string): string => `sha512-${digit.repeat(86)}==`;

const add = (iconLock: IconLock, id: number, integrity: string = integrityOf('A')): void =>
  iconLock.add(`${id}:svg`, { integrity, size: 1 }, record(id));

it('has the entries that another process wrote, after its own writing and after a refresh', async () => {
  const root = await temporaryFolder();
  const options = resolveOptions({ lockfile: join(root, 'icons.lock') }, { root, env: {} });
  const log = recordingLog();
  const [ours, theirs] = [createIconLock(options, log), createIconLock(options, log)];
  await Promise.all([ours.open(), theirs.open()]);
  add(theirs, 2);
  await theirs.flush(undefined);
  add(ours, 3);
  await ours.flush(undefined);
  expect(ours.find('2:svg')).toBeDefined();

  add(theirs, 4);
  await theirs.flush(undefined);
  expect(ours.find('4:svg')).toBeUndefined();
  ours.refresh();
  await ours.open();
  expect(ours.find('4:svg')).toBeDefined();
});

it('keeps the first bytes of an icon, whoever adds others', async () => {
  const root = await temporaryFolder();
  const options = resolveOptions({ lockfile: join(root, 'icons.lock') }, { root, env: {} });
  const iconLock = createIconLock(options, recordingLog());
  await iconLock.open();
  for (const digit of ['A', 'g']) add(iconLock, 2, integrityOf(digit));
  expect(iconLock.find('2:svg')?.integrity).toBe(integrityOf('A'));
  await iconLock.flush(undefined);

  add(iconLock, 2, integrityOf('g'));
  expect(iconLock.isChanged).toBe(false);
  expect(iconLock.find('2:svg')?.integrity).toBe(integrityOf('A'));
});
