import { V1_ENDPOINTS } from './endpoints-v1.ts';
import { V2_ENDPOINTS } from './endpoints-v2.ts';
import { readParam, type ParamKind, type ParamValue } from './params.ts';

export { PARAMS, describeParam } from './params.ts';
export type { ParamKind } from './params.ts';

/**
 * The whole interface, one row an endpoint, both generations. Client, server, command line and reference read it.
 * `segments`: what stands in `{…}` of the path. `query`: wire name → kind of PARAMS. `body`: what its `blacklist` holds.
 * `refuses`: parameters that another parameter's value rules out (rule 4).
 */
export const ENDPOINTS: typeof V2_ENDPOINTS & typeof V1_ENDPOINTS = {
  ...V2_ENDPOINTS,
  ...V1_ENDPOINTS,
};

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type DecoderName = Endpoints[EndpointName]['response'];

export interface Endpoint {
  readonly generation: 'v2' | 'v1';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly segments: Readonly<Record<string, 'integer' | 'string'>>;
  readonly query: Readonly<Record<string, ParamKind>>;
  readonly body?: 'ids' | 'terms';
  readonly refuses?: { readonly when: string; readonly is: string; readonly param: string };
  readonly response: DecoderName;
}

/** Limits of the blacklists, by the access level of the key. */
export const BLACKLIST_LIMITS = {
  paid: { perRequest: 1000, total: 20000 },
  free: { perRequest: 5, total: 5 },
} as const;

/** The row of an endpoint, widened so that code can walk over any of them. */
export function endpointOf(name: EndpointName): Endpoint {
  return ENDPOINTS[name];
}

export type QueryReading =
  | { ok: true; values: Partial<Record<string, ParamValue>> }
  | { ok: false; param: string; message: string };

/**
 * Reads the query of a request to an endpoint. Parameters that the endpoint does not have are left alone
 * (signature parameters may stand among them); of a parameter given twice the last one counts.
 */
export function readQuery(
  name: EndpointName,
  entries: Iterable<readonly [string, string]>,
): QueryReading {
  const { query, refuses } = endpointOf(name);
  const values: Record<string, ParamValue> = {};
  for (const [param, raw] of entries) {
    const kind = Object.hasOwn(query, param) ? query[param] : undefined;
    if (kind === undefined) continue;
    const reading = readParam(kind, raw);
    if (!reading.ok) return { ok: false, param, message: `${param} must be ${reading.allowed}.` };
    values[param] = reading.value;
  }
  if (refuses && values[refuses.when] === refuses.is && values[refuses.param] !== undefined) {
    const { when, is, param } = refuses;
    return { ok: false, param, message: `${param} is not accepted with ${when}=${is}.` };
  }
  return { ok: true, values };
}
