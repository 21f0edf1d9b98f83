import { globToRegExp } from './glob.ts';

export interface IgnoreRule {
  /** Folder that the rule belongs to, relative to the root, `''` for the root itself. */
  folder: string;
  pattern: RegExp;
  isNegated: boolean;
  isFolderOnly: boolean;
}

/** Rules of one `.gitignore`, in its order. */
export function parseIgnoreFile(text: string, folder: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const written = line.replace(/(?<!\\)\s+$/, '');
    if (written === '' || written.startsWith('#')) return [];
    const isNegated = written.startsWith('!');
    const body = isNegated ? written.slice(1) : written;
    const isFolderOnly = body.endsWith('/');
    const path = body.replace(/^\//, '').replace(/\/$/, '');
    // A pattern with a slash before its end is one of this folder; without, one of every folder below.
    const isAnchored = body.startsWith('/') || path.includes('/');
    const pattern = globToRegExp(isAnchored ? path : `**/${path}`);
    return [{ folder, pattern, isNegated, isFolderOnly }];
  });
}

/** The last rule that matches decides, as git has it. */
export function isIgnored(
  path: string,
  { isFolder, rules }: { isFolder: boolean; rules: readonly IgnoreRule[] },
): boolean {
  const last = rules.findLast(({ folder, pattern, isFolderOnly }) => {
    if (isFolderOnly && !isFolder) return false;
    if (folder === '') return pattern.test(path);
    return path.startsWith(`${folder}/`) && pattern.test(path.slice(folder.length + 1));
  });
  return last !== undefined && !last.isNegated;
}
