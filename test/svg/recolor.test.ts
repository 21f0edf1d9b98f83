import { describe, expect, it } from 'vitest';
import { file, NS, drawn, prepare, render } from './support/prepare.ts';

const D = 'd="M2 2h9v9H2z"';
const TWO = 'd="M12 12h9v9h-9z"';

/** Ways in which a service may apply the colour that it was asked for. */
const PAINTED: Record<string, string> = {
  'fill on each shape': file(`<path fill="#010203" ${D}/>`),
  'fill on the root': file(`<path ${D}/>`, 'fill="#010203"'),
  'fill on a group': file(`<g fill="#010203"><path ${D}/></g>`),
  'stroke on the root': file(`<path ${D}/>`, 'fill="none" stroke="#010203"'),
  'a style attribute': file(`<path style="fill:#010203" ${D}/>`),
  'a style attribute with !important': file(
    `<path fill="red" style="fill: #010203 !important" ${D}/>`,
  ),
  'a style element': file(`<style>path,circle{fill:#010203}</style><path ${D}/>`),
  'a style element for all': file(`<style>*{fill:#010203}</style><path ${D}/>`),
  'a class': file(`<style>.icon{fill:rgb(1,2,3)}</style><g class="icon"><path ${D}/></g>`),
  'color and currentColor': file(`<path fill="currentColor" ${D}/>`, 'color="#010203"'),
  'color by style and currentColor': file(
    `<path fill="currentColor" ${D}/>`,
    'style="color:#010203"',
  ),
  'a gradient': file(
    `<linearGradient id="a"><stop stop-color="#010203"/><stop offset="1" stop-color="#010203"/></linearGradient><path fill="url(#a)" ${D}/>`,
  ),
  'a flood': file(
    `<filter id="f"><feFlood flood-color="#010203"/><feComposite in2="SourceAlpha" operator="in"/></filter><path filter="url(#f)" ${D}/>`,
  ),
};

const NOTATIONS = [
  '#010203',
  '#010203ff',
  '#010203FF',
  'rgb(1,2,3)',
  'rgb(1 2 3)',
  'RGB(1, 2, 3)',
  'rgba(1,2,3,1)',
  'rgb(1 2 3 / 100%)',
  'rgb(1.0 2.0 3.0)',
  'rgb(0.4% 0.8% 1.2%)',
  'hsl(210,50%,.784%)',
  'hsl(210deg 50% .784%)',
  'HSLA(210, 50%, 0.784%, 1)',
  'hsl(.58333turn 50% .784%)',
  ' #010203 ',
];

