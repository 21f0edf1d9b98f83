import { fromMarkdown } from 'mdast-util-from-markdown';
import { isIconReference } from './is-icon-reference.ts';
import { readAttribute } from './read-attribute.ts';
import { scanMarkup } from './scan-markup.ts';
import { scanText } from './scan-text.ts';
import { walkScript, type ScriptNode } from './walk-script.ts';
import type { Finder } from './found.ts';

/** What is read of a node of mdast, whichever kind it is. */
interface MarkdownNode {
  type: string;
  url?: string;
  name?: string | null;
  value?: unknown;
  attributes?: readonly MarkdownNode[];
  children?: readonly MarkdownNode[];
  /** Open to whatever other tools declare to be in it. */
  data?: object | null;
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** Finds references in Markdown: pictures, links and HTML, in MDX also imports, components and expressions. Code is not read. */
export async function scanMarkdown(
  text: string,
  { finder, isMdx }: { finder: Finder; isMdx: boolean },
): Promise<void> {
  let root: MarkdownNode;
  try {
    root = isMdx ? await parseMdx(text) : fromMarkdown(text);
  } catch (error) {
    const { reason, place } = error as { reason?: string; place?: Place };
    const at = place?.offset ?? place?.start?.offset ?? 0;
    return scanText(text, { finder, at, reason: reason ?? String(error) });
  }
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    await visit(node, text, finder);
    pending.push(...(node.children ?? []));
  }
}

interface Place {
  offset?: number;
  start?: { offset?: number };
}

async function parseMdx(text: string): Promise<MarkdownNode> {
  const [{ mdxjs }, { mdxFromMarkdown }] = await Promise.all([
    import('micromark-extension-mdxjs'),
    import('mdast-util-mdx'),
  ]);
  return fromMarkdown(text, {
    extensions: [mdxjs()],
    mdastExtensions: [mdxFromMarkdown()],
  });
}

async function visit(node: MarkdownNode, text: string, finder: Finder): Promise<void> {
  const start = node.position?.start.offset ?? 0;
  const written = text.slice(start, node.position?.end.offset);
  const estree = estreeOf(node);
  if (estree) walkScript(estree as ScriptNode, finder, 0);
  if (node.type === 'html') await scanMarkup(written, { finder, language: 'html', base: start });
  if (node.url !== undefined && isIconReference(node.url))
    finder.reference(node.url, start + Math.max(0, written.indexOf('icon:')), 'markup');
  for (const attribute of node.attributes ?? []) visitAttribute(attribute, { text, start, finder });
}

function visitAttribute(
  { name, value, data, position }: MarkdownNode,
  { text, start, finder }: { text: string; start: number; finder: Finder },
): void {
  const expression = typeof value === 'object' ? (value as MarkdownNode | null) : undefined;
  const address = typeof value === 'string' ? value : literalOf(expression?.value);
  if (name && address !== undefined) {
    const end = position?.end.offset ?? endOf(address, text, start);
    readAttribute({ name, value: address, written: text.slice(0, end) }, finder, 0);
  }
  for (const estree of [estreeOf({ data }), estreeOf(expression)])
    if (estree) walkScript(estree as ScriptNode, finder, 0);
}

function estreeOf(node: Pick<MarkdownNode, 'data'> | null | undefined): unknown {
  const data: { estree?: unknown } | null | undefined = node?.data;
  return data?.estree;
}

/** The text of an expression that is nothing but a string: `{'icon:123'}`. */
function literalOf(expression: unknown): string | undefined {
  if (typeof expression !== 'string') return undefined;
  return /^\s*(["'`])([^"'`$\\]*)\1\s*$/.exec(expression)?.[2];
}

function endOf(value: string, text: string, from: number): number {
  const at = text.indexOf(value, from);
  return at === -1 ? text.length : at + value.length;
}
