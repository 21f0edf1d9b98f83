import { kindOf } from './find-missed.ts';
import type { Fragment } from './fragment.ts';
import { isPublished, textFilesOf } from './published-files.ts';
import type { FoundUsage } from './session-types.ts';
import { goneFrom, type LookAgain } from './still-shipped.ts';

/**
 * The icons of a written output in the files that were written: a step behind ours may have put scripts and style sheets
 * into a page. What cannot be looked for is then in the first page; an icon that is found nowhere stays where the bundler
 * said.
 */
export async function relocate(
  fragment: Fragment,
  lookAgain: LookAgain,
): Promise<readonly FoundUsage[]> {
  const { folder, usages, published, build, isLate } = fragment;
  if (isLate === true) return usages;
  const gone = await goneFrom(fragment);
  // What a dev server keeps in memory is written nowhere.
  if (gone.size === 0 || !(await isPublished(folder, published))) return usages;
  const ids = usages.filter(({ file }) => gone.has(file)).map(({ id }) => id);
  const found: FoundUsage[] = [];
  const files = (await textFilesOf(folder)).filter((name) => !Object.hasOwn(published, name));
  const page = files.find((name) => /\.html?$/.test(name));
  for (const fileName of files) {
    const looked = await lookAgain({ folder, fileName }, ids);
    const here = fileName === page ? [...looked.found, ...looked.unknown] : looked.found;
    for (const id of here)
      found.push({ id, file: fileName, kind: kindOf(fileName, build.consumer) });
  }
  const placed = new Set(found.map(({ id }) => id));
  return [...usages.filter(({ id, file }) => !gone.has(file) || !placed.has(id)), ...found];
}
