import { dirname, extname, join, relative, resolve as resolvePath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Options } from '../options/options.ts';
import { idOfName } from '../request/reference.ts';
import type { Environment } from '../types.ts';
import { isObject } from '../untrusted.ts';
import {
  bindingOf,
  exportOf,
  findCalls,
  type Imported,
  keyOf,
  namesIn,
  type Node,
  parseSource,
  propertiesOf,
  resolve,
  rootOf,
  type Source,
  textOf,
  unclear,
} from './config-source.ts';

/** A script with what its text refers to. */
export interface Script {
  text: string;
  /** Its absolute path, whose extension decides how the text is read. */
  path: string;
  /** The folder in which the script runs, absolute. */
  root: string;
  env: Environment;
  /** Reads the text of another file of the project. Fails as the file system does. */
  readFile(path: string): Promise<string>;
}

/** A script that passes the plugin to somebody else's code: what that gives it cannot be seen. */
export class PassedOn extends Error {}

/**
 * The options that a script gives the plugin, from its text and from the files of the project that it imports them from.
 * Nothing is run.
 *
 * @returns `{}` if the plugin is called without any; `undefined` if the script does not have it; an error, whose message is a clause,
 * if they are not written out
 */
export async function readOptionsIn(script: Script): Promise<Options | Error | undefined> {
  try {
    const source = parseSource(script.text, script.path);
    const names = namesIn(source.root);
    const calls = findCalls(source.root, names);
    if (calls.length === 0)
      return names.size === 0
        ? undefined
        : new PassedOn('it has the plugin, and nothing in it calls the plugin');
    const place = { ...script, source, option: 'the options', depth: 0 };
    const [first, ...others] = await Promise.all(
      calls.map(async (call) => ('at' in call ? {} : evaluate(call.options, place))),
    );
    if (!isObject(first)) return unclear('it does not call the plugin with an object');
    if (others.every((other) => isDeepStrictEqual(other, first))) return first;
    return unclear('it calls the plugin with different options');
  } catch (error) {
    return error as Error;
  }
}

/** Where an expression stands. */
interface Place extends Omit<Script, 'text'> {
  source: Source;
  /** For the reason, as the expression itself may be a secret. */
  option: string;
  /** How many imports lead here. */
  depth: number;
}

/** Files that import one another are followed no deeper. */
const DEEPEST = 8;

type Expression = Node & Record<'argument' | 'left' | 'right' | 'test', Node>;

async function evaluate(node: Node | undefined, place: Place): Promise<unknown> {
  const found = resolve(node, place.source);
  return EXPRESSIONS[found?.type ?? '']?.(found as Expression, place) ?? unknown(place);
}

function unknown({ option }: Place): never {
  return unclear(`it computes ${option}`);
}

function asText(value: unknown, place: Place): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : unknown(place);
}

const all = (nodes: unknown, place: Place): Promise<unknown[]> =>
  Promise.all((nodes as Node[]).map((node) => evaluate(node, place)));

