import type { Manifest, ManifestIcon } from '../../types.ts';
import { composeAuthor, composeTitle, describeChanges } from '../credit/create-credit.ts';
import {
  copyrightLines,
  groupIcons,
  type LicenseGroup,
  otherNotices,
  summarize,
  textsOf,
} from '../credit/describe-credit.ts';
import { splitAddresses, toIsolatedLine, toPlainLine } from '../../untrusted.ts';
import { ENGLISH } from './page-words.ts';

/** `icon-attribution.md`: CommonMark by licence, one line an icon. */
export function renderMarkdown(manifest: Manifest): string {
  const notice = manifest.complete ? [] : ['', `> ${ENGLISH.incomplete}`];
  const head = ['# Icon credits', '', summarize(manifest), ...notice];
  const shown = new Set<string>();
  // A paragraph of its own ends the list, to which an indented text would belong otherwise.
  const renderTexts = (group: LicenseGroup): string[] =>
    textsOf(group, manifest.texts, shown).flatMap((text) =>
      ['', `Text of the licence: ${escapeMarkdown(group.name)}`].concat(indented(text)),
    );
  const groups = groupIcons(manifest).flatMap((group) => {
    const { name, url, icons } = group;
    const lines = ['', `## ${escapeMarkdown(name)}`, ''];
    if (url !== null) lines.push(`Licence text: <${url}>`, '');
    return lines.concat(icons.map(markdownOfIcon), renderTexts(group));
  });
  return `${[...head, ...groups].join('\n')}\n`;
}

function markdownOfIcon({
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
  return [
    `- ${composeTitle({ id, title }, escapeMarkdown)}${creator.url === null ? author : `${author} (<${creator.url}>)`}.`,
    `Source: ${source.url === null ? 'not stated' : `<${source.url}>`}.`,
    `Licence: ${license.url === null ? licenseName : `[${licenseName}](<${license.url}>)`}.`,
    ...holdersOf(license, escapeMarkdown),
    ...(license.file === undefined ? [] : [`Licence file: <${license.file}>.`]),
    `Changes: ${escapeMarkdown(describeChanges(changes))}.`,
    ...wordsOf(credit, escapeMarkdown),
  ].join(' ');
}

type Escape = (text: string) => string;

/** Each with a full stop at its end. */
function holdersOf(license: ManifestIcon['license'], escape: Escape): string[] {
  return copyrightLines(license).map((holder) => escape(holder).replace(/\.?$/, '.'));
}

/** What the catalog asks for, and what the file says itself. */
function wordsOf(credit: ManifestIcon['credit'], escape: Escape): string[] {
  const requested = escape(credit.requested ?? '');
  return [
    ...(requested === '' ? [] : [`Credit: ${requested}`]),
    ...(credit.drawn ?? []).map((text) => `Drawn in the file: ${escape(text)}`),
    ...otherNotices(credit).map((text) => `Notice in the file: ${escape(text)}`),
  ];
}

// Everything that can begin or end markup, an entity, maths, a table cell, a link or an emoji anywhere in a line. The other
// ASCII punctuation has a meaning only where a line begins, where untrusted text never stands, or after one of these.
const MARKUP = /[\\`*_~[\]{}<>&|!#$^=+:@]/g;
const HARMLESS = /^\w+(?:[ ,;()'-]+\w+)*\)?$/;

/**
 * Untrusted text as a part of a line of Markdown (CommonMark and GitHub's) that reads as it was written. Its web
 * addresses are links, as they are in any renderer that looks for bare ones: `<https://…>` keeps them whole.
 */
function escapeMarkdown(text: string): string {
  if (HARMLESS.test(text) && !text.includes('_')) return text;
  return splitAddresses(toIsolatedLine(text))
    .map((part, index) => (index % 2 === 0 ? part.replace(MARKUP, '\\$&') : `<${part}>`))
    .join('');
}

/** Plain text by licence, one line an icon. */
export function renderText(manifest: Manifest): string {
  const head = [
    'Icon credits',
    '',
    summarize(manifest),
    ...(manifest.complete ? [] : [ENGLISH.incomplete]),
  ];
  const shown = new Set<string>();
  const groups = groupIcons(manifest).flatMap((group) => {
    const title = `${toPlainLine(group.name)}${group.url === null ? '' : ` (${group.url})`}`;
    const texts = textsOf(group, manifest.texts, shown);
    return ['', title].concat(group.icons.map(textOfIcon), texts.flatMap(indented));
  });
  return `${[...head, ...groups].join('\n')}\n`;
}

/** A text of a licence, set off by four spaces, which Markdown leaves as it is. */
function indented(text: string): string[] {
  return ['', ...text.split('\n').map((line) => (line === '' ? '' : `    ${line}`))];
}

function textOfIcon({ credit, license }: ManifestIcon): string {
  return [
    `- ${credit.line}`,
    ...holdersOf(license, toIsolatedLine),
    ...(license.file === undefined ? [] : [`Licence file: ${license.file}.`]),
    ...wordsOf(credit, toIsolatedLine),
  ].join(' ');
}

/** `icon-attribution.json`: one line an icon, so that a diff shows icons; LF at the end. */
export function renderJson(manifest: Manifest): string {
  const { icons, ...head } = manifest;
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const lines = icons.map((icon) => `    ${JSON.stringify(icon)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n${fields.join('\n')}\n  "icons": ${list}\n}\n`;
}
