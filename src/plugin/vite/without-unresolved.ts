import type { Logger } from 'vite';

/** An icon that Vite did not resolve, possibly with the folder of a partial before it. */
const ICON = /^\s*(?:[^\s:]*\/)?icon:[^\n]* didn't resolve at build time/;

/**
 * Vite looks for a file behind every `url()` and warns where there is none. For icons there is none, and they are
 * resolved one step later. What it would say of others stays.
 */
export function withoutUnresolved(logger: Logger): void {
  const warnOnce = logger.warnOnce.bind(logger);
  logger.warnOnce = (message, options) => {
    if (!ICON.test(message)) warnOnce(message, options);
  };
}
