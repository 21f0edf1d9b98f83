import { createIconScanner } from '../../src/attribution/check/scan.ts';
import type { Config } from 'svgo';
import { describe, expect, it } from 'vitest';
import { assertClean } from './support/assert-clean.ts';
import { drawn, file, NS, prepare, render } from './support/prepare.ts';

const PATH = '<path d="M2 2h9v9H2z"/>';

describe('prepareSvg', () => {
  it('holds against plugins of the user', async () => {
    const optimize: Config = {
      multipass: true,
      js2svg: { pretty: true, regValEntities: /x^/g, attrEnd: '" onload="alert(1)"' },
      datauri: 'base64',
      plugins: [
        'preset-default',
        {
          name: 'hostile',
          fn: () => ({
            element: {
              enter: (node) => {
                node.attributes['onclick'] = 'alert(1)';
                node.attributes['style'] = 'fill:url(https://evil.example/)';
                node.attributes['fill'] = '\ufdd0';
                if (node.name === 'path')
                  node.children.push({
                    type: 'element',
                    name: 'script',
                    attributes: {},
                    children: [{ type: 'text', value: 'alert(1)' }],
                  });
              },
            },
          }),
        },
      ],
    };
    const svg = render(await prepare(file(PATH), { optimize }));
    assertClean(svg);
    expect(svg).toContain('<path d="M2 2h9v9H2z"/>');
  });

  it('uses the configuration of the user instead of the safe set', async () => {
    const wave = file('<path d="M1.23456 2.34567h9.87654v9z"/>');
    expect(
      render(
        await prepare(wave, { optimize: { floatPrecision: 1, plugins: ['convertPathData'] } }),
      ),
    ).toContain('M1.2 2.3h10v9z');
    expect(render(await prepare(wave))).toContain('M1.2346 2.3457h9.8765v9z');
    expect(render(await prepare(wave, { optimize: false }))).toContain(
      'M1.23456 2.34567h9.87654v9z',
    );
  });

  it('says when the configuration of the user fails', async () => {
    const optimize: Config = {
      plugins: [
        {
          name: 'broken',
          fn: () => {
            throw new Error('no');
          },
        },
      ],
    };
    await expect(prepare(file(PATH), { optimize })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'svg.optimize',
    });
  });

  it('survives a plugin that makes numbers out of nothing', async () => {
    const optimize: Config = {
      plugins: [
        {
          name: 'nan',
          fn: () => ({
            element: {
              enter: (node) => {
                if (node.name === 'path') node.attributes['d'] = 'MNaN 0h1';
              },
            },
          }),
        },
      ],
    };
    expect(render(await prepare(file(PATH), { optimize }))).toContain(PATH);
  });

  it('finds its icon again by the fingerprint', async () => {
    for (const body of [
      '<path d="M2 2h9v9H2z"/><path d="M12 12 h1 v1"/>',
      '<circle cx="12" cy="12" r="6.25"/>',
      '<path d="M0 0h1"/><path d="m3 3c1.5-.3 2.25 4 .1 9z"/>',
    ]) {
      const master = await prepare(file(body));
      expect(master.fingerprint).not.toBe('');
      const scanner = createIconScanner([{ key: 'it', fingerprint: master.fingerprint }]);
      expect([...scanner.scan(render(master))]).toEqual(['it']);
    }
  });

  it('keeps animation only when asked, and only harmless animation', async () => {
    const body = `<circle id="c" cx="12" cy="12" r="3" fill="#010203"><animate id="a" attributeName="r" values="3;6;3" dur="1s" begin="0s;b.end+.5s" repeatCount="indefinite"/><animateTransform id="b" attributeName="transform" type="rotate" from="0 12 12" to="360 12 12" dur="2s" begin="a.begin"/><animate attributeName="fill" values="#010203;#ffffff" dur="1s"/><set attributeName="onclick" to="alert(1)"/><set attributeName="href" to="javascript:alert(1)"/><animate attributeName="r" to="9" begin="click"/><animate href="#page" attributeName="r" to="9"/></circle>`;
    expect(await drawn(body)).not.toContain('<animate');
    const kept = await drawn(body, { animation: true }, '00ff00');
    expect(kept).toContain('begin="0s;i7-00ff00-1.end+.5s"');
    expect(kept).toContain('begin="i7-00ff00-0.begin"');
    expect(kept).toContain('values="#00ff00;#ffffff"');
    expect(kept).not.toMatch(/onclick|javascript|click|#page/);
    assertClean(`<svg>${kept}</svg>`, { animation: true });
    expect((await prepare(file(body), { animation: true })).removed).toEqual({
      'unsafe-animation': 4,
    });
    expect(kept.match(/<animate/g)).toHaveLength(3);
  });

  it('leaves on the root nothing that acts on the page', async () => {
    const svg = render(
      await prepare(
        file(
          `<filter id="f"><feFlood/></filter>${PATH}`,
          'transform="scale(99)" opacity=".5" filter="url(#f)" overflow="visible" style="position:fixed;width:100vw" x="9" y="9" preserveAspectRatio="none"',
        ),
      ),
    );
    const root = svg.slice(0, svg.indexOf('>'));
    expect(root).not.toMatch(/transform|opacity|filter|overflow|style|preserve| x=/);
    expect(svg).toMatch(/<(?:g|path)[^>]* filter="url\(#i7-0\)"/);
  });

  it.each([
    ['<path fill="none" d="M2 2h9v9"/>', false],
    ['<g fill="none"><path d="M2 2h9v9"/><g><circle r="2"/></g></g>', false],
    ['<path fill="none" d="M2 2h9v9"/><circle r="2"/>', true],
    ['<g><g fill="none"><path d="M2 2h9v9"/></g><path d="M3 3h9v9"/></g>', true],
    ['<path fill="inherit" d="M2 2h9v9"/>', true],
    [
      '<defs><path id="a" fill="none" d="M2 2h9v9"/></defs><use href="#a"/><use href="#a" x="1"/>',
      true,
    ],
    ['<text fill="none">a</text><text>b</text>', true],
  ])('gives the root a fill only if something takes it from there: %s', async (body, isTaken) => {
    for (const optimize of [true, false]) {
      const { root } = await prepare(file(`${body}<path stroke="#000" fill="none" d="M9 9h1"/>`), {
        optimize,
      });
      expect(root.join('').includes('fill="'), String(optimize)).toBe(isTaken);
    }
  });

  it('writes the flags of an arc without spaces', async () => {
    const arc = file('<path d="M2 2 a 2 2 0 0 1 2 2 h9v9z"/>');
    expect(render(await prepare(arc))).toContain('d="M2 2a2 2 0 012 2h9v9z"');
  });

  it('gives the same master twice', async () => {
    const svg = file(
      `<style>.a{fill:red}</style><g class="a">${PATH}</g><linearGradient id="z"><stop/></linearGradient><path fill="url(#z)" d="M0 0h3v3z"/>`,
    );
    expect(await prepare(svg)).toEqual(await prepare(svg));
  });

  it('says in strict mode what it found, without the text of the file', async () => {
    await expect(
      prepare(file(`${PATH}<script>steal()</script>`), { strict: true }),
    ).rejects.toMatchObject({
      code: 'SVG_UNSAFE',
      reason: 'icon 7 has active content: 1 <script>.',
    });
  });
});
describe('what is not drawn', () => {
  const SHOWN = '<path d="M1 1h9"/>';

  it.each([
    '<path/>',
    '<path d=""/>',
    '<path d="M2 2"/>',
    '<path d="M2 2L5"/>',
    '<path d="M2 2,h5"/>',
    '<path d="M2 2,,h5"/>',
    '<path d="M2h5"/>',
    '<path d="M2 2c1 1 2 2 3"/>',
    '<path d="M2 2a1 1 0 2 1 3 3"/>',
    '<circle cx="5" cy="5" r="0"/>',
    '<circle cx="5" cy="5" r="0.00001px"/>',
    '<ellipse rx="4" ry=".00004"/>',
    '<rect width="4" height="0"/>',
    '<polygon/>',
    '<polyline fill="none"/>',
    '<path d="M2 2h5" display="none"/>',
    '<path d="M2 2h5" visibility="hidden"/>',
    '<circle r="5" opacity="0"/>',
    '<g display="none"><path d="M2 2h5"/></g>',
  ])('is removed: %s', async (hidden) => {
    expect(await drawn(hidden + SHOWN)).toBe(await drawn(SHOWN));
  });

  it.each([
    [
      'white space in a value',
      '<path stroke="red" stroke-dasharray="1  2" d="M2 2h5"/>',
      '<path stroke="red" stroke-dasharray="1 2" d="M2 2h5"/>',
    ],
    ['a stroke that no paint needs', '<path stroke-width="2" d="M2 2h5"/>', '<path d="M2 2h5"/>'],
    [
      'a rule for the fill of what has none',
      '<g stroke="red"><path fill="none" fill-rule="evenodd" d="M2 2h5"/></g>',
      '<g stroke="red"><path fill="none" d="M2 2h5"/></g>',
    ],
    ['an ellipse that is a circle', '<ellipse rx="5" ry="5"/>', '<circle r="5"/>'],
    [
      'a rectangle that a path writes in less',
      '<rect width="5" height="4"/>',
      '<path d="M0 0h5v4H0z"/>',
    ],
    [
      'a transform that a path can do without',
      '<path transform="translate(1 1)" d="M2 2h5"/>',
      '<path d="M3 3h5"/>',
    ],
  ])('is written shorter: %s', async (_, long, short) => {
    expect(await drawn(long + SHOWN)).toBe(await drawn(short + SHOWN));
  });
});

