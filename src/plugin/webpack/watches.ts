import type { ConfigWatch } from './watch-config.ts';
import type { LockWatch } from './watch-lock.ts';

/** What modules are made of besides their sources, and may change while the bundler watches. */
export interface Watches {
  lock: LockWatch;
  config: ConfigWatch;
}
