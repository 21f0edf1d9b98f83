import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { declareImports } from '../../src/dts/declare-imports.ts';
import {
  type Declaration,
  parseBlocks,
  renderDeclarations,
  toBlocks,
  toCommentText,
} from '../../src/dts/render-declarations.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { parseRequest } from '../../src/request/parse-request.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const types = fileURLToPath(new URL('../../src/types', import.meta.url));

const HOSTILE = [
  '*/ export {}; /*',
  'line\nbreak\r\n * @deprecated',
  'sep\u2028arator\u2029',
  '`code` ${x} {@link evil}',
  '](javascript:alert(1)) ![x](http://evil.invalid/x.png)',
  '</script><img src=x onerror=alert(1)>',
  '@param x',
  '\u202egnp.exe',
];

const about = {
  id: '1',
  term: 'House',
  creator: 'Aya',
  license: 'public-domain',
  preview: undefined,
};

/** Complaints of the compiler about a project whose only sources are these. */
async function compile(files: Record<string, string>): Promise<string[]> {
  const root = await writeProject({
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        types: [],
        lib: ['es2022'],
      },
      include: ['*.ts', 'types/index.d.ts'],
    }),
    'package.d.ts': `declare module 'unplugin-icon-catalog/client' {
  export interface Credit { id: string }
  export interface IconInfo { term: string }
  export interface IconRecord { tags: string[] }
}
declare module 'unplugin-icon-catalog/types/react' { const component: (props: { size?: number }) => object; export default component; }`,
    'types/index.d.ts': await readFile(join(types, 'index.d.ts'), 'utf8'),
    'types/credits.d.ts': await readFile(join(types, 'credits.d.ts'), 'utf8'),
    'types/ambient/forms.d.ts': await readFile(join(types, 'ambient/forms.d.ts'), 'utf8'),
    ...files,
  });
  try {
    await run(process.execPath, [compiler, '-p', root, '--pretty', 'false'], { cwd: root });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => line !== '');
  }
}

function render(declarations: Declaration[]): string {
  return renderDeclarations(toBlocks(declarations));
}

it('gives each import the type of its own default export', async () => {
  const text = render([
    { specifier: 'icon:house?as=meta&size=2em', form: 'record', about },
    {
      specifier: 'icon:1',
      form: { component: "typeof import('unplugin-icon-catalog/types/react').default" },
      about,
    },
    {
      specifier: 'icon:set?ids=1,back',
      form: {
        map: [
          ['1', 'text'],
          ['back', 'text'],
        ],
      },
    },
  ]);
  const main = `import meta, { credit, icon } from 'icon:house?as=meta&size=2em';
import House from 'icon:1';
import set from 'icon:set?ids=1,back';
import other from 'icon:2';
export const tags: readonly string[] = meta.tags;
export const drawn: object = House({ size: 2 });
export const texts: string[] = [set[1], set.back, other, credit.id, icon.term];
export const dynamic = (name: string): string | undefined => set[name];
// @ts-expect-error a component is no text
export const text: string = House;
// @ts-expect-error not in the map
export const missing: string = set.forward;
`;
  expect(await compile({ 'icon-catalog.d.ts': text, 'main.ts': main })).toEqual([]);
  // Without the file the first of these imports is a text to TypeScript, since its `as` does not end it.
  expect((await compile({ 'main.ts': main })).length).toBeGreaterThan(0);
});

