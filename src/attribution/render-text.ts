import type { Manifest, ManifestIcon } from '../types.ts';
import { otherNotices } from './describe-credit.ts';
import { groupIcons, INCOMPLETE_NOTICE, summarize } from './group-icons.ts';
import { toIsolatedLine, toPlainLine } from './plain-text.ts';

/** Plain text by licence, one line an icon. */
export function renderText(manifest: Manifest): string {
  const head = [
    'Icon credits',
    '',
    summarize(manifest),
    ...(manifest.complete ? [] : [INCOMPLETE_NOTICE]),
  ];
  const groups = groupIcons(manifest).flatMap((group) => {
    const title = `${toPlainLine(group.name)}${group.url === null ? '' : ` (${group.url})`}`;
    return ['', title].concat(group.icons.map(renderIcon));
  });
  return `${[...head, ...groups].join('\n')}\n`;
}

function renderIcon({ credit }: ManifestIcon): string {
  const requested = toIsolatedLine(credit.requested ?? '');
  return [
    `- ${credit.line}`,
    ...(requested === '' ? [] : [`Credit: ${requested}`]),
    ...(credit.drawn ?? []).map((text) => `Drawn in the file: ${toIsolatedLine(text)}`),
    ...otherNotices(credit).map((text) => `Notice in the file: ${toIsolatedLine(text)}`),
  ].join(' ');
}