describe('the sentinel', () => {
  it.each(Object.entries(PAINTED))('is found as %s', async (_name, svg) => {
    const master = await prepare(svg);
    expect(master.paint).toBe('sentinel');
    for (const color of ['currentColor', 'ff0000']) {
      const markup = render(master, { color });
      expect(markup).toContain(color === 'currentColor' ? color : `#${color}`);
      expect(markup).not.toMatch(/010203|#000|url\(#a\)"[^>]*fill="#0/);
    }
  });

  it.each(NOTATIONS)('is found when written %s', async (notation) => {
    for (const body of [
      `<path fill="${notation}" ${D}/><path fill="gold" ${TWO}/>`,
      `<style>.a{fill:${notation}}</style><path class="a" ${D}/><path fill="gold" ${TWO}/>`,
    ]) {
      const master = await prepare(file(body));
      expect(master.paint).toBe('sentinel');
      expect(render(master, { color: '00ff00' })).toContain('#00ff00');
    }
  });

  it.each([
    ['rgba(1,2,3,.5)', '.5'],
    ['#01020380', '.502'],
    ['rgb(1 2 3 / 25%)', '.25'],
  ])('keeps the alpha of %s in an opacity', async (notation, opacity) => {
    expect(await drawn(`<path fill="${notation}" ${D}/>`)).toMatch(
      new RegExp(`fill-opacity="0?\\${opacity}\\d?"`),
    );
    expect(await drawn(`<path fill="none" stroke="${notation}" ${D}/>`)).toMatch(
      new RegExp(`stroke-opacity="0?\\${opacity}\\d?"`),
    );
    expect(
      await drawn(
        `<linearGradient id="a"><stop stop-color="${notation}"/></linearGradient><path fill="url(#a)" ${D}/>`,
      ),
    ).toMatch(new RegExp(`stop-opacity="0?\\${opacity}\\d?"`));
  });

  it('is not any near or longer number', async () => {
    for (const color of ['#010204', '#0102033', 'rgb(1,2,30)', '#10203'])
      expect(
        (await prepare(file(`<path fill="${color}" ${D}/><path fill="gold" ${TWO}/>`))).paint,
      ).toBe('multi-tone');
  });

  it('leaves other colours as they are, and colours bare shapes', async () => {
    const svg = render(
      await prepare(
        file(`<path fill="#010203" ${D}/><path fill="#ffd700" ${TWO}/><path d="M0 0h1v1z"/>`),
      ),
      { color: '00ff00' },
    );
    expect(svg).toMatch(/^<svg [^>]*fill="#00ff00"/);
    expect(svg).toContain('fill="gold"'.replace('gold', '#ffd700'));
    expect(svg).not.toContain('#000"');
  });

  it('is black in masks, whatever the icon becomes', async () => {
    const mask = `<mask id="m"><path fill="#fff" d="M0 0h24v24H0z"/><path fill="#010203" ${D}/></mask><path fill="#010203" mask="url(#m)" d="M0 0h24v24H0z"/>`;
    const svg = await drawn(mask, {}, 'ffffff');
    const inside = svg.slice(svg.indexOf('<mask'), svg.indexOf('</mask>'));
    expect(inside).toContain('fill="#000"');
    expect(inside.match(/#fff"/g)).toHaveLength(1);
    expect(inside).not.toContain('"#ffffff"');
  });

  it('does not reach a mask by use', async () => {
    const svg = await drawn(
      `<path id="a" fill="#010203" ${D}/><mask id="m"><path fill="#fff" d="M0 0h24v24H0z"/><use href="#a"/></mask><path fill="#010203" mask="url(#m)" d="M0 0h24v24H0z"/>`,
      {},
      'ffffff',
    );
    const inside = svg.slice(svg.indexOf('<mask'), svg.indexOf('</mask>'));
    const target = /<use href="#([^"]+)"/.exec(inside)?.[1] ?? 'none';
    expect(inside).toContain(`id="${target}"`);
    expect(inside).not.toContain('"#ffffff"');
  });

  it('does not reach several masks by use, which share one copy', async () => {
    const shape = '<path id="a" fill="#010203" d="M5 5h7v6z"/>';
    const mask = (id: string): string => `<mask id="${id}"><use href="#a"/></mask>`;
    const shown = (id: string): string =>
      `<path fill="#010203" mask="url(#${id})" d="M0 0h24v24H0z"/>`;
    const svg = await drawn(
      `${shape}${mask('m')}${mask('n')}${shown('m')}${shown('n')}`,
      { optimize: false },
      'ffffff',
    );
    const uses = [...svg.matchAll(/<use [^>]*href="#([^"]+)"/g)].map(([, id]) => id);
    expect(uses).toHaveLength(2);
    expect(new Set(uses).size).toBe(1);
    // The shape, which is drawn, in the icon's colour, and the copy in black.
    expect(svg.match(/<path [^>]*d="M5 5h7v6z"[^>]*>/g)).toHaveLength(2);
    expect(svg).toContain(`<path fill="#000" d="M5 5h7v6z" id="${uses[0]}"/>`);
  });

  it('does not reach a mask by inheritance', async () => {
    const svg = await drawn(
      `<g fill="#010203"><mask id="m"><circle r="9"/></mask><path mask="url(#m)" ${D}/></g>`,
      {},
      'ffffff',
    );
    expect(/<mask[^>]*fill="#000"/.test(svg)).toBe(true);
  });
});

describe('without the sentinel', () => {
  it.each([
    ['no paint', `<path ${D}/>`],
    ['black', `<path fill="#000" ${D}/>`],
    ['black and bare', `<path fill="black" ${D}/><path ${TWO}/>`],
    ['one colour', `<path fill="red" ${D}/><path stroke="#f00" fill="none" ${TWO}/>`],
    ['one colour in use', `<defs><path id="a" fill="red" ${D}/></defs><use href="#a"/>`],
    ['currentColor', `<path fill="currentColor" ${D}/>`],
    [
      'one colour beside a mask in another',
      `<mask id="m"><path fill="#fff" ${D}/></mask><path fill="red" mask="url(#m)" ${D}/>`,
    ],
  ])('%s is one tone and takes any colour', async (_name, body) => {
    const master = await prepare(file(body));
    expect(master.paint).toBe('mono');
    const svg = render(master, { color: '00ff00' });
    expect(svg).toContain('#00ff00');
    expect(svg).not.toMatch(/red|#f00"|#ff0000/);
  });

  it.each([
    ['two colours', `<path fill="red" ${D}/><path fill="blue" ${TWO}/>`],
    ['a colour and a bare shape', `<path fill="red" ${D}/><path ${TWO}/>`],
    [
      'a colour and a used bare shape',
      `<defs><path id="a" ${D}/></defs><use href="#a"/><path fill="red" ${TWO}/>`,
    ],
    [
      'a gradient of two',
      `<linearGradient id="a"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><path fill="url(#a)" ${D}/>`,
    ],
    [
      'an animated colour',
      `<path fill="red" ${D}><animate attributeName="fill" values="red;blue" dur="1s"/></path>`,
    ],
  ])('%s are several tones and keep them', async (_name, body) => {
    const master = await prepare(file(body), { animation: true });
    expect(master.paint).toBe('multi-tone');
    expect(render(master, { color: '00ff00' })).toBe(
      render(master, { color: 'currentColor' })
        .replaceAll('"#i7', '"#i7')
        .replaceAll(/\bi7-(\d)/g, 'i7-00ff00-$1'),
    );
  });

  it('a download of one colour stays as it came', async () => {
    const master = await prepare(file(`<path fill="#00ff00" ${D}/><path fill="red" ${TWO}/>`), {
      askedColor: '00ff00',
      fixedColor: true,
    });
    expect(master.paint).toBe('fixed');
    expect([...master.root, ...master.body]).not.toContain(0);
    expect(render(master, { color: 'currentColor' })).toMatch(/#0f0"|lime|#00ff00/);
  });

  it('the root always says what bare shapes are painted with', async () => {
    for (const body of [`<path ${D}/>`, `<path fill="red" ${D}/><path ${TWO}/>`])
      expect(render(await prepare(file(body)))).toMatch(/^<svg [^>]* fill="/);
    expect(render(await prepare(file(`<path ${D}/>`, 'fill="none" stroke="#010203"')))).toMatch(
      /^<svg [^>]*fill="none"/,
    );
  });
});

describe('credit drawn into the file', () => {
  const credit = `<text x="0" y="39" fill="#000000" font-size="5px">Created by A. Maker</text><text x="0" y="44" fill="#000000">from the <tspan>Icon Shop</tspan></text>`;

  it('is found, kept and no tone', async () => {
    const master = await prepare(
      `<svg ${NS} viewBox="0 0 32 40"><path fill="red" ${D}/>${credit}</svg>`,
    );
    expect(master.creditText).toEqual(['Created by A. Maker', 'from the Icon Shop']);
    expect(master.paint).toBe('mono');
    expect(master.viewBox).toBe('0 0 32 40');
    expect(render(master)).toContain('Created by A. Maker');
  });

  it('has lines that only forbid something', async () => {
    const lines = ['© 2020 A. Maker', 'Free for personal use', 'All rights reserved', 'OPEN 24 h'];
    const texts = lines.map((line, index) => `<text y="${index}">${line}</text>`).join('');
    expect((await prepare(file(`<path ${D}/>${texts}`))).creditText).toEqual(lines.slice(0, 3));
  });

  it('does not hide a painted icon', async () => {
    expect(
      (await prepare(`<svg ${NS} viewBox="0 0 32 40"><path fill="#010203" ${D}/>${credit}</svg>`))
        .paint,
    ).toBe('sentinel');
  });

  it('is not every text', async () => {
    expect(
      (await prepare(file('<text y="9">A</text><text y="19">24 h</text>'))).creditText,
    ).toEqual([]);
  });
});