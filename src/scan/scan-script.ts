import { createRequire } from 'node:module';
import type * as Babel from '@babel/parser';
import { type Finder, isIconReference, readSrcset, scanText } from './found.ts';

const require = createRequire(import.meta.url);

export type ScriptLanguage = 'js' | 'ts' | 'tsx';

const PROPOSALS: Babel.ParserPlugin[] = [
  'decorators',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
];
const PLUGINS: Record<ScriptLanguage, Babel.ParserPlugin[]> = {
  js: ['jsx', 'flow', ...PROPOSALS],
  ts: ['typescript', ...PROPOSALS],
  tsx: ['jsx', 'typescript', ...PROPOSALS],
};

/** Finds imports in JavaScript and TypeScript: a whole file, or what begins at `base` in a file of another language. */
export function scanScript(
  code: string,
  { finder, language, base = 0 }: { finder: Finder; language: ScriptLanguage; base?: number },
): void {
  let root: ScriptNode;
  try {
    root = parseScript(code, language);
  } catch (error) {
    const { pos = 0 } = error as { pos?: number };
    const reason = (error as Error).message.replace(/\s*\(\d+:\d+\)$/, '').replace(/\.$/, '');
    return scanText(code, { finder, base, at: base + pos, reason });
  }
  walkScript(root, finder, base);
}

/** @throws SyntaxError */
export function parseScript(code: string, language: ScriptLanguage): ScriptNode {
  // An `import` of CommonJS reads the whole package for the names of its exports, which takes longer than running it.
  const { parse } = require('@babel/parser') as typeof Babel;
  const { program } = parse(code, {
    sourceType: 'unambiguous',
    plugins: PLUGINS[language],
    errorRecovery: true,
    attachComment: false,
    createImportExpressions: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    allowNewTargetOutsideFunction: true,
  });
  return program as unknown as ScriptNode;
}

interface ScriptNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Attributes of JSX whose text is an address. */
const ADDRESSES = new Set(['src', 'srcSet', 'srcset', 'href', 'xlinkHref', 'xlink:href', 'poster']);
const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TypeCastExpression',
  'JSXExpressionContainer',
]);

/** The fields of every node that hold no nodes. */
const PLAIN_FIELDS = new Set([
  'type',
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'errors',
  'comments',
]);

/** Reports every module that the code imports, re-exports or requires under an `icon:` name. */
export function walkScript(root: ScriptNode, finder: Finder, base: number): void {
  const pending: ScriptNode[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node, finder, base);
    // Trees have no prototype whose properties need to be skipped, and `Object.entries` would allocate for every node.
    for (const field in node) {
      if (PLAIN_FIELDS.has(field)) continue;
      const value = node[field];
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) pending.push(item);
      } else if (isNode(value)) pending.push(value);
    }
  }
}

function visit(node: ScriptNode, finder: Finder, base: number): void {
  const report = (expression: unknown): void => {
    if (isNode(expression)) reportLiteral(expression, finder, base);
  };
  switch (node.type) {
    case 'ImportDeclaration':
      // Type imports are removed before anything is bundled.
      if (node['importKind'] !== 'type') report(node['source']);
      return;
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (node['exportKind'] !== 'type') report(node['source']);
      return;
    case 'ImportExpression':
      return report(node['source']);
    case 'TSExternalModuleReference':
      return report(node['expression']);
    case 'CallExpression':
      if (loads(node['callee'])) report(argumentsOf(node)[0]);
      return;
    case 'NewExpression': {
      const [address, from] = argumentsOf(node);
      if (isNamed(node['callee'], 'URL') && from !== undefined && isOwnAddress(from))
        report(address);
      return;
    }
    case 'JSXAttribute':
      return visitAttribute(node, finder, base);
    case 'StringLiteral':
    case 'TemplateElement':
      return visitText(node, finder, base);
  }
}

