import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const CREDENTIALS = { key: 'bench-key', secret: 'bench-secret' };

/** Since it was asked last. */
export interface Seen {
  calls: number;
  /** Calls in flight at once. */
  peak: number;
  /** Bytes of all bodies. */
  bytes: number;
}

/**
 * The embedded catalog in a process of its own, every answer `latency` ms away. What it works meanwhile is no part of the
 * measured process, and answers are made while the time passes.
 */
export async function startSlowCatalog(
  latency: number,
  /** Where its sets are installed. @default tabler, as this repository has it */
  installed: { root?: string; sets?: readonly string[] } = {},
): Promise<{ url: string; seen(): Promise<Seen> }> {
  const script = fileURLToPath(new URL('slow-catalog.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ latency, ...CREDENTIALS, ...installed })],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout });
  const next = async <Value>(): Promise<Value> => {
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line) as Value;
  };
  const { url } = await next<{ url: string }>();
  return {
    url,
    seen() {
      const answer = next<Seen>();
      child.stdin.write('\n');
      return answer;
    },
  };
}
