import type { IconRecord } from '../types.ts';

/** The versions that Creative Commons Attribution has. */
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '2.0', '2.5', '3.0', '4.0']);

/** Every mention of a Creative Commons licence, whatever its kind, so that a second one makes the text ambiguous. */
const MENTION =
  /creativecommons\.org\/licenses\/[^\s<>"')\]]*|\bCC[\s_-]*BY(?:[\s_-]+(?:NC|ND|SA))*[\s_-]*(?:v(?:ersion)?[\s.]*)?[\d.]*|\bCreative Commons Attribution(?:[\s-]+(?:Non-?Commercial|No-?Deriv\w*|Share-?Alike))*(?:[\s,]+v(?:ersion)?\.?)?[\s]*[\d.]*|\bCC0\b/gi;

/** The spellings that state a version of plain Attribution beyond doubt. Ports (`CC BY 3.0 US`) are left to a project's assertion. */
const EXACT =
  /^(?:CC[ -]BY[ -]|Creative Commons Attribution )(?<words>\d\.\d)$|^creativecommons\.org\/licenses\/by\/(?<deed>\d\.\d)(?:\/(?:deed(?:\.\w+)?|legalcode(?:\.\w+)?)?)?$/i;

const PORT = /^\s+[A-Z]{2,3}(?![\w])/;

export function isAttributionVersion(value: string): boolean {
  return VERSIONS.has(value);
}

/**
 * The version of CC BY that a record's credit text states, or `null`.
 *
 * Read only where it cannot mean anything else: every licence mentioned is plain CC BY in the same known version,
 * and neither the icon's title nor its creator's name mentions one (an icon may be called “CC BY 4.0”).
 */
export function findStatedVersion({
  attribution,
  term,
  creator,
}: Pick<IconRecord, 'attribution' | 'term' | 'creator'>): string | null {
  if (mentions(term).length > 0 || mentions(creator.name).length > 0) return null;
  return onlyVersion([attribution]);
}

/** The version that the file itself states, in text drawn into it or in the addresses of its metadata; the same rules. */
export function findFileVersion(notices: readonly string[]): string | null {
  return onlyVersion(notices);
}

function onlyVersion(texts: readonly string[]): string | null {
  const versions = new Set<string | null>();
  for (const text of texts) {
    for (const { 0: mention, index } of mentions(text)) {
      const words = mention.trim().replace(/\.$/, '');
      const groups = EXACT.exec(words)?.groups;
      const version = groups?.['words'] ?? groups?.['deed'];
      const port = PORT.test(text.slice(index + mention.length));
      versions.add(version !== undefined && VERSIONS.has(version) && !port ? version : null);
    }
  }
  const [version] = versions;
  return versions.size === 1 && version !== undefined ? version : null;
}

function mentions(text: string): RegExpExecArray[] {
  return [...text.matchAll(MENTION)];
}
