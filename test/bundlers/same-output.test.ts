import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/index.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { readTree } from '../support/write-project.ts';
import { ALIASES, BUNDLERS, createProject, SHIPPED } from './project.ts';
import type { Build, Bundler, Project, Shown } from './project.ts';
import { creditsOf, expectedCalls, manifestOf, shippedIn } from './read-build.ts';

interface Built {
  cold: Build;
  warm: Build;
  shown: Shown;
}

let catalog: CountingCatalog;
let project: Project;
const builtByBundler = new Map<Bundler, Built>();

/**
 * Twice each: into an empty cache of its own by the plugin of the bundler's own entry, and again by that of the package's
 * root, so that equal bytes say both that the cache changes nothing and that the entries are one plugin.
 */
beforeAll(async () => {
  [catalog, project] = await Promise.all([startCountingCatalog(), createProject()]);
  const build = (bundler: Bundler): Promise<Build> =>
    // A lock of its own each, or the first one would know everything for all of them.
    project.build(bundler, { cache: bundler, catalog, options: { lockfile: `${bundler}.lock` } });
  const colds: Build[] = [];
  for (const bundler of BUNDLERS) colds.push(await build(bundler));
  const restore = await importFromRoot();
  for (const [at, bundler] of BUNDLERS.entries()) {
    const warm = await build(bundler);
    const [cold = warm] = colds.slice(at);
    if (cold.exitCode + warm.exitCode > 0) throw new Error(`${bundler}: ${cold.said}${warm.said}`);
    builtByBundler.set(bundler, { cold, warm, shown: await project.show(bundler) });
  }
  await restore();
}, 180_000);

/** Lets each configuration take its plugin from the package's root. */
async function importFromRoot(): Promise<() => Promise<void>> {
  const before = new Map<string, string>();
  for (const name of await readdir(project.root)) {
    if (!/\.m?js$/.test(name)) continue;
    const path = `${project.root}/${name}`;
    const text = await readFile(path, 'utf8');
    const changed = text.replace(
      /^import iconCatalog from 'unplugin-icon-catalog\/(\w+)';$/m,
      "import plugins from 'unplugin-icon-catalog';\nconst iconCatalog = plugins.$1;",
    );
    if (changed === text) continue;
    before.set(path, text);
    await writeFile(path, changed);
  }
  expect(before.size).toBe(BUNDLERS.length);
  return async () => {
    for (const [path, text] of before) await writeFile(path, text);
  };
}
afterAll(async () => {
  await project.remove();
  await catalog.close();
});

function builtBy(bundler: Bundler): Built {
  const built = builtByBundler.get(bundler);
  if (built === undefined) throw new Error(`${bundler} has not built`);
  return built;
}

