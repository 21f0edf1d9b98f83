import { describe, expect, it } from 'vitest';
import { isIconCatalogError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { assertClean } from '../support/assert-clean.ts';
import { prepare, render } from '../support/prepare.ts';
import { corpus, hasAnimation } from './corpus.ts';
import { BREAKOUTS } from './families/words.ts';
import { iconsOf } from './stub-catalog.ts';

const CODES = ['SVG_INVALID', 'SVG_TOO_LARGE', 'CATALOG_MALFORMED', 'SPECIFIER_INVALID'];
/** Files that are loaded at a time. */
const AT_ONCE = 8;
const files = new Map(corpus.map(({ id, bytes }) => [id, bytes]));
const PIXEL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';

/** What a module exports, read as the engine reads it. */
async function run(code: string): Promise<{ default: string; credit: unknown; icon: unknown }> {
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

describe('the red team', () => {
  it('has at least 1,000 files', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(1_000);
  });

  it.each([false, true])(
    'gets nothing through, animation %s',
    async (animation) => {
      const icons = iconsOf(files, { root: await temporaryFolder(), svg: { animation } });
      let drawn = 0;
      // Without a word of animation the option has no say.
      const queue = corpus.filter(({ bytes }) => !animation || hasAnimation(bytes));
      // Loads wait for the disk more than they work, so some of them run at once.
      for (let at = 0; at < queue.length; at += AT_ONCE) {
        const group = queue.slice(at, at + AT_ONCE);
        const outcomes = await Promise.allSettled(
          group.map(({ id }) => icons.load(`icon:${id}?color=${id % 2 === 0 ? 'f00' : '00f'}`)),
        );
        for (const [index, outcome] of outcomes.entries()) {
          const { id, name } = group[index] ?? group[0]!;
          if (outcome.status === 'rejected') {
            const error: unknown = outcome.reason;
            if (!isIconCatalogError(error)) throw error;
            expect(CODES, `${name}: ${error.message}`).toContain(error.code);
            expect(error.message, name).not.toMatch(/evil|alert|<script[^>]|javascript/);
            continue;
          }
          const { svg = '', code } = outcome.value;
          drawn += 1;
          assertClean(svg, { id, animation });
          expect(code, name).toMatch(/^[\n -;=-~]*$/);
        }
      }
      expect(drawn).toBeGreaterThan(250);
      await icons.close();
    },
    // 1,500 files: never endless, whatever else the machine does.
    300_000,
  );

  it('gets nothing through where nothing is optimised, and no active content where it is refused', async () => {
    for (const { id, name, bytes } of corpus)
      for (const strict of [false, true]) {
        const outcome = await prepare(bytes, {
          id,
          strict,
          optimize: false,
          animation: true,
        }).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) {
          const master = outcome as Awaited<ReturnType<typeof prepare>>;
          assertClean(render(master, { id }), { id, animation: true });
          if (strict)
            expect(Object.keys(master.removed), name).not.toEqual(
              expect.arrayContaining([expect.stringMatching(/script|event|external|html|unsafe/)]),
            );
        } else if (!isIconCatalogError(outcome)) throw outcome;
      }
  });

  it('cannot end a module, an attribute or a comment by the words of a record or an import', async () => {
    for (const words of BREAKOUTS) {
      const icons = iconsOf(new Map([[1, new TextEncoder().encode(PIXEL)]]), {
        root: await temporaryFolder(),
        words,
      });
      const written = encodeURIComponent(words);
      for (const form of ['svg', 'url', 'data', 'meta']) {
        const loaded = await icons.load(`icon:1?as=${form}&title=${written}&class=${written}`);
        const exported = { ...(await run(loaded.code)) };
        expect(loaded.code).toMatch(/^[\n -;=-~]*$/);
        expect(exported).toMatchObject({ credit: loaded.credit, icon: { term: words } });
        if (form === 'svg') expect(exported.default).toBe(loaded.svg);
        if (form === 'data' || form === 'url')
          expect(exported.default).toMatch(/^data:image\/svg\+xml,[\w!$%*+,./:;=?@~-]+$/);
        if (loaded.svg !== undefined) assertWords(loaded.svg);
        expect(JSON.stringify(loaded.credit.source)).not.toContain('javascript:');
      }
      await icons.close();
    }
  });
});

/** One root, one title, one path: whatever the words say, they are words. */
function assertWords(svg: string): void {
  expect(svg).toMatch(
    /^<svg(?: [A-Za-z-]+="[^"<>]*")+>(?:<title>[^<>]*<\/title>)?<path(?: [a-z]+="[^"<>]*")+\/><\/svg>$/,
  );
}