/** An address in a style sheet: a quote in it may have a backslash, as it stands in a text. */
const IN_STYLE = /url\(\s*\\?["']?(icon:\w[^\s"'()\\]*)\\?["']?\s*\)/g;

/** Styles in scripts (vanilla-extract, StyleX, Panda, shortcuts of UnoCSS), which become a style sheet in the build. */
function visitText({ start, end }: ScriptNode, finder: Finder, base: number): void {
  const written = finder.text.slice(base + start, base + end);
  for (const { index, 0: address, 1: specifier = '' } of written.matchAll(IN_STYLE))
    finder.reference(specifier, base + start + index + address.indexOf(specifier), 'style');
}

function visitAttribute(node: ScriptNode, finder: Finder, base: number): void {
  const { name, value } = node;
  if (!isNode(name) || !isNode(value)) return;
  const written = name.type === 'JSXNamespacedName' ? 'xlink:href' : name['name'];
  if (typeof written !== 'string' || !ADDRESSES.has(written)) return;
  const literal = WRAPPERS.has(value.type) ? value['expression'] : value;
  if (!isNode(literal)) return;
  const text = textOf(literal);
  if (text === undefined) return;
  const start = base + literal.start;
  if (/^srcset$/i.test(written)) {
    for (const { specifier, at } of readSrcset(text))
      finder.reference(specifier, start + 1 + at, 'markup');
  } else if (isIconReference(text.trim())) finder.reference(text.trim(), start + 1, 'markup');
}

/** `import(…)` in Babel's older form, `require(…)` and `require.resolve(…)`. */
function loads(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Import' || isNamed(callee, 'require')) return true;
  return (
    callee.type === 'MemberExpression' &&
    isNamed(callee['object'], 'require') &&
    isNamed(callee['property'], 'resolve')
  );
}

function reportLiteral(expression: ScriptNode, finder: Finder, base: number): void {
  const inner = expression['expression'];
  if (WRAPPERS.has(expression.type) && isNode(inner)) return reportLiteral(inner, finder, base);
  const branches =
    expression.type === 'ConditionalExpression'
      ? [expression['consequent'], expression['alternate']]
      : expression.type === 'LogicalExpression'
        ? [expression['left'], expression['right']]
        : undefined;
  if (branches !== undefined) {
    for (const branch of branches) if (isNode(branch)) reportLiteral(branch, finder, base);
    return;
  }
  const text = textOf(expression);
  if (text !== undefined) {
    if (isIconReference(text)) finder.reference(text, base + expression.start + 1, 'script');
  } else if (beginningOf(expression)?.startsWith('icon:') === true) {
    finder.unknown(base + expression.start, base + expression.end);
  }
}

/** The text of a literal, including template literals without expressions. */
function textOf(node: ScriptNode): string | undefined {
  const { value, quasis } = node;
  if (node.type === 'StringLiteral') return typeof value === 'string' ? value : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(quasis) || quasis.length !== 1) return;
  return beginningOf(node);
}

/** The beginning of the text, to which code appends the rest at run time. */
function beginningOf(node: ScriptNode): string | undefined {
  if (node.type === 'BinaryExpression' && isNode(node['left'])) return beginningOf(node['left']);
  if (node.type !== 'TemplateLiteral') return textOf(node);
  const [first] = node['quasis'] as { value?: { cooked?: string | null } }[];
  return first?.value?.cooked ?? undefined;
}

function argumentsOf(node: ScriptNode): ScriptNode[] {
  const given = node['arguments'];
  return Array.isArray(given) ? given.filter((one) => isNode(one)) : [];
}

/** `import.meta.url` */
function isOwnAddress(node: ScriptNode): boolean {
  const { object } = node;
  return (
    node.type === 'MemberExpression' &&
    isNode(object) &&
    object.type === 'MetaProperty' &&
    isNamed(node['property'], 'url')
  );
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node['name'] === name;
}

function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
