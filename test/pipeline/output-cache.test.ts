import { Buffer } from 'node:buffer';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOutputCache, type OutputCache } from '../../src/pipeline/output-cache.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = Buffer.alloc(32, 1);

async function read(
  files: OutputCache,
  { name = 'html', input = 'one', text = 'made' }: { name?: string; input?: string; text?: string },
): Promise<{ text: string; made: boolean }> {
  let made = false;
  const bytes = await files.get(
    { group: 'client', name },
    {
      input,
      async make() {
        made = true;
        return text;
      },
    },
  );
  return { text: bytes.toString(), made };
}

it('makes a file once for an input', async () => {
  const dir = await temporaryFolder();
  const files = createOutputCache({ dir, owner: 'project', identity: 'v1', key });
  expect(await read(files, { text: 'ä' })).toEqual({ text: 'ä', made: true });
  expect(await read(files, {})).toEqual({ text: 'ä', made: false });
});

it('makes it again for another input, pipeline, project or slot', async () => {
  const dir = await temporaryFolder();
  const files = createOutputCache({ dir, owner: 'project', identity: 'v1', key });
  await read(files, {});
  const other = { text: 'other' };
  const made = { text: 'other', made: true };
  expect(
    await read(createOutputCache({ dir, owner: 'another', identity: 'v1', key }), other),
  ).toEqual(made);
  expect(await read(files, { ...other, name: 'json' })).toEqual(made);
  expect(await read(files, {})).toEqual({ text: 'made', made: false });
  expect(
    await read(createOutputCache({ dir, owner: 'project', identity: 'v2', key }), other),
  ).toEqual(made);
  expect(await read(files, { ...other, input: 'two' })).toEqual(made);
  expect(await readdir(dir)).toHaveLength(3);
});

it('reads the files of a group ahead, and checks them as ever', async () => {
  const dir = await temporaryFolder();
  const files = createOutputCache({ dir, owner: 'project', identity: 'v1', key });
  await read(files, {});
  await read(files, { name: 'json', text: 'other' });
  await files.expect('client');
  await files.expect('server');
  const names = await readdir(dir);
  // What was read is there; what is asked for twice, or was not there, is looked for.
  await Promise.all(names.map((name) => rm(join(dir, name))));
  expect(await read(files, { input: 'two', text: 'new' })).toEqual({ text: 'new', made: true });
  expect(await read(files, { name: 'json' })).toEqual({ text: 'other', made: false });
  expect(await read(files, { name: 'json' })).toEqual({ text: 'made', made: true });
});

it.each([
  ['changed', (bytes: Buffer) => bytes.fill('x', bytes.length - 1)],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['cut off within the first line', (bytes: Buffer) => bytes.subarray(0, 64)],
  ['emptied', (bytes: Buffer) => bytes.subarray(0, 0)],
])('makes a file again that was %s', async (_, damage) => {
  const dir = await temporaryFolder();
  const files = createOutputCache({ dir, owner: 'project', identity: 'v1', key });
  await read(files, {});
  const [name = ''] = await readdir(dir);
  await writeFile(join(dir, name), damage(await readFile(join(dir, name))));
  expect(await read(files, {})).toEqual({ text: 'made', made: true });
  expect(await read(files, {})).toEqual({ text: 'made', made: false });
});

it('does without a folder that cannot be written', async () => {
  const dir = join(await temporaryFolder(), 'file');
  await writeFile(dir, '');
  const files = createOutputCache({ dir, owner: 'project', identity: 'v1', key });
  expect(await read(files, {})).toEqual({ text: 'made', made: true });
  expect(await read(files, {})).toEqual({ text: 'made', made: true });
});
