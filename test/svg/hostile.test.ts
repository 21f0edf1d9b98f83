import { describe, expect, it } from 'vitest';
import { isIconCatalogError } from '../../src/errors.ts';
import { assertClean } from './support/assert-clean.ts';
import { hostileFiles } from './support/hostile-files.ts';
import { prepare, render } from './support/prepare.ts';

const CODES = ['SVG_INVALID', 'SVG_UNSAFE', 'SVG_TOO_LARGE'];
const files = hostileFiles();

describe('hostile files', () => {
  it('are at least 150 of our own and the 64 of the sample', () => {
    expect(files.filter(({ name }) => name.startsWith('hostile/')).length).toBeGreaterThanOrEqual(
      150,
    );
    expect(files.filter(({ name }) => name.startsWith('hostile-sample/'))).toHaveLength(64);
  });

  it.each(files)('$name ends clean or with a code', async ({ bytes }) => {
    for (const animation of [false, true]) {
      for (const optimize of [true, false]) {
        const outcome = await prepare(bytes, { animation, optimize }).catch(
          (error: unknown) => error,
        );
        if (outcome instanceof Error) {
          if (!isIconCatalogError(outcome)) throw outcome;
          expect(CODES).toContain(outcome.code);
          expect(outcome.message).not.toMatch(/evil|alert|<script[^>]|javascript/);
        } else {
          const master = outcome as Awaited<ReturnType<typeof prepare>>;
          for (const color of ['currentColor', 'ff0000'])
            assertClean(render(master, { color }), { animation });
          expect(JSON.stringify(master)).not.toMatch(/evil\.example/);
        }
      }
    }
  });

  it('give the same master twice', async () => {
    for (const { bytes } of files) {
      const outcomes = [];
      for (let run = 0; run < 2; run += 1)
        outcomes.push(await prepare(bytes).then((master) => JSON.stringify(master), String));
      expect(outcomes[0]).toBe(outcomes[1]);
    }
  });

  it('with active content are refused when strict', async () => {
    const strict = async (name: string): Promise<unknown> =>
      prepare(files.find((file) => file.name.includes(name))?.bytes ?? '', { strict: true }).catch(
        (error: unknown) => error,
      );
    for (const name of [
      '001-script-plain',
      'onload-root',
      'a-javascript.',
      '035-use-external',
      'style-url-fill',
      'set-href',
      'stylesheet-instruction',
      '131-annotation',
    ])
      expect(await strict(name), name).toMatchObject({ code: 'SVG_UNSAFE' });
    for (const name of ['017-attribute-named-proto', 'class-of-page', 'style-attr-fixed'])
      expect(await strict(name), name).toMatchObject({ removed: {} });
  });
});