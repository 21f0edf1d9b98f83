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

/** “Where `condition` holds, `consequence` holds too.” */
export function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

/** Matches where `property` is `value`. */
export function equals(property: string, value: string): JsonSchema {
  return { properties: { [property]: { const: value } } };
}
