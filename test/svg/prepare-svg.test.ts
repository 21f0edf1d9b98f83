import { createIconScanner } from '../../src/attribution/scan-icons.ts';
import type { Config } from 'svgo';
import { describe, expect, it } from 'vitest';
import { assertClean } from './support/assert-clean.ts';
import { drawn, file, prepare, render } from './support/prepare.ts';

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