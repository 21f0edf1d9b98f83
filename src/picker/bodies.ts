import * as v from 'valibot';
import type * as api from './api.ts';
import { PickerRefusal } from './state.ts';

const text = v.pipe(v.string(), v.maxLength(2000));
const token = v.optional(text);
const id = v.pipe(
  v.string(),
  v.regex(/^\d{1,16}$|^[\p{L}\p{N}\p{M}-]{1,200}\/[\p{L}\p{N}\p{M}-]{1,200}$/u),
);
const weight = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60));
const optionalText = v.optional(text);

/** What each call of the page may send. A field that is not here is ignored. */
const BODIES = {
  search: v.object({
    query: text,
    styles: v.optional(v.pipe(v.array(v.picklist(['solid', 'line'])), v.maxLength(2))),
    lineWeight: v.optional(v.tuple([weight, weight])),
    publicDomain: v.optional(v.boolean()),
    allowed: v.optional(v.boolean()),
    nextPage: token,
    remote: v.boolean(),
    fresh: v.optional(v.boolean()),
  }),
  suggest: v.object({ query: text }),
  collections: v.object({ nextPage: token, remote: v.boolean() }),
  collection: v.object({
    id: v.pipe(v.string(), v.regex(/^\d{1,19}$/)),
    nextPage: token,
    remote: v.boolean(),
  }),
  icon: v.object({ id, remote: v.boolean() }),
  render: v.object({
    id,
    color: v.optional(v.pipe(v.string(), v.regex(/^[#\w]{1,20}$/))),
    size: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(2000))),
    fetch: v.optional(v.boolean()),
  }),
  project: v.object({ opened: v.optional(v.boolean()) }),
  add: v.object({
    items: v.pipe(v.array(v.object({ id, alias: optionalText })), v.minLength(1), v.maxLength(500)),
    ifMatch: optionalText,
  }),
  undo: v.object({ undo: text }),
  open: v.object({ use: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
} as const;

interface Bodies {
  search: api.SearchRequest;
  suggest: api.SuggestRequest;
  collections: api.CollectionsRequest;
  collection: api.CollectionRequest;
  icon: api.IconRequest;
  render: api.RenderRequest;
  project: api.ProjectRequest;
  add: api.AddRequest;
  undo: api.UndoRequest;
  open: api.OpenRequest;
}

/**
 * The body of a call, checked.
 * @throws PickerRefusal 400, which names the field
 */
export function readBody<Name extends keyof Bodies>(name: Name, body: unknown): Bodies[Name] {
  const result = v.safeParse<v.GenericSchema<unknown, unknown>>(BODIES[name], body, {
    abortEarly: true,
  });
  if (result.success) return result.output as Bodies[Name];
  const [issue] = result.issues;
  const path = issue.path?.map(({ key }) => String(key)).join('.') ?? 'body';
  throw new PickerRefusal(400, {
    code: 'BODY',
    message: `\`${path}\` of this call is not as expected.`,
  });
}
