/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object that has all of `required`, may have `optional`, and nothing else. */
export function closedObject(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** “Where `property` is `value`, `then` holds too.” */
export function whereEquals(property: string, value: string, then: JsonSchema): JsonSchema {
  return { if: { properties: { [property]: { const: value } } }, then };
}
