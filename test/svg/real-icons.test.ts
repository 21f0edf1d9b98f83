import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { getIconData, iconToSVG } from '@iconify/utils';
import type { Config } from 'svgo';
import { describe, expect, it } from 'vitest';
import { difference } from './support/pixels.ts';
import { prepare, render } from './support/prepare.ts';

const require = createRequire(import.meta.url);

/** Evenly spread over the set, as a service would send them: whole files, painted. */
function icons(set: string, count: number): { name: string; source: string }[] {
  const data = JSON.parse(
    readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8'),
  ) as IconifyJSON;
  const names = Object.keys(data.icons);
  const stride = Math.max(1, Math.floor(names.length / count));
  return names
    .filter((_, index) => index % stride === 0)
    .slice(0, count)
    .map((name) => {
      const { attributes, body } = iconToSVG(getIconData(data, name) ?? { body: '' });
      return {
        name: `${set}:${name}`,
        source: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${attributes.viewBox}">${body}</svg>`,
      };
    });
}

const all = [...icons('tabler', 260), ...icons('game-icons', 140), ...icons('maki', 100)];

describe('500 real icons', () => {
  it('are 500', () => {
    expect(all).toHaveLength(500);
  });

  it.each([
    { paint: 'mono', color: '000000' },
    { paint: 'sentinel', color: '010203' },
  ])(
    'render the same before and after, painted $color ($paint)',
    async ({ paint, color }) => {
      const changed: string[] = [];
      for (const { name, source } of all) {
        const painted = source
          .replaceAll('currentColor', `#${color}`)
          .replace('<svg ', `<svg fill="#${color}" `);
        const master = await prepare(painted, { strict: true });
        expect(master.paint, name).toBe(paint);
        expect(master.removed, name).toEqual({});
        if (difference(painted, render(master, { color, size: '256' })) > 0.0005)
          changed.push(name);
      }
      expect(changed).toEqual([]);
    },
    60_000,
  );

  it('take another colour as if the service had painted it', async () => {
    for (const { name, source } of all.filter((_, index) => index % 10 === 0)) {
      const master = await prepare(source.replaceAll('currentColor', '#010203'));
      const asked = source
        .replaceAll('currentColor', '#2266cc')
        .replace('<svg ', '<svg fill="#2266cc" ');
      expect(
        difference(asked, render(master, { color: '2266cc', size: '256' })),
        name,
      ).toBeLessThanOrEqual(0.0005);
    }
  });

  // `svgo-plan.ts` leaves out plugins that would find nothing. A configuration of the user runs all of them.
  it('have the same bytes as with the plugins that are left out for them', async () => {
    const overrides = {
      mergePaths: false,
      moveGroupAttrsToElems: false,
      cleanupIds: false,
      inlineStyles: false,
      mergeStyles: false,
      minifyStyles: false,
      convertPathData: { convertToQ: false, noSpaceAfterFlags: true },
    } as const;
    const optimize: Config = {
      plugins: [{ name: 'preset-default', params: { floatPrecision: 4, overrides } }],
    };
    for (const { name, source } of all.filter((_, index) => index % 4 === 0)) {
      const painted = source.replaceAll('currentColor', '#010203');
      expect(await prepare(painted), name).toEqual(await prepare(painted, { optimize }));
    }
  });
});