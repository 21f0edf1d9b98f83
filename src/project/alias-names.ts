import type { ResolvedOptions } from '../options/resolve-options.ts';
import { isAliasName, RESERVED_NAMES, toVariable } from '../request/alias-names.ts';
import { idOfName } from '../request/reference.ts';

export interface IconToAdd {
  /** Digits, or a name in the embedded catalog. */
  id: string;
  /** The name to give to it. */
  alias?: string | undefined;
}

/** A name that cannot be given to an icon, and the nearest one that can. */
export class AliasRefusal extends Error {
  readonly suggestion: string;
  constructor(message: string, suggestion: string) {
    super(message);
    this.suggestion = suggestion;
  }
}

/** Names that the embedded catalog's icons have are written as names, which people can read. */
export function newAliases(
  items: readonly IconToAdd[],
  { known, options }: { known: Readonly<Record<string, number>>; options: ResolvedOptions },
): Record<string, number | string> {
  const aliases: Record<string, number | string> = {};
  for (const { id, alias } of items) {
    if (alias === undefined) continue;
    const number = numberOf(id);
    const other = Object.hasOwn(known, alias) ? known[alias] : undefined;
    const taken = [...Object.keys(known), ...Object.keys(aliases)];
    const fault = faultOf(alias, options);
    if (fault !== undefined) throw new AliasRefusal(fault, freeAlias(alias, { taken, options }));
    const isOther = other !== undefined && other !== number;
    if (isOther || Object.hasOwn(aliases, alias))
      throw new AliasRefusal(
        `The alias ${JSON.stringify(alias)} stands for another icon already.`,
        freeAlias(alias, { taken, options }),
      );
    if (other === undefined) aliases[alias] = /^\d+$/.test(id) ? number : id;
  }
  return aliases;
}

const numberOf = (id: string): number => (/^\d+$/.test(id) ? Number(id) : (idOfName(id) ?? 0));

/** Why no icon can have this name. */
function faultOf(alias: string, { catalog }: Pick<ResolvedOptions, 'catalog'>): string | undefined {
  const shown = JSON.stringify(alias.slice(0, 60));
  if (RESERVED_NAMES.has(alias)) return `The name ${shown} is reserved.`;
  if (alias.length > 100) return `The name ${shown}… is longer than 100 characters.`;
  if (!isAliasName(alias))
    return `${shown} is not a name of letters, digits, - and _ that begins with a letter.`;
  if (catalog.kind === 'embedded' && idOfName(alias) !== undefined)
    return `${shown} is the name of an icon in a set.`;
  return undefined;
}

function freeAlias(
  alias: string,
  { taken, options }: { taken: readonly string[]; options: ResolvedOptions },
): string {
  const plain = alias
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replaceAll(/^[^\p{L}_]+|-+$/gu, '')
    .slice(0, 60);
  const base = plain === '' || plain === '__proto__' ? 'icon' : plain;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (faultOf(name, options) === undefined && !taken.includes(name)) return name;
  }
}

/** The line that imports an icon: `import arrowLeft from 'icon:arrow-left';`. */
export function importLineOf(name: string): string {
  return `import ${toVariable(name)} from 'icon:${name}';`;
}
