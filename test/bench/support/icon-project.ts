import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IconifyJSON } from '@iconify/types';
import { embeddedIconId } from '../../../src/server.ts';
import { MADE_SETS, makeSets } from './made-sets.ts';
import { runChild } from './run-child.ts';
import { removeFolder } from '../../support/temporary-folder.ts';

const require = createRequire(import.meta.url);
const INSTALLED = fileURLToPath(new URL('../../../node_modules', import.meta.url));

export interface IconProject {
  root: string;
  /** False if it has more icons than any installed set: unplugin-icons cannot see the sets that are made for it. */
  hasPeer: boolean;
  remove(): Promise<void>;
}

/** A project whose entries import the same icons in every way that is compared; its caches are warm. */
export async function createIconProject(count: number): Promise<IconProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), `icon-catalog-bench-${count}-`)));
  const installed = iconNames();
  const hasPeer = count <= installed.length;
  const names = hasPeer ? installed.slice(0, count) : [];
  const ids = hasPeer
    ? names.map((name) => embeddedIconId('tabler', name))
    : (await makeSets(join(root, 'sets'))).slice(0, count);
  if (ids.length < count) throw new Error(`There are ${ids.length} icons only.`);
  const embedded = hasPeer ? { sets: ['tabler'] } : { root: join(root, 'sets'), sets: MADE_SETS };
  const options = { catalog: { embedded }, cacheDir: join(root, 'cache') };
  const write = (name: string, text: string): Promise<void> => writeFile(join(root, name), text);

  await symlink(INSTALLED, join(root, 'node_modules'), 'junction');
  await write('package.json', '{"type":"module","private":true}');
  await write('options.json', JSON.stringify(options));
  await write('load.json', JSON.stringify({ options, ids }));
  const svgs = await runChild<string[]>('load-icons.mjs', { cwd: root, args: [root] });

  const codes = svgs.map((svg) => `export default ${JSON.stringify(svg)};\n`);
  const own = entry(ids.map((id) => `icon:${id}`));
  await write(
    'constants.json',
    JSON.stringify(ids.map((id, index) => [`icon:${id}`, codes[index]])),
  );
  await write('constants.js', own);
  await write('ours.js', own);
  await write('ours without credits.js', own);
  await write('unplugin-icons.js', entry(names.map((name) => `~icons/tabler/${name}?raw`)));
  await write('unplugin-icons components.js', entry(names.map((name) => `~icons/tabler/${name}`)));
  await write('files.js', entry(ids.map((id) => `./icons/${id}.js`)));
  await mkdir(join(root, 'icons'));
  for (const [index, id] of ids.entries()) await write(`icons/${id}.js`, codes[index] ?? '');
  return { root, hasPeer, remove: () => removeFolder(root) };
}

function entry(specifiers: readonly string[]): string {
  const imports = specifiers.map((specifier, index) => `import i${index} from '${specifier}';\n`);
  return `${imports.join('')}console.log([${specifiers.map((_, index) => `i${index}`).join(', ')}]);\n`;
}

function iconNames(): string[] {
  const data = readFileSync(require.resolve('@iconify-json/tabler/icons.json'), 'utf8');
  const { icons } = JSON.parse(data) as IconifyJSON;
  return Object.keys(icons)
    .filter((name) => icons[name]?.hidden !== true)
    .toSorted();
}
