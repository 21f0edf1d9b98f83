import type { XastChild, XastElement, XastRoot } from 'svgo';
import { ANIMATIONS, ELEMENTS, TEXT_ELEMENTS } from './allow-list.ts';
import { cleanDrawnText } from './text.ts';
import { invalidSvg, type Removals } from './refusals.ts';
import {
  addressKind,
  enterScope,
  NO_SCOPE,
  resolveName,
  sanitizeAttributes,
  type Scope,
  SVG_NAMESPACE,
  XHTML_NAMESPACE,
} from './sanitize-attributes.ts';
import { sanitizeAnimation } from './sanitize-animation.ts';
import { childrenOf } from './walk.ts';

/** What the style step needs of elements and attributes that the sanitiser drops. */
export interface StyleSource {
  /** The text of every `<style>` that applies to all media, in document order. */
  sheets: string[];
  /** The text of those for other media. */
  idle: string[];
  /** The `class` and `style` of the elements that stay. */
  own: Map<XastElement, { class: string; style: string }>;
}

export interface SanitizeContext {
  id: number;
  removals: Removals;
  /** Keep harmless animation. */
  animation: boolean;
  /** Receives the styles; undefined: they are dropped. */
  styles: StyleSource | undefined;
}

const HTML_ELEMENTS = new Set(
  `html head body base link meta iframe frame embed object applet video audio source track img picture p div span form input
  button textarea select option table template slot noscript noembed plaintext xmp math center marquee canvas b i br hr
  ul ol li pre h1 h2 h3 h4 h5 h6 dialog details summary portal`.split(/\s+/),
);
const SCRIPTS = new Set(['script', 'handler', 'listener']);
const SILENT = new Set([
  'title',
  'desc',
  'metadata',
  'style',
  'view',
  'cursor',
  'font',
  'font-face',
  'color-profile',
]);

/**
 * Reduces a parsed file to what is on the list: elements in SVG's namespace, attributes by name and grammar, text
 * inside text. Everything else is removed with its content.
 * @returns the root element
 * @throws IconCatalogError SVG_INVALID where the document is not exactly one `<svg>`
 */
export function sanitize(root: XastRoot, context: SanitizeContext): XastElement {
  const elements: XastElement[] = [];
  for (const child of root.children) {
    if (child.type === 'element') elements.push(child);
    else noteInstruction(child, context.removals);
  }
  const [svg] = elements;
  if (svg === undefined || elements.length !== 1)
    throw invalidSvg(context.id, 'it is not one <svg> element');
  const name = resolveName(svg.name, enterScope(NO_SCOPE, svg.attributes, false));
  if (name.local !== 'svg' || name.namespace !== SVG_NAMESPACE)
    throw invalidSvg(context.id, 'its root is not an <svg> element of the SVG namespace');
  sanitizeElement(svg, NO_SCOPE, context);
  root.children = [svg];
  return svg;
}

function noteInstruction(node: XastChild, removals: Removals): void {
  if (
    node.type === 'instruction' &&
    node.name !== 'xml' &&
    !/^(?:xpacket|adobe|php)/i.test(node.name)
  )
    removals.note('processing-instruction');
}

/** The nodes that replace the element: itself, its children, or none. */
function sanitizeElement(
  node: XastElement,
  outer: Scope,
  context: SanitizeContext,
  inText = false,
): XastChild[] {
  const scope = enterScope(outer, node.attributes, inText);
  const { local, namespace } = resolveName(node.name, scope);
  if (namespace !== SVG_NAMESPACE) return drop(node, { local, namespace, context });
  // No browser draws an element that requires an extension; Illustrator keeps its own data so, in a foreignObject.
  if (attribute(node, 'requiredExtensions').trim() !== '') {
    noteInside(node, context.removals);
    return [];
  }
  if (local === 'style') collectSheet(node, context.styles);
  if (context.animation && ANIMATIONS.has(local))
    return sanitizeAnimation(node, { local, scope, removals: context.removals }) ? [node] : [];
  if (local !== 'a' && !ELEMENTS.has(local)) return drop(node, { local, namespace, context });
  const own = { class: attribute(node, 'class'), style: attribute(node, 'style') };
  node.attributes = sanitizeAttributes(node, { element: local, scope, removals: context.removals });
  const text = TEXT_ELEMENTS.has(local) || (local === 'a' && inText);
  node.children = sanitizeChildren(node.children, { text, scope, context });
  node.name = local;
  // A link without its address is a group.
  if (local === 'a') node.name = inText ? 'tspan' : 'g';
  if (local === 'switch') simplifySwitch(node);
  if (own.class !== '' || own.style !== '') context.styles?.own.set(node, own);
  return [node];
}

