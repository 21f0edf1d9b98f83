import { createIcons } from 'unplugin-icon-catalog';
import { createCatalogClient } from 'unplugin-icon-catalog/client';
import { createCatalogServer, embeddedIconId } from 'unplugin-icon-catalog/server';
import { prepareSvg } from '../../../src/svg/prepare-svg.ts';
import { SENTINEL } from '../../../src/svg/sentinel.ts';
import type { SvgMaster } from '../../../src/types.ts';

/** The icons of the page, by set. */
const ICONS = {
  tabler:
    'arrow-left arrow-right bell book calendar camera check cloud download edit file flame folder heart home key leaf lock mail map-pin moon music phone photo search settings shopping-cart star sun tag trash user x',
  maki: 'bicycle cafe garden harbor library lighthouse park restaurant',
  'game-icons': 'anchor beehive crab owl raven whale-tail',
};

export interface TryIcon {
  id: number;
  /** The drawing that takes every colour, and the one in its own colours. */
  masters: Record<'painted' | 'original', SvgMaster>;
  /** The line of credit of each. */
  credits: Record<'painted' | 'original', string>;
}

declare const data: Record<string, TryIcon>;
export { data };

export default {
  /** Every icon by its name, prepared by the package's own code. */
  async load(): Promise<Record<string, TryIcon>> {
    const keys = [{ key: 'docs', secret: 'docs' }];
    const server = createCatalogServer({ sets: Object.keys(ICONS), keys });
    const baseUrl = 'https://embedded.example';
    const client = createCatalogClient({
      baseUrl,
      key: 'docs',
      secret: 'docs',
      fetch: (request) => server.fetch(request),
    });
    const icons = createIcons({
      catalog: 'embedded',
      attribution: false,
      logLevel: 'silent',
      // These icons are data of a page. They are no part of the site's own lock.
      mode: 'online',
      lockfile: 'node_modules/.cache/try-icons.lock',
    });
    const drawn: [string, TryIcon][] = [];
    for (const [set, names] of Object.entries(ICONS)) {
      for (const name of names.split(' ')) {
        const id = embeddedIconId(set, name);
        const master = async (color?: string): Promise<SvgMaster> => {
          const { bytes } = await client.download(id, color === undefined ? {} : { color });
          const askedColor = color ?? '000000';
          return prepareSvg(bytes, { id, askedColor, fixedColor: color === undefined, ...SAFE });
        };
        const creditOf = async (query: string): Promise<string> =>
          (await icons.load(`icon:${set}/${name}${query}`)).credit.credit.line;
        const painted = await master(SENTINEL);
        const credits = {
          painted: await creditOf(''),
          original: await creditOf('?color=original'),
        };
        drawn.push([
          `${set}/${name}`,
          { id, masters: { painted, original: await master() }, credits },
        ]);
      }
    }
    await Promise.all([client.close(), icons.close()]);
    return Object.fromEntries(drawn);
  },
};

const SAFE = { optimize: true, strict: false, animation: false, maxBytes: 1_048_576 };
