import { describe, expect, it } from 'vitest';
import { scanSource } from '../../src/scan/scan-source.ts';

/** `specifier` (with `?` before what is not known) and place of everything found, in the order of the file. */
async function found(file: string, text: string): Promise<string[]> {
  const { references, unknown, warnings } = await scanSource({ text, file });
  expect(warnings).toEqual([]);
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const { line, column } of references)
    expect(lines[line - 1]?.slice(column - 1)).toMatch(/^icon:/);
  return [
    ...references.map(({ specifier, line, column }) => `${specifier} ${line}:${column}`),
    ...unknown.map(({ written, line }) => `? ${written} ${line}`),
  ];
}

const specifiers = async (file: string, text: string): Promise<string[]> =>
  (await scanSource({ text, file })).references.map(({ specifier }) => specifier);

describe('JavaScript and TypeScript', () => {
  const FORMS = [
    "import one from 'icon:1';",
    'import * as two from "icon:2?color=f00";',
    "import 'icon:3';",
    "export { default } from 'icon:4';",
    "export * from 'icon:5';",
    "const six = () => import('icon:6');",
    'const seven = import(`icon:7`);',
    "const eight = require('icon:8');",
    "const nine = new URL('icon:9?as=url', import.meta.url);",
    "const ten = import(dark ? 'icon:10' : 'icon:11');",
    "const twelve = require.resolve('icon:12');",
  ].join('\n');

  it.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx'])(
    '%s: finds every form of import, with its place',
    async (file) => {
      expect(await found(file, FORMS)).toEqual([
        'icon:1 1:18',
        'icon:2?color=f00 2:23',
        'icon:3 3:9',
        'icon:4 4:26',
        'icon:5 5:16',
        'icon:6 6:27',
        'icon:7 7:23',
        'icon:8 8:24',
        'icon:9?as=url 9:23',
        'icon:10 10:28',
        'icon:11 10:40',
        'icon:12 11:33',
      ]);
    },
  );

  it.each(['a.gjs', 'a.gts'])('%s: reads what stands around templates', async (file) => {
    const text = `import star from 'icon:1';
const Icon = <template>
  <img src={{star}} alt="it's \`icon:2\`">
</template>;
export default class Page extends Component {
  size = 1
  <template>{{@icon:3}} import x from 'icon:4'</template>
  load = () => import('icon:5');
}
<template><Icon /></template>
`;
    expect(await found(file, text)).toEqual(['icon:1 1:19', 'icon:5 8:24']);
  });

  it('a.marko: is searched as text', async () => {
    const text = `import star from 'icon:1?raw';
<const/label="icon:"/>
<img src=star alt="">
<style> .a { mask: url(icon:2) } </style>
`;
    expect(await found('a.marko', text)).toEqual(['icon:1?raw 1:19', 'icon:2 4:24']);
  });

  it('counts neither comments nor texts nor types', async () => {
    const text = `
      // import a from 'icon:1'
      /* import('icon:2') */
      const text = "import a from 'icon:3'";
      const other = 'icon:4';
      const template = \`import('icon:5')\`;
      import type { credit } from 'icon:6';
      export type { icon } from 'icon:7';
      type T = import('icon:8').T;
      type U = typeof import('icon:9');
      declare module 'icon:10' { export default string; }
      const object = { icon: 'x', 'icon:11': 1 };
      load('icon:12');`;
    expect(await found('a.ts', text)).toEqual([]);
  });

  it('reports what is only known when the code runs', async () => {
    const text = [
      'import(`icon:${name}`);',
      "import('icon:' + name);",
      "require('icon:1?color=' + (dark ? 'fff' : '000'));",
      'import(path);',
      'import(`./pages/${page}.js`);',
    ].join('\n');
    expect(await found('a.js', text)).toEqual([
      '? `icon:${name}` 1',
      "? 'icon:' + name 2",
      "? 'icon:1?color=' + (dark ? 'fff' : '000') 3",
    ]);
  });

  it('reads syntax of every kind', async () => {
    expect(
      await specifiers(
        'a.tsx',
        `import icon = require('icon:1');
        @sealed class A<T extends object> { @track accessor x = <p>{import('icon:2')}</p>; constructor(@inject() private y: T) {} }
        const view = <><img src="icon:3?as=url" /><use href={'icon:4#x'} /><img srcSet="icon:5 1x, ./a.png 2x" alt="icon:6" /></>;
        const z = await import('icon:7', { with: { type: 'json' } }) satisfies object;
        return;`,
      ),
    ).toEqual(['icon:1', 'icon:2', 'icon:3?as=url', 'icon:4#x', 'icon:5', 'icon:7']);
    expect(
      await specifiers('a.ts', "const a = <T>(x: unknown) => <T>x; enum E { A } import('icon:1');"),
    ).toEqual(['icon:1']);
    expect(
      await specifiers(
        'a.js',
        "// @flow\nimport type { T } from './t';\nconst a = (x: T): T => x;\nimport b from 'icon:1';",
      ),
    ).toEqual(['icon:1']);
    expect(await specifiers('a.cjs', "with (a) {}\nvar x = 010; require('icon:1')")).toEqual([
      'icon:1',
    ]);
  });

  it('undoes escapes, byte order marks and line ends of Windows', async () => {
    const text =
      "\ufeffimport a from 'icon:1?title=It\\'s';\r\n\r\nimport b from 'icon:b\\u00fcro';\r\n";
    expect(await found('a.ts', text)).toEqual(["icon:1?title=It's 1:16", 'icon:büro 3:16']);
  });

  it('searches what cannot be parsed, and says where', async () => {
    const text = "import a from 'icon:1';\nconst = ;\nimport('icon:2');";
    const { references, warnings } = await scanSource({ text, file: 'src/a.ts' });
    expect(references.map(({ specifier, line }) => [specifier, line])).toEqual([
      ['icon:1', 1],
      ['icon:2', 3],
    ]);
    expect(warnings).toEqual([
      {
        file: 'src/a.ts',
        line: 2,
        column: 7,
        message: expect.stringMatching(
          /^cannot be read \(.+\); its icons were searched for as plain text$/,
        ),
      },
    ]);
  });
});

