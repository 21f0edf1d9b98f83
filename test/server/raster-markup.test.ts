import { expect, test } from 'vitest';
import { toDrawable } from '../../src/server/raster.ts';

const wrap = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${body}</svg>`;
const draw = (body: string): Promise<string> => toDrawable(wrap(body), { id: 7, size: 84 });

test('a square root; colours, view box and drawing as they were', async () => {
  expect(await draw('<path fill="#1b5e20" d="M0 0h9v9z"/>')).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="84" height="84" viewBox="0 0 9 9"><path fill="#1b5e20" d="M0 0h9v9z"/></svg>',
  );
});

test('a filter of nothing but endless primitives goes with its references', async () => {
  const drawable = await draw(
    '<filter id="f"><feMorphology radius="12"/><feTurbulence/></filter><g filter="url(#f)"><path style="filter:url(#f)" d="M0 0h9"/></g>',
  );
  expect(drawable).not.toMatch(/feMorphology|feTurbulence|filter="/);
  expect(drawable).toContain('d="M0 0h9"');
});

test('a filter keeps its other primitives', async () => {
  const drawable = await draw(
    `<filter id="f"><feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1" result="a"/><feDiffuseLighting><fePointLight z="9"/></feDiffuseLighting>
    <feSpecularLighting><feDistantLight/></feSpecularLighting><feGaussianBlur in="a" stdDeviation="1"/></filter><path filter="url(#f)" d="M0 0h9"/>`,
  );
  expect(drawable).toMatch(
    /<filter id="([^"]+)"><feGaussianBlur in="a" stdDeviation="1"\/><\/filter><path filter="url\(#\1\)"/,
  );
});

test('an endless primitive under a prefix, in CDATA or outside of a filter is no loophole', async () => {
  const drawable = await draw(
    `<s:filter xmlns:s="http://www.w3.org/2000/svg" id="f"><s:feTurbulence numOctaves="8"/><s:feOffset/></s:filter>
    <feMorphology radius="12"/><g><feTurbulence/></g><text><![CDATA[<feTurbulence/>]]></text><path filter="url(#f)" d="M0 0h9"/>`,
  );
  expect(drawable).not.toMatch(/<[^>]*fe(?:Turbulence|Morphology)/);
  expect(drawable).toContain('<feOffset/>');
});
