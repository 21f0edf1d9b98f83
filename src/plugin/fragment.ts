import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ManifestBuild } from '../types.ts';
import type { FoundUsage } from './session-types.ts';

/** What one build ships. */
export interface BuildReport {
  build: ManifestBuild;
  usages: readonly FoundUsage[];
  complete: boolean;
  /** Output folder, absolute. */
  folder: string;
  /** Tells builds of one id apart: what they were made of. */
  entries: string;
  /** Ids of builds that belong to this one. */
  expected: readonly string[];
  /** True where the folder is written to after `settle`. */
  isLate?: boolean;
}

/** A report as it is kept for the builds that belong to its own. */
export interface Fragment extends BuildReport {
  /** Larger than that of every earlier build of the project. */
  order: number;
  /** Bytes of the files that hold icons, by name; files that were not looked at are missing. */
  sizes: Readonly<Record<string, number>>;
  /** Digests of the attribution files that the folder was given, by name. */
  published: Readonly<Record<string, string>>;
  /** Says what those files tell of. */
  told: string;
}

/** Raise when fragments would be read wrongly. */
const FORMAT = 1;

/** Builds of one name are one build that ran twice, or ran into another folder. */
export function nameOf({ build: { bundler, id, consumer }, entries }: BuildReport): string {
  return JSON.stringify([bundler, id, consumer, digestOf(entries)]);
}

/** @param root the project's */
export function keyOf(report: BuildReport, root: string): string {
  return JSON.stringify([nameOf(report), relative(root, report.folder)]);
}

/** Thousands of usages are not written out more often than they change. */
const digests = new WeakMap<readonly FoundUsage[], string>();

/** A digest of what a report tells its readers. */
export function contentOf({ build, usages, complete, entries, expected }: BuildReport): string {
  const places = digests.get(usages) ?? digestOf(JSON.stringify(usages));
  digests.set(usages, places);
  return digestOf(JSON.stringify([build, complete, digestOf(entries), expected, places]));
}

/** @param options.identity what fragments must have in common to be told together */
export function toText(
  { folder, isLate: _isLate, ...fragment }: Fragment,
  { root, identity }: { root: string; identity: string },
): string {
  return JSON.stringify({
    format: FORMAT,
    identity,
    ...fragment,
    folder: relative(root, folder),
  });
}

/** `undefined` for a fragment that another version has written, or that is of other options. */
export function fromText(
  text: string,
  { root, identity }: { root: string; identity: string },
): Fragment | undefined {
  const read = JSON.parse(text) as Fragment & { format?: unknown; identity?: unknown };
  if (read.format !== FORMAT || read.identity !== identity) return undefined;
  const { format: _format, identity: _identity, ...fragment } = read;
  const folder = isAbsolute(fragment.folder) ? fragment.folder : resolve(root, fragment.folder);
  return { ...fragment, folder };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