it('lets no term, creator or licence out of its comment', async () => {
  const declarations = HOSTILE.map((text, at): Declaration => ({
    specifier: `icon:${at + 1}?title=${text}`,
    form: 'text',
    about: { ...about, term: text, creator: text, license: text },
  }));
  const text = render(declarations);
  expect(text.match(/\*\//g)).toHaveLength(text.match(/^(?: {2})? \*\/$/gm)?.length ?? 0);
  expect(text.match(/[\u2028\u2029\u202e]/g) ?? []).toEqual([]);
  expect(text.split('\n').filter((line) => /^\s*\*?\s*@/.test(line))).toEqual([]);
  const main = declarations
    .filter(({ specifier }) => !specifier.includes('*'))
    .map(
      ({ specifier }, at) =>
        `import a${at} from ${JSON.stringify(specifier)}; export const b${at}: string = a${at};`,
    )
    .join('\n');
  expect(await compile({ 'icon-catalog.d.ts': text, 'main.ts': main })).toEqual([]);
  expect([...parseBlocks(text).keys()].toSorted()).toEqual(
    declarations
      .map(({ specifier }) => specifier)
      .filter((name) => !name.includes('*'))
      .toSorted(),
  );
});

it.each(HOSTILE)('a comment has one line of %j, and it reads as before', (text) => {
  const comment = toCommentText(text);
  expect(comment).not.toMatch(/[\n\r*@{}<>[\]`]/);
  const read = comment.replace(/&#(\d+);/g, (_, code: string) =>
    String.fromCodePoint(Number(code)),
  );
  expect(read.replace(/\s/g, '')).toBe(text.replace(/[\s\u2028\u2029\u202e]/g, ''));
});

it('is written for TypeScript projects only, when something changed, and keeps what it is asked to keep', async () => {
  const [one = 0, two = 0] = iconIds('maki', 2);
  const root = await writeProject({});
  const options = resolveOptions(
    {
      catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
      aliases: { one },
      cacheDir: await temporaryFolder(),
    },
    { root, env: {} },
  );
  const pipeline = createPipeline(options, { log: recordingLog() });
  const context = { pipeline, options };
  const path = join(root, 'icon-catalog.d.ts');

  expect(await declareImports(['icon:one'], context)).toBe(false);
  await writeFile(join(root, 'tsconfig.json'), '{}');
  expect(
    await declareImports(['icon:one', 'icon:99999999', 'icon:credits', 'icon:wrong'], context),
  ).toBe(true);
  const first = await readFile(path, 'utf8');
  expect([...parseBlocks(first).keys()]).toEqual(['icon:one']);
  expect(first).toMatch(/!\[.+\]\(data:image\/svg\+xml;base64,[\w+/=]+\)/);
  const written = (await stat(path)).mtimeMs;
  expect(await declareImports(['icon:one'], context)).toBe(false);
  expect((await stat(path)).mtimeMs).toBe(written);

  expect(await declareImports([`icon:${two}?as=url`], context)).toBe(true);
  expect([...parseBlocks(await readFile(path, 'utf8')).keys()]).toEqual([
    `icon:${two}?as=url`,
    'icon:one',
  ]);
  expect(await declareImports(['icon:one'], context, { keep: false })).toBe(true);
  expect(await readFile(path, 'utf8')).toBe(first);
  await pipeline.close();
});

it('declares an alias that is not in the lock without pinning it, whatever the cache has of its icon', async () => {
  const [id = 0] = iconIds('maki', 1);
  const config = '{ "include": ["app/**/*.ts"] }';
  const root = await writeProject({ 'tsconfig.json': config, 'app/main.ts': '' });
  const options = resolveOptions(
    {
      catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
      aliases: { one: id },
      cacheDir: await temporaryFolder(),
    },
    { root, env: {} },
  );
  const looking = createPipeline(options, { log: recordingLog() });
  await looking.source(parseRequest('icon:one', options));
  await looking.close();
  const pipeline = createPipeline(options, { log: recordingLog() });
  expect(await declareImports([], { pipeline, options })).toBe(true);
  await pipeline.flush();
  await pipeline.close();
  const text = await readFile(join(root, 'app/icon-catalog.d.ts'), 'utf8');
  expect([...parseBlocks(text).keys()]).toEqual(['icon:one']);
  expect(text).toContain(`icon ${id}, not in the lock file yet`);
  await expect(stat(join(root, 'icons.lock'))).rejects.toThrow('ENOENT');
});
