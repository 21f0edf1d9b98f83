import { createIconScanner, type ScannedIcon } from '../attribution/scan-icons.ts';
import type { Corridor } from '../corridor/create-corridor.ts';
import type { IconRequest } from '../types.ts';
import { readPublished } from './published-files.ts';
import { requestOf } from './request-of.ts';
import type { LookedAgain } from './still-shipped.ts';

/** Looks for icons in a file that was changed since it was built. */
export async function lookAgain(
  { folder, fileName }: { folder: string; fileName: string },
  {
    ids,
    corridor,
    request,
  }: { ids: readonly string[]; corridor: Corridor; request(id: string): IconRequest },
): Promise<LookedAgain> {
  const icons: ScannedIcon[] = [];
  const unknown = new Set<string>();
  for (const key of ids) {
    const wanted = requestOf(key, request);
    const fingerprint =
      wanted?.filetype === 'svg' ? await corridor.fingerprint(wanted.id) : undefined;
    if (fingerprint === undefined || fingerprint === '') unknown.add(key);
    else icons.push({ key, fingerprint });
  }
  const content = await readPublished(folder, fileName);
  if (content === undefined) return { found: new Set(), unknown: new Set() };
  return { found: createIconScanner(icons).scan(content), unknown };
}