describe('references', () => {
  it.each([
    ['in a chain', '<use id="a" href="#b"/><use id="b" href="#c"/><use href="#a"/>', 1],
    [
      'into one that is gone',
      '<use href="#none"><path id="p" d="M0 0h9"/></use><use href="#p"/>',
      2,
    ],
    ['by their fill', '<use id="a" href="#none"/><path fill="url(#a)" d="M0 0h9v9z"/>', 2],
    ['by their clip', '<use id="a" href="#none"/><path clip-path="url(#a)" d="M0 0h9v9z"/>', 2],
  ])('that lead nowhere go until none is left: %s', async (_name, body, atLeast) => {
    for (const optimize of [true, false]) {
      const master = await prepare(file(PATH + body), { optimize });
      const svg = render(master);
      assertClean(svg);
      expect(svg).not.toMatch(/#i7|<use/);
      expect(master.removed['dangling-reference']).toBeGreaterThanOrEqual(atLeast);
    }
  });

  it('that are kept still lead somewhere', async () => {
    const chain = '<g id="c"><path d="M0 0h9"/></g><use id="b" href="#c"/><use id="a" href="#b"/>';
    const svg = render(await prepare(file(`${chain}<use x="3" href="#a"/>`), { optimize: false }));
    assertClean(svg);
    expect(svg.match(/<use/g)).toHaveLength(3);
  });
});

describe('active content that another reader of the file would find', () => {
  const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
  it.each([
    [
      'an address behind another one',
      `<a href="#a" xlink:href="javascript:alert(1)">${PATH}</a>`,
      'script-address',
    ],
    [
      'an address before another one',
      `<use ${XLINK} xlink:href="https://evil.example/a.svg#a" href="#a"/><path id="a" d="M0 0h9v9z"/>`,
      'external-reference',
    ],
    [
      'an address with a prefix that only HTML knows',
      `<use xmlns:xlink="urn:x" xlink:href="https://evil.example/a.svg#a"/>${PATH}`,
      'external-reference',
    ],
    [
      'a rule that applies to nothing',
      `<style>q{fill:url(https://evil.example/)}</style>${PATH}`,
      'external-reference',
    ],
    [
      'a rule of a state',
      `<style>path:hover{fill:url(https://evil.example/)}</style>${PATH}`,
      'external-reference',
    ],
    [
      'a rule for paper',
      `<style>@media print{path{fill:url(https://evil.example/)}}</style>${PATH}`,
      'external-reference',
    ],
    [
      'a sheet for paper',
      `<style media="print">path{fill:url(https://evil.example/)}</style>${PATH}`,
      'external-reference',
    ],
  ])('is counted, and refused when strict: %s', async (_name, body, kind) => {
    const source = file(body, body.includes('xmlns') || !body.includes('<a') ? '' : XLINK);
    expect((await prepare(source)).removed).toMatchObject({ [kind]: 1 });
    await expect(prepare(source, { strict: true })).rejects.toMatchObject({ code: 'SVG_UNSAFE' });
  });

  it('is counted once, however many elements it applies to', async () => {
    const source = file(`<style>path{fill:url(https://evil.example/)}</style>${PATH}${PATH}`);
    expect((await prepare(source)).removed).toEqual({ 'external-reference': 1 });
  });
});

describe('what no attribute can say', () => {
  it.each([
    ['a box that the origin of a transform is in', 'transform:rotate(9deg);transform-box:fill-box'],
    ['a font of the system', 'font:caption'],
  ])('is counted: %s', async (_name, style) => {
    expect((await prepare(file(`<path style="${style}" d="M2 2h9v9z"/>`))).removed).toEqual({
      'unsupported-style': 1,
    });
  });

  it('is counted: more colours of one drawing than there are copies of it', async () => {
    const dots = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) => `<use href="#p" color="#${index.toString(16).padStart(6, 'a')}"/>`,
      ).join('');
    const used = '<defs><path id="p" fill="currentColor" d="M0 0h9v9z"/></defs>';
    expect((await prepare(file(used + dots(64)))).removed).toEqual({});
    expect((await prepare(file(used + dots(65)))).removed).toEqual({ 'invalid-value': 1 });
  });

  it('is asked of a group, as engines ignore it on a nested svg', async () => {
    const nested = '<svg width="9" height="9" viewBox="0 0 2 2"><path d="M0 0h2v2H0z"/></svg>';
    for (const body of [
      `<g transform="rotate(9)">${nested}</g>`,
      nested.replace('<svg', '<svg transform="rotate(9)"'),
    ])
      for (const optimize of [true, false, { plugins: ['preset-default'] } satisfies Config]) {
        const svg = await drawn(body + PATH, { optimize });
        expect(svg).toMatch(/<g transform="rotate\(9\)"><svg/);
        expect(svg).not.toMatch(/<svg[^>]*transform/);
      }
  });
});

