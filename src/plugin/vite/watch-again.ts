import type { ViteDevServer } from 'vite';

/** Milliseconds after a change until it is looked at once more: Vite's watcher drops one that comes within 50 of another. */
const AGAIN = 100;

/**
 * Has Vite told of changes that its watcher drops, of files about which that matters.
 *
 * @param ports.isOurs by the path as the watcher says it
 * @param ports.isUnseen true where the file says something else than at the last look
 */
export function watchAgain(
  { watcher }: Pick<ViteDevServer, 'watcher'>,
  { isOurs, isUnseen }: { isOurs(file: string): boolean; isUnseen(file: string): Promise<boolean> },
): void {
  let isEcho = false;

  function later(file: string): void {
    if (isEcho || !isOurs(file)) return;
    setTimeout(() => {
      void isUnseen(file).then((unseen) => {
        if (!unseen) return;
        isEcho = true;
        watcher.emit('change', file);
        isEcho = false;
      });
    }, AGAIN).unref();
  }

  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, later);
}