describe('stylesheets', () => {
  const FORMS = `
@import url(icon:1);
@import "icon:2";
.a { background: url(icon:3) no-repeat, url( "icon:4?color=#f00" ); mask-image: url('icon:5?size=2em'); }
@media print { .b::before { content: url(icon:6); } }
.c { background: image-set("icon:7" 1x, url(icon:8) 2x); }
@font-face { src: local("x"), url(icon:9) }
/* .d { background: url(icon:90); } */
.e { content: "icon:91"; background: url(./icon:92.svg) /* url(icon:93) */; }
`;

  it.each(['a.css', 'a.pcss', 'a.scss', 'a.less'])('%s: finds addresses', async (file) => {
    expect(await found(file, FORMS)).toEqual([
      'icon:1 2:13',
      'icon:2 3:10',
      'icon:3 4:22',
      'icon:4?color=#f00 4:47',
      'icon:5?size=2em 4:86',
      'icon:6 5:42',
      'icon:7 6:29',
      'icon:8 6:45',
      'icon:9 7:35',
    ]);
  });

  it('reads variables, mixins and maps of preprocessors, and reports interpolation', async () => {
    const scss = `
      $house: url(icon:1); // url(icon:90)
      $map: (a: url("icon:2"), b: url(icon:3));
      @mixin m($x: url(icon:4)) { background: $x }
      .a { @include m(url(icon:5)); .b & { mask: url(icon:6) } }
      .c { background: url("icon:#{$id}"); }
      .d { background: url("icon:" + $id); }`;
    expect(await found('a.scss', scss)).toEqual([
      'icon:1 2:19',
      'icon:2 3:22',
      'icon:3 3:39',
      'icon:4 4:24',
      'icon:5 5:27',
      'icon:6 5:54',
      '? url("icon:#{$id}") 6',
      '? url("icon:" + 7',
    ]);
    const less = `
      @house: url(icon:1); // url(icon:90)
      .m(@x: url(icon:2)) { background: @x }
      .a { .m(url(icon:3)); background: url('icon:@{id}'); }`;
    expect(await found('a.less', less)).toEqual([
      'icon:1 2:19',
      'icon:2 3:18',
      'icon:3 4:19',
      "? url('icon:@{id}') 4",
    ]);
  });

  it('reads indented syntax', async () => {
    expect(
      await specifiers(
        'a.sass',
        '.a\n  // url(icon:1)\n  background: url(icon:2)\n  /* url(icon:3) */',
      ),
    ).toEqual(['icon:2']);
  });

  it('takes neither strings nor addresses for comments', async () => {
    const css = `
.a { content: "/*"; mask: url(icon:1); cursor: url(//cdn.example/a.cur), url(icon:2) }
.b { content: 'a\\'//'; mask: url(icon:3) } /* url(icon:90)
 ' url(icon:91) */ .c { mask: url(icon:4) } // it's url(icon:92)
.d { mask: url("data:image/svg+xml,/*") , url(icon:5); }// url(icon:93)
.e { mask: image-set(url(a.png) type("image/png"), 'icon:6' 2x) ; content: 'icon:94' }
/* url(icon:95)`;
    for (const file of ['a.css', 'a.scss', 'a.less', 'a.styl'])
      expect(await specifiers(file, css)).toEqual([1, 2, 3, 4, 5, 6].map((id) => `icon:${id}`));
  });

  it('reads what does not compile', async () => {
    expect(await found('a.scss', ".a {\n  b: url(icon:1);\n  @c 'd\n")).toEqual(['icon:1 2:10']);
  });
});

