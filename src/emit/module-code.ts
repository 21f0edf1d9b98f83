import type { Credit, IconInfo } from '../types.ts';
import { toJsString } from './to-js-string.ts';

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
  return `export default ${value};\nexport const credit = ${toPureJson(credit)};\nexport const icon = ${toPureJson(icon)};\n`;
}

export function toPureJson(value: object): string {
  return `/* @__PURE__ */ JSON.parse(${toJsString(JSON.stringify(value))})`;
}
