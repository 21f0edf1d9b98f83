import type { EmitInput } from '../../src/emit/emit-module.ts';
import type { Credit, IconRecord, IconRequest } from '../../src/types.ts';

export const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="currentColor"/></svg>';

export const record: IconRecord = {
  id: '123',
  term: 'Star',
  attribution: 'Star by Ana Example from the catalog',
  creator: { name: 'Ana Example', permalink: '/creator/ana', username: 'ana' },
  collections: [{ id: '9', name: 'Sky', permalink: '/collection/sky' }],
  license_description: 'creative-commons-attribution',
  permalink: '/icon/123',
  styles: [{ style: 'line', line_weight: 2 }],
  tags: ['star', 'sky'],
};

export const credit: Credit = {
  id: '123',
  title: 'Star',
  creator: { name: 'Ana Example', username: 'ana', url: 'https://catalog.example/creator/ana' },
  credit: {
    requested: 'Star by Ana Example from the catalog',
    line: 'Star by Ana Example from the catalog',
    required: true,
  },
  source: { url: 'https://catalog.example/icon/123', sha256: 'ab'.repeat(32) },
  license: {
    declared: 'creative-commons-attribution',
    status: 'attribution',
    name: 'CC BY 3.0',
    spdx: 'CC-BY-3.0',
    version: '3.0',
    versionBasis: 'catalog-terms',
    url: 'https://creativecommons.org/licenses/by/3.0/',
  },
  changes: [{ kind: 'recolor', summary: 'recoloured CREDIT-MARK', visible: true, by: 'plugin' }],
  collections: [],
};

export const request: IconRequest = {
  id: 123,
  filetype: 'svg',
  as: 'svg',
  color: 'currentColor',
  size: '1em',
  title: null,
  class: null,
  canonical: 'icon:123?as=svg&color=currentColor&filetype=svg&size=1em',
};

export function input(
  change: Partial<EmitInput> & { as?: IconRequest['as']; filetype?: IconRequest['filetype'] } = {},
): EmitInput {
  const { as = 'svg', filetype = 'svg', ...rest } = change;
  const { id, term, creator, license_description, permalink } = record;
  return {
    request: { ...request, as, filetype },
    svg: SVG,
    credit,
    record,
    icon: { id, term, creator, license_description, permalink },
    ...rest,
  };
}

/** Text that breaks out of careless quoting. */
export const HOSTILE: string[] = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  ']]>',
  '--> <b>',
  '--!>',
  '->',
  '-',
  '---',
  '"\'`${1}\\',
  '\\u0041\\',
  '\u2028\u2029\n\r\t\0\u007f\u0085',
  '*/ alert(1) /*',
  '//# sourceMappingURL=x',
  '\ud800',
  'a\udc00b',
  '★ 👩‍🚀 é',
  '%00%',
  '#a&lt;b;)',
  '\ufffe\uffff',
  '',
];
