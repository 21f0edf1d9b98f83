import type { Framework } from '../component.ts';
import type { Credit, IconInfo } from '../types.ts';
import { type ComponentRuntime, RUNTIME_SPECIFIER, UNIQUE_SPECIFIER } from './component/shared.ts';
import { astro, lit, solid, svelte, webComponent } from './component/markup-runtimes.ts';
import { preact, qwik, react, vue } from './component/tree-runtimes.ts';

/** The parts of an icon module that are not the same in all of them, as JavaScript. */
export interface ModuleParts {
  /** Expression of the default export, without effects; of a component, what `componentCode` makes it of. */
  value: string;
  credit: string;
  icon: string;
}

interface Records {
  credit: Credit;
  icon: IconInfo;
}

/**
 * The module of one icon. `credit` and `icon` are single string tokens until they run, so that they
 * cost a bundler's parser next to nothing, and marked pure, so that every bundler drops them unused.
 * @param input.value JavaScript expression of the default export, without effects
 */
export function moduleCode({ value, ...records }: Records & { value: string }): string {
  return joinParts({ value, ...recordParts(records) });
}

export function recordParts({ credit, icon }: Records): Pick<ModuleParts, 'credit' | 'icon'> {
  return { credit: toJsonLiteral(credit), icon: toJsonLiteral(icon) };
}

/**
 * How much of a module is wanted: all of it, its default export alone, its other exports alone, or either of these beside
 * the rest, which the module of this id has.
 */
export type ModulePart =
  | 'whole'
  | 'value'
  | 'records'
  | { valueFrom: string }
  | { recordsFrom: string };

/** @param parts the records may be empty unless `needsRecords` */
export function joinPart(parts: ModuleParts, part: ModulePart): string {
  if (part === 'whole') return joinParts(parts);
  if (part === 'value') return joinValue(parts);
  if (part === 'records') return recordExports(parts);
  if ('valueFrom' in part)
    return `export { default } from ${JSON.stringify(part.valueFrom)};\n${recordExports(parts)}`;
  return `${joinValue(parts)}export { credit, icon } from ${JSON.stringify(part.recordsFrom)};\n`;
}

export function needsRecords(part: ModulePart): boolean {
  return part !== 'value' && !(typeof part === 'object' && 'recordsFrom' in part);
}

export function joinParts({ value, ...records }: ModuleParts): string {
  return `${joinValue({ value })}${recordExports(records)}`;
}

/** The module of importers that use its default export only: bundlers need not read unused exports. */
export function joinValue({ value }: Pick<ModuleParts, 'value'>): string {
  return value.startsWith('[') ? componentCode(value) : `export default ${value};\n`;
}

export function recordExports({ credit, icon }: Pick<ModuleParts, 'credit' | 'icon'>): string {
  return `export const credit = ${parsed(credit)};\nexport const icon = ${parsed(icon)};\n`;
}

export function toPureJson(value: object): string {
  return parsed(toJsonLiteral(value));
}

function toJsonLiteral(value: object): string {
  return toJsLiteral(JSON.stringify(value));
}

function parsed(literal: string): string {
  return `/* @__PURE__ */ JSON.parse(${literal})`;
}

/**
 * Module of several icons by name: an object without a prototype, so that a name which is only known at run time finds
 * an icon or nothing.
 */
export function setCode(members: readonly { key: string; id: string }[]): string {
  const imports = members.map(({ id }, at) => `import icon${at} from ${toJsLiteral(id)};`);
  const entries = members.map(({ key }, at) => `  [${toJsLiteral(key)}]: icon${at},`);
  return [
    ...imports,
    'export default /* @__PURE__ */ Object.freeze({',
    '  __proto__: null,',
    ...entries,
    '});',
    '',
  ].join('\n');
}

/**
 * A value of JSON as JavaScript of ASCII characters, which is valid JSON too, and safe inside an HTML
 * `<script>` and in every version of the language: `<` cannot end or open markup, U+2028/2029 end no
 * line, halves of surrogate pairs stay escapes. It reads the same in a file that is served without a
 * character encoding, and takes an engine half the memory.
 */
export function toJsLiteral(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The default export of a component's module.
 * @param displayName what developer tools call it
 */
export function componentCode(value: string, displayName?: string): string {
  const isUnique = value.startsWith('[1');
  const [name, from] = isUnique
    ? ['createUniqueIcon', UNIQUE_SPECIFIER]
    : ['createIcon', RUNTIME_SPECIFIER];
  const made = call(name, value);
  const named =
    displayName === undefined
      ? made
      : `/* @__PURE__ */ Object.assign(${made}, ${JSON.stringify({ displayName })})`;
  return `import { ${name} } from "${from}";\nexport default ${named};\n`;
}

/** Code of a module that components share; `undefined` for every other specifier. */
export function runtimeCode(specifier: string, framework: Framework): string | undefined {
  const { base, unique } = runtimeByFramework[framework];
  if (specifier === RUNTIME_SPECIFIER) return base;
  return specifier === UNIQUE_SPECIFIER ? unique : undefined;
}

/**
 * The module of a component that shares nothing.
 * @param code of a module whose first lines are those of `componentCode`
 */
export function withRuntime(code: string, framework: Framework): string {
  const { base, unique } = runtimeByFramework[framework];
  const shared = [base, ...(code.includes(UNIQUE_SPECIFIER) ? [unique] : [])].join('');
  const lines = [...shared.split('\n'), ...code.split('\n')].filter(
    (line) => !line.includes(`"${RUNTIME_SPECIFIER}"`) && !line.includes(`"${UNIQUE_SPECIFIER}"`),
  );
  const isImport = (line: string): boolean => line.startsWith('import ');
  const body = lines.filter((line) => !isImport(line));
  return [
    ...joinImports(lines.filter(isImport)),
    ...body.map((line) => line.replace(/^export const (?!credit |icon )/, 'const ')),
  ].join('\n');
}

/** One import a module, of each name once: a script that imports a name twice is none. */
function joinImports(lines: readonly string[]): string[] {
  const namesByModule = new Map<string, Set<string>>();
  for (const line of lines) {
    const [, names, from] = /^import \{ (.+) \} from '(.+)';$/.exec(line) ?? [];
    if (names === undefined || from === undefined)
      throw new TypeError(`A runtime imports in a form that is not known: ${line}`);
    const known = namesByModule.get(from) ?? new Set();
    namesByModule.set(from, known);
    for (const name of names.split(', ')) known.add(name);
  }
  return [...namesByModule].map(
    ([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`,
  );
}

function call(name: string, value: string): string {
  // The array's first item says which of the two functions it is for.
  return `/* @__PURE__ */ ${name}(${value.slice('[0,'.length, -1)})`;
}

export const runtimeByFramework: Readonly<Record<Framework, ComponentRuntime>> = {
  react,
  preact,
  vue,
  solid,
  svelte,
  lit,
  'web-component': webComponent,
  astro,
  qwik,
};
