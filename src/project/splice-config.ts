import type { BuildTool } from './build-tools.ts';
import { exportOf, indentOf, keyOf, type Node, parseProgram, walk } from './config-source.ts';

/** What became of a source: its new text, the same text, or nothing if its form is not understood. */
export type Spliced = { text: string; isNew: boolean } | undefined;

/** The style in which a source is written. */
export interface Style {
  quote: string;
  end: string;
  indent: string;
}

/**
 * Adds this package to the configuration of a build tool. Only the text at two places is new; the rest stays byte for byte.
 *
 * @returns `undefined` if the list of plugins cannot be found with certainty: then nothing may be written
 */
export function addPlugin(source: string, tool: BuildTool): Spliced {
  if (source.includes('unplugin-icon-catalog')) return { text: source, isNew: false };
  const { place } = tool;
  const program = parseScript(source);
  const config = program && findPlace(program, tool);
  if (program === undefined || config === undefined) return undefined;
  const style = styleOf(source);
  const line = importLine(tool.entry, { style, isCommon: isCommon(program, source) });
  let text: string | undefined;
  if ('property' in place) {
    const { property: name, lines, before = '' } = place;
    const after = before && `\n\n${before}${style.end}`;
    const added = addProperty(source, config, { name, style, lines });
    text = added && addImport(added, { line, after });
  } else if ('path' in place) {
    const item = itemOf(place).replaceAll("'", style.quote);
    const added = addItem(source, config, { path: place.path, style, item });
    text = added !== undefined && item.includes(CALL) ? addImport(added, { line }) : added;
  } else if ('method' in place) {
    const called = `${config.parameter}.${place.method}(iconCatalog)${style.end}`;
    const indent = `${indentOf(source, config.start)}${style.indent}`;
    const at = config.start + 1;
    text = addImport(`${source.slice(0, at)}\n${indent}${called}${source.slice(at)}`, { line });
  }
  return text === undefined || parseScript(text) === undefined ? undefined : { text, isNew: true };
}

const CALL = 'iconCatalog()';

function itemOf({ item = CALL }: { item?: string }): string {
  return item;
}

/** `vite: { plugins: [item] }` */
function nested([name, ...rest]: readonly [string, ...string[]], item: string): string {
  const [next, ...others] = rest;
  return `${name}: ${next === undefined ? `[${item}]` : `{ ${nested([next, ...others], item)} }`}`;
}

/** What a person writes where `addPlugin` cannot. */
export function pluginLines({ entry, place }: BuildTool): string[] {
  const line = newImport(entry, place);
  if ('property' in place)
    return [line, ...(place.before === undefined ? [] : [`${place.before};`]), ...place.lines];
  if ('method' in place) return [line, `${place.parameter}.${place.method}(iconCatalog);`];
  if ('exports' in place) return [line, ...place.exports];
  const added = `${nested(place.path, itemOf(place))},`;
  return added.includes(CALL) ? [line, added] : [added];
}

function newImport(entry: string, place: BuildTool['place']): string {
  const isCommon = 'exports' in place && place.isCommon === true;
  return importLine(entry, { style: { quote: "'", end: ';', indent: '  ' }, isCommon });
}

/** A whole configuration of Vite, Eleventy, Gatsby or WordPress. A tool that brings Vite along does not make it a package of the project. */
export function newConfig({ entry, package: name, place }: BuildTool): string {
  if ('method' in place) {
    const { method, parameter } = place;
    return `import iconCatalog from '${entry}';\n\nexport default function (${parameter}) {\n  ${parameter}.${method}(iconCatalog);\n}\n`;
  }
  if ('exports' in place)
    return `${newImport(entry, place)}\n${place.isCommon ? '' : '\n'}${place.exports.join('\n')}\n`;
  const [vite, open, close] =
    name === 'vite'
      ? ["import { defineConfig } from 'vite';\n", 'defineConfig({', '})']
      : ['', '{', '}'];
  return `${vite}import iconCatalog from '${entry}';\n\nexport default ${open}\n  plugins: [iconCatalog()],\n${close};\n`;
}