describe('HTML', () => {
  it('finds attributes, styles and scripts', async () => {
    const html = `<!doctype html>
<link rel="icon" href="icon:1?as=url&amp;color=f00">
<!-- <img src="icon:90"> -->
<img src=icon:2 srcset="icon:3 1x, icon:4?size=2em 2x, a.png 3x" alt="icon:91">
<source srcset="icon:5,icon:6 2x"><svg><use xlink:href='icon:7'/></svg>
<p style="background: url(icon:8)" title="url(icon:92)">icon:93</p>
<style>.a { mask: url(icon:9) }</style>
<script type="module">
import a from 'icon:10';
</script>
<script type="application/ld+json">{"icon": "icon:94"}</script>
<textarea><img src="icon:95"></textarea>`;
    expect(await found('a.html', html)).toEqual([
      'icon:1?as=url&color=f00 2:24',
      'icon:2 4:10',
      'icon:3 4:25',
      'icon:4?size=2em 4:36',
      'icon:5 5:17',
      'icon:6 5:24',
      'icon:7 5:57',
      'icon:8 6:27',
      'icon:9 7:23',
      'icon:10 9:16',
    ]);
  });
});

describe('Vue, Svelte and Astro', () => {
  it('reads components of Vue', async () => {
    const vue = `<script lang="ts">
import a from 'icon:1';
</script>
<script setup lang="ts" generic="T extends Record<string, number>">
const b: Promise<T> = import('icon:2');
</script>
<template>
  <Card :icon="a" v-if="x > 1 && y < 2"><img src="icon:3" /></Card>
  <component :is="defineAsyncComponent(() => import('icon:4'))" />
  <!-- import('icon:90') -->
  {{ 'icon:91' }}
</template>
<style scoped lang="scss">
$a: url(icon:5); // url(icon:92)
</style>
<style src="./x.css" />
<style lang="less">.a { .m(url(icon:6)) }</style>`;
    expect(await specifiers('a.vue', vue)).toEqual([1, 2, 3, 4, 5, 6].map((id) => `icon:${id}`));
    expect(
      await specifiers('a.vue', '<template lang="pug">\nimg(src="icon:1")\n</template>'),
    ).toEqual(['icon:1']);
  });

  it('reads components of Svelte', async () => {
    const svelte = `<script module lang="ts">export { default as x } from 'icon:1';</script>
<script>let { size = 1 } = $props(); import b from 'icon:2';</script>
{#if size > 1 && size < 3}<img src="icon:3" alt={name} style:mask="url(icon:90)" style="mask: url(icon:4)">{/if}
{#await import('icon:5') then { default: icon }}{@html icon}{/await}
{#await import(\`icon:\${name}\`)}{/await}
<style>p { background: url(icon:6) }</style>`;
    expect(await found('a.svelte', svelte)).toEqual([
      'icon:1 1:56',
      'icon:2 2:53',
      'icon:3 3:37',
      'icon:4 3:99',
      'icon:5 4:17',
      'icon:6 6:28',
      '? import(`icon:${name}`) 5',
    ]);
  });

  it('reads pages of Astro', async () => {
    const astro = `---
import type { Props } from './x';
import a from 'icon:1';
const { b } = Astro.props as Props;
if (!b) return Astro.redirect('/');
---
<Layout>{list.map((x) => <img src="icon:2" alt={x} />)}
{/* <img src="icon:90"> */}
<!-- <img src="icon:91"> --></Layout>
<script>import c from 'icon:3'; const d: string = c;</script>
<style lang="scss">.a { b { mask: url(icon:4) } }</style>`;
    expect(await found('a.astro', astro)).toEqual([
      'icon:1 3:16',
      'icon:2 7:36',
      'icon:3 10:24',
      'icon:4 11:39',
    ]);
  });
});

