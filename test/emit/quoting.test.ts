import fc from 'fast-check';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { assetFileName } from '../../src/emit/emit-module.ts';
import { creditComment, svgToDataUri, withCreditComment } from '../../src/emit/svg-text.ts';
import { moduleCode, toJsLiteral } from '../../src/emit/module-code.ts';
import { HOSTILE, SVG, credit, input } from './sample.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...HOSTILE),
  fc
    .array(fc.constantFrom('-', '<', '!', '>', '"', "'", '\\', ' ', '\ud800', '\udc00'))
    .map((parts) => parts.join('')),
);

/** Calls the check with hostile samples first, then with random text. */
function forAnyText(check: (text: string) => void): void {
  for (const text of HOSTILE) check(text);
  fc.assert(fc.property(anyText, check));
}

describe('a JavaScript string', () => {
  it('has the value again, and holds no <, no line end and no half character', () => {
    forAnyText((text) => {
      const literal = toJsLiteral(text);
      expect(new Script(literal).runInThisContext()).toBe(text);
      expect(literal).not.toMatch(/[<\n\r\u2028\u2029]|\p{Surrogate}/u);
    });
  });

  it('keeps a module whole whatever a credit says', () => {
    forAnyText((text) => {
      const { icon } = input();
      const reported = { ...credit, title: text };
      const code = moduleCode({
        value: toJsLiteral(text),
        credit: reported,
        icon: { ...icon, term: text },
      });
      const script = code
        .replace('export default ', 'const value = ')
        .replaceAll('\nexport const', '\nconst');
      const seen: unknown = new Script(
        `(() => { ${script} return { value, credit, icon } })()`,
      ).runInThisContext();
      expect(JSON.parse(JSON.stringify(seen))).toEqual(
        JSON.parse(
          JSON.stringify({ value: text, credit: reported, icon: { ...icon, term: text } }),
        ),
      );
    });
  });
});

describe('a data address', () => {
  it('has the markup again, and fits HTML attributes and an unquoted CSS url()', () => {
    forAnyText((text) => {
      const address = svgToDataUri(text);
      expect(address).toMatch(/^data:image\/svg\+xml,[\w!$*+,\-./:;=?@~%]*$/);
      expect(decodeURIComponent(address.slice(address.indexOf(',') + 1))).toBe(
        text.replace(/\p{Surrogate}/gu, '\ufffd'),
      );
    });
  });
});

describe('numbers in a data address', () => {
  it('stand between commas, which are one character each, and no words do', () => {
    const svg =
      '<svg viewBox="0 0 24 24"><title>d="1 2" 3 4</title><path d="M.5 1a2 2 0 01-3 -4"/></svg>';
    expect(decodeURIComponent(svgToDataUri(svg))).toBe(
      'data:image/svg+xml,<svg viewBox="0,0,24,24"><title>d="1 2" 3 4</title><path d="M.5,1a2,2,0,01-3,-4"/></svg>',
    );
  });
});

describe('a credit comment', () => {
  it('ends where it ends', () => {
    forAnyText((text) => {
      const comment = creditComment({ ...credit, credit: { ...credit.credit, line: text } });
      expect(comment.startsWith('<!--! ')).toBe(true);
      expect(comment.slice(4).indexOf('--')).toBe(comment.length - 7);
      expect(comment).not.toMatch(/[\p{Cc}\p{Surrogate}\ufffe\uffff\u2028\u2029]/u);
    });
  });

  it('says nothing twice', () => {
    const line = 'Star by Ana, CC BY 3.0, https://catalog.example/icon/123';
    expect(creditComment({ ...credit, credit: { ...credit.credit, line } })).toBe(
      `<!--! ${line} -->`,
    );
  });

  it('stands in the root, or behind a root that has no end tag', () => {
    expect(withCreditComment(SVG, credit)).toBe(
      SVG.replace('</svg>', `${creditComment(credit)}</svg>`),
    );
    expect(withCreditComment('<svg/>', credit)).toBe(`<svg/>${creditComment(credit)}`);
  });
});

describe('a file name', () => {
  it.each([
    ['Star', 'star-1.svg'],
    ['Café au lait!', 'cafe-au-lait-1.svg'],
    ['../../etc/passwd', 'etc-passwd-1.svg'],
    ['星', 'icon-1.svg'],
    ['', 'icon-1.svg'],
    ['a'.repeat(100), `${'a'.repeat(54)}-1.svg`],
    [`${'a'.repeat(53)} b`, `${'a'.repeat(53)}-1.svg`],
  ])('of %j is %s', (term, name) => {
    expect(assetFileName({ term, id: 1, filetype: 'svg' })).toBe(name);
  });

  it('is short ASCII whatever the term', () => {
    forAnyText((term) => {
      const name = assetFileName({ term, id: Number.MAX_SAFE_INTEGER, filetype: 'png' });
      expect(name).toMatch(/^[a-z\d](?:[a-z\d-]*[a-z\d])?\.png$/);
      expect(name.length).toBeLessThanOrEqual(60);
    });
  });
});
