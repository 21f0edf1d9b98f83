import { parseLockKey } from '../request/key.ts';
import type { RenderPack } from '../store/packs.ts';
import { filesIn } from '../store/walk.ts';
import type { Assets } from './assets.ts';
import type { PackedMaster } from './sources.ts';

/**
 * Fingerprints of the icons in the packs of a folder, which were drawn with the same options, by request (`5`,
 * `5?color=original`): those that a credit can be made for without a call.
 *
 * @param ports.assets is called once an icon is wanted
 */
export async function drawnIn(
  folder: string,
  {
    packIn,
    isWanted,
    assets,
  }: {
    packIn(name: string): Pick<RenderPack<PackedMaster>, 'open' | 'keys' | 'get'>;
    isWanted(id: number): boolean;
    assets(): Promise<Pick<Assets, 'hasRecord' | 'hasBytes'>>;
  },
): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for (const name of await filesIn(folder).catch(() => [])) {
    if (!name.endsWith('.drawings')) continue;
    const pack = packIn(name);
    // One that was drawn with other options opens as an empty one.
    await pack.open();
    for (const key of pack.keys()) {
      const iconKey = parseLockKey(key);
      if (iconKey === undefined || !isWanted(iconKey.id)) continue;
      const { id, color } = iconKey;
      const drawn = pack.get(key)?.master;
      if (drawn === undefined || (color !== null && color !== 'original')) continue;
      // Without a colour, a drawing of several tones is the file as the catalog has it.
      const colors = drawn.paint === 'multi-tone' ? [color, 'original'] : [color];
      const { hasRecord, hasBytes } = await assets();
      const files = await Promise.all(colors.map((each) => hasBytes({ ...iconKey, color: each })));
      if (!files.includes(false) && (await hasRecord(id)))
        prints.set(color === null ? `${id}` : `${id}?color=${color}`, drawn.fingerprint);
    }
  }
  return prints;
}
