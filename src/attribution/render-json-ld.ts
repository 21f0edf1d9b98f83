import type { Manifest, ManifestIcon } from '../types.ts';
import { creditFragment } from './credit-fragment.ts';
import { toScriptJson } from './escape-html.ts';

/** schema.org `ImageObject` of every icon. The creator has no type: a name does not say whether it is a person's. */
export function renderJsonLd({ icons }: Manifest): string {
  const graph = icons.map(describeImage);
  return `<script type="application/ld+json">${toScriptJson({ '@context': 'https://schema.org', '@graph': graph })}</script>`;
}

function describeImage({
  id,
  title,
  creator,
  credit,
  source,
  license,
}: ManifestIcon): Record<string, unknown> {
  const author = creator.name ?? creator.username;
  return {
    '@id': `#${creditFragment(id)}`,
    '@type': 'ImageObject',
    ...(title === null ? {} : { name: title }),
    ...(author === null
      ? {}
      : { creator: creator.url === null ? { name: author } : { name: author, url: creator.url } }),
    creditText: credit.requested ?? credit.line,
    ...(license.url === null ? {} : { license: license.url }),
    ...(source.url === null ? {} : { acquireLicensePage: source.url, isBasedOn: source.url }),
  };
}
