import { expect, test } from 'vitest';
import { readLibrary } from '../../src/server/create-app.ts';
import { stylesOf } from '../../src/server/records.ts';
import { measureStyles } from '../../src/server/paint.ts';

const svg = (body: string, box = '0 0 24 24', root = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" ${root}>${body}</svg>`;

test('tabler: a stroke of 2 in 24 is 43 px at 512', async () => {
  const { icons } = await readLibrary({ sets: ['tabler'] });
  const arrow = icons.find(({ name }) => name === 'arrow-left');
  const filled = icons.find(({ name }) => name === 'heart-filled');
  expect(arrow && stylesOf(arrow)).toEqual([{ style: 'line', line_weight: 43 }]);
  expect(filled && stylesOf(filled)).toEqual([{ style: 'solid' }]);
  const weights = new Set(icons.flatMap(stylesOf).map(({ line_weight }) => line_weight));
  expect(weights).toEqual(new Set([43, undefined]));
});

test('game-icons are solid', async () => {
  const { icons } = await readLibrary({ sets: ['game-icons'] });
  expect(icons.every((icon) => stylesOf(icon)[0]?.style === 'solid')).toBe(true);
});

test.each([
  [
    'inherits from the root',
    svg('<path d="M0 0h9"/>', '0 0 16 16', 'fill="none" stroke="#000" stroke-width="1"'),
    [{ style: 'line', line_weight: 32 }],
  ],
  [
    'reads the style attribute; above 60 there is no weight',
    svg('<g style="fill:none;stroke:red;stroke-width:3px"><path d="M0 0h9"/></g>'),
    [{ style: 'line' }],
  ],
  [
    'scales with transforms',
    svg(
      '<g transform="translate(1 1) scale(.5)" fill="none" stroke="red" stroke-width="2"><path d="M0 0h9"/></g>',
    ),
    [{ style: 'line', line_weight: 21 }],
  ],
  [
    'takes the longer side',
    svg('<path fill="none" stroke="red" d="M0 0h9"/>', '0 0 64 16'),
    [{ style: 'line', line_weight: 8 }],
  ],
  [
    'averages small differences',
    svg(
      '<g fill="none" stroke="red"><path stroke-width="2" d="M0 0h9"/><path stroke-width="2.2" d="M0 0h9"/></g>',
    ),
    [{ style: 'line', line_weight: 45 }],
  ],
  [
    'gives no weight where widths vary',
    svg(
      '<g fill="none" stroke="red"><path stroke-width="1" d="M0 0h9"/><path stroke-width="4" d="M0 0h9"/></g>',
    ),
    [{ style: 'line' }],
  ],
  ['black by default is solid', svg('<path d="M0 0h9v9z"/>'), [{ style: 'solid' }]],
  [
    'filled and stroked at once is solid',
    svg('<path fill="red" stroke="red" d="M0 0h9v9z"/>'),
    [{ style: 'solid' }],
  ],
  [
    'lines beside fills have no style',
    svg('<path fill="none" stroke="red" d="M0 0h9"/><path fill="red" d="M0 0h9v9z"/>'),
    [],
  ],
  ['nothing painted has no style', svg('<path fill="none" d="M0 0h9"/>'), []],
  [
    'a stroke of width 0 is no line',
    svg('<path fill="none" stroke="red" stroke-width="0" d="M0 0h9"/>'),
    [],
  ],
  [
    'what clips is not drawn',
    svg(
      '<clipPath id="a"><path d="M0 0h9v9z"/></clipPath><path fill="none" stroke="red" d="M0 0h9"/>',
    ),
    [{ style: 'line', line_weight: 21 }],
  ],
  [
    'comments and CDATA hold no shapes',
    svg(
      '<!-- <path d="M0 0"/> --><![CDATA[<path d="M0"/>]]><path fill="none" stroke="red" d="M0 0h9"/>',
    ),
    [{ style: 'line', line_weight: 21 }],
  ],
])('%s', (_, markup, styles) => {
  expect(measureStyles(markup)).toEqual(styles);
});
