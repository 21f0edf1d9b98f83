import picomatch from 'picomatch';

/**
 * A pattern as shells know it: `*`, `?`, `[a-z]`, `**` over folders, `{a,b}`. Matches whole paths with `/` between
 * folders, hidden ones too. Parentheses are themselves: folders of routes have them in their names.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const literal = pattern.replace(/(?<!\\)[()]/g, '\\$&');
  const fits = picomatch(literal, { dot: true, posix: true, nonegate: true, noextglob: true });
  // A second argument, such as that of `filter`, would change what it returns.
  return (path) => fits(path);
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}
