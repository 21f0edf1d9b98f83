import { env } from 'node:process';
import { type CatalogServer, createCatalogServer } from '../../../src/server.ts';
import { createTarget } from './create-target.ts';
import { freshNonce } from './sign.ts';
import type { Credentials, Embedded, Target } from './target.ts';

export interface TargetKind {
  name: string;
  open(): Promise<Target>;
}

const SETS = ['game-icons', 'maki', 'tabler'];
/** 2026-03-04 05:06:07.089 UTC. */
export const NOW: number = Date.UTC(2026, 2, 4, 5, 6, 7, 89);
/** Keys of each access level that a target of our own can hand out. */
const SPARE_KEYS = 24;

/**
 * The services that the suite is run against: the embedded catalog in process and on a port; or, where the environment names one,
 * that service alone.
 *
 * CONFORMANCE_URL, CONFORMANCE_KEY, CONFORMANCE_SECRET: address and key. CONFORMANCE_WRITE=1: the key's blacklists may be overwritten;
 * they are put back as far as the service told them.
 */
export const TARGETS: readonly TargetKind[] = fromEnvironment() ?? [
  { name: 'in process', open: openInProcess },
  { name: 'on a port', open: openOnPort },
];

function fromEnvironment(): TargetKind[] | undefined {
  const { CONFORMANCE_URL: url, CONFORMANCE_KEY: key, CONFORMANCE_SECRET: secret } = env;
  if (!url) return undefined;
  if (!key || !secret)
    throw new Error('CONFORMANCE_URL needs CONFORMANCE_KEY and CONFORMANCE_SECRET.');
  const open = (): Promise<Target> =>
    Promise.resolve(
      createTarget({
        name: 'named by the environment',
        baseUrl: url.replace(/\/+$/, ''),
        credentials: { key, secret },
        send: (request) => fetch(request),
        mayWrite: env['CONFORMANCE_WRITE'] === '1',
      }),
    );
  return [{ name: 'named by the environment', open }];
}

async function openInProcess(): Promise<Target> {
  const { server, paid, embedded } = createEmbedded();
  return {
    ...createTarget({
      name: 'in process',
      baseUrl: 'http://catalog.test',
      credentials: paid,
      send: server.fetch,
      fetch: server.fetch,
      now: () => embedded.clock.now,
      mayWrite: true,
    }),
    embedded,
  };
}

async function openOnPort(): Promise<Target> {
  const { server, paid, embedded } = createEmbedded();
  const { url, close } = await server.listen();
  return {
    ...createTarget({
      name: 'on a port',
      baseUrl: url,
      credentials: paid,
      send: (request) => fetch(request),
      now: () => embedded.clock.now,
      mayWrite: true,
    }),
    embedded,
    close,
  };
}

function createEmbedded(): { server: CatalogServer; paid: Credentials; embedded: Embedded } {
  const clock = { now: NOW };
  const many = { monthlyLimit: 1_000_000 };
  const paid = { ...pair(), ...many };
  const free = { ...pair(), ...many, access: 'free' as const };
  const limited = {
    hourly: { ...pair(), ...many, hourlyLimit: 2 },
    daily: { ...pair(), ...many, dailyLimit: 2 },
    monthly: { ...pair(), monthlyLimit: 2 },
  };
  const spare = Array.from({ length: SPARE_KEYS }, () => ({ ...pair(), ...many }));
  const spareFree = spare.map(() => ({ ...pair(), ...many, access: 'free' as const }));
  const keys = [paid, free, ...Object.values(limited), ...spare, ...spareFree];
  const server = createCatalogServer({ sets: SETS, keys, now: () => clock.now });
  const take = (access: 'free' | 'paid'): Credentials => {
    const taken = (access === 'free' ? spareFree : spare).pop();
    if (!taken) throw new Error('No unused key is left: raise SPARE_KEYS.');
    return taken;
  };
  return { server, paid, embedded: { clock, free, limited, take } };
}

function pair(): Credentials {
  return { key: `key-${freshNonce()}`, secret: freshNonce() };
}
