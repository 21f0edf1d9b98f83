import type { Credit, IconInfo, IconRecord } from 'unplugin-icon-catalog';
import credits, { complete } from 'icon:credits';
import byId, { credit, icon } from 'icon:123';
import byAlias from 'icon:house?color=ff0000&size=64';
import asSvg from 'icon:house?as=svg';
import asUrl, { credit as urlCredit } from 'icon:house?as=url';
import urlFlag from 'icon:house?url';
import asData from 'icon:house?color=00f&as=data';
import inlineFlag from 'icon:house?inline';
import rawFlag from 'icon:house?raw';
import png from 'icon:123?filetype=png&size=256';
import record, { icon as metaIcon } from 'icon:house?as=meta';
import lateRecord from 'icon:house?title=Home&as=meta';

export const strings: string[] = [
  byId,
  byAlias,
  asSvg,
  asUrl,
  urlFlag,
  asData,
  inlineFlag,
  rawFlag,
  png,
];
export const creditRecords: readonly Credit[] = [credit, urlCredit, ...credits];
export const infos: IconInfo[] = [icon, metaIcon];
export const records: Readonly<IconRecord>[] = [record, lateRecord];
export const isComplete: boolean = complete;
export const creatorName: string = icon.creator.name;
export const tags: string[] = record.tags;
export const licenceUrl: string | null | undefined = credits[0]?.license.url;

export async function later(): Promise<string> {
  const { default: markup } = await import('icon:house?color=ff0000');
  return markup.toUpperCase();
}
