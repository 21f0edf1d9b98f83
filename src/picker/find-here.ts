import { lastingFields } from '../pipeline/assets.ts';
import { suggest } from '../request/suggest.ts';
import type { IconRecord } from '../types.ts';
import type * as api from './api.ts';
import type { IconContext } from './icons.ts';
import type { OpenPickerProject } from './project.ts';

const MOST_LOCAL = 240;

/** Hits among what this machine knows: the lock and the answers of earlier searches. */
export async function findHere(
  request: api.SearchRequest,
  context: IconContext,
  project: OpenPickerProject,
): Promise<IconRecord[]> {
  const records = new Map<string, IconRecord>();
  for (const [id, icon] of await project.searches.known()) records.set(id, lastingFields(icon));
  for (const id of context.pinned) {
    const pinned = project.pipeline.iconLock.record(Number(id));
    if (pinned !== undefined) records.set(id, lastingFields(pinned));
  }
  const wanted = wordsOf(request.query);
  const rank = (record: IconRecord): number => {
    const isOurs = context.pinned.has(record.id) || context.aliases.has(record.id);
    const begins = wordsOf(record.term).join(' ').startsWith(wanted.join(' '));
    return (begins ? 0 : 2) + (isOurs ? 0 : 1);
  };
  return [...records.values()]
    .filter((record) => isMatch(record, { ...request, wanted, context }))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_LOCAL);
}

function isMatch(
  record: IconRecord,
  {
    wanted,
    context,
    styles = [],
    lineWeight,
    publicDomain,
  }: api.SearchRequest & { wanted: readonly string[]; context: IconContext },
): boolean {
  const { id, term, tags, collections, license_description } = record;
  if (publicDomain === true && license_description !== 'public-domain') return false;
  if (styles.length > 0 && !record.styles.some(({ style }) => styles.some((one) => one === style)))
    return false;
  if (lineWeight !== undefined) {
    const [from, to] = lineWeight;
    const isWithin = ({ line_weight = 0 }): boolean => line_weight >= from && line_weight <= to;
    if (!record.styles.some(isWithin)) return false;
  }
  const aliases = context.aliases.get(id) ?? [];
  const words = [term, ...tags, ...aliases, ...collections.map(({ name }) => name)].flatMap(
    wordsOf,
  );
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Words of icons that this machine knows, the nearest to what found nothing. */
export async function nearWords(query: string, { searches }: OpenPickerProject): Promise<string[]> {
  const known = await searches.known();
  const words = new Set(
    [...known.values()].flatMap(({ term = '', tags = [] }) => [term, ...tags].flatMap(wordsOf)),
  );
  const found: string[] = [];
  for (const word of wordsOf(query)) {
    words.delete(word);
    for (let near = suggest(word, words); near !== undefined && found.length < 3;) {
      found.push(near);
      words.delete(near);
      near = suggest(word, words);
    }
  }
  return found;
}