describe('Markdown', () => {
  it('reads pictures, links and HTML, and no code', async () => {
    const markdown = `# Title

![A house](icon:1?color=#f00 "icon:90") and [one][ref] and \`import 'icon:91'\`

[ref]: icon:2

> <img src="icon:3"> in a quotation

<script setup>
import a from 'icon:4'

import b from 'icon:5'
</script>

\`\`\`js
import a from 'icon:92';
\`\`\`

    import a from 'icon:93';
`;
    expect(await found('a.md', markdown)).toEqual([
      'icon:1?color=#f00 3:12',
      'icon:2 5:8',
      'icon:3 7:13',
      'icon:4 10:16',
      'icon:5 12:16',
    ]);
  });

  it('reads imports, components and expressions of MDX', async () => {
    const mdx = `import a, { credit } from 'icon:1'
export { default as b } from 'icon:2'

# {credit.line} <img src="icon:3" alt={\`icon:90\`} />

<Card src={'icon:4'} lazy={import('icon:5')} {...{ x: import('icon:6') }}>
  ![x](icon:7)
</Card>

{/* import('icon:91') */}

{import(\`icon:\${name}\`)}

\`\`\`js
import a from 'icon:92';
\`\`\`
`;
    expect(await found('a.mdx', mdx)).toEqual([
      'icon:1 1:28',
      'icon:2 2:31',
      'icon:3 4:27',
      'icon:4 6:13',
      'icon:5 6:36',
      'icon:6 6:63',
      'icon:7 7:8',
      '? `icon:${name}` 12',
    ]);
  });

  it('knows where code ends: fences, tildes, indentation, lists and quotations', async () => {
    const markdown = `---
hero: '![x](icon:90)'
---
\`\`\`\`md
\`\`\`js
![x](icon:91)
\`\`\`
<img src="icon:92">
\`\`\`\`
![x](icon:1)
~~~ \`js\`
![x](icon:93)
\`\`\`
~~~~
- ![x](icon:2)

  \`\`\`
  ![x](icon:94)
![x](icon:3) behind a list whose fence is open

1. one

       ![x](icon:95)

   ![x](icon:4)
> \`\`\`
> ![x](icon:96)

![x](icon:5)
    ![x](icon:6) goes on

\t![x](icon:97)

* * *
    ![x](icon:98)
`;
    expect(await found('a.md', markdown)).toEqual([
      'icon:1 10:6',
      'icon:2 15:8',
      'icon:3 19:6',
      'icon:4 25:9',
      'icon:5 29:6',
      'icon:6 30:10',
    ]);
    expect(await specifiers('a.md', markdown.replaceAll('\n', '\r\n'))).toHaveLength(6);
  });

  it('knows code within a line', async () => {
    const markdown = [
      'a `` ![x](icon:90) ` <img src="icon:91"> `` ![x](icon:1)',
      '',
      'one ` without its pair ![x](icon:2)',
      '',
      'an escaped \\` ![x](icon:3) \\`',
      '',
      'code `over',
      '![x](icon:92)` lines, an attribute <img alt="`" src="icon:4"> ` ![x](icon:5)',
      '',
      '# a heading with one `',
      'and ` ![x](icon:6)',
    ].join('\n');
    expect(await specifiers('a.md', markdown)).toEqual(
      [1, 2, 3, 4, 5, 6].map((id) => `icon:${id}`),
    );
  });

  it('knows addresses and HTML, and no text for either', async () => {
    const markdown = `[![x](icon:1?color=f00&amp;size=9)](<icon:2?title=a b> 'icon:90') ![x](
icon:3 "y") <icon:4> ![x](icon:a\\_b) ![x](icon:tabler/home(2))

[r]: <icon:5>
- [s]: icon:6

Say <script> or <style> in a text, and ![x](icon:7) is still read. \\<img src="icon:91">

<!-- ![x](icon:92)

<img src="icon:93"> --> <img src="icon:8">
<div>
![x](icon:94) \`<img src="icon:9">
</div>

<script>

    import a from 'icon:10'; const b = \`import('icon:95')\`, c = import(\`icon:11\`);

</script>
[x] (icon:96) icon:97
`;
    expect(await specifiers('a.md', markdown)).toEqual([
      'icon:1?color=f00&size=9',
      'icon:2?title=a b',
      'icon:3',
      'icon:4',
      'icon:a_b',
      'icon:tabler/home(2)',
      'icon:5',
      'icon:6',
      'icon:7',
      'icon:8',
      'icon:9',
      'icon:10',
      'icon:11',
    ]);
  });

  it('knows where expressions and imports of MDX end', async () => {
    const mdx = `---
title: 'never {closed'
---
import a from 'icon:1'
export const list = [

  { icon: import('icon:2'), text: '}' },

]

import is a word here, and the line after it is text: ![x](icon:90)

<Tabs items={[
  { icon: import('icon:3'), code: \`

~~~js
}\`, open: '{}{' },
]} render={() => <img src="icon:4" alt="{" />}>

    ![x](icon:5) is no code here

</Tabs>

{/* } ![x](icon:91) */} \\{ \`{\` <img src='icon:6?color=f00&amp;size=9' srcSet="icon:7 1x" />
{dark ? <use href={ "icon:8" } /> : require('icon:9')}
`;
    const { references, warnings } = await scanSource({ text: mdx, file: 'a.mdx' });
    expect(references.map(({ specifier, line }) => `${specifier} ${line}`)).toEqual([
      'icon:1 4',
      'icon:2 7',
      'icon:3 14',
      'icon:4 18',
      'icon:5 20',
      'icon:6?color=f00&size=9 24',
      'icon:7 24',
      'icon:8 25',
      'icon:9 25',
    ]);
    expect(warnings).toMatchObject([{ line: 11, message: expect.stringContaining('cannot be') }]);
  });

  it('searches MDX that cannot be parsed', async () => {
    const text = "import a from 'icon:1'\n\n<Card>\n\nnever {closed 'icon:2'\n";
    const { references, warnings } = await scanSource({ text, file: 'a.mdx' });
    expect(references).toMatchObject([
      { specifier: 'icon:1', line: 1 },
      { specifier: 'icon:2', line: 5 },
    ]);
    expect(warnings).toEqual([
      {
        file: 'a.mdx',
        line: 5,
        column: 7,
        message:
          'cannot be read (a brace is opened but never closed); its icons were searched for as plain text',
      },
    ]);
  });

  it('reads deep and unbalanced text', async () => {
    const depths = ['> ', '- ', '{', '[', '`a ', '<a ', '<a b="', '<!--', '](icon:1 ', '```\n'];
    for (const file of ['a.md', 'a.mdx'])
      for (const depth of depths) {
        const text = `![x](icon:1)\n\n${depth.repeat(5000)}`;
        expect(await specifiers(file, text)).toContain('icon:1');
      }
  });
});

