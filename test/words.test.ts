import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDocs } from './support/docs.ts';
import { parseTexts, readTexts, type SourceText } from './support/read-source.ts';

/** Words that comments and messages of src/ do not use, and the words to use. docs/words.md has the same list. */
const WORDS: [RegExp, string][] = [
  [/\bcorridors?\b/i, 'pipeline'],
  [/(?<!make )\b(?:rooms?|doors?|street)\b(?! for)/i, 'folder, connection, the name of the module'],
  [/\btiers?\b(?!['’]s? limits| may)/i, 'byte source'],
  [/\bseal(?:s|ed)?\b|\bproofs?\b/i, 'lock hash, check'],
  [/\bstrangers?\b/i, 'untrusted'],
  [/\banew\b/i, 'again, rewrite'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\b(?:is|are|was|were|be|been) told\b|\btells? of\b/i, 'is reported'],
  [/\bsays so\b/i, 'reports it'],
  [/\bwhoever\b/i, 'the user, the caller'],
  [/\bnobody\b/i, 'no one, nothing'],
  [/\bby (?:then|now)\b/i, 'already'],
  [/\bborne out\b|\bbears? out\b/i, 'confirmed'],
  [/\bheld against\b/i, 'compared with'],
  [/\bin turns\b|\bits turn\b/i, 'one after the other'],
  [/\b(?:true|false|empty|absent|undefined|fails|`undefined`) where\b/i, 'if'],
  [/\bwhere (?:there is none|it is not there|that is wanted)\b/i, 'if'],
  [/\btak(?:es?|en|ing) away\b/i, 'removes'],
  [/\bis there already\b/i, 'exists already'],
  [/\bcannot be had\b/i, 'is unavailable'],
  [/\bmade up for\b/i, 'generated for'],
  [/\bthe most (?:signed )?(?:calls|bytes|icons|characters)\b/i, 'maximum'],
  [/\b(?:mistaken call|wrong use|misuse)\b/i, 'usage error'],
];

const inForms = (name: string): string => `.github/ISSUE_TEMPLATE/${name}`;

function find(texts: SourceText[]): string[] {
  return texts.flatMap(({ path, line, text }) =>
    WORDS.flatMap(([pattern, instead]) => {
      const word = pattern.exec(text)?.[0];
      return word === undefined ? [] : [`${path}:${line} “${word}”: write ${instead}`];
    }),
  );
}

test('comments and messages use plain words', () => {
  expect(find(readTexts())).toEqual([]);
});

test('a word is found in comments of either kind and in strings, also across lines, and not in code', () => {
  const texts = parseTexts(
    'a.ts',
    '// Is the lock written\n// anew?\nconst door = 1;\n/** Empty\n * where */\nthrow new Error(`whoever ${door}`);\n',
  );
  expect(find(texts).map((found) => found.split(' ', 1)[0])).toEqual([
    'a.ts:1',
    'a.ts:4',
    'a.ts:6',
  ]);
});

test('README and documentation use plain words', () => {
  const others = ['CHANGELOG.md', 'src/README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md']
    .concat(readdirSync(new URL('../.github/ISSUE_TEMPLATE', import.meta.url)).map(inForms))
    .map((path) => ({ path, text: readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') }));
  const pages = [...readDocs(), ...others].filter(({ path }) => path !== 'docs/words.md');
  const texts = pages.flatMap(({ path, text }) =>
    text
      .replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .map((line, at) => ({ path, line: at + 1, text: line })),
  );
  expect(find(texts)).toEqual([]);
});

test('the list of words in the documentation has every one of these', () => {
  const page = readFileSync(new URL('../docs/words.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((row) => row.startsWith('| '))
    .slice(2);
  const left = rows.map((row) => row.split('|')[1] ?? '');
  expect(WORDS.filter(([pattern]) => !left.some((words) => pattern.test(words)))).toEqual([]);
});
