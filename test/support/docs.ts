import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface DocsPage {
  /** From the repository's folder: `README.md`, `docs/guides/css.md`. */
  path: string;
  text: string;
}

export interface CodeBlock {
  page: string;
  line: number;
  language: string;
  code: string;
}

/** Folders of the site's own code, and pages that are made from the code: git ignores them. */
const GENERATED = /^(?:\.vitepress\/|reference\/(?:api\/|errors\/|cli\.md|manifest\.md))/;

/** The README and every page of docs/ that people write. Generated pages are left out. */
export function readDocs(): DocsPage[] {
  const pages = readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.md') && !GENERATED.test(path))
    .toSorted();
  return ['README.md', ...pages.map((path) => `docs/${path}`)].map((path) => ({
    path,
    text: readFileSync(join(REPOSITORY, path), 'utf8'),
  }));
}

/** Every code block of a page. */
export function codeBlocks({ path, text }: DocsPage): CodeBlock[] {
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ({ 1: language = '', 2: code = '', index }) => ({
      page: path,
      line: text.slice(0, index).split('\n').length,
      language,
      code,
    }),
  );
}

/** The code block of a page that names this file in its first line. */
export function blockOf(page: string, name: string): string {
  const text = readFileSync(join(REPOSITORY, page), 'utf8');
  const found = codeBlocks({ path: page, text }).find(({ code }) =>
    (code.split('\n').find((line) => line !== '---') ?? '').includes(` ${name}`),
  );
  if (found === undefined) throw new Error(`${page} has no block for ${name}.`);
  return found.code;
}
