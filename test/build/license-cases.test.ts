import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import type { Manifest, ManifestIcon } from '../../src/types.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const svg = (path: string, rest = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}"/>${rest}</svg>`;
const rdf = (license: string): string =>
  `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"><cc:Work><cc:license rdf:resource="${license}"/></cc:Work></rdf:RDF></metadata>`;

const ART = {
  'by/plain.svg': svg('M1 1h9v9H1z'),
  'by/drawn.svg': svg('M2 2h9v9H2z', '<text y="30">Created by Aya (CC BY 2.5)</text>'),
  'by/noted.svg': svg('M3 3h9v9H3z', rdf('http://creativecommons.org/licenses/by/3.0/')),
  'by/ours.svg': svg('M4 4h9v9H4z'),
  'free/dot.svg': svg('M5 5h9v9H5z'),
  'known/ring.svg': svg('M6 6h9v9H6z'),
  'own/box.svg': svg('M7 7h9v9H7z'),
  'own/lid.svg': svg('M8 8h9v9H8z'),
  'none/bag.svg': svg('M9 9h9v9H9z'),
  'team/mark.svg': svg('M9 9h8v8H9z'),
};
const LICENSES: Record<string, string | undefined> = {
  by: 'creative-commons-attribution',
  free: 'public-domain',
  known: 'MIT',
  own: 'house rules',
  none: ' ',
  team: undefined,
};
const NAMES = Object.keys(ART).map((file) => file.replace('.svg', ''));
const idOf = (name: string): number =>
  embeddedIconId(...(name.split('/') as [prefix: string, name: string]));

const asserted = (license: string): { license: string; by: string; evidence: string } => ({
  license,
  by: 'Legal',
  evidence: 'https://example.com/letter',
});
const OPTIONS: Options = {
  licenses: {
    unknown: 'warn',
    assert: {
      [idOf('own/box')]: asserted('CC-BY-ND-4.0'),
      [idOf('by/ours')]: asserted('CC-BY-1.0'),
    },
  },
};

interface Site {
  icon(name: string): ManifestIcon;
  manifest: Manifest;
  page: string;
  log: string;
}

/** A site with every icon, and the means to build it again with other options or another catalog. */
async function project(): Promise<{
  root: string;
  build(options?: Options, licenses?: typeof LICENSES): Promise<Site>;
}> {
  const imports = NAMES.map((name, at) => `import i${at} from 'icon:${idOf(name)}?color=1d5c46';`);
  const root = await writeProject({
    ...Object.fromEntries(Object.entries(ART).map(([file, text]) => [`art/${file}`, text])),
    'index.html': '<script type="module" src="/main.js"></script>',
    'main.js': `${imports.join('\n')}\ndocument.title = ${NAMES.map((_, at) => `i${at}`).join(' + ')};`,
  });
  return {
    root,
    async build(options = OPTIONS, licenses = LICENSES) {
      const catalog = await startCountingCatalog({
        sets: [],
        root,
        folders: Object.entries(licenses).map(([name, license]) =>
          Object.assign(
            { path: `art/${name}`, author: 'Aya' },
            license === undefined ? {} : { license },
          ),
        ),
      });
      onTestFinished(() => catalog.close());
      const { key, secret } = catalog;
      const lines: string[] = [];
      const log = (line: string): void => void lines.push(line);
      await build({
        root,
        configFile: false,
        logLevel: 'warn',
        customLogger: {
          info: log,
          warn: log,
          warnOnce: log,
          error: log,
          clearScreen: () => undefined,
          hasErrorLogged: () => false,
          hasWarned: false,
        },
        plugins: [
          vitePlugin({
            catalog: { baseUrl: catalog.url, key, secret },
            cacheDir: join(root, '.cache'),
            ...options,
          }),
        ],
      });
      const read = (name: string): Promise<string> => readFile(join(root, 'dist', name), 'utf8');
      const manifest = parseManifest(await read('icon-attribution.json'));
      return {
        manifest,
        icon(name) {
          const found = manifest.icons.find(({ id }) => id === String(idOf(name)));
          if (found === undefined) throw new Error(`${name} is not in the list`);
          return found;
        },
        page: await read('icon-attribution.html'),
        log: lines.join('\n'),
      };
    },
  };
}

const ground = ({ license: { status, version, versionBasis, spdx, url } }: ManifestIcon) => ({
  status,
  version,
  basis: versionBasis,
  spdx,
  url: url?.replace('https://creativecommons.org/licenses/', '') ?? null,
});

