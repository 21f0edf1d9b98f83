import { relative, sep } from 'node:path';
import { nameOf, type Fragment } from './fragment.ts';

/**
 * The builds that the credits page of `own` tells of besides: all of the same bundler, and whatever else writes to the
 * same folder. Of builds of one name that went to several folders (staging and production), the one nearest to `own` is
 * meant, or the last. A build of its own name elsewhere is another edition of the same.
 */
export function choosePartners(own: Fragment, all: Iterable<Fragment>): Fragment[] {
  const chosen = new Map<string, Fragment>();
  const ownName = nameOf(own);
  for (const other of all) {
    const isHere = other.folder === own.folder;
    const name = nameOf(other);
    if (name === ownName || (!isHere && other.build.bundler !== own.build.bundler)) continue;
    const rival = chosen.get(name);
    if (rival === undefined || isBetter(other, rival, own.folder)) chosen.set(name, other);
  }
  return [...chosen.keys()].toSorted().flatMap((name) => chosen.get(name) ?? []);
}

function isBetter(one: Fragment, other: Fragment, from: string): boolean {
  const [near, far] = [distance(from, one.folder), distance(from, other.folder)];
  if (near !== far) return near < far;
  if (one.order !== other.order) return one.order > other.order;
  return one.folder < other.folder;
}

/** Folders to walk through. */
function distance(from: string, to: string): number {
  return from === to ? 0 : relative(from, to).split(sep).length;
}
