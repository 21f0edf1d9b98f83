import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** What a file of src/ reaches outside the process. */
export type Access = 'files' | 'network' | 'clock' | 'chance' | 'process';

export interface SourceFile {
  /** Relative to src/, `/` between folders. */
  path: string;
  lines: number;
  text: string;
  /** Specifiers of every import, static, dynamic, type-only or re-export. */
  imports: string[];
  access: Set<Access>;
  /** Every function, with the lines that it takes. */
  functions: { name: string; lines: number }[];
  /** `export *`, `console`, `any` and dynamic imports that only a run could resolve, each with its line. */
  forbidden: string[];
}

const ACCESS_BY_MODULE: Record<string, Access> = {
  'node:fs': 'files',
  'node:fs/promises': 'files',
  'node:http': 'network',
  'node:https': 'network',
  'node:net': 'network',
  'node:tls': 'network',
  'node:dns': 'network',
  hpagent: 'network',
  'node:process': 'process',
  'node:os': 'process',
  'node:tty': 'process',
  'node:timers': 'clock',
  'node:timers/promises': 'clock',
};

const ACCESS_BY_GLOBAL: Record<string, Access> = {
  fetch: 'network',
  WebSocket: 'network',
  process: 'process',
  performance: 'clock',
  setTimeout: 'clock',
  setInterval: 'clock',
  setImmediate: 'clock',
};

const ACCESS_BY_MEMBER: Record<string, Access> = {
  'Date.now': 'clock',
  'AbortSignal.timeout': 'clock',
  'Math.random': 'chance',
  'crypto.getRandomValues': 'chance',
  'crypto.randomUUID': 'chance',
};

const CHANCE = new Set([
  'randomBytes',
  'randomUUID',
  'randomInt',
  'randomFillSync',
  'getRandomValues',
]);

/** Every TypeScript file of src/, read with a parser. */
export function readSource(): SourceFile[] {
  return sourcePaths().map((path) => parseSource(path, readFileSync(join(SOURCE, path), 'utf8')));
}

/** Relative to src/, `/` between folders, sorted. */
function sourcePaths(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => path.split(sep).join('/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const file: SourceFile = {
    path,
    lines: text.split('\n').length - 1,
    text,
    imports: [],
    functions: [],
    access: new Set(),
    forbidden: [],
  };
  const forbid = (what: string, start: number): void => {
    file.forbidden.push(`${path}:${text.slice(0, start).split('\n').length} ${what}`);
  };
  const enter = (specifier: string): void => {
    file.imports.push(specifier);
    const access = ACCESS_BY_MODULE[specifier];
    if (access !== undefined) file.access.add(access);
  };
  // A type gives no access: it is gone before anything runs.
  const name = (specifier: string): void => void file.imports.push(specifier);

  const measure = (node: { start: number; end: number; id?: { name: string } | null }): void => {
    const lines = text.slice(node.start, node.end).split('\n').length;
    file.functions.push({ name: node.id?.name ?? '(anonymous)', lines });
  };

  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    ImportDeclaration(node) {
      (node.importKind === 'type' ? name : enter)(node.source.value);
      for (const specifier of node.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier')
          continue;
        if (node.source.value === 'node:crypto' && CHANCE.has(specifier.imported.name)) {
          file.access.add('chance');
        }
      }
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) enter(node.source.value);
    },
    ExportAllDeclaration(node) {
      enter(node.source.value);
      forbid('export *', node.start);
    },
    ImportExpression(node) {
      if (node.source.type === 'Literal') enter(String(node.source.value));
      else forbid('import() of something computed', node.start);
    },
    TSImportType(node) {
      name(node.source.value);
    },
    TSAnyKeyword(node) {
      forbid('any', node.start);
    },
    NewExpression(node) {
      if (
        node.callee.type === 'Identifier' &&
        node.callee.name === 'Date' &&
        node.arguments.length === 0
      ) {
        file.access.add('clock');
      }
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier') return;
      const access = ACCESS_BY_GLOBAL[node.callee.name];
      if (access !== undefined) file.access.add(access);
    },
    MemberExpression(node) {
      if (node.object.type !== 'Identifier') return;
      const property = node.property.type === 'Identifier' ? node.property.name : '';
      const access = ACCESS_BY_MEMBER[`${node.object.name}.${property}`];
      if (access !== undefined) file.access.add(access);
      if (node.object.name === 'process' || node.object.name === 'performance') {
        file.access.add(ACCESS_BY_GLOBAL[node.object.name] ?? 'process');
      }
      if (node.object.name === 'console') forbid(`console.${property}`, node.start);
    },
  }).visit(program);
  return file;
}

/** A comment or a string of src/, with the line on which it begins. */
export interface SourceText {
  path: string;
  line: number;
  text: string;
}

/** The comments and strings of every TypeScript file of src/, line breaks within a comment removed. */
export function readTexts(): SourceText[] {
  return sourcePaths().flatMap((path) =>
    parseTexts(path, readFileSync(join(SOURCE, path), 'utf8')),
  );
}

export function parseTexts(path: string, source: string): SourceText[] {
  const { program, comments } = parseSync(path, source);
  const texts: SourceText[] = [];
  const add = (start: number, text: string): void => {
    const line = source.slice(0, start).split('\n').length;
    texts.push({ path, line, text: text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').trim() });
  };
  let open: { start: number; end: number; text: string } | undefined;
  for (const { start, end, value, type } of comments) {
    const continues =
      open !== undefined && type === 'Line' && /^\s*$/.test(source.slice(open.end, start));
    if (open !== undefined && continues)
      open = { start: open.start, end, text: `${open.text}\n${value}` };
    else {
      if (open !== undefined) add(open.start, open.text);
      open = { start, end, text: value };
    }
  }
  if (open !== undefined) add(open.start, open.text);
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateElement(node) {
      add(node.start, node.value.raw);
    },
  }).visit(program);
  return texts;
}
