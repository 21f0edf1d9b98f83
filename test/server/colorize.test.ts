import { expect, test } from 'vitest';
import { colorize, ownColor } from '../../src/server/paint.ts';

const svg = (body: string, root = ''): string => `<svg viewBox="0 0 1 1"${root}>${body}</svg>`;

test.each([
  [
    'currentColor in any place',
    svg('<path stroke="currentColor" fill="none"/><path fill="CurrentColor"/>'),
    svg('<path stroke="#ff0000" fill="none"/><path fill="#ff0000"/>'),
  ],
  [
    'currentColor beside other colours: only it',
    svg('<mask><path fill="#fff"/></mask><path fill="currentColor"/>'),
    svg('<mask><path fill="#fff"/></mask><path fill="#ff0000"/>'),
  ],
  [
    'black by default gets a fill on the root',
    svg('<path d="M0"/>'),
    `<svg fill="#ff0000" viewBox="0 0 1 1"><path d="M0"/></svg>`,
  ],
  [
    'one tone in attributes',
    svg('<path fill="#333"/><path fill="#333333"/>'),
    svg('<path fill="#ff0000"/><path fill="#ff0000"/>'),
  ],
  [
    'one tone in style',
    svg('<path style="fill:none; stroke: #333; x:y"/>'),
    svg('<path style="fill:none; stroke: #ff0000; x:y"/>'),
  ],
  [
    'black in two spellings is one tone',
    svg('<path d="M0"/><path fill="#000"/>'),
    `<svg fill="#ff0000" viewBox="0 0 1 1"><path d="M0"/><path fill="#ff0000"/></svg>`,
  ],
  [
    'two tones stay',
    svg('<path fill="#333"/><path fill="#eee"/>'),
    svg('<path fill="#333"/><path fill="#eee"/>'),
  ],
  [
    'a tone beside default black stays',
    svg('<path fill="#333"/><path d="M0"/>'),
    svg('<path fill="#333"/><path d="M0"/>'),
  ],
  ['gradients stay', svg('<path fill="url(#a)"/>'), svg('<path fill="url(#a)"/>')],
])('%s', (_, before, after) => {
  expect(colorize(before, '#ff0000')).toBe(after);
});

test('without a colour, currentColor is black and the rest as drawn', () => {
  expect(colorize(svg('<path fill="currentColor"/>'), undefined)).toBe(
    svg('<path fill="#000000"/>'),
  );
  expect(colorize(svg('<path fill="#333"/>'), undefined)).toBe(svg('<path fill="#333"/>'));
  const own = svg('<path id="a" fill="currentColor"/><use href="#a" color="red"/>');
  expect(colorize(own, undefined)).toBe(own);
});

test.each([
  [undefined, svg('<path fill="currentColor"/><path fill="#333"/>')],
  [undefined, svg('<path d="M0"/><path fill="#000"/><path fill="none" stroke="black"/>')],
  [undefined, svg('<path fill="none"/>')],
  ['333333', svg('<path fill="#333"/><path style="fill:none; stroke:#333333"/>')],
  ['ff0000', svg('<path fill="red"/>')],
  ['several', svg('<path fill="#333"/><path d="M0"/>')],
  ['several', svg('<path fill="url(#a)"/>')],
  ['several', svg('<path id="a" fill="currentColor"/><use href="#a" style="color:red"/>')],
])('the own colour of a drawing: %s', (color, drawing) => {
  expect(ownColor(drawing)).toBe(color);
  // With a colour of its own it is sent as it was drawn.
  expect(colorize(drawing, undefined) === drawing || color === undefined).toBe(true);
});
