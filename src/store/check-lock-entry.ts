import type { LockEntry } from '../types.ts';
import { lockedRecord } from './lockfile-format.ts';
import type { LockSubject } from './lockfile-keys.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const integer =
  (min: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min;
const list =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const digest: Check = (value) => typeof value === 'string' && isIntegrity(value);
const record =
  (fields: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value) =>
    isObject(value) && wrongField(value, fields, optional) === undefined;

const RECORD: Record<string, Check> = {
  term: text,
  creator: record({ name: text, permalink: text, username: text }),
  attribution: text,
  license_description: text,
  permalink: text,
  collections: list(record({ id: text, name: text, permalink: text })),
  styles: list(record({ style: text }, { line_weight: integer(0) })),
  tags: list(text),
};
const META = { rev: integer(1), ...RECORD };
const FILE = { rev: integer(1), integrity: digest, size: integer(0), ...RECORD };
/** Whether `check` is right is for the parser to say. */
const OPTIONAL = {
  check: text,
  site_url: text,
  creator_url: text,
  license_url: text,
  license_text: text,
};

/** `sha512-` and the 88 characters of its Base64, whose last digit has two bits to say and not six. */
export function isIntegrity(value: string): boolean {
  return /^sha512-[A-Za-z0-9+/]{85}[AQgw]==$/.test(value);
}

/** What is wrong with the value of a line, as the end of a sentence; `undefined`: it is an entry. */
export function faultOfEntry(value: unknown, { kind }: LockSubject): string | undefined {
  if (!isObject(value)) return 'is no object';
  const wrong = wrongField(value, kind === 'meta' ? META : FILE, OPTIONAL);
  return wrong === undefined ? undefined : `has a field \`${wrong}\` that is missing or wrong`;
}

/** To be called where `faultOfEntry` found nothing. Fields have the order in which they are written, whatever that of the file is. */
export function asEntry(value: unknown): { entry: LockEntry; check: string | undefined } {
  const { check, ...found } = value as LockEntry & { check?: string };
  const { rev, integrity, size } = found;
  const file = integrity === undefined ? {} : { integrity, size };
  return { entry: { rev, ...file, ...lockedRecord(found) }, check };
}

function wrongField(
  value: Record<string, unknown>,
  fields: Record<string, Check>,
  optional: Record<string, Check>,
): string | undefined {
  for (const name in fields) if (fields[name]?.(value[name]) !== true) return name;
  for (const name in value) {
    if (Object.hasOwn(fields, name)) continue;
    if (!Object.hasOwn(optional, name) || optional[name]?.(value[name]) !== true) return name;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