describe('the credits of a build', () => {
  it('say of each licence what is known of it, on which ground, and warn of the rest', async () => {
    const site = await (await project()).build();
    expect(site.manifest.icons).toHaveLength(NAMES.length);
    expect(Object.fromEntries(NAMES.map((name) => [name, ground(site.icon(name))]))).toEqual({
      'by/plain': {
        status: 'attribution',
        version: null,
        basis: 'not-stated',
        spdx: 'LicenseRef-catalog-creative-commons-attribution',
        url: null,
      },
      'by/drawn': of('attribution', '2.5', 'source-file'),
      'by/noted': of('attribution', '3.0', 'source-file'),
      'by/ours': of('attribution', '1.0', 'project-assertion'),
      'free/dot': {
        status: 'public-domain',
        version: null,
        basis: 'not-stated',
        spdx: 'LicenseRef-catalog-public-domain',
        url: null,
      },
      'known/ring': expect.objectContaining({ status: 'spdx', basis: 'spdx', spdx: 'MIT' }),
      'own/box': {
        status: 'separately-licensed',
        version: '4.0',
        basis: 'project-assertion',
        spdx: 'CC-BY-ND-4.0',
        url: 'by-nd/4.0/',
      },
      'own/lid': expect.objectContaining({ status: 'unknown', version: null }),
      'none/bag': expect.objectContaining({ status: 'unknown', spdx: 'NOASSERTION' }),
      'team/mark': {
        status: 'separately-licensed',
        version: null,
        basis: 'not-stated',
        spdx: 'LicenseRef-project-file',
        url: null,
      },
    });
    expect(site.icon('by/drawn').credit.drawn).toEqual(['Created by Aya (CC BY 2.5)']);
    const required = NAMES.filter((name) => site.icon(name).credit.required);
    expect(required).toEqual(NAMES.filter((name) => name !== 'free/dot' && name !== 'team/mark'));
    expect(site.log).toMatch(/Box.*NoDerivatives.*forbids to share changed copies.*recoloured/);
    expect(site.log).toMatch(/licence of icon \d+ “Lid” is not known.*“house rules”/);
    expect(site.log).toMatch(/states no licence for icon \d+ “Bag”/);
    expect(site.log).toMatch(/1 icon[^\n]*version/i);
    expect(site.page).toContain('as found out for this site');
    expect(site.page).not.toContain('CC0');
  });

  it('take the version that the catalog’s terms state, also where credits were kept without it', async () => {
    const { build } = await project();
    expect((await build()).icon('by/plain').license.versionBasis).toBe('not-stated');
    const url = 'https://catalog.example/terms';
    const licenses = { ...OPTIONS.licenses, terms: { version: '4.0', url } as const };
    const site = await build({ licenses });
    expect(ground(site.icon('by/plain'))).toEqual(of('attribution', '4.0', 'catalog-terms'));
    expect(ground(site.icon('by/drawn'))).toEqual(of('attribution', '4.0', 'catalog-terms'));
    expect(ground(site.icon('by/ours'))).toEqual(of('attribution', '1.0', 'project-assertion'));
    expect(site.icon('free/dot').license.version).toBeNull();
    expect(site.manifest.catalog.termsUrl).toBe(url);
    expect(site.page).toContain(`<a href="${url}">its terms</a>`);
    const again = await build();
    expect(again.icon('by/plain').license.version).toBeNull();
    expect(again.page).not.toContain(url);
  });

  it('stay those of the lock if the catalog says something else meanwhile', async () => {
    const { root, build } = await project();
    const before = await build();
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const after = await build(OPTIONS, { ...LICENSES, free: 'creative-commons-attribution' });
    expect(after.icon('free/dot')).toEqual(before.icon('free/dot'));
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);
  });

  it('fail the build if a licence is unknown, or the policy refuses it', async () => {
    const { build } = await project();
    const { assert } = OPTIONS.licenses ?? {};
    await expect(build({ licenses: { assert: assert ?? {} } })).rejects.toThrow(
      /LICENSE_UNKNOWN[^]*main\.js/,
    );
    const allow = [
      'creative-commons-attribution',
      'MIT',
      'CC-BY-ND-4.0',
      'CC-BY-1.0',
      'house rules',
      ' ',
      'project-file',
    ];
    await expect(build({ licenses: { ...OPTIONS.licenses, allow } })).rejects.toThrow(
      /LICENSE_REFUSED[^]*“public-domain”[^]*main\.js/,
    );
  });
});

function of(status: string, version: string, basis: string): ReturnType<typeof ground> {
  return {
    status,
    version,
    basis,
    spdx: `CC-BY-${version}`,
    url: `by/${version}/`,
  } as ReturnType<typeof ground>;
}