export function parseScript(source: string): Node | undefined {
  try {
    return parseProgram(source, ['typescript', 'jsx', 'decorators']).program as unknown as Node;
  } catch {
    return undefined;
  }
}

export function styleOf(source: string): Style {
  const first =
    /^[ \t]*(?:import\b|const\b.*\brequire\()[^'"\n]*(['"])[^'"\n]*['"]\)?[ \t]*(;?)/m.exec(source);
  const [, quote = "'", end = ';'] = first ?? [];
  return { quote, end, indent: /^(\t| {2,8})\S/m.exec(source)?.[1] ?? '  ' };
}

export function quoted(text: string, { quote }: Style): string {
  return `${quote}${text}${quote}`;
}

function importLine(
  entry: string,
  { style, isCommon: required }: { style: Style; isCommon: boolean },
): string {
  const from = quoted(entry, style);
  return required
    ? `const { default: iconCatalog } = require(${from})${style.end}`
    : `import iconCatalog from ${from}${style.end}`;
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? (value as Node[]).filter(Boolean) : [];
}

function isCommon(program: Node, source: string): boolean {
  const isModule = nodes(program['body']).some(({ type }) => /^(?:Import|Export)/.test(type));
  return !isModule && /\b(?:require\(|module\.exports\b)/.test(source);
}

/** Puts a line behind the last import, or before everything. */
export function addImport(
  source: string,
  { line, after = '' }: { line: string; after?: string },
): string | undefined {
  const program = parseScript(source);
  if (program === undefined) return undefined;
  const last = nodes(program['body']).findLast(
    (node) => node.type === 'ImportDeclaration' || isRequire(node),
  );
  if (last === undefined) return `${line}${after}\n\n${source}`;
  const found = source.indexOf('\n', last.end);
  const at = found === -1 ? source.length : found;
  return `${source.slice(0, at)}\n${line}${after}${source.slice(at)}`;
}

function isRequire(node: Node): boolean {
  if (node.type !== 'VariableDeclaration') return false;
  return nodes(node['declarations']).every(({ init }) => {
    const call = init as Node | null;
    return call?.type === 'CallExpression' && (call['callee'] as Node)['name'] === 'require';
  });
}

/** What the plugin is written into: the object that holds it, or the block of the function that is called with `parameter`. */
type Config = Node & { parameter?: string };

/** In the forms that people write. */
function findPlace(program: Node, { place, inScript, exportName }: BuildTool): Config | undefined {
  if (inScript !== undefined) return findBuild(program);
  if ('exports' in place) return undefined;
  const exported = exportOf(program, exportName);
  if (!('method' in place)) return exported && toObject(exported, nodes(program['body']));
  const [first, ...others] = nodes(exported?.['params']);
  const block = exported?.['body'] as Node | undefined;
  const isClear = first?.type === 'Identifier' && others.length === 0;
  return isClear && block?.type === 'BlockStatement'
    ? Object.assign(block, { parameter: String(first['name']) })
    : undefined;
}

/** The one object that a script gives `build` or `context`, of esbuild or of Bun. */
function findBuild(program: Node): Node | undefined {
  const found = new Set<Node | undefined>();
  const body = nodes(program['body']);
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const { name, property } = node['callee'] as Node & { property?: Node };
    if (!/^(?:build|context)$/.test(String(name ?? property?.['name']))) return;
    const [first] = nodes(node['arguments']);
    found.add(first && toObject(first, body));
  });
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

function toObject(node: Node, body: readonly Node[]): Node | undefined {
  switch (node.type) {
    case 'ObjectExpression':
      return node;
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return toObject(node['expression'] as Node, body);
    case 'Identifier': {
      const init = initOf(String(node['name']), body);
      return init && toObject(init, body);
    }
    case 'CallExpression': {
      const callee = node['callee'] as Node;
      const [first] = nodes(node['arguments']);
      // `defineConfig({ … })`, `withAnalyzer(config)`: what is passed on is the configuration.
      const passesOn =
        callee.type === 'Identifier' && /^(?:define|with)/.test(String(callee['name']));
      return passesOn && first !== undefined ? toObject(first, body) : undefined;
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return ofFunction(node['body'] as Node, body);
    default:
      return undefined;
  }
}

function initOf(name: string, body: readonly Node[]): Node | undefined {
  for (const statement of body) {
    const exported = statement['declaration'] as Node | undefined;
    for (const { id, init } of nodes((exported ?? statement)['declarations']))
      if ((id as Node)['name'] === name && init) return init as Node;
  }
  return undefined;
}

/** A function with one way out. */
function ofFunction(block: Node, body: readonly Node[]): Node | undefined {
  if (block.type !== 'BlockStatement') return toObject(block, body);
  const statements = nodes(block['body']);
  const returned = statements.at(-1);
  const isOnly = !statements
    .slice(0, -1)
    .some(({ type }) => /^(?:If|Switch|Return|Try)/.test(type));
  if (returned?.type !== 'ReturnStatement' || !isOnly || !returned['argument']) return undefined;
  return toObject(returned['argument'] as Node, [...body, ...statements]);
}

function propertyOf(config: Node, name: string): Node | undefined {
  return nodes(config['properties']).find((property) => keyOf(property) === name);
}

interface Addition {
  path: readonly [string, ...string[]];
  item: string;
  style: Style;
}

function addItem(
  source: string,
  config: Node,
  { path, item, style }: Addition,
): string | undefined {
  const [name, next, ...rest] = path;
  const property = propertyOf(config, name);
  if (property === undefined)
    return addProperty(source, config, { name, style, lines: [`${nested(path, item)},`] });
  const list = property['value'] as Node | undefined;
  if (next !== undefined)
    return list?.type === 'ObjectExpression'
      ? addItem(source, list, { path: [next, ...rest], item, style })
      : undefined;
  if (list?.type !== 'ArrayExpression') return undefined;
  const [first] = nodes(list['elements']);
  const at = list.start + 1;
  if (first === undefined) return `${source.slice(0, at)}${item}${source.slice(at)}`;
  const gap = source.slice(at, first.start);
  // The first plugin keeps its line and its comments.
  const added = gap.includes('\n') ? `\n${indentOf(source, first.start)}${item},` : `${item}, `;
  return `${source.slice(0, at)}${added}${source.slice(at)}`;
}

/** A property that the object does not have; an object that takes over others might have it. */
function addProperty(
  source: string,
  config: Node,
  { name, lines, style }: { name: string; lines: readonly string[]; style: Style },
): string | undefined {
  const properties = nodes(config['properties']);
  if (propertyOf(config, name) !== undefined) return undefined;
  if (properties.some(({ type }) => type === 'SpreadElement')) return undefined;
  const at = config.start + 1;
  const inside = source.slice(at, config.end - 1);
  if (lines.length === 1 && !inside.includes('\n')) {
    const [line = ''] = lines;
    const only = properties.length === 0 ? ` ${line.replace(/,$/, '')} ` : ` ${line}`;
    return `${source.slice(0, at)}${only}${properties.length === 0 ? inside.trimStart() : inside}${source.slice(at + inside.length)}`;
  }
  const [first] = properties;
  const indent =
    first !== undefined && inside.includes('\n')
      ? indentOf(source, first.start)
      : `${indentOf(source, config.start)}${style.indent}`;
  const text = lines.map((line) => `\n${indent}${line.replace(/^ {2}/, style.indent)}`).join('');
  const close = inside.includes('\n') ? '' : `\n${indentOf(source, config.start)}`;
  return `${source.slice(0, at)}${text}${inside.trim() === '' ? '' : inside}${close || (inside.trim() === '' ? inside : '')}${source.slice(config.end - 1)}`;
}
