import type { Manifest, ManifestIcon } from '../types.ts';
import { composeAuthor, composeTitle } from './compose-line.ts';
import { describeChanges } from './compute-changes.ts';
import { otherNotices } from './describe-credit.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { groupIcons, INCOMPLETE_NOTICE, summarize } from './group-icons.ts';

/** `icon-attribution.md`: CommonMark by licence, one line an icon. */
export function renderMarkdown(manifest: Manifest): string {
  const notice = manifest.complete ? [] : ['', `> ${INCOMPLETE_NOTICE}`];
  const head = ['# Icon credits', '', summarize(manifest), ...notice];
  const groups = groupIcons(manifest).flatMap(({ name, url, icons }) => {
    const lines = ['', `## ${escapeMarkdown(name)}`, ''];
    if (url !== null) lines.push(`Licence text: <${url}>`, '');
    return lines.concat(icons.map(renderIcon));
  });
  return `${[...head, ...groups].join('\n')}\n`;
}

function renderIcon({
  id,
  title,
  creator,
  credit,
  source,
  license,
  changes,
}: ManifestIcon): string {
  const author = composeAuthor(creator, escapeMarkdown);
  const licenseName = escapeMarkdown(license.name);
  const requested = escapeMarkdown(credit.requested ?? '');
  return [
    `- ${composeTitle({ id, title }, escapeMarkdown)}${creator.url === null ? author : `${author} (<${creator.url}>)`}.`,
    `Source: ${source.url === null ? 'not stated' : `<${source.url}>`}.`,
    `Licence: ${license.url === null ? licenseName : `[${licenseName}](<${license.url}>)`}.`,
    `Changes: ${escapeMarkdown(describeChanges(changes))}.`,
    ...(requested === '' ? [] : [`Credit: ${requested}`]),
    ...(credit.drawn ?? []).map((text) => `Drawn in the file: ${escapeMarkdown(text)}`),
    ...otherNotices(credit).map((text) => `Notice in the file: ${escapeMarkdown(text)}`),
  ].join(' ');
}
