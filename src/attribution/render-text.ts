import type { Manifest, ManifestIcon } from '../types.ts';
import { copyrightLines, otherNotices } from './describe-credit.ts';
import { groupIcons, INCOMPLETE_NOTICE, summarize, textsOf } from './group-icons.ts';
import { toIsolatedLine, toPlainLine } from './plain-text.ts';

/** Plain text by licence, one line an icon. */
export function renderText(manifest: Manifest): string {
  const head = [
    'Icon credits',
    '',
    summarize(manifest),
    ...(manifest.complete ? [] : [INCOMPLETE_NOTICE]),
  ];
  const shown = new Set<string>();
  const groups = groupIcons(manifest).flatMap((group) => {
    const title = `${toPlainLine(group.name)}${group.url === null ? '' : ` (${group.url})`}`;
    const texts = textsOf(group, manifest.texts, shown);
    return ['', title].concat(group.icons.map(renderIcon), texts.flatMap(indented));
  });
  return `${[...head, ...groups].join('\n')}\n`;
}

/** With a full stop at its end. */
export function sentence(text: string): string {
  return text.replace(/\.?$/, '.');
}

/** A text of a licence, set off by four spaces, which Markdown leaves as it is. */
export function indented(text: string): string[] {
  return ['', ...text.split('\n').map((line) => (line === '' ? '' : `    ${line}`))];
}

function renderIcon({ credit, license }: ManifestIcon): string {
  const requested = toIsolatedLine(credit.requested ?? '');
  return [
    `- ${credit.line}`,
    ...copyrightLines(license).map((holder) => sentence(toIsolatedLine(holder))),
    ...(license.file === undefined ? [] : [`Licence file: ${license.file}.`]),
    ...(requested === '' ? [] : [`Credit: ${requested}`]),
    ...(credit.drawn ?? []).map((text) => `Drawn in the file: ${toIsolatedLine(text)}`),
    ...otherNotices(credit).map((text) => `Notice in the file: ${toIsolatedLine(text)}`),
  ].join(' ');
}
