import type { Logger, ResolvedConfig } from 'vite';
import type { Log } from '../../types.ts';

/** VitePress has a logger of its own, at the level that the user asks for, and keeps Vite's at warnings. */
export function viteLog(config: Pick<ResolvedConfig, 'logger'>): Log {
  const { vitepress } = config as { vitepress?: { logger?: Logger } };
  const logger = vitepress?.logger ?? config.logger;
  const line = (message: string): string => `[icon-catalog] ${message}`;
  return {
    info: (message) => logger.info(line(message)),
    warn: (message) => logger.warn(line(message)),
    error: (message) => logger.error(line(message)),
  };
}
