import { spawnSync } from 'node:child_process';

type Kind = 'network' | 'mounts';

const FLAG: Record<Kind, string> = { network: '--net', mounts: '--mount' };
const granted = new Map<Kind, readonly string[] | undefined>();

/** How this machine gives a process a namespace of its own: as root, else as one's own root, else not at all. */
function unshare(kind: Kind): readonly string[] | undefined {
  if (!granted.has(kind)) {
    const ways = [[FLAG[kind]], ['--map-root-user', FLAG[kind]]];
    const probe = kind === 'mounts' ? ['mount', '-t', 'tmpfs', 'none', '/mnt'] : ['true'];
    granted.set(
      kind,
      ways.find((flags) => spawnSync('unshare', [...flags, ...probe]).status === 0),
    );
  }
  const flags = granted.get(kind);
  return flags && ['unshare', ...flags];
}

/** The command in a network of its own, in which even the loopback is down; `undefined` where this machine grants none. */
export function withoutNetwork(command: readonly string[]): string[] | undefined {
  const prefix = unshare('network');
  return prefix && [...prefix, ...command];
}

/**
 * A shell script whose mounts no other process sees and which end with it; `undefined` where this machine grants none.
 *
 * @param args `$1`, `$2` … of the script
 */
export function withMounts(script: string, args: readonly string[]): string[] | undefined {
  const prefix = unshare('mounts');
  return prefix && [...prefix, 'sh', '-euc', script, 'sh', ...args];
}
