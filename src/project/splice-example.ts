import { exportOf, indentOf, type Node } from './config-source.ts';
import { addImport, parseScript, quoted, type Spliced, styleOf } from './splice-config.ts';

export interface Example {
  /** `icon:tabler/star` */
  specifier: string;
  /** `Star`: the component, or with a small first letter the markup. */
  name: string;
  /** A component without a script gets one of TypeScript. */
  isTyped?: boolean;
}

/** The height at which examples show. */
export const EXAMPLE_SIZE = '3rem';

/**
 * Adds an icon to a file of the project: an import and one element.
 *
 * @param file its name, which says in what language it is
 * @param isComponent the default export of the icon is a component
 * @returns `undefined` if the form of the file is not understood
 */
export function addExample(
  source: string,
  { file, isComponent, example }: { file: string; isComponent: boolean; example: Example },
): Spliced {
  if (/['"(]icon:/.test(source)) return { text: source, isNew: false };
  const text = splice(source, { file, isComponent, example: unused(example, source) });
  return text === undefined ? undefined : { text, isNew: true };
}

/** What a person writes where `addExample` cannot. */
export function exampleLines({ specifier, name }: Example, isComponent: boolean): string[] {
  return isComponent
    ? [`import ${name} from '${specifier}';`, elementOf({ specifier, name })]
    : [`import ${lower(name)} from '${specifier}';`];
}

/** An image of Markdown. */
export function markdownOf({ name, specifier }: Example): string {
  return `![${name}](${specifier}?size=${EXAMPLE_SIZE})`;
}

/** A name that the file does not have yet. */
function unused(example: Example, source: string): Example {
  const isTaken = new RegExp(`\\b(?:${example.name}|${lower(example.name)})\\b`).test(source);
  return isTaken ? { ...example, name: `${example.name}Icon` } : example;
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function splice(
  source: string,
  { file, isComponent, example }: { file: string; isComponent: boolean; example: Example },
): string | undefined {
  if (file.endsWith('.mdx')) return addToMdx(source, example);
  if (file.endsWith('.md')) return `${source.replace(/\n*$/, '\n\n')}${markdownOf(example)}\n`;
  if (file.endsWith('.vue')) return addToVue(source, example);
  if (file.endsWith('.svelte')) return addToSvelte(source, example);
  if (file.endsWith('.astro')) return addToAstro(source, example);
  if (/\.g[jt]s$/.test(file)) return addToEmber(source, example);
  return isComponent ? addToJsx(source, example) : addToScript(source, example);
}

function elementOf({ name }: Example): string {
  return `<${name} size="${EXAMPLE_SIZE}" />`;
}

function importOf({ name, specifier }: Example, source: string): string {
  const style = styleOf(source);
  return `import ${name} from ${quoted(specifier, style)}${style.end}`;
}

/** The import stands below the frontmatter, and the icon ends the page. */
function addToMdx(source: string, example: Example): string {
  const front = /^---\r?\n[\s\S]*?\n---\r?\n(?:\r?\n)?/.exec(source)?.[0] ?? '';
  const body = source.slice(front.length).replace(/\n*$/, '\n\n');
  return `${front}${importOf(example, source)}\n\n${body}${elementOf(example)}\n`;
}

/** The icon is the first child of what the component of the file returns: the only one, or the one that is exported. */
function addToJsx(source: string, example: Example): string | undefined {
  const program = parseScript(source);
  const roots: Node[] = [];
  if (program === undefined) return undefined;
  collectRoots(program, roots);
  const exported = exportOf(program) ?? onlyNamedExport(program);
  if (roots.length > 1 && exported?.type === 'FunctionDeclaration') {
    roots.length = 0;
    collectRoots(exported, roots);
  }
  // What renders a component, as `render(<App />)` does, has no place for a child.
  const openings = roots
    .map(openingOf)
    .filter((each) => each !== undefined && each['selfClosing'] !== true);
  const [opening] = openings;
  if (openings.length !== 1 || opening === undefined) return undefined;
  const rest = source.slice(opening.end);
  const breaks = /^[ \t]*\n([ \t]*)/.exec(rest);
  const element = elementOf(example);
  const added = breaks === null ? element : `\n${breaks[1]}${element}`;
  return addImport(`${source.slice(0, opening.end)}${added}${rest}`, {
    line: importOf(example, source),
  });
}

/** What follows the only `export` of a file that exports no default. */
function onlyNamedExport(program: Node): Node | undefined {
  const named = (program['body'] as Node[]).filter(({ type }) => type === 'ExportNamedDeclaration');
  return named.length === 1 ? (named[0]?.['declaration'] as Node | undefined) : undefined;
}

/**
 * The first element of HTML, or fragment: components may want children of their own kind, as routers do.
 * @param root an element of JSX
 */
function openingOf(root: Node | undefined): Node | undefined {
  const fragment = root?.['openingFragment'] as Node | undefined;
  const element = root?.['openingElement'] as (Node & { name: { name?: unknown } }) | undefined;
  if (fragment !== undefined || element === undefined) return fragment;
  if (/^[a-z]/.test(String(element.name.name))) return element;
  for (const child of (root?.['children'] ?? []) as Node[]) {
    const found = openingOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Elements that are not inside of other elements. */
function collectRoots(node: unknown, roots: Node[]): void {
  if (Array.isArray(node)) {
    for (const one of node) collectRoots(one, roots);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const { type } = node as Node;
  if (type === 'JSXElement' || type === 'JSXFragment') {
    roots.push(node as Node);
    return;
  }
  for (const [part, value] of Object.entries(node))
    if (part !== 'loc' && typeof value === 'object') collectRoots(value, roots);
}

function addToScript(source: string, { name, specifier }: Example): string | undefined {
  const style = styleOf(source);
  const variable = lower(name);
  const text = addImport(source, { line: importOf({ name: variable, specifier }, source) });
  const end = style.quote === '"' ? '"beforeend"' : "'beforeend'";
  return (
    text &&
    `${text.replace(/\n*$/, '\n')}\ndocument.body.insertAdjacentHTML(${end}, ${variable})${style.end}\n`
  );
}

/** The markup is the first thing in the last template of the file. */
function addToEmber(source: string, { name, specifier }: Example): string | undefined {
  const opening = '<template>';
  const at = source.lastIndexOf(opening) + opening.length;
  if (at < opening.length) return undefined;
  const style = styleOf(source);
  const variable = lower(name);
  const lines = [
    importOf({ name: variable, specifier }, source),
    /\bhtmlSafe\b/.test(source)
      ? ''
      : `import { htmlSafe } from ${quoted('@ember/template', style)}${style.end}`,
  ].filter(Boolean);
  const last = [...source.slice(0, at).matchAll(/^import\b[^;]*?['"];?[ \t]*\n/gm)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  const shown = `${source.slice(end, at)}\n${style.indent}{{htmlSafe ${variable}}}${source.slice(at)}`;
  return `${source.slice(0, end)}${lines.join('\n')}\n${shown}`;
}

const SETUP = /^<script\b[^>]*\bsetup\b[^>]*>[ \t]*\n/m;

function addToVue(source: string, example: Example): string | undefined {
  const line = importOf(example, source);
  const script = SETUP.exec(source);
  if (script === null && /^<script\b/m.test(source)) return undefined;
  const withImport =
    script === null
      ? `<script setup${langOf(example)}>\n${line}\n</script>\n\n${source}`
      : `${source.slice(0, script.index)}${script[0]}${line}\n${source.slice(script.index + script[0].length)}`;
  const template =
    /^<template>[ \t]*\n([ \t]*)<(?:div|main|section|article|q-page)\b[^>]*>[ \t]*\n([ \t]*)/m.exec(
      withImport,
    ) ?? /^<template>[ \t]*\n([ \t]*)/m.exec(withImport);
  if (template === null) return undefined;
  return insertLine(withImport, template, elementOf(example));
}

function langOf({ isTyped }: Example): string {
  return isTyped === true ? ' lang="ts"' : '';
}

/** Puts an element before the line that a match ends with, with the same indentation. */
function insertLine(source: string, match: RegExpExecArray, element: string): string {
  const at = match.index + match[0].length;
  return `${source.slice(0, at)}${element}\n${indentOf(source, at)}${source.slice(at)}`;
}

function addToSvelte(source: string, example: Example): string | undefined {
  const element = elementOf(example);
  const scripts = [...source.matchAll(/^<script\b(?![^>]*\bmodule\b)[^>]*>[ \t]*\n/gm)];
  const [script] = scripts;
  if (script === undefined)
    return `<script${langOf(example)}>\n  ${importOf(example, source)}\n</script>\n\n${element}\n\n${source}`;
  const start = script.index + script[0].length;
  const close = source.indexOf('</script>', start);
  if (scripts.length !== 1 || close === -1) return undefined;
  const after = close + '</script>'.length;
  const indent = /^[ \t]*(?=\S)/.exec(source.slice(start, close))?.[0] ?? '  ';
  return `${source.slice(0, start)}${indent}${importOf(example, source)}\n${source.slice(start, after)}\n\n${element}${source.slice(after)}`;
}

function addToAstro(source: string, example: Example): string | undefined {
  const line = importOf(example, source);
  const fence = /^---[ \t]*\n/.exec(source);
  const withImport =
    fence === null
      ? `---\n${line}\n---\n\n${source}`
      : `${fence[0]}${line}\n${source.slice(fence[0].length)}`;
  const end = withImport.indexOf('\n---', 3);
  const markup = withImport.slice(end);
  const opening = /<body\b[^>]*>/.exec(markup) ?? /<[A-Z]\w*(?:\s[^<>]*[^/<>])?>/.exec(markup);
  if (end === -1 || opening === null) return undefined;
  const at = end + opening.index + opening[0].length;
  const breaks = /^[ \t]*\n([ \t]*)/.exec(withImport.slice(at));
  const added = breaks === null ? elementOf(example) : `\n${breaks[1]}${elementOf(example)}`;
  return `${withImport.slice(0, at)}${added}${withImport.slice(at)}`;
}
