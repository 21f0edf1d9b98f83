import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeRemovals } from '../../src/svg/refusals.ts';
import { type RenderSvgOptions } from '../../src/svg/render-svg.ts';
import type { PrepareSvgOptions } from '../../src/svg/prepare-svg.ts';
import { assertClean } from './support/assert-clean.ts';
import { prepare, render } from './support/prepare.ts';

const FOLDER = new URL('fixtures/', import.meta.url);

/** The third part of a fixture: options of both steps and what is reported. */
type Parameters = Partial<PrepareSvgOptions> & Partial<RenderSvgOptions> & { report: string };

/** Files of `input @@@ expected @@@ parameters`; each is run twice. */
describe('fixtures', () => {
  it.each(readdirSync(FOLDER).sort())('%s', async (name) => {
    const [input = '', expected = '', parameters = ''] = readFileSync(
      new URL(name, FOLDER),
      'utf8',
    ).split('\n@@@\n');
    const { report, ...options } = JSON.parse(parameters) as Parameters;
    for (let run = 0; run < 2; run += 1) {
      const master = await prepare(input.trim(), options);
      const svg = render(master, options);
      expect(svg).toBe(expected.trim());
      expect(
        `${master.paint}; ${describeRemovals(7, master.removed) || 'icon 7: removed nothing'}`,
      ).toBe(report);
      if (options.class === undefined) assertClean(svg, { animation: options.animation ?? false });
    }
  });
});