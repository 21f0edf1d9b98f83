export const ICON_PREFIX = 'icon:' as const;

/** Reserved: the list of all credits. No icon and no alias can have this name. */
export const CREDITS_SPECIFIER = 'icon:credits' as const;

/** Modules that components share (see emit/component): no icon and no alias can be written like them. */
const SHARED_SPECIFIERS: ReadonlySet<string> = new Set(['icon:@runtime', 'icon:@unique']);

export function isSharedSpecifier(id: string): boolean {
  return SHARED_SPECIFIERS.has(id);
}

/** True for everything that is ours to answer, `icon:credits` and misspelt icons included. */
export function isIconSpecifier(id: string): boolean {
  return id.startsWith(ICON_PREFIX);
}

/** True for `icon:credits`, also with the query that a dev server appends. */
export function isCreditsSpecifier(id: string): boolean {
  if (!id.startsWith(CREDITS_SPECIFIER)) return false;
  const rest = id.slice(CREDITS_SPECIFIER.length);
  return (
    rest === '' || (rest.startsWith('?') && rest.slice(1).split('&').every(isBundlerParameter))
  );
}

/**
 * What Vite's dev server appends to ids for its own use: `import` marks an import of something that
 * is no JavaScript, `t` is the time of a hot update, `v` the hash of the optimised dependencies.
 */
export function isBundlerParameter(pair: string): boolean {
  return pair === '' || /^(?:import=?|t=\d+|v=[\da-f]+)$/i.test(pair);
}
