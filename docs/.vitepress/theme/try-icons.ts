import { createIcons } from 'unplugin-icon-catalog';
import { createCatalogClient } from 'unplugin-icon-catalog/client';
import { createCatalogServer, embeddedIconId } from 'unplugin-icon-catalog/server';
import { prepareSvg } from '../../../src/svg/prepare-svg.ts';
import { SENTINEL } from '../../../src/svg/render-svg.ts';
import type { Credit, SvgMaster } from '../../../src/types.ts';

export interface TryIcon {
  id: number;
  /** The drawing, which takes every colour. The sets of this page draw in one, so that the icon's own colour is black. */
  master: SvgMaster;
  about: Pick<Credit, 'title' | 'creator' | 'source' | 'license'>;
}

/** Icons by their names (`tabler/home`). */
export type TryIcons = Record<string, TryIcon>;

/** Icons of installed sets, prepared by the package's own code. */
export async function drawIcons(names: readonly string[]): Promise<TryIcons> {
  const keys = [{ key: 'docs', secret: 'docs' }];
  const server = createCatalogServer({ sets: ['tabler', 'maki', 'game-icons'], keys });
  const client = createCatalogClient({
    baseUrl: 'https://embedded.example',
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
  const drawn: TryIcons = {};
  for (const name of names) {
    const [set = '', rest = ''] = name.split('/');
    const id = embeddedIconId(set, rest);
    const { bytes } = await client.download(id, { color: SENTINEL });
    const master = await prepareSvg(bytes, { id, askedColor: SENTINEL, ...SAFE });
    // A build finds drawings in its output by the fingerprint. A page has no use for it.
    master.fingerprint = '';
    const { credit } = await icons.load(`icon:${name}?as=meta`);
    const { title, creator, source, license } = credit;
    drawn[name] = { id, master, about: { title, creator, source, license } };
  }
  await Promise.all([client.close(), icons.close()]);
  return drawn;
}

const SAFE = {
  fixedColor: false,
  optimize: true,
  strict: false,
  animation: false,
  maxBytes: 1_048_576,
};
