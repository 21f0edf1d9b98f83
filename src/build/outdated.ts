import { isIconCatalogError } from '../errors.ts';
import { isDefaultId, toIconId } from '../request/key.ts';
import { sha256Hex } from '../store/hash.ts';
import type { SessionImage, SessionModule } from './session-types.ts';
import type { Session } from './session-interface.ts';

/** What something was made from: what an import leads to, a module by its id, or an icon by its reference. */
export type Part = `${'import' | 'module' | 'image' | 'drawing'} ${string}`;

/** Something that was made of icons, and what it was made from. */
export interface Made<Outcome> {
  outcome: Outcome;
  parts: readonly Part[];
}

/** By part, a short text that changes with what is loaded for it; empty if that failed. */
export type Texts = Record<string, string>;

type Loader = Pick<Session, 'resolve' | 'load' | 'image' | 'drawing'>;

/**
 * Loads a part again, which is cheap for icons that are in the cache, and gives a short text that is equal while the lock
 * and the options lead to the same code, licence and credit.
 *
 * @returns `undefined` if only the catalog could say
 */
export async function textOf(part: string, session: Loader): Promise<string | undefined> {
  try {
    return (await loadText(part, session)) || undefined;
  } catch (error) {
    return isIconCatalogError(error) && error.code.startsWith('CATALOG_') ? undefined : '';
  }
}

/** True if the lock and the options now lead to something else. Without its catalog an icon stays as it is. */
export async function isOutdated(texts: Texts, session: Loader): Promise<boolean> {
  for (const [part, text] of Object.entries(texts))
    if (((await textOf(part, session)) ?? text) !== text) return true;
  return false;
}

async function loadText(part: string, session: Loader): Promise<string> {
  const space = part.indexOf(' ');
  const reference = part.slice(space + 1);
  switch (part.slice(0, space)) {
    case 'import':
      return session.resolve(reference);
    case 'module': {
      const wanted = isDefaultId(reference) ? 'value' : 'whole';
      return textOfModule(await session.load(toIconId(reference), { alone: true, part: wanted }));
    }
    case 'drawing': {
      const { id, svg, about } = await session.drawing(reference, { placeholder: true });
      return id === undefined ? '' : digest([id, svg, about?.()]);
    }
    default:
      return textOfImage(await session.image(reference, { placeholder: true }));
  }
}

/** Empty for a placeholder. */
export function textOfModule(module: SessionModule): string {
  if (module.kind === 'asset') return digest([module.fileName, module.code(''), module.source]);
  return module.placeholder === true ? '' : digest([module.code]);
}

/** Empty for a placeholder. */
export function textOfImage({ ids, form, dataUri, about }: SessionImage): string {
  return ids === undefined ? '' : digest([ids.url, form, dataUri, about?.()]);
}

function digest(values: readonly (string | Uint8Array | undefined)[]): string {
  return sha256Hex(values.map((value) => sha256Hex(value ?? '')).join(' ')).slice(0, 16);
}
