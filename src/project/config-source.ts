import { createRequire } from 'node:module';
import type * as Babel from '@babel/parser';

// An `import` of CommonJS reads the whole package for the names of its exports, which takes longer than running it.
const { parse, parseExpression } = createRequire(import.meta.url)('@babel/parser') as typeof Babel;

export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface Source {
  text: string;
  /** Its name in reasons. */
  name: string;
  isJson: boolean;
  root: Node;
  comments: readonly Node[];
}

/** Where aliases are written, or could be. */
export type Place =
  | { kind: 'aliases'; object: Node }
  /** The options have no `aliases`. */
  | { kind: 'options'; object: Node }
  /** The plugin is called without options. */
  | { kind: 'call'; at: number; before: string };

/** A text that cannot be edited: the reason is a clause. */
export class Unclear extends Error {}

export function unclear(reason: string): never {
  throw new Unclear(reason);
}

/** @throws SyntaxError */
export function parseProgram(text: string, plugins: Babel.ParserPlugin[]): Babel.ParseResult {
  return parse(text, {
    sourceType: 'unambiguous',
    plugins,
    attachComment: false,
    allowReturnOutsideFunction: true,
  });
}

export function parseSource(text: string, name: string): Source {
  const isJson = name.endsWith('.json');
  if (isJson) {
    JSON.parse(text);
    const root = parseExpression(text, { attachComment: false }) as unknown as Node;
    return { text, name, isJson, root, comments: [] };
  }
  const plugin = /\.[cm]?ts$/.test(name) ? 'typescript' : 'jsx';
  const { program, comments } = parseProgram(text, [plugin]);
  return {
    text,
    name,
    isJson,
    root: program as unknown as Node,
    comments: (comments ?? []) as unknown as Node[],
  };
}

export function findPlace(source: Source): Place {
  const { root, name, isJson } = source;
  if (isJson) return placeIn(root, source);
  if (name.startsWith('icon-catalog.config.')) {
    const why = `${name} exports its options in a way that is not understood`;
    return placeIn(exportOf(root) ?? unclear(why), source);
  }
  const calls = findCalls(root);
  const [call] = calls;
  if (call === undefined) return unclear(`no call of the plugin was found in ${name}`);
  if (calls.length > 1) unclear(`${name} calls the plugin ${calls.length} times`);
  if ('at' in call) return { kind: 'call', ...call };
  const why = `the options that ${name} gives the plugin cannot be read from the file`;
  return placeIn(call.options ?? unclear(why), source);
}

function placeIn(options: Node, source: Source): Place {
  const object = resolve(options, source);
  if (object?.type !== 'ObjectExpression')
    throw new Unclear(`the options in ${source.name} are not written as an object`);
  const all = propertiesOf(object);
  const own = all.filter((property) => keyOf(property) === 'aliases');
  const [property] = own;
  if (own.length > 1) throw new Unclear(`${source.name} has \`aliases\` twice`);
  // What is spread or computed behind them takes their place; where there are none, it may hold them.
  const later = property === undefined ? all : all.slice(all.indexOf(property) + 1);
  if (later.some((each) => keyOf(each) === undefined))
    throw new Unclear(`the options in ${source.name} spread others, which may hold the aliases`);
  if (property === undefined) return { kind: 'options', object };
  const value = resolve(property['value'] as Node, source);
  if (value?.type !== 'ObjectExpression')
    throw new Unclear(`\`aliases\` in ${source.name} is not written as an object`);
  return { kind: 'aliases', object: value };
}

