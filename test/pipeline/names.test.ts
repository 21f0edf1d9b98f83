import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIcons, type Icons } from '../../src/icons.ts';
import { parseSpecifier } from '../../src/index.ts';
import type { EmbeddedOptions, Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';

const HOME = embeddedIconId('tabler', 'home');
const ART = fileURLToPath(new URL('own', import.meta.url));
const REMOTE = { baseUrl: 'http://catalog.test', key: 'k', secret: 's' };

async function iconsWith(
  options: Options = {},
  embedded: EmbeddedOptions = {},
  root?: string,
): Promise<Icons> {
  const folder = root ?? (await temporaryFolder());
  const icons = createIcons(
    {
      catalog: { embedded: { root: process.cwd(), folders: [ART], ...embedded } },
      cacheDir: `${folder}/.cache`,
      ...options,
    },
    { root: folder, env: {}, log: recordingLog() },
  );
  onTestFinished(() => icons.close());
  return icons;
}

const failure = async (specifier: string, icons: Icons): Promise<string> =>
  icons.load(specifier).then(
    () => 'no error',
    (error: unknown) => String(error),
  );

describe('a name of the embedded catalog', () => {
  it('is another spelling of the id, in every place that takes a specifier', async () => {
    const icons = await iconsWith({ aliases: { house: 'tabler/home', logo: 'own/brand' } });
    const { svg, icon, code } = await icons.load('icon:tabler/home?color=f00');
    expect(icon.id).toBe(String(HOME));
    for (const written of [`icon:${HOME}`, 'icon:house', 'icon:tabler%2Fhome'])
      expect((await icons.load(`${written}?color=f00`)).code).toBe(code);
    expect(svg).toContain('stroke="#ff0000"');
    expect((await icons.load('icon:logo?color=original')).svg).toContain('#41b883');

    const options = { catalog: 'embedded', aliases: { house: 'tabler/home' } } as const;
    const canonical = `icon:${HOME}?as=svg&color=currentColor&filetype=svg&size=1em`;
    for (const written of ['icon:tabler/home', 'icon:house', `icon:${HOME}`])
      expect(parseSpecifier(written, options).canonical).toBe(canonical);
  });

  it('pins its id, which no update of the set changes, and is called by its name where it is missing', async () => {
    const root = await temporaryFolder();
    const online = await iconsWith({}, {}, root);
    await online.load('icon:tabler/home');
    await online.close();
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    expect(lock.match(/^"\d+:svg"/gm)).toEqual([`"${HOME}:svg"`]);

    const locked = await iconsWith({ mode: 'locked' }, {}, root);
    await locked.load('icon:tabler/home');
    expect(await failure('icon:tabler/star', locked)).toMatch(
      /LOCK_MISSING[^]*Cannot load `icon:tabler\/star`/,
    );
  });

  it.each([
    [
      'icon:tabler/hoome',
      /icon set `tabler` has no icon `hoome`[^]*Did you mean `icon:tabler\/home`/,
    ],
    ['icon:tabler/icon-bell', /Did you mean `icon:tabler\/bell`/],
    ['icon:tabler/car-icon', /Did you mean `icon:tabler\/car`/],
    ['icon:tabler/fa-car', /Did you mean `icon:tabler\/car`/],
    ['icon:tabler/qqqqqq', /has no icon `qqqqqq`[^]*npx icon-catalog search qqqqqq --embedded/],
    ['icon:own/brnd', /folder `own` has no icon `brnd`[^]*Did you mean `icon:own\/brand`/],
    [
      'icon:tablr/home',
      /No icon set `tablr` is installed[^]*`icon:tabler\/home`[^]*npm i -D @iconify-json\/tablr/,
    ],
    [
      'icon:wholly-other/home',
      /No icon set `wholly-other`[^]*npm i -D @iconify-json\/wholly-other/,
    ],
    ['icon:tabler:home', /SPECIFIER_INVALID[^]*Did you mean `icon:tabler\/home`/],
    ['icon:@iconify-json/tabler/home', /Did you mean `icon:tabler\/home`/],
    ['icon:tabler/Home.svg', /Did you mean `icon:tabler\/home`/],
    ['icon:tabler/arrowLeft', /Did you mean `icon:tabler\/arrow-left`/],
    ['icon:tabler/arrow_left', /Did you mean `icon:tabler\/arrow-left`/],
    // Files of folders are called as they are, in lower case.
    ['icon:own/ArrowLeft.svg', /Did you mean `icon:own\/arrowleft`/],
    ['icon:own/nav/menu', /Did you mean `icon:own\/nav-menu`/],
  ])('is refused with what to write instead: %s', async (written, expected) => {
    expect(await failure(written, await iconsWith())).toMatch(expected);
  });

  it('is refused with what is wrong with the file of a folder', async () => {
    const root = await writeProject({
      'art/nav/Note.svg': 'a note',
      'art/big.svg': `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(1024 * 1024)}</svg>`,
    });
    const icons = await iconsWith({}, { folders: [join(root, 'art')] });
    expect(await failure('icon:art/nav-note', icons)).toMatch(
      /folder `art` has no icon `nav-note`: its file nav\/Note\.svg has no <svg> element\./,
    );
    expect(await failure('icon:art/big', icons)).toMatch(
      /its file big\.svg is larger than 1 MiB\./,
    );
  });

  it('is refused with the options to change, or the set to install', async () => {
    const some = await iconsWith({}, { sets: ['maki'] });
    expect(await failure('icon:tabler/home', some)).toMatch(
      /`catalog\.embedded\.sets` does not name it[^]*Add 'tabler'/,
    );
    const none = await iconsWith({}, { root: await temporaryFolder(), folders: [] });
    expect(await failure('icon:tabler/home', none)).toMatch(/npm i -D @iconify-json\/tabler/);
  });

  it('is no name with a catalog service: the error says where ids come from', async () => {
    const icons = await iconsWith({ catalog: REMOTE, aliases: { 'ui/home': 1 } });
    for (const written of ['icon:tabler/home', 'icon:tabler:home'])
      expect(await failure(written, icons)).toMatch(
        /SPECIFIER_INVALID[^]*`tabler\/home` is a name of the embedded catalog[^]*npx icon-catalog search home[^]*catalog: 'embedded'/,
      );
    expect(await failure('icon:ui/hom', icons)).toContain('Did you mean `icon:ui/home`');
    expect(() => parseSpecifier('icon:tabler/home')).toThrow(/name of the embedded catalog/);

    const aliasOf = (icon: string, catalog: Options['catalog']) => () =>
      createIcons({ catalog, aliases: { house: icon } }, { root: '/', env: {} });
    expect(aliasOf('tabler/home', REMOTE)).toThrow(
      /OPTIONS_INVALID[^]*aliases\.house[^]*npx icon-catalog search home/,
    );
    expect(aliasOf('tabler:home', 'embedded')).toThrow(/Did you mean 'tabler\/home'/);
    expect(aliasOf('home', 'embedded')).toThrow(/its name \('tabler\/home'\)/);
  });

  it('names no icon of a service that happens to have its id', async () => {
    await (await iconsWith()).load('icon:tabler/home');
    const ofService = await iconsWith({ catalog: REMOTE, mode: 'offline' });
    const message = await failure(`icon:${HOME}`, ofService);
    expect(message).toContain(`\`icon:${HOME}\``);
    expect(message).not.toContain('tabler');
  });
});
