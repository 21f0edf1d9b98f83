import type { ResolvedConfig } from 'vite';
import type { Log } from '../../types.ts';

export function viteLog(logger: ResolvedConfig['logger']): Log {
  const line = (message: string): string => `[icon-catalog] ${message}`;
  return {
    info: (message) => logger.info(line(message)),
    warn: (message) => logger.warn(line(message)),
    error: (message) => logger.error(line(message)),
  };
}