describe.each(BUNDLERS)('twenty icons, built by %s from the packed tarball', (bundler) => {
  it('ship what Rollup ships', () => {
    const { warm, shown } = builtBy(bundler);
    const rollup = builtBy('rollup');
    expect(shippedIn(warm, shown)).toEqual(shippedIn(rollup.warm, rollup.shown));
  });

  it('cost one call for a record and one for a drawing, and none when built again', () => {
    const { cold, warm } = builtBy(bundler);
    const names = Object.keys(ALIASES);
    // Rspack does not even load what is never used.
    const used = names.filter((name) => name !== 'moon');
    expect(cold.calls.toSorted()).toEqual(expectedCalls(bundler === 'rspack' ? used : names));
    expect(warm.calls).toEqual([]);
  });

  it('are the same bytes when built again, by the plugin from the package’s root', () => {
    const { cold, warm } = builtBy(bundler);
    expect([...warm.output.keys()]).toEqual([...cold.output.keys()]);
    for (const [path, bytes] of cold.output) {
      expect(warm.output.get(path)?.equals(bytes), path).toBe(true);
    }
  });

  it('are credited where they are, in the files and in the page of the app', () => {
    const { warm, shown } = builtBy(bundler);
    const { icons, complete, builds } = manifestOf(warm);
    expect(icons.map(({ id }) => id).toSorted()).toEqual(SHIPPED);
    expect(complete).toBe(true);
    expect(builds.map((build) => build.bundler)).toEqual([bundler]);
    expect(shown.credits).toEqual(creditsOf(warm));
    expect(shown.complete).toBe(true);

    const places = icons.flatMap(({ usedIn }) => usedIn);
    expect(places.filter(({ file }) => !warm.output.has(file))).toEqual([]);
    const images = [...warm.output.keys()].filter((path) => /\.(?:svg|png)$/.test(path));
    const assets = places.filter(({ kind }) => kind === 'asset').map(({ file }) => file);
    expect(assets.toSorted()).toEqual(images.toSorted());
  });

  it('have the same credits page and list as Rollup’s', () => {
    for (const name of ['icon-attribution.html', 'icon-attribution.md']) {
      const text = builtBy(bundler).warm.output.get(name)?.toString() ?? `no ${name}`;
      expect(text).toBe(builtBy('rollup').warm.output.get(name)?.toString());
    }
  });

  it('are in files whose names every file system, address and archive takes', () => {
    const names = [...builtBy(bundler).warm.output.keys()];
    expect(names.filter((name) => /[<>:"|?*\\#%\s]/.test(name))).toEqual([]);
  });

  it('leave nothing of the key behind', async () => {
    const { cold, warm } = builtBy(bundler);
    const kept = await readTree(`${project.root}/.icons/${bundler}`);
    expect(kept.size).toBeGreaterThan(0);
    const texts = [...warm.output, ...kept].map(([path, bytes]) => `${path}\n${String(bytes)}`);
    for (const text of [...texts, cold.said, warm.said]) {
      expect(text).not.toMatch(/counting-(?:key|secret)|oauth_|Signature=/);
    }
  });
});

describe.each(BUNDLERS)('other options of %s after a build that is cached', (bundler) => {
  it('are obeyed without a call', async () => {
    const lockfile = `${bundler}.lock`;
    const options = { lockfile, svg: { optimize: false }, defaults: { class: 'mine' } };
    const built = await project.build(bundler, { cache: bundler, catalog, options });
    expect({ exitCode: built.exitCode, said: built.said }).toMatchObject({ exitCode: 0 });
    const { markup } = await project.show(bundler);
    expect(markup['wolf']).toContain('class="mine"');
    // Masters that are not optimised are made again, from the bytes that were downloaded before.
    expect(built.calls).toEqual([]);
    expect(markup['user']).not.toBe(builtBy(bundler).shown.markup['user']);
    expect(markup['user']).toContain('M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0');
  });
});

describe('what the bundlers agree upon', () => {
  it('is what the pipeline makes without a bundler', async () => {
    const { url: baseUrl, key, secret } = catalog;
    const icons = createIcons(
      {
        catalog: { baseUrl, key, secret },
        aliases: ALIASES,
        cacheDir: `${project.root}/.icons/rollup`,
        logLevel: 'silent',
      },
      // The site that the bundlers get, too.
      { root: project.root, env: { ICON_CATALOG_SITE_URL: 'https://icons.example' } },
    );
    const { markup, data, camera, lazy, named } = builtBy('rollup').shown;
    const load = async (specifier: string) => icons.load(specifier);
    expect(markup['redHome']).toBe((await load('icon:home?color=ff0000&size=32')).svg);
    expect(markup['heart']).toBe((await load('icon:heart?color=E91E63&size=2rem')).svg);
    expect(markup['wolf']).toBe((await load('icon:wolf?size=24')).svg);
    expect(markup['setWolf']).toBe(markup['wolf']);
    expect(markup['setHome']).toBe((await load('icon:home?size=24')).svg);
    expect(lazy.markup['anchor']).toBe((await load('icon:anchor?size=0.75rem')).svg);
    const fuel = await load('icon:fuel?filetype=png&as=data');
    const fuelBase64 = Buffer.from(fuel.bytes ?? []).toString('base64');
    expect(data['fuelData']).toBe(`data:image/png;base64,${fuelBase64}`);
    const lion = await load('icon:lion?size=1.5em');
    expect(named).toMatchObject({ credit: lion.credit, icon: lion.icon });
    expect(camera).toMatchObject({ id: String(ALIASES['camera']), term: 'Camera' });
    await icons.close();
  });

  it('is what was written in the imports', () => {
    const { markup, data, lazy } = builtBy('rollup').shown;
    const all = [...Object.values(markup), ...Object.values(lazy.markup)];
    expect(all).toHaveLength(17);
    for (const svg of all) expect(svg).toMatch(/^<svg width="[^]*<\/svg>$/);
    expect(markup['sameHome']).toBe(markup['redHome']);
    expect(markup['redHome']).toContain('#ff0000');
    expect(lazy.markup['blueHome']).toBe(
      markup['redHome']
        ?.replaceAll('#ff0000', '#0000ff')
        .replace('width="32" height="32"', 'width="1em" height="1em"'),
    );
    expect(markup['user']).toContain('<title>Ärger &amp; "Spaß" &lt;/script&gt; `${x}`</title>');
    expect(markup['settings']).toContain('class="icon icon--big"');
    expect(data['airport']).toMatch(/^data:image\/svg\+xml,%3Csvg/);
    expect(decodeURIComponent(data['bicycle'] ?? '')).toContain('<title>Bicycle</title>');
    // What is never used is not shipped: neither its drawing nor its credit.
    const [script = ''] = [...builtBy('rollup').warm.output]
      .filter(([path]) => path === 'main.js')
      .map(([, bytes]) => String(bytes));
    expect(script).not.toContain(String(ALIASES['moon']));
  });
});
