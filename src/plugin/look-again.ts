import { createIconScanner, type ScannedIcon } from '../attribution/scan-icons.ts';
import type { Corridor } from '../corridor/create-corridor.ts';
import type { IconRequest } from '../types.ts';
import { readPublished } from './published-files.ts';
import { requestOf } from './request-of.ts';

/** Those of the ids whose artwork is in a file that was changed since it was built; also all that cannot be looked for. */
export async function lookAgain(
  { folder, fileName }: { folder: string; fileName: string },
  {
    ids,
    corridor,
    request,
  }: { ids: readonly string[]; corridor: Corridor; request(id: string): IconRequest },
): Promise<ReadonlySet<string>> {
  const icons: ScannedIcon[] = [];
  const found = new Set<string>();
  for (const key of ids) {
    const wanted = requestOf(key, request);
    const fingerprint =
      wanted?.filetype === 'svg' ? await corridor.fingerprint(wanted.id) : undefined;
    if (fingerprint === undefined || fingerprint === '') found.add(key);
    else icons.push({ key, fingerprint });
  }
  const content = await readPublished(folder, fileName);
  if (content === undefined) return new Set();
  for (const key of createIconScanner(icons).scan(content)) found.add(key);
  return found;
}
