import { kindOf } from './find-missed.ts';
import type { Fragment } from './fragment.ts';
import { isPublished, textFilesOf } from './published-files.ts';
import type { FoundUsage } from './session-types.ts';
import { goneFrom, type LookAgain } from './still-shipped.ts';

/**
 * The icons of a written output in the files that were written: a step behind ours may have put scripts and style sheets
 * into a page. An icon that is found nowhere stays where the bundler said.
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
  for (const fileName of await textFilesOf(folder)) {
    if (Object.hasOwn(published, fileName)) continue;
    for (const id of await lookAgain({ folder, fileName }, ids))
      found.push({ id, file: fileName, kind: kindOf(fileName, build.consumer) });
  }
  const placed = new Set(found.map(({ id }) => id));
  return [...usages.filter(({ id, file }) => !gone.has(file) || !placed.has(id)), ...found];
}
