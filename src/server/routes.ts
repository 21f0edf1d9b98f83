import { ENDPOINTS, type EndpointName, endpointOf } from '../catalog/endpoints.ts';

export interface Route {
  name: EndpointName;
  method: 'GET' | 'POST';
  /** Its groups are the variables of the path, as they were sent. */
  pattern: RegExp;
}

/**
 * Routes of the endpoint table, the more exact before the less: fixed paths before variables (`/v2/icon/autocomplete`
 * before `/v2/icon/{icon_id}`), integers before strings (an integer addresses by id, a string by slug or term).
 */
export function createRoutes(): Route[] {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  return names
    .map((name) => ({
      name,
      method: endpointOf(name).method,
      pattern: patternOf(name),
      rank: rankOf(name),
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name, method, pattern }) => ({ name, method, pattern }));
}

function patternOf(name: EndpointName): RegExp {
  const { path, segments } = endpointOf(name);
  const pattern = path.replace(
    /\{(\w+)\}/g,
    (_, segment: string) =>
      `(?<${segment}>${segments[segment] === 'integer' ? '[0-9]+' : '[^/]+'})`,
  );
  return new RegExp(`^${pattern}$`);
}

function rankOf(name: EndpointName): number {
  const kinds = Object.values(endpointOf(name).segments);
  return kinds.reduce((rank, kind) => rank + (kind === 'integer' ? 1 : 100), 0);
}
