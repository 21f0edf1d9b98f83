import { dirname, join } from 'node:path';
import { isThere } from '../store/files.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const MANAGER_BY_LOCK: readonly [file: string, manager: PackageManager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** By the nearest lock file: workspaces have one at their root. */
export function managerOf(folder: string): PackageManager {
  const found = MANAGER_BY_LOCK.find(([file]) => isThere(join(folder, file)));
  const above = dirname(folder);
  if (found !== undefined || above === folder) return found?.[1] ?? 'npm';
  return managerOf(above);
}

/** How each package manager runs a command of an installed package: Yarn's Plug'n'Play has no folder in which npx looks. */
export const RUNNERS: Readonly<Record<PackageManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

export function installLine(manager: PackageManager, packages: readonly string[]): string {
  const verb = manager === 'npm' ? 'install' : 'add';
  return `${manager} ${verb} -D ${packages.join(' ')}`;
}
