import { describe, expect, it } from 'vitest';
import { renderSymbol, whyNoSymbol } from '../../src/svg/render-svg.ts';
import type { SvgMaster } from '../../src/types.ts';

const MASTER: SvgMaster = {
  viewBox: '-4 -6 24 12',
  width: 24,
  height: 12,
  root: [' fill="', 0, '"'],
  body: ['<path d="M0 0h8v8z"/>'],
  paint: 'mono',
  hasIds: false,
  removed: {},
  removedVisible: false,
  creditText: [],
  notices: [],
  fingerprint: 'M00h8v8z',
};
const PLAIN = { id: 7, color: 'currentColor', size: '1em', title: null, class: null };

describe('a symbol', () => {
  it('takes over the colour of where it is shown, so that all colours are one symbol', () => {
    const plain = renderSymbol(MASTER, PLAIN);
    const red = renderSymbol(MASTER, { ...PLAIN, color: 'ff0000', size: '48' });
    expect(plain.symbol).toBe(
      '<symbol id="icon-7" viewBox="-4 -6 24 12" fill="currentColor"><path d="M0 0h8v8z"/></symbol>',
    );
    expect(red.symbol).toBe(plain.symbol);
    expect(plain.use.join('sprite.svg')).toBe(
      '<svg width="2em" height="1em" viewBox="0 0 24 12" aria-hidden="true"><use href="sprite.svg#icon-7"/></svg>',
    );
    expect(red.use[0]).toContain('width="96" height="48" viewBox="0 0 24 12" color="#ff0000"');
  });

  it('is one a colour where the drawing has fixed ones', () => {
    const fixed = { ...MASTER, paint: 'fixed' as const, root: [' fill="#000"'] };
    const red = renderSymbol(fixed, { ...PLAIN, color: 'ff0000' });
    expect(red.id).toBe('icon-7-ff0000');
    expect(red.use).toEqual([expect.not.stringContaining('color='), '#icon-7-ff0000"/></svg>']);
  });

  it('is shown by markup that no title and no class breaks out of', () => {
    const { use } = renderSymbol(MASTER, {
      ...PLAIN,
      title: '</title><script>alert(1)</script>]]>',
      class: `a" onload="alert(1)" b'c`,
    });
    expect(use[0]).toContain('class="a&quot; onload=&quot;alert(1)&quot; b&#39;c"');
    expect(use[0]).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;</title>',
    );
  });
});

describe('a drawing that refers to itself or moves', () => {
  it('is no symbol', () => {
    expect(whyNoSymbol(MASTER)).toBeUndefined();
    expect(whyNoSymbol({ ...MASTER, hasIds: true })).toContain('gradients');
    expect(
      whyNoSymbol({ ...MASTER, body: ['<path><animate attributeName="d"/></path>'] }),
    ).toContain('animated');
    expect(whyNoSymbol({ ...MASTER, body: ['<g><set attributeName="x"/></g>'] })).toContain(
      'animated',
    );
  });
});