/** What a file exports under a name: for `default`, by `export default` or `module.exports =`. */
export function exportOf(program: Node, name = 'default'): Node | undefined {
  for (const statement of program['body'] as Node[]) {
    if (name !== 'default') {
      const { specifiers = [], declaration, source } = statement as Node & Record<string, Node[]>;
      const { declarations = [] } = (declaration ?? {}) as { declarations?: Node[] };
      const own = declarations.map(({ id }) => id as Node).find((id) => id['name'] === name);
      const listed = specifiers.find((one) => (one['exported'] as Node)?.['name'] === name);
      const local = own ?? (source ? undefined : (listed?.['local'] as Node | undefined));
      if (local !== undefined) return local;
      continue;
    }
    if (statement.type === 'ExportDefaultDeclaration') return statement['declaration'] as Node;
    const { left, right } = (statement['expression'] ?? {}) as Node;
    const { object, property } = (left ?? {}) as { object?: Node; property?: Node };
    if (object?.['name'] === 'module' && property?.['name'] === 'exports') return right as Node;
  }
  return undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
]);

/** What an expression stands for, as far as that can be read from the file alone. */
export function resolve(node: Node | undefined, source: Source, depth = 0): Node | undefined {
  if (node === undefined || depth > 8) return undefined;
  const next = (inner: unknown): Node | undefined =>
    resolve(inner as Node | undefined, source, depth + 1);
  if (WRAPPERS.has(node.type)) return next(node['expression']);
  if (node.type === 'Identifier') {
    const bound = bindingOf(String(node['name']), source);
    return bound === undefined || bound.type === 'Imported' ? node : next(bound);
  }
  if (node.type === 'CallExpression') {
    const [argument, ...others] = node['arguments'] as Node[];
    const isDefine = (node['callee'] as Node)['name'] === 'defineConfig';
    return isDefine && others.length === 0 ? next(argument) : node;
  }
  return node;
}

/** A name that comes from another module. */
export interface Imported extends Node {
  type: 'Imported';
  from: string;
  /** `undefined`: all that the module exports. */
  imported: string | undefined;
}

