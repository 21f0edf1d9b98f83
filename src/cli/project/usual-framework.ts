import { join } from 'node:path';
import type { Framework } from '../../component.ts';
import { SCRIPTS } from '../../config/file-names.ts';
import type { Host } from '../host.ts';

/** Integrations that have a framework of their own, by the generator whose configuration names them. */
const INTEGRATIONS: readonly { generator: string; entry: string; framework: Framework }[] = [
  { generator: 'astro', entry: 'unplugin-icon-catalog/astro', framework: 'astro' },
  { generator: 'nuxt', entry: 'unplugin-icon-catalog/nuxt', framework: 'vue' },
];

/** What the project's imports are components of where its options do not say; `undefined`: of nothing. */
export async function usualFramework(
  root: string,
  host: Pick<Host, 'exists' | 'readFile'>,
): Promise<Framework | undefined> {
  for (const { generator, entry, framework } of INTEGRATIONS) {
    for (const extension of SCRIPTS) {
      const file = join(root, `${generator}.config.${extension}`);
      // Their configurations can only be loaded by themselves.
      if ((await host.exists(file)) && (await host.readFile(file)).includes(entry))
        return framework;
    }
  }
  return undefined;
}
