import * as v from 'valibot';
import { IconCatalogError } from '../errors.ts';
import { type Decoded, DECODERS } from './decoders.ts';
import type { DecoderName } from './endpoints.ts';

/**
 * Validates a body when it arrives. Unknown fields are kept.
 * @param where what was asked, for the message: `GET /v2/icon/1`
 * @throws IconCatalogError CATALOG_MALFORMED with the path of the first field that is too large, missing or mistyped;
 * never with its value
 */
export function decode<Name extends DecoderName>(
  name: Name,
  body: unknown,
  where: string,
): Decoded[Name] {
  // Measured before anything is copied: a hostile list of tags must not cost a multiple of its size.
  if (name !== 'download') checkSizes(body, where);
  const decoder: v.GenericSchema<unknown, Decoded[Name]> = DECODERS[name];
  const result = v.safeParse(decoder, body, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue) ?? '';
  const field = path === '' ? 'the body' : `\`${path}\``;
  const fault =
    issue.input === undefined
      ? 'is missing'
      : `should be ${EXPECTED[issue.expected ?? ''] ?? 'of another form'} and is ${typeOf(issue.input)}`;
  throw new IconCatalogError('CATALOG_MALFORMED', {
    message: `The answer to ${where} does not follow the interface: ${field} ${fault}.`,
    path: path || undefined,
  });
}

/** The limit for one text in characters: names, terms, credit texts and addresses have a few hundred. */
const LONGEST_TEXT = 8192;
/** The limit for one record in characters; entries and fields add some. Real records have about a thousand. */
const LARGEST_RECORD = 262_144;
const ENTRY = 8;
/** Deeper answers do not belong to this interface, and reading them could exhaust the stack. */
const DEEPEST = 16;
/** @throws IconCatalogError CATALOG_MALFORMED with the path of the field that is too large */
function checkSizes(body: unknown, where: string): void {
  const fail = (what: string, below: readonly (string | number)[] = []): IconCatalogError => {
    const field = [...path, ...below].join('.').slice(0, 200);
    return new IconCatalogError('CATALOG_MALFORMED', {
      message: `The answer to ${where} cannot be used: ${field === '' ? 'the body' : `\`${field}\``} ${what}.`,
      path: field || undefined,
    });
  };
  const path: (string | number)[] = [];
  const enter = (field: string | number, value: unknown, isInRecord: boolean): number => {
    path.push(field);
    const size = measure(value, isInRecord);
    path.pop();
    return size;
  };
  const measure = (value: unknown, isInRecord: boolean): number => {
    if (typeof value === 'string') {
      if (value.length > LONGEST_TEXT)
        throw fail(`has ${value.length} characters, and at most ${LONGEST_TEXT} are accepted`);
      return value.length + ENTRY;
    }
    if (typeof value !== 'object' || value === null) return ENTRY;
    if (path.length > DEEPEST) throw fail('is nested too deeply');
    const isRecord = 'id' in value;
    let size = 0;
    for (const [field, entry] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      // The icons of a collection are not part of its record.
      if (isRecord && field === 'icons') enter(field, entry, false);
      else size += enter(field, entry, isInRecord || isRecord) + String(field).length + ENTRY;
      if ((isInRecord || isRecord) && size > LARGEST_RECORD)
        throw fail(
          `makes its record larger than the ${LARGEST_RECORD} characters that are accepted`,
          Array.isArray(value) ? [] : [field],
        );
    }
    return size;
  };
  measure(body, false);
}

/**
 * Compares the subject of an answer with the request. An answer about another icon would be kept under the wrong id.
 * @throws IconCatalogError CATALOG_MALFORMED with the path of the id
 */
export function checkIdentity(answer: object, asked: string, where: string): void {
  const plain = (id: string): string => id.replace(/^0+(?=\d)/, '');
  for (const path of ['icon.id', 'collection.id', 'icon_id', 'id']) {
    const [record = '', field] = path.split('.');
    const part: unknown = Reflect.get(answer, record);
    const given: unknown =
      field === undefined ? part : part instanceof Object ? Reflect.get(part, field) : undefined;
    if (given === undefined) continue;
    const id = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
    if (plain(id) === plain(asked)) continue;
    throw new IconCatalogError('CATALOG_MALFORMED', {
      message: `The answer to ${where} is about another one: \`${path}\` is ${/^\d{1,19}$/.test(id) ? id : 'no id'}, and ${asked} was requested.`,
      path,
    });
  }
}

/** valibot's names of types, in words. */
const EXPECTED: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  Array: 'an array',
  Object: 'an object',
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