/** What a name stands for, if nothing else in the file has the name and nothing changes its value. */
export function bindingOf(name: string, { root }: Source): Node | Imported | undefined {
  const found: (Node | undefined)[] = [];
  const isNamed = (node?: Partial<Node>): boolean =>
    node?.type === 'Identifier' && node['name'] === name;
  /** Default values and keys of a pattern count as well, so that the name is rather unclear than wrong. */
  const bind = (pattern: Node, value?: Node): void =>
    walk(pattern, (part) => {
      if (isNamed(part)) found.push(part === pattern ? value : undefined);
    });
  walk(root, (node: Node) => {
    const { type, params = [], declarations = [] } = node as Node & Record<string, Node[]>;
    const { id, left, callee } = node as Node & Record<string, Node | undefined>;
    for (const { id: pattern, init } of declarations)
      bind(pattern as Node, node['kind'] === 'const' ? (init as Node) : undefined);
    for (const parameter of params) bind(parameter);
    if (/^(?:Function|Class)Declaration$/.test(type) && isNamed(id)) found.push(undefined);
    found.push(...importsOf(node).filter(({ local }) => isNamed(local)));
    const isAssigned = type === 'AssignmentExpression' && rootOf(left as Node) === name;
    const [target] = callee?.['property'] ? (node['arguments'] as Node[]) : [];
    const isExtended = rootOf(callee ?? node) === 'Object' && isNamed(target);
    if (isAssigned || isExtended) found.push(undefined);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The names that a node declares, if it is an import. */
function importsOf(node: Node): (Imported & { local: Node })[] {
  if (node.type !== 'ImportDeclaration') return [];
  const from = textOf(node['source']);
  return (node['specifiers'] as Specifier[]).map((specifier) => {
    const { start, end, local, imported } = specifier;
    const isDefault = specifier.type === 'ImportDefaultSpecifier';
    const name = isDefault ? 'default' : imported && String(imported['name']);
    return { type: 'Imported', start, end, from, imported: name, local };
  });
}

/** Where options stand, if that is clear, or where they can be written. */
type PluginCall = { options: Node | undefined } | { at: number; before: string };
type Specifier = Node & { local: Node; imported?: Node };

/** Under this key Nuxt passes options to its module. */
const NUXT_KEY = 'iconCatalog';
const PACKAGE = /^unplugin-icon-catalog(?:\/|$)/;

/** The names under which a file has the plugin. */
export function namesIn(root: Node): Set<string> {
  const names = new Set<string>();
  walk(root, (node) => {
    for (const { from, imported, local } of importsOf(node))
      if (PACKAGE.test(from) && imported === 'default') names.add(String(local['name']));
    const { type, init } = node as Node & { init?: Node };
    if (type === 'VariableDeclarator' && init && isLoaded(init))
      walk(node['id'] as Node, (part) => {
        if (part.type === 'Identifier') names.add(String(part['name']));
      });
  });
  return names;
}

/**
 * Calls of the plugin, `addPlugin(plugin, options)` of Eleventy, and entries `['unplugin-icon-catalog/nuxt', options]`
 * of a list.
 */
export function findCalls(root: Node, names: ReadonlySet<string> = namesIn(root)): PluginCall[] {
  const calls: PluginCall[] = [];
  walk(root, (node) => {
    if (node.type === 'CallExpression') {
      const callee = node['callee'] as Node & { property?: Node };
      const [first, ...rest] = node['arguments'] as Node[];
      const isAdded =
        callee.property?.['name'] === 'addPlugin' && names.has(String(first?.['name']));
      const [options, ...others] = isAdded ? rest : [first, ...rest];
      if (isAdded || names.has(String(rootOf(callee)))) {
        if (options === undefined) calls.push({ at: node.end - 1, before: isAdded ? ', ' : '' });
        else calls.push({ options: others.length === 0 ? options : undefined });
      }
    }
    if (keyOf(node) === NUXT_KEY) calls.push({ options: node['value'] as Node });
    const [first, options] = (node.type === 'ArrayExpression' ? node['elements'] : []) as Node[];
    if (options && PACKAGE.test(textOf(first))) calls.push({ options });
  });
  return calls;
}

/** `require('unplugin-icon-catalog/…')`, also with `.default`, and `await import(…)` of it. */
function isLoaded(node: Node): boolean {
  if (node.type === 'AwaitExpression') return isLoaded(node['argument'] as Node);
  if (node.type === 'MemberExpression') return isLoaded(node['object'] as Node);
  if (node.type !== 'CallExpression') return false;
  const { type, name } = node['callee'] as Node;
  if (type !== 'Import' && name !== 'require') return false;
  return PACKAGE.test(textOf((node['arguments'] as Node[])[0]));
}

/** `iconCatalog` of `iconCatalog.vite`. */
export function rootOf(node: Node): unknown {
  return node.type === 'MemberExpression' ? rootOf(node['object'] as Node) : node['name'];
}

export function textOf(node: unknown): string {
  const { type, value } = (node ?? {}) as Partial<Node>;
  return type === 'StringLiteral' ? String(value) : '';
}

export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === 'object' && child !== null && 'type' in child)
        walk(child as Node, visit);
  }
}

/** White space at the beginning of the line of an offset. */
export function indentOf(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}

export const propertiesOf = (object: Node): Node[] => object['properties'] as Node[];

export function keyOf({ type, computed, key }: Node): string | undefined {
  if (!/^Object(?:Property|Method)$/.test(type) || computed === true) return undefined;
  const { name, value } = key as Node;
  return String(name ?? value);
}

export interface Entry {
  text: string;
  value: number | string | undefined;
}

export function entriesOf(source: Source, place: Place): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  if (place.kind !== 'aliases') return entries;
  for (const property of propertiesOf(place.object)) {
    const { value } = (property['value'] ?? {}) as Partial<Node>;
    const isPlain = typeof value === 'number' || typeof value === 'string';
    const text = source.text.slice(property.start, property.end);
    entries.set(keyOf(property) ?? text, { text, value: isPlain ? value : undefined });
  }
  return entries;
}
