import type { XastElement } from 'svgo';
import { attributesOf, HREF_ELEMENTS } from './allow-list.ts';
import type { Grammar } from './grammar.ts';
import type { RemovalKind, Removals } from './refusals.ts';

const DIRECTIVE = /^(?:v-|:|x-|ng-|hx-|_ng|\*)/;
const SILENT_VALUES = new Set([
  '',
  'none',
  'initial',
  'unset',
  'revert',
  'inherit',
  'auto',
  'normal',
]);

/** What an address is that is not a plain `#id`. */
export function addressKind(value: string): RemovalKind | undefined {
  const plain = value.replaceAll(/[\0- \u007f-\u00a0\u2028\u2029]/g, '').toLowerCase();
  if (plain === '' || plain.startsWith('#')) return undefined;
  if (/^(?:javascript|vbscript|livescript|data:(?:text|application)|data:image\/svg)/.test(plain))
    return 'script-address';
  return plain.startsWith('data:') ? undefined : 'external-reference';
}

/**
 * The attributes of an element that are allowed, each in the form of its grammar; `id` is still that of the file, and
 * `href` is kept only as `#id` on elements that may refer.
 */
export function sanitizeAttributes(
  node: XastElement,
  { element, scope, removals }: { element: string; scope: Scope; removals: Removals },
): Record<string, string> {
  const kept: Record<string, string> = {};
  const addresses: string[] = [];
  const allowed = attributesOf(element);
  for (const [qualified, value] of Object.entries(node.attributes)) {
    const name = attributeName(qualified, { scope, removals });
    if (name === undefined) continue;
    if (name === 'xlink:href') sanitizeHref(value, { element, removals });
    else if (name === 'id') {
      if (value !== '' && value.length <= 256) kept['id'] = value;
    } else if (name === 'href') {
      // The unprefixed form wins over xlink:href (SVG 2, 16.1.6).
      if (qualified === 'href') addresses.unshift(value);
      else addresses.push(value);
    } else {
      const grammar = allowed.get(name);
      const result = grammar && applyGrammar(grammar, value, removals);
      if (result !== undefined) kept[name] = result;
      // If a paint cannot be found, nothing is painted; without the attribute the shape would be black.
      else if ((name === 'fill' || name === 'stroke') && valueKind(value) === 'external-reference')
        kept[name] = 'none';
    }
  }
  // The attributes that lose are counted like the one that wins: another reader of the file may follow them.
  const [href] = addresses.map((address) => sanitizeHref(address, { element, removals }));
  if (href !== undefined) kept['href'] = href;
  return kept;
}

function attributeName(
  qualified: string,
  { scope, removals }: { scope: Scope; removals: Removals },
): string | undefined {
  if (qualified === 'xmlns' || qualified.startsWith('xmlns:')) return undefined;
  const colon = qualified.indexOf(':');
  const local = colon === -1 ? qualified : qualified.slice(colon + 1);
  if (local.slice(0, 2).toLowerCase() === 'on') {
    removals.note('event-attribute');
    return undefined;
  }
  if (DIRECTIVE.test(qualified)) removals.note('directive');
  if (colon === -1) return qualified;
  if (local !== 'href') return undefined;
  const { prefix, namespace } = resolveName(qualified, scope);
  if (namespace === XLINK_NAMESPACE) return 'href';
  // HTML knows this prefix without a declaration.
  return prefix === 'xlink' ? 'xlink:href' : undefined;
}

/** A value by its grammar. A refused value is counted by what it tried to do. */
export function applyGrammar(
  grammar: Grammar,
  raw: string,
  removals: Removals,
): string | undefined {
  const value = plainSpaces(raw);
  const result = value === undefined ? undefined : grammar(value);
  if (result === undefined && !SILENT_VALUES.has(raw.trim().toLowerCase()))
    removals.note(valueKind(raw));
  return result;
}

/** XML's white space as spaces; undefined if there is another kind, which `\s` of the grammars would accept. */
export function plainSpaces(raw: string): string | undefined {
  const value = raw.trim();
  return /[^\S \t\n\r]/.test(value) ? undefined : value.replaceAll(/[\t\n\r]/g, ' ');
}

export function valueKind(value: string): RemovalKind {
  if (/javascript:|expression\(/i.test(value)) return 'script-address';
  if (/(?:url|src|image|image-set|element|cross-fade)\s*\(\s*(?!["']?#)/i.test(value))
    return 'external-reference';
  // An escape can write any of the above.
  return value.includes('\\') ? 'external-reference' : 'invalid-value';
}

function sanitizeHref(
  value: string,
  { element, removals }: { element: string; removals: Removals },
): string | undefined {
  const target = value.trim();
  if (/^#[^\s"'()\\<>]{1,256}$/.test(target))
    return HREF_ELEMENTS.has(element) ? target : undefined;
  const kind = addressKind(target);
  if (kind !== undefined)
    removals.note(element === 'a' && kind === 'external-reference' ? 'link' : kind);
  return undefined;
}

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

/** What is in force inside an element: declarations of namespaces, as svgo's tree has prefixes but no addresses. */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly parent: Scope | undefined;
  /** True if `xml:space` says that each space of a text is drawn. */
  readonly keepsSpaces: boolean;
}

export const NO_SCOPE: Scope = { declared: new Map(), parent: undefined, keepsSpaces: false };

export interface ResolvedName {
  local: string;
  prefix: string;
  /** Undefined if the prefix is not declared. */
  namespace: string | undefined;
}

/**
 * The scope inside an element with these attributes.
 *
 * @param inText it stands in a text: browsers do not let a text inherit `xml:space` from the group around it
 */
export function enterScope(
  parent: Scope,
  attributes: Record<string, string>,
  inText: boolean,
): Scope {
  let declared: Map<string, string> | undefined;
  for (const [name, value] of Object.entries(attributes)) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined;
    if (prefix === undefined) continue;
    declared ??= new Map();
    declared.set(prefix, value);
  }
  const { 'xml:space': space } = attributes;
  const keepsSpaces = space === undefined ? inText && parent.keepsSpaces : space === 'preserve';
  if (declared === undefined && keepsSpaces === parent.keepsSpaces) return parent;
  return { declared: declared ?? new Map(), parent, keepsSpaces };
}

export function resolveName(name: string, scope: Scope): ResolvedName {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const local = colon === -1 ? name : name.slice(colon + 1);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const namespace = at.declared.get(prefix);
    if (namespace !== undefined) return { local, prefix, namespace };
  }
  return { local, prefix, namespace: undefined };
}
