import type { Log } from '../types.ts';

const LEVELS = ['silent', 'error', 'warn', 'info'] as const;

/** Hands on what the level lets through. */
export function createLog(level: (typeof LEVELS)[number], target: Log = standardError): Log {
  const allowed = LEVELS.indexOf(level);
  const at = (name: 'error' | 'warn' | 'info'): ((message: string) => void) =>
    LEVELS.indexOf(name) <= allowed ? (message) => target[name](message) : () => undefined;
  return { error: at('error'), warn: at('warn'), info: at('info') };
}

/** Results go to standard output, everything else here. */
const standardError: Log = {
  info: (message) => void process.stderr.write(`[icon-catalog] ${message}\n`),
  warn: (message) => void process.stderr.write(`[icon-catalog] warning: ${message}\n`),
  error: (message) => void process.stderr.write(`[icon-catalog] error: ${message}\n`),
};
