import { relative, resolve } from 'node:path';

/** As somebody in the project would type it. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll('\\', '/');
}
