import type { Manifest, ManifestIcon } from '../types.ts';
import { creditFragment } from './credit-fragment.ts';
import { toScriptJson } from './escape-html.ts';

/**
 * schema.org `ImageObject` of every icon. The creator has no type: a name does not say whether it is a person's. Where
 * several icons have the same one, the first describes it and the others refer to it.
 */
export function renderJsonLd({ icons }: Manifest): string {
  const describeCreator = createDescriber(icons);
  const graph = icons.map((icon) => describeImage(icon, describeCreator(icon)));
  return `<script type="application/ld+json">${toScriptJson({ '@context': 'https://schema.org', '@graph': graph })}</script>`;
}

type Description = Record<string, unknown>;

function createDescriber(
  icons: readonly ManifestIcon[],
): (icon: ManifestIcon) => Description | null {
  const counts = new Map<string, number>();
  for (const { creator } of icons) {
    const key = keyOf(creator);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const references = new Map<string, Description>();
  return ({ creator }) => {
    const name = creator.name ?? creator.username;
    if (name === null) return null;
    const words = creator.url === null ? { name } : { name, url: creator.url };
    const key = keyOf(creator);
    if (counts.get(key) === 1) return words;
    const known = references.get(key);
    if (known !== undefined) return known;
    const reference = { '@id': `#creator-${references.size + 1}` };
    references.set(key, reference);
    return { ...reference, ...words };
  };
}

function keyOf({ name, username, url }: ManifestIcon['creator']): string {
  return JSON.stringify([name ?? username, url]);
}

function describeImage(
  { id, title, credit, source, license }: ManifestIcon,
  creator: Description | null,
): Description {
  return {
    '@id': `#${creditFragment(id)}`,
    '@type': 'ImageObject',
    ...(title === null ? {} : { name: title }),
    ...(creator === null ? {} : { creator }),
    creditText: credit.requested ?? credit.line,
    ...(license.url === null ? {} : { license: license.url }),
    ...(source.url === null ? {} : { acquireLicensePage: source.url }),
  };
}
