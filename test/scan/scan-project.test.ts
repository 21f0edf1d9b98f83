import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGlob, listFiles } from '../../src/scan/list-files.ts';
import { scanProject } from '../../src/project/references.ts';
import { writeProject } from '../support/write-project.ts';

const FILES = {
  'index.html': '<img src="icon:1">',
  'src/a.ts': "import 'icon:2'",
  'src/ä b.vue': "<script>import 'icon:3'</script>",
  'src/types.d.ts': "declare module 'icon:90' {}",
  'src/generated/b.ts': "import 'icon:91'",
  'src/keep/generated/c.ts': "import 'icon:4'",
  'packages/app/d.mdx': "import x from 'icon:5'",
  'packages/app/out/e.js': "import 'icon:92'",
  'node_modules/x/index.js': "import 'icon:93'",
  'packages/app/node_modules/y/index.js': "import 'icon:94'",
  'dist/main.js': "import 'icon:95'",
  '.cache/f.js': "import 'icon:96'",
  'logo.svg': 'icon:97',
  '.gitignore': '# made\n/src/generated\n*.log.ts\n!keep.log.ts\n',
  'packages/.gitignore': 'out/\n',
  'a.log.ts': "import 'icon:98'",
  'keep.log.ts': "import 'icon:6'",
};
const LISTED = [
  'index.html',
  'keep.log.ts',
  'packages/app/d.mdx',
  'src/a.ts',
  'src/keep/generated/c.ts',
  'src/ä b.vue',
];

describe('the files of a project', () => {
  it('are those that no .gitignore names, in one order, links to folders left alone', async () => {
    const root = await writeProject(FILES);
    await symlink(root, join(root, 'src', 'circle'), 'junction');
    expect(await listFiles(root)).toEqual(LISTED);
  });

  it('are the same where git is asked', async () => {
    const root = await writeProject(FILES);
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    expect(await listFiles(root)).toEqual(LISTED);
    execFileSync('git', ['add', 'src'], { cwd: root });
    expect(await listFiles(root)).toEqual(LISTED);
  });

  it('can be named: files, folders and patterns, ignored ones too', async () => {
    const root = await writeProject(FILES);
    expect(await listFiles(root, ['src/generated'])).toEqual(['src/generated/b.ts']);
    expect(await listFiles(root, ['src', 'src/a.ts', 'dist/main.js'])).toEqual([
      'dist/main.js',
      'src/a.ts',
      'src/generated/b.ts',
      'src/keep/generated/c.ts',
      'src/ä b.vue',
    ]);
    expect(await listFiles(root, ['**/*.{vue,mdx}'])).toEqual([
      'packages/app/d.mdx',
      'src/ä b.vue',
    ]);
    expect(await listFiles(root, ['./src/*.ts'])).toEqual(['src/a.ts']);
    await expect(listFiles(root, ['lib'])).rejects.toThrow('There is no file or folder "lib".');
    await expect(listFiles(root, ['lib/**'])).rejects.toThrow('No source file matches "lib/**".');
  });
});

