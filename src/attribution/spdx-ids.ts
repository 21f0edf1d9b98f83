import current from 'spdx-license-ids/index.json' with { type: 'json' };
import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };

let ids: ReadonlySet<string> | undefined;
let idsByLowerCase: ReadonlyMap<string, string> | undefined;

/** Every identifier, deprecated ones included. */
export function spdxIds(): readonly string[] {
  return [...current, ...deprecated];
}

/** True where the value is an SPDX licence identifier, letter by letter; deprecated ones still name their licence. */
export function isSpdxId(value: string): boolean {
  ids ??= new Set([...current, ...deprecated]);
  return ids.has(value);
}

/** The identifier that differs from the value in case and outer space only. For messages, never for a decision. */
export function nearestSpdxId(value: string): string | undefined {
  idsByLowerCase ??= new Map([...deprecated, ...current].map((id) => [id.toLowerCase(), id]));
  return idsByLowerCase.get(value.trim().toLowerCase());
}