/** Only the languages of the user are unknown here. A switch without a condition on them shows its first child. */
function simplifySwitch(node: XastElement): void {
  const branches = childrenOf(node);
  const isAsked = branches.some(({ attributes }) => attributes['systemLanguage'] !== undefined);
  node.children = isAsked ? branches : branches.slice(0, 1);
  if (!isAsked) node.name = 'g';
}

function attribute(node: XastElement, name: string): string {
  const value = Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function sanitizeChildren(
  children: readonly XastChild[],
  { text, scope, context }: { text: boolean; scope: Scope; context: SanitizeContext },
): XastChild[] {
  const kept: XastChild[] = [];
  for (const child of children) {
    if (child.type === 'element') {
      kept.push(...sanitizeElement(child, scope, context, text));
    } else if (child.type === 'text' || child.type === 'cdata') {
      if (!text) continue;
      const cleaned = cleanDrawnText(child.value, scope);
      for (let count = 0; count < cleaned.removed; count += 1)
        context.removals.note('text-character');
      if (cleaned.text !== '') kept.push({ type: 'text', value: cleaned.text });
    } else noteInstruction(child, context.removals);
  }
  return kept;
}

function drop(
  node: XastElement,
  {
    local,
    namespace,
    context,
  }: { local: string; namespace: string | undefined; context: SanitizeContext },
): [] {
  const { removals } = context;
  const lower = local.toLowerCase();
  if (SCRIPTS.has(lower)) removals.note('script');
  else if (lower === 'foreignobject') removals.note('foreign-object');
  else if (lower === 'image' || lower === 'feimage') removals.note('image');
  else if (ANIMATIONS.has(local))
    removals.note(isHarmless(node) ? 'animation' : 'unsafe-animation');
  else if (
    namespace === XHTML_NAMESPACE ||
    (namespace === SVG_NAMESPACE && HTML_ELEMENTS.has(lower))
  )
    removals.note('html-element');
  else if (namespace === SVG_NAMESPACE && !SILENT.has(lower)) removals.note('unknown-element');
  noteInside(node, removals);
  return [];
}

function isHarmless(node: XastElement): boolean {
  return !/href|style|class|^on/i.test(attribute(node, 'attributeName')) && node.name !== 'discard';
}

/** Active content is removed together with its parent, but it is counted. */
function noteInside(node: XastElement, removals: Removals): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    const local = name.slice(name.indexOf(':') + 1);
    if (/^on/i.test(local)) removals.note('event-attribute');
    else if (/^(?:href|src|data|action|formaction|to|values)$/i.test(local)) {
      const kind = local === 'to' || local === 'values' ? undefined : addressKind(value);
      if (kind !== undefined) removals.note(kind);
    }
  }
  for (const child of childrenOf(node)) {
    const local = child.name.slice(child.name.indexOf(':') + 1).toLowerCase();
    if (SCRIPTS.has(local)) removals.note('script');
    noteInside(child, removals);
  }
}

function collectSheet(node: XastElement, styles: StyleSource | undefined): void {
  const type = attribute(node, 'type').trim().toLowerCase();
  const media = attribute(node, 'media').trim().toLowerCase();
  if (type !== '' && type !== 'text/css') return;
  const sheets = ['', 'all', 'screen'].includes(media) ? styles?.sheets : styles?.idle;
  for (const child of node.children)
    if (child.type === 'text' || child.type === 'cdata') sheets?.push(child.value);
}
