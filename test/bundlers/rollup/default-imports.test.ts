import { expect, it } from 'vitest';
import { defaultImports, importsDefaultsOnly } from '../../../src/build/importers.ts';

it.each([
  `import a from 'icon:1';`,
  `import a from"icon:1";import $b from 'icon:2?color=f00';`,
  `import a\n  from "icon:home?title=it%27s";\nexport default a;`,
  `import a from 'icon:1';\nimport { b } from './b.js';`,
])('defaults are enough: %s', (code) => {
  expect(importsDefaultsOnly(code)).toBe(true);
});

it.each([
  `import { credit } from 'icon:1';`,
  `import a, { credit } from 'icon:1';`,
  `import * as a from 'icon:1';`,
  `import a from 'icon:1'; import * as b from 'icon:1';`,
  `export { default } from 'icon:1';`,
  `export * from 'icon:1';`,
  `const a = import('icon:1');`,
  'const a = import(`icon:1`);',
  `import a from 'icon:1'; const b = await import("icon:1");`,
  `const a = require('icon:1');`,
  `import 'icon:1';`,
  String.raw`import a from 'icon:1?title=it\'s';`,
])('more may be used: %s', (code) => {
  expect(importsDefaultsOnly(code)).toBe(false);
});

it('defaults are enough for those icons of which nothing else is used', () => {
  const code = `import a from 'icon:1'; import b, { credit } from "icon:2"; import c from 'icon:3';
    import d from "icon:4"; export * from 'icon:4'; const five = () => import(\`icon:5\`); import e from 'icon:5';
    import f from 'icon:6?title=a b'; import g from 'icon:1';`;
  expect(defaultImports(code)).toEqual(new Set(['icon:1', 'icon:3', 'icon:6?title=a b']));
  expect(defaultImports('const a = `icon:1`;')).toEqual(new Set());
});