describe('a scan', () => {
  it('has every reference in the order of files and lines', async () => {
    const root = await writeProject(FILES);
    const { files, references, unknown, warnings } = await scanProject(root);
    expect({ files, unknown, warnings }).toEqual({ files: 6, unknown: [], warnings: [] });
    expect(references.map(({ specifier, file, line }) => `${file}:${line} ${specifier}`)).toEqual([
      'index.html:1 icon:1',
      'keep.log.ts:1 icon:6',
      'packages/app/d.mdx:1 icon:5',
      'src/a.ts:1 icon:2',
      'src/keep/generated/c.ts:1 icon:4',
      'src/ä b.vue:1 icon:3',
    ]);
  });

  it('reads the templates of pages', async () => {
    const root = await writeProject({
      'partials/head.hbs': `{{> nav}}<img src="icon:one">{{#each names}}<img src="icon:tabler/{{this}}">{{/each}}`,
      'foot.handlebars': '<img inline src="icon:two">',
      'page.twig': `{% include 'x' %}<img src="icon:three">`,
      'page.ejs': '<% if (x) { %><img src="icon:four"><% } %>',
    });
    const { references, unknown } = await scanProject(root);
    expect(references.map(({ file, specifier }) => `${file} ${specifier}`)).toEqual([
      'foot.handlebars icon:two',
      'page.ejs icon:four',
      'page.twig icon:three',
      'partials/head.hbs icon:one',
    ]);
    expect(unknown.map(({ file }) => file)).toEqual(['partials/head.hbs']);
  });

  it('reads shortcodes and filters where Eleventy builds the project, and the theme of VitePress', async () => {
    const files = {
      'a.njk': `{% icon "one", { title: "No. 1", color: "#f00" } %}{%- icon 'icon:two' -%}{# {% icon "no" %} #}
{% raw %}{% icon "no" %}{% endraw %}{{ "three" | icon | safe }}{{ item.name | icon }}{{ "no" | iconic }}<img src="icon:four">`,
      'b.liquid': `{% icon "five?filetype=png", size: 32 %}{% comment %}{% icon "no" %}{% endcomment %}{% icon name %}`,
      'c.md': `{% iconUrl "six?as=url" %}`,
      'd.11ty.js': `export default async function () { return await this.iconUrl('seven') + this.icon(name); }`,
      'e.ts': `this.icon('no')`,
      '.vitepress/theme/index.ts': `import 'icon:8'`,
      '.vitepress/cache/x.ts': `import 'icon:no'`,
    };
    const found = async (root: string): Promise<string[]> =>
      (await scanProject(root)).references.map(({ file, specifier }) => `${file} ${specifier}`);
    const plain = await writeProject(files);
    expect(await found(plain)).toEqual(['.vitepress/theme/index.ts icon:8', 'a.njk icon:four']);
    const root = await writeProject({ ...files, 'eleventy.config.js': '' });
    expect(await found(root)).toEqual([
      '.vitepress/theme/index.ts icon:8',
      'a.njk icon:one?color=%23f00',
      'a.njk icon:two',
      'a.njk icon:three',
      'a.njk icon:four',
      'b.liquid icon:five?filetype=png&size=32',
      'c.md icon:six?as=url',
      'd.11ty.js icon:seven',
    ]);
    expect((await scanProject(root)).unknown.map(({ written }) => written)).toEqual([
      '{{ item.name | icon }}',
      '{% icon name %}',
      'this.icon(name)',
    ]);
  });

  it('reports files that it passes over', async () => {
    const root = await writeProject({ 'a.js': `import 'icon:1';//${' '.repeat(4 * 1024 * 1024)}` });
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'src', 'b.js'), "import 'icon:2'");
    const { references, warnings } = await scanProject(root);
    expect(references).toMatchObject([{ specifier: 'icon:2' }]);
    expect(warnings).toEqual([
      { file: 'a.js', line: 1, column: 1, message: 'is larger than 4 MiB and was not read' },
    ]);
  });

  it('finds the reference of each of many files', async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 500; at += 1)
      files[`src/${at % 50}/c${at}.tsx`] =
        `import icon from 'icon:${at + 1}?size=24';\n${`export const x${at} = (p: { a: number }) => <p>{p.a}</p>;\n`.repeat(20)}`;
    const root = await writeProject(files);
    const { references } = await scanProject(root);
    expect(references.map(({ specifier }) => specifier).toSorted()).toEqual(
      Array.from({ length: 500 }, (_, at) => `icon:${at + 1}?size=24`).toSorted(),
    );
  });
});

describe('patterns', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'b/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'b/c/a.ts', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**/x', 'src/x', true],
    ['a?c.[jt]s', 'abc.ts', true],
    ['[!a].ts', 'a.ts', false],
    ['{a,b}.{ts,js}', 'b.js', true],
    ['a{b', 'a{b', true],
    ['a+(b).ts', 'a+(b).ts', true],
    ['src/(shop)/*.ts', 'src/(shop)/a.ts', true],
    ['src/(shop)/*.ts', 'src/shop/a.ts', false],
    ['../**/*.html', '../a/b.html', true],
    ['**/*.ts', '.storybook/a.ts', true],
    ['[[:digit:]].ts', '1.ts', true],
    ['[z-a].ts', 'b.ts', false],
    ['\\*.ts', '*.ts', true],
    ['\\*.ts', 'a.ts', false],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(createGlob(pattern)(path)).toBe(expected);
  });

  it('of a .gitignore are obeyed as git does', async () => {
    const rules = [
      ['build/', 'lib/build/a.js', 'src/build.js', 'build/b.js'],
      ['/top.js\na/b', 'top.js', 'lib/top.js', 'a/b/c.js', 'c/a/b/d.js'],
      ['*.gen.*\n!x.gen.ts', 'c/y.gen.ts', 'c/x.gen.ts'],
      ['{a,b}.js', 'a.js', '{a,b}.js'],
      ['[z-a].js\n[z-a', 'a.js', 'b.js', '[z-a.js'],
      ['[[:alpha:]].js', 'x.js', '1.js', ':.js'],
      ['[a\\]b].js', 'a.js', '].js', 'c.js'],
      ['[!a]*.js\n!bb.js', 'ab.js', 'ba.js', 'bb.js'],
      ['A.js', 'B.js', 'A.js', 'a.js'],
      ['**/x/**/y.js', 'x/y.js', 'a/x/b/c/y.js', 'y.js'],
      ['\\#a.js\n\\!b.js\n#c.js', '#a.js', '!b.js', '#c.js'],
      ['(a|b).js\n$x.js\na+.js', '(a|b).js', 'a.js', '$x.js', 'a+.js', 'aa.js'],
      ['d?.js \r', 'd1.js', 'd12.js'],
    ] as const;
    const files = Object.fromEntries(
      rules.flatMap(([text, ...paths], at) =>
        ['.gitignore', ...paths].map((path) => [
          `${at}/${path}`,
          path === '.gitignore' ? text : '',
        ]),
      ),
    );
    const root = await writeProject({
      ...files,
      '.gitignore': '*.no.ts',
      'in/.gitignore': '!a.no.ts',
      'in/a.no.ts': '',
      'in/b.no.ts': '',
    });
    const walked = await listFiles(root);
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    expect(walked).toEqual(await listFiles(root));
    expect(walked).toContain('in/a.no.ts');
    expect(walked.length).toBeLessThan(Object.keys(files).length - 25);
  });
});