describe('classes of Tailwind', () => {
  it.each(['a.html', 'a.vue', 'a.svelte', 'a.astro', 'a.tsx', 'a.md'])(
    '%s: finds icons in arbitrary values',
    async (file) => {
      const markup = `<div className="p-2 bg-[url(icon:1?color=f00&size=9)] [mask:url('icon:2')]">`;
      const text = file === 'a.tsx' ? `export default () => ${markup}</div>;` : markup;
      expect(await specifiers(file, text)).toEqual(['icon:1?color=f00&size=9', 'icon:2']);
    },
  );

  it('takes no other text for one', async () => {
    const text = `const a = [url, 'icon:1']; // url(icon:2)
      const b = \`bg-[url(icon:\${d})] url(icon:3\${e})\`; const c = "icon:4) url(";`;
    expect(await specifiers('a.js', text)).toEqual([]);
  });
});

describe('styles in scripts', () => {
  it.each(['a.css.ts', 'uno.config.js', 'a.tsx'])('%s: finds icons of addresses', async (file) => {
    const text = `const a = style({ background: 'url(icon:1?color=f00&size=9) no-repeat' });
      const b = { mask: "url(\\"icon:2\\"), url( 'icon:set/three' )" };
      const c = css\`.x { width: \${y}; cursor: url(icon:4), pointer }\`;`;
    expect(await found(file, text)).toEqual([
      'icon:1?color=f00&size=9 1:36',
      'icon:2 2:32',
      'icon:set/three 2:49',
      'icon:4 3:51',
    ]);
  });
});
