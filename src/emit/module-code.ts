import type { Credit, IconInfo } from '../types.ts';
import { componentCode, isComponentValue } from './component/component-code.ts';

/** The parts of an icon module that are not the same in all of them, as JavaScript. */
export interface ModuleParts {
  /** Expression of the default export, without effects; of a component, what `componentCode` makes it of. */
  value: string;
  /** String literal of the credit's JSON. */
  credit: string;
  /** String literal of the JSON of `icon`. */
  icon: string;
}

/**
 * The module of one icon. `credit` and `icon` are single string tokens until they run, so that they
 * cost a bundler's parser next to nothing, and marked pure, so that every bundler drops them unused.
 */
export function moduleCode({
  value,
  credit,
  icon,
}: {
  /** JavaScript expression of the default export, without effects. */
  value: string;
  credit: Credit;
  icon: IconInfo;
}): string {
  return joinParts({ value, ...recordParts({ credit, icon }) });
}

export function recordParts({
  credit,
  icon,
}: {
  credit: Credit;
  icon: IconInfo;
}): Pick<ModuleParts, 'credit' | 'icon'> {
  return { credit: toJsonLiteral(credit), icon: toJsonLiteral(icon) };
}

export function joinParts({ value, ...records }: ModuleParts): string {
  return `${joinValue({ value })}${recordExports(records)}`;
}

/** The module of importers that use its default export only: bundlers need not read unused exports. */
export function joinValue({ value }: Pick<ModuleParts, 'value'>): string {
  return isComponentValue(value) ? componentCode(value) : `export default ${value};\n`;
}

/** The whole module where `joinValue`'s is another one, so that a bundle holds the value once. */
export function joinRecords(
  records: Pick<ModuleParts, 'credit' | 'icon'>,
  valueFrom: string,
): string {
  return `export { default } from ${JSON.stringify(valueFrom)};\n${recordExports(records)}`;
}

export function recordExports({ credit, icon }: Pick<ModuleParts, 'credit' | 'icon'>): string {
  return `export const credit = ${parsed(credit)};\nexport const icon = ${parsed(icon)};\n`;
}

export function toPureJson(value: object): string {
  return parsed(toJsonLiteral(value));
}

function toJsonLiteral(value: object): string {
  return toJsString(JSON.stringify(value));
}

function parsed(literal: string): string {
  return `/* @__PURE__ */ JSON.parse(${literal})`;
}

/**
 * Module of several icons by name: an object without a prototype, so that a name which is only known at run time finds
 * an icon or nothing.
 */
export function setCode(members: readonly { key: string; id: string }[]): string {
  const imports = members.map(({ id }, at) => `import icon${at} from ${toJsString(id)};`);
  const entries = members.map(({ key }, at) => `  [${toJsString(key)}]: icon${at},`);
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
 * A JavaScript string literal of ASCII characters, which is valid JSON too, and safe inside an HTML
 * `<script>` and in every version of the language: `<` cannot end or open markup, U+2028/2029 end no
 * line, halves of surrogate pairs stay escapes. It reads the same in a file that is served without a
 * character encoding, and takes an engine half the memory.
 */
export function toJsString(value: string): string {
  return JSON.stringify(value).replace(/[<\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