describe('animation', () => {
  const moving = (attributes: string, animation = true): Promise<string> =>
    drawn(
      `<rect width="9" height="9"><animate id="a" attributeName="x" to="5" ${attributes}/></rect>`,
      {
        animation,
      },
    );

  it.each([
    ['dur="0.000001s"', 'dur="0.01s"'],
    ['dur="9ms"', 'dur="0.01s"'],
    ['dur="10ms"', 'dur="10ms"'],
    ['dur="00:02"', 'dur="00:02"'],
    ['dur="0"', 'to="5"/>'],
    ['dur="1s" max=".001ms"', 'max="0.01s"'],
    ['dur="1s" repeatDur="1ms"', 'repeatDur="0.01s"'],
    ['dur="1s" repeatCount=".5"', 'repeatCount=".5"'],
    ['dur="1s" begin="a.end+.000001s"', '-0.end+0.01s'],
    ['dur="1s" begin="a.end + 2s"', '-0.end+2s'],
  ])('is never too short for a browser: %s', async (written, kept) => {
    expect(await moving(written)).toContain(kept);
  });

  it.each([
    'dur="1s" repeatCount=".000001"',
    'dur="1s" begin="a.end-.99999s"',
    'dur="1s" end="a.begin+.000001s"',
  ])('goes if it would run again at once: %s', async (written) => {
    expect(await moving(written)).not.toContain('animate');
  });

  const FADE = '<animate attributeName="opacity" from="0" to="1" dur="1s" fill="freeze"/>';
  it.each([
    ['fades in', `<path opacity="0" d="M2 2h9v9z">${FADE}</path>`],
    ['fades in as a group', `<g opacity="0">${FADE}${PATH}</g>`],
    [
      'draws itself',
      '<path fill="none" stroke="red" stroke-dasharray="60" stroke-dashoffset="60" d="M2 2h20"><animate attributeName="stroke-dashoffset" to="0" dur="1s" fill="freeze"/></path>',
    ],
    ['grows', '<circle r="0" cx="9" cy="9"><animate attributeName="r" to="9" dur="1s"/></circle>'],
    [
      'is shown by use',
      `<defs><path id="p" fill-opacity="0" d="M2 2h9v9z"><animate attributeName="fill-opacity" to="1" dur="1s"/></path></defs><use href="#p"/>`,
    ],
  ])('of which nothing is left without it is named: %s', async (_name, body) => {
    for (const optimize of [true, false])
      await expect(prepare(file(body), { optimize })).rejects.toMatchObject({
        code: 'SVG_INVALID',
        remedy: expect.stringContaining('svg.animation'),
      });
    await expect(prepare(file(body), { animation: true })).resolves.toBeDefined();
    await expect(prepare(file(body + PATH))).resolves.toMatchObject({ removed: { animation: 1 } });
  });
});
describe('notices in a file', () => {
  const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  const CC = 'xmlns:cc="http://creativecommons.org/ns#"';
  const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';

  it('are kept in its words and order, and none of them is drawn', async () => {
    const master = await prepare(
      `<?xml version="1.0"?><!-- ©\u00a02020  Ada &amp; Söhne,\nall “rights” --><svg ${NS} viewBox="0 0 24 24"><title>Whale, created by Ada</title><desc>Licensed under the &lt;MIT&gt; License</desc><metadata><rdf:RDF ${RDF} ${CC} ${DC}><cc:Work><dc:rights><cc:Agent><dc:title>Sea Company</dc:title></cc:Agent></dc:rights><dc:title>Whale</dc:title><dc:description><![CDATA[(c) Bo]]></dc:description><cc:license rdf:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></rdf:RDF></metadata><g>${PATH}<!-- SPDX-License-Identifier: MIT --></g></svg><!--! Icons by Cy - License: CC BY 4.0 -->`,
    );
    expect(master.notices).toEqual([
      '©\u00a02020  Ada &amp; Söhne,\nall “rights”',
      'Whale, created by Ada',
      'Licensed under the <MIT> License',
      'Sea Company',
      '(c) Bo',
      'http://creativecommons.org/licenses/by/4.0/',
      'SPDX-License-Identifier: MIT',
      '! Icons by Cy - License: CC BY 4.0',
    ]);
    expect(render(master)).toContain(PATH);
    expect(render(master)).not.toMatch(/Ada|MIT|Company|icense|<!--/);
  });

  it.each([
    '<!-- Generator: Sketch 52.6 (67491) - http://www.bohemiancoding.com/sketch -->',
    '<!-- Created with Inkscape (http://www.inkscape.org/) -->',
    '<metadata>Created by potrace 1.16, written by Peter 2001-2019</metadata>',
    '<title>Public domain</title>',
    '<title>copyright</title>',
    '<title>©</title>',
    '<g><title>Created by Ada</title></g>',
    '<desc>A car and its license-plate</desc>',
    `<metadata><rdf:RDF ${RDF} ${CC} ${DC}><cc:Work><dc:format>image/svg+xml</dc:format><dc:rights/></cc:Work></rdf:RDF></metadata>`,
  ])('are not %s', async (other) => {
    expect((await prepare(file(`${other}${PATH}`))).notices).toEqual([]);
  });

  it('are no more and no longer than a record can hold', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `<!-- © ${index} Ada -->`).join('');
    const long = `<!-- ${'x'.repeat(5_000)} © Ada ${'y'.repeat(5_000)} -->`;
    const { notices } = await prepare(file(`${long}${many}${PATH}`));
    expect(notices).toHaveLength(8);
    expect(notices[0]).toMatch(/^© Ada y{1994}$/);
  });
});