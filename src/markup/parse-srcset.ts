/** One candidate of a `srcset`; what stands between candidates is kept by whoever rewrites it. */
export interface SrcsetCandidate {
  address: string;
  /** ` 2x`, with the white space before it. */
  descriptor: string;
}

/**
 * The candidates of a `srcset`, as HTML's own algorithm splits them: an address ends at white space, commas at its end
 * separate, and a comma within it belongs to it.
 */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let rest = value;
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') return candidates;
    const [written = ''] = /^\S+/.exec(rest) ?? [];
    rest = rest.slice(written.length);
    const address = written.replace(/,+$/, '');
    if (address !== written) {
      candidates.push({ address, descriptor: '' });
      continue;
    }
    const [descriptor = ''] = /^(?:\([^)]*\)|[^,(])*/.exec(rest) ?? [];
    rest = rest.slice(descriptor.length);
    candidates.push({ address, descriptor: descriptor.trimEnd() });
  }
}

export function renderSrcset(candidates: readonly SrcsetCandidate[]): string {
  return candidates.map(({ address, descriptor }) => address + descriptor).join(', ');
}
