import { toJsString } from './to-js-string.ts';

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
