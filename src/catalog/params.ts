/**
 * Every kind of query parameter and its limits, by the interface's section "Limits". `flag`: an integer that is on if
 * it is not 0; the example value is 1.
 */
export const PARAMS = {
  text: { type: 'text' },
  token: { type: 'text' },
  flag: { type: 'flag' },
  limit: { type: 'integer', min: 1 },
  suggestionLimit: { type: 'integer', min: 1, max: 10 },
  offset: { type: 'integer', min: 0 },
  page: { type: 'integer', min: 0 },
  thumbnailSize: { type: 'integer', values: [42, 84, 200] },
  downloadSize: { type: 'integer', min: 20, max: 1200 },
  styles: { type: 'list', values: ['solid', 'line'] },
  lineWeight: { type: 'range', min: 1, max: 60 },
  color: { type: 'color' },
  filetype: { type: 'choice', values: ['svg', 'png'] },
  blacklistType: { type: 'choice', values: ['icon', 'collection'] },
} as const;

export type ParamKind = keyof typeof PARAMS;

interface ParamSpec {
  readonly type: 'text' | 'flag' | 'integer' | 'list' | 'range' | 'color' | 'choice';
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly (string | number)[];
}

/** The value of a parameter after reading: a range is `[low, high]`, both inclusive. */
export type ParamValue = string | number | readonly string[] | readonly [number, number];

type ParamReading = { ok: true; value: ParamValue } | { ok: false; allowed: string };

/** Reads a parameter of a request. `allowed` completes "must be …". */
export function readParam(kind: ParamKind, raw: string): ParamReading {
  const spec: ParamSpec = PARAMS[kind];
  const value = READERS[spec.type](raw, spec);
  return value === undefined ? { ok: false, allowed: describeParam(kind) } : { ok: true, value };
}

/** The allowed values of a parameter, in words that complete "must be …". */
export function describeParam(kind: ParamKind): string {
  const { type, values, min, max }: ParamSpec = PARAMS[kind];
  if (type === 'color') return '3 or 6 hexadecimal digits';
  if (type === 'text') return 'text';
  if (type === 'list') return `${values?.join(', ')}, or several separated by commas`;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (type === 'range') return `an integer ${min} to ${max}, or a range of two such as 4-10`;
  if (max !== undefined) return `an integer ${min} to ${max}`;
  return min === undefined ? 'an integer' : `an integer, ${min} or more`;
}

type Reader = (raw: string, spec: ParamSpec) => ParamValue | undefined;

const READERS: Record<ParamSpec['type'], Reader> = {
  text: (raw) => raw,
  flag: (raw) => readInteger(raw, {}),
  integer: (raw, spec) => readInteger(raw, spec),
  choice: (raw, { values = [] }) => (values.includes(raw) ? raw : undefined),
  color: (raw) => (/^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(raw) ? raw.replace('#', '') : undefined),
  list(raw, { values = [] }) {
    const entries = raw.split(',');
    return entries.every((entry) => values.includes(entry)) ? entries : undefined;
  },
  range(raw, spec) {
    const ends = raw.split('-').map((end) => readInteger(end, spec));
    const [low] = ends;
    const high = ends.at(-1);
    if (ends.length > 2 || low === undefined || high === undefined) return undefined;
    return low <= high ? [low, high] : undefined;
  },
};

function readInteger(raw: string, { min, max, values }: Partial<ParamSpec>): number | undefined {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(raw)) return undefined;
  const value = Number(raw);
  if (!Number.isSafeInteger(value)) return undefined;
  if (values !== undefined && !values.includes(value)) return undefined;
  if (min !== undefined && value < min) return undefined;
  return max !== undefined && value > max ? undefined : value;
}
