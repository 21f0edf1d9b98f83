export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

/** The namespace declarations in force; svgo's tree has prefixes but no addresses. */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly parent: Scope | undefined;
}

export const NO_SCOPE: Scope = { declared: new Map(), parent: undefined };

export interface ResolvedName {
  local: string;
  prefix: string;
  /** Undefined where the prefix is not declared. */
  namespace: string | undefined;
}

/** The scope inside an element with these attributes. */
export function enterScope(parent: Scope, attributes: Record<string, string>): Scope {
  let declared: Map<string, string> | undefined;
  for (const [name, value] of Object.entries(attributes)) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined;
    if (prefix === undefined) continue;
    declared ??= new Map();
    declared.set(prefix, value);
  }
  return declared === undefined ? parent : { declared, parent };
}

export function resolveName(name: string, scope: Scope): ResolvedName {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const local = colon === -1 ? name : name.slice(colon + 1);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const namespace = at.declared.get(prefix);
    if (namespace !== undefined) return { local, prefix, namespace };
  }
  return { local, prefix, namespace: undefined };
}