/** The kinds of expressions that options are written in. */
const EXPRESSIONS: Readonly<Record<string, (node: Expression, place: Place) => Promise<unknown>>> =
  {
    StringLiteral: async ({ value }) => value,
    NumericLiteral: async ({ value }) => value,
    BooleanLiteral: async ({ value }) => value,
    NullLiteral: async () => null,
    async TemplateLiteral({ expressions, quasis }, place) {
      const values = await all(expressions, place);
      const texts = (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      return texts
        .map((text, index) => (index === 0 ? text : asText(values[index - 1], place) + text))
        .join('');
    },
    async ArrayExpression({ elements }, place) {
      const lists = (elements as Expression[]).map(async (element) => {
        if (element.type !== 'SpreadElement') return [await evaluate(element, place)];
        const spread = await evaluate(element.argument, place);
        return Array.isArray(spread) ? (spread as unknown[]) : unknown(place);
      });
      return (await Promise.all(lists)).flat();
    },
    async ObjectExpression(node, place) {
      const parts = propertiesOf(node).map(async (property) => {
        const { argument, value } = property as Node & Record<string, Node>;
        if (argument) return evaluate(argument, { ...place, option: 'options that it spreads' });
        const key = keyOf(property) ?? unclear(`a name in ${place.option} is computed`);
        return { [key]: await evaluate(value, { ...place, option: `\`${key}\`` }) };
      });
      return Object.assign({}, ...(await Promise.all(parts))) as unknown;
    },
    async LogicalExpression({ operator, left, right }, place) {
      const value = await evaluate(left, place);
      const isResult = { '&&': !value, '||': Boolean(value), '??': (value ?? null) !== null };
      return isResult[operator as keyof typeof isResult] ? value : evaluate(right, place);
    },
    async ConditionalExpression({ test, consequent, alternate }, place) {
      return evaluate(((await evaluate(test, place)) ? consequent : alternate) as Node, place);
    },
    async BinaryExpression({ operator, left, right }, place) {
      const [one, other] = await all([left, right], place);
      if (operator === '===') return one === other;
      if (operator === '!==') return one !== other;
      return operator === '+' && typeof one === 'string'
        ? one + asText(other, place)
        : unknown(place);
    },
    async UnaryExpression({ operator, argument }, place) {
      return operator === '!' ? !(await evaluate(argument, place)) : unknown(place);
    },
    Identifier: readName,
    MemberExpression: readMember,
    CallExpression: readCall,
    /** `new URL('icons', import.meta.url)` */
    async NewExpression({ callee, arguments: given }, place) {
      if ((callee as Node)['name'] !== 'URL') return unknown(place);
      const [address, base] = await all(given, place);
      return new URL(String(address), base as string | URL | undefined);
    },
  };

async function readName(node: Node, place: Place): Promise<unknown> {
  const name = String(node['name']);
  if (name === 'undefined') return undefined;
  if (name === '__dirname') return dirname(place.path);
  const { from, imported } = importOf(name, place);
  return imported === undefined ? unknown(place) : readExport(from, imported, place);
}

/** The module that a name comes from: by `import`, or by `require` of the whole module. */
function importOf(name: string, { source }: Place): Pick<Imported, 'from' | 'imported'> {
  const bound = bindingOf(name, source);
  if (bound?.type === 'Imported') return bound as Imported;
  const { callee, arguments: given } = (bound ?? {}) as { callee?: Node; arguments?: Node[] };
  const module = callee?.['name'] === 'require' ? given?.[0] : undefined;
  return { from: textOf(module), imported: undefined };
}

/** What an import may leave out. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'] as const;

/** What another file of the project exports under a name. */
async function readExport(from: string, name: string, place: Place): Promise<unknown> {
  if (!/^\.{1,2}\//.test(from) || place.depth === DEEPEST) return unknown(place);
  const path = resolvePath(dirname(place.path), from);
  // TypeScript names its files as they are called once they are compiled, or without an extension.
  const named = [path, path.replace(/\.([cm]?)js$/, '.$1ts')];
  const others = extname(path) === '' ? ENDINGS : [];
  for (const file of [...named, ...others.map((ending) => path + ending)]) {
    const text = await place.readFile(file).catch(() => undefined);
    if (text === undefined) continue;
    const source = parseImported(text, file, place);
    const there = { ...place, source, path: file, depth: place.depth + 1 };
    const exported =
      source.isJson && name === 'default' ? source.root : exportOf(source.root, name);
    return evaluate(exported, there);
  }
  return unknown(place);
}

/** What a parser says of a file may quote it. */
function parseImported(text: string, file: string, { root }: Place): Source {
  try {
    return parseSource(text, file);
  } catch {
    return unclear(`${relative(root, file).replaceAll('\\', '/')} cannot be read`);
  }
}

async function readMember(node: Node, place: Place): Promise<unknown> {
  const { text } = place.source;
  const written = text.slice(node.start, node.end).replaceAll(/\s+/g, '');
  const variable = /^process\.env(?:\.(\w+)|\[['"](\w+)['"]\])$/.exec(written);
  if (variable) return readVariable(variable[1] ?? variable[2] ?? '', place);
  if (written === 'import.meta.dirname') return dirname(place.path);
  if (written === 'import.meta.filename') return place.path;
  if (written === 'import.meta.url') return pathToFileURL(place.path).href;
  const { object, property, computed } = node as Node & Record<'object' | 'property', Node>;
  const key = computed === true ? await evaluate(property, place) : property['name'];
  const { type, from, imported } = (bindingOf(String(object['name']), place.source) ??
    {}) as Partial<Imported>;
  // All that a file exports, under one name.
  if (type === 'Imported' && imported === undefined)
    return readExport(from ?? '', String(key), place);
  const value = await evaluate(object, place);
  // A list has a length and methods.
  return isObject(value) && !Array.isArray(value)
    ? Object.entries(value).find(([own]) => own === String(key))?.[1]
    : unknown(place);
}

function readVariable(name: string, { env, option }: Place): string | undefined {
  // Tools set it themselves before they read their configuration, and each in its own way.
  if (name === 'NODE_ENV' && env[name] === undefined)
    return unclear(`${option} depends on NODE_ENV, which is not set here`);
  return env[name];
}

/** Calls that put paths together, and the one of this package that options are written with. */
const CALLS: Readonly<Record<string, (root: string, ...given: string[]) => unknown>> = {
  'path.join': (_root, ...parts) => join(...parts),
  'path.resolve': (root, ...parts) => resolvePath(root, ...parts),
  'path.dirname': (_root, path = '') => dirname(path),
  'url.fileURLToPath': (_root, address = '') => fileURLToPath(address),
  'unplugin-icon-catalog/server.embeddedIconId': (_root, set = '', name = '') =>
    idOfName(`${set}/${name}`),
};

async function readCall(node: Node, place: Place): Promise<unknown> {
  const callee = node['callee'] as Node & { property?: Node };
  const given = node['arguments'] as Node[];
  if (callee['name'] === 'require') return readExport(textOf(given[0]), 'default', place);
  const { from, imported } = importOf(String(rootOf(callee)), place);
  const name = callee.property?.['name'] ?? imported;
  const call = CALLS[`${from.replace('node:', '')}.${name as string}`];
  return call ? call(place.root, ...((await all(given, place)) as string[])) : unknown(place);
}
