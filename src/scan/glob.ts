/**
 * A pattern as shells and `.gitignore` know it: `*`, `?`, `[a-z]`, `**` over folders, `{a,b}`. Matches whole paths with
 * `/` between folders.
 */
export function globToRegExp(pattern: string): RegExp {
  let source = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const set = /^\[(!?)([^\]/]+)\]/.exec(rest);
    if (rest.startsWith('**/')) {
      source += '(?:.*/)?';
      at += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      at += 1;
    } else if (rest.startsWith('*')) source += '[^/]*';
    else if (rest.startsWith('?')) source += '[^/]';
    else if (set !== null) {
      source += `[${set[1] === '!' ? '^' : ''}${(set[2] ?? '').replaceAll('\\', '\\\\')}]`;
      at += set[0].length - 1;
    } else if (rest.startsWith('{') && rest.includes('}')) {
      source += '(?:';
      depth += 1;
    } else if (depth > 0 && rest.startsWith('}')) {
      source += ')';
      depth -= 1;
    } else if (depth > 0 && rest.startsWith(',')) source += '|';
    else {
      if (rest.startsWith('\\') && rest.length > 1) at += 1;
      source += (pattern[at] ?? '').replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    }
  }
  return new RegExp(`^${source}$`);
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}
