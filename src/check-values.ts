/** What the value of an option may be. */
export type Check = { what: string; test(value: unknown): boolean; values?: string[] };

/** Options by their names. */
export interface Shape {
  [option: string]: Check | Shape;
}

export const text: Check = {
  what: 'a string that is not empty',
  test: (v) => typeof v === 'string' && v !== '',
};
export const flag: Check = { what: 'true or false', test: (v) => typeof v === 'boolean' };
export const fn: Check = { what: 'a function', test: (v) => typeof v === 'function' };
export const texts: Check = {
  what: 'a list of strings',
  test: (v) => Array.isArray(v) && v.every(text.test),
};
export const iconId: Check = { what: 'the integer id of an icon', test: (v) => whole(1).test(v) };
export const record: Check = { what: 'an object', test: isObject };
export const list: Check = { what: 'a list', test: Array.isArray };
export const fileName: Check = {
  what: 'a file name inside the output folder, or false',
  test: (v) =>
    v === false ||
    (typeof v === 'string' && v !== '' && !/^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(v)),
};
export const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER): Check => ({
  what:
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min}`
      : `a whole number from ${min} to ${max}`,
  test: (v) => Number.isSafeInteger(v) && (v as number) >= min && (v as number) <= max,
});
export const oneOf = (...values: string[]): Check => ({
  what: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  test: (v) => typeof v === 'string' && values.includes(v),
  values,
});
export const either = (what: string, ...checks: Check[]): Check => ({
  what,
  test: (v) => checks.some((c) => c.test(v)),
  values: checks.flatMap((check) => check.values ?? []),
});
export const webAddress: Check = {
  what: 'an address of the web (https://…)',
  // The characters of RFC 3986, as the schema of the manifest wants them.
  test: (v) =>
    typeof v === 'string' && URL.canParse(v) && /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(v),
};

/** Where a link of a page may lead. */
export const pageAddress: Check = {
  what: "an address (https://…) or a path of the site such as '/'",
  test: (v) => webAddress.test(v) || (typeof v === 'string' && /^[^:\s]+$/.test(v)),
};
/** Of the credits page: one that comes with the package, or one that the project brings. */
export const language: Check = {
  what: "'en', 'de', or a language of your own: { code: 'fr', words: { … } }",
  test: (v) =>
    isObject(v)
      ? Object.keys(v).every((name) => name === 'code' || name === 'words') &&
        typeof v['code'] === 'string' &&
        /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(v['code']) &&
        (v['words'] === undefined || isObject(v['words']))
      : typeof v === 'string' && /^(?:en|de)(?:-[a-z\d]{1,8})*$/i.test(v),
  values: ['en', 'de'],
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isCheck(value: Check | Shape): value is Check {
  return typeof value['test'] === 'function';
}
