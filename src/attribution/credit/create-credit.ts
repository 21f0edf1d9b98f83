import { copyrightOf } from '../license/list.ts';
import { textDigest } from '../../store/hash.ts';
import {
  isPublicHost,
  compareCodeUnits,
  toIsolatedLine,
  toPlainLine,
  remember,
} from '../../untrusted.ts';
import type {
  Change,
  ChangeKind,
  Credit,
  CreditLicense,
  Filetype,
  IconRecord,
} from '../../types.ts';
import { type LicenseAssertion, resolveLicense } from '../license/resolve-license.ts';

/** Stands for the digest where no file was downloaded (`as=meta`); no file has this SHA-256 by any known means. */
export const NO_FILE_SHA256: string = '0'.repeat(64);

export interface CreditInput {
  record: IconRecord;
  /** Lower-case hex SHA-256 of the bytes that the catalog sent; `null` where none were downloaded. */
  sha256: string | null;
  changes: readonly Change[];
  siteUrl: string;
  assertion?: LicenseAssertion | undefined;
  /** Version of CC BY that the catalog's terms state for all its icons. */
  termsVersion?: string | undefined;
  /** Words of credit text drawn into the file. */
  drawn?: readonly string[] | undefined;
  /** What the file says besides: comments, descriptions, metadata, title. */
  notices?: readonly string[] | undefined;
}

/** The credit of one variant of an icon. The catalog's own words are kept byte for byte; addresses are absolute or `null`. */
export function createCredit({
  record,
  sha256,
  changes,
  siteUrl,
  assertion,
  termsVersion,
  drawn = [],
  notices = [],
}: CreditInput): Credit {
  const fileNotices = [...new Set([...drawn, ...notices])];
  const own = {
    id: record.id,
    title: orNull(record.term),
    creator: {
      name: orNull(record.creator.name),
      username: orNull(record.creator.username),
      url: publicAddress(record.creator_url) ?? resolvePermalink(record.creator.permalink, siteUrl),
    },
  };
  const source = {
    url: resolvePermalink(record.permalink, siteUrl),
    sha256: sha256 ?? NO_FILE_SHA256,
  };
  const collections = record.collections.map(({ id, name, permalink }) => ({
    id,
    name,
    url: resolvePermalink(permalink, siteUrl),
  }));
  const text = textOf(record);
  const known = resolveLicense({ record, assertion, termsVersion, fileNotices });
  const rest = { source, license: { ...known.license, ...text }, changes: mergeChanges(changes) };
  return {
    ...own,
    credit: {
      requested: orNull(record.attribution),
      line: composeLine({ ...own, ...rest }),
      required: known.creditRequired,
      ...(drawn.length > 0 && { drawn: [...drawn] }),
      ...(fileNotices.length > 0 && { notices: fileNotices }),
    },
    ...rest,
    collections,
  };
}

/** What came with the icon about its licence, whatever a project has found out besides. */
function textOf({
  license_url,
  license_text,
}: IconRecord): Pick<CreditLicense, 'file' | 'text' | 'copyright'> {
  const file = publicAddress(license_url);
  if (license_text === undefined) return file === null ? {} : { file };
  const copyright = copyrightOf(license_text);
  return {
    ...(file !== null && { file }),
    text: textDigest(license_text),
    ...(copyright !== undefined && { copyright }),
  };
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

/** What the pipeline did to one variant of an icon. */
export interface PipelineFacts {
  filetype: Filetype;
  recolored: boolean;
  resized: boolean;
  optimized: boolean;
  /** The sanitiser took away something that could be seen. */
  sanitizedVisible: boolean;
  /** The project's `svg.transform` ran and returned something else. */
  transformed: boolean;
  /** The drawing moved, and does so no more. @default false */
  animationRemoved?: boolean;
  creditTextRemoved: boolean;
  rasterized: boolean;
  metadataAdded?: boolean;
  /** Who painted. @default the service for png, the plugin for svg */
  recoloredBy?: 'plugin' | 'service';
  /** Words of credit text drawn into the file. Kept in the record when the text is removed. */
  creditText?: readonly string[];
}

const ORDER: readonly ChangeKind[] = [
  'prior',
  'recolor',
  'resize',
  'viewbox',
  'format',
  'sanitize',
  'credit-removed',
  'transform',
  'custom',
  'metadata-added',
  'optimize',
];

/** The changes to state for an icon, of which there is always one. */
export function computeChanges(facts: PipelineFacts): Change[] {
  const by = facts.filetype === 'png' ? 'service' : 'plugin';
  const changes: Change[] = [];
  const add = (kind: ChangeKind, summary: string, rest: Partial<Change> = {}): void => {
    changes.push({ kind, summary, visible: true, by, ...rest });
  };
  if (facts.recolored) add('recolor', 'recoloured', { by: facts.recoloredBy ?? by });
  if (facts.resized) add('resize', 'canvas resized');
  if (facts.rasterized) add('format', 'rasterised');
  if (facts.sanitizedVisible) add('sanitize', 'unsafe parts removed', { by: 'plugin' });
  if (facts.animationRemoved === true) add('sanitize', 'animation removed', { by: 'plugin' });
  if (facts.creditTextRemoved)
    add('credit-removed', removedCredit(facts.creditText), { by: 'plugin' });
  if (facts.transformed) add('transform', 'transformed by the project', { by: 'project' });
  if (facts.metadataAdded === true)
    add('metadata-added', 'credit added to the file', { visible: false, by: 'plugin' });
  if (facts.optimized) add('optimize', 'optimised', { visible: false, by: 'plugin' });
  if (changes.length === 0) add('optimize', 're-encoded', { visible: false, by: 'plugin' });
  return mergeChanges(changes);
}

/** The union of the changes of several variants: each once, in one order. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const changeByKey = new Map<string, Change>();
  for (const { kind, summary, visible, by } of changes) {
    changeByKey.set(`${kind}\n${by}\n${visible}\n${summary}`, { kind, summary, visible, by });
  }
  return [...changeByKey.entries()]
    .sort(
      ([keyA, a], [keyB, b]) =>
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || compareCodeUnits(keyA, keyB),
    )
    .map(([, change]) => change);
}

/** Changes as words of a credit: `recoloured; optimised (encoding only)`, `none` for no change. */
export function describeChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return 'none';
  return [
    ...new Set(
      changes.map(
        ({ summary, visible }) => `${toPlainLine(summary)}${visible ? '' : ' (encoding only)'}`,
      ),
    ),
  ].join('; ');
}

function removedCredit(words: readonly string[] = []): string {
  const said = words.map(toPlainLine).filter((line) => line !== '');
  return said.length === 0
    ? 'drawn credit text removed'
    : `drawn credit text removed: “${said.join(' ')}”`;
}

type CreditParts = Pick<Credit, 'id' | 'title' | 'creator' | 'source' | 'license' | 'changes'>;

/** `“Whale” by Aya. Source: …. Licence: …. Changes: ….`: title, author, source, licence and changes in one line of plain text. */
export function composeLine({ id, title, creator, source, license, changes }: CreditParts): string {
  const url = license.url === null ? '' : ` (${license.url})`;
  return [
    `${composeTitle({ id, title }, toIsolatedLine)}${composeAuthor(creator, toIsolatedLine)}.`,
    `Source: ${source.url ?? 'not stated'}.`,
    `Licence: ${toIsolatedLine(license.name)}${url}.`,
    `Changes: ${describeChanges(changes)}.`,
  ].join(' ');
}

/** `escape` is the output's own. */
export function composeTitle(
  { id, title }: Pick<Credit, 'id' | 'title'>,
  escape: (text: string) => string,
): string {
  const words = title === null ? '' : escape(title);
  return words === '' ? `Untitled icon ${escape(id)}` : `“${words}”`;
}

export function composeAuthor(
  { name, username }: Credit['creator'],
  escape: (text: string) => string,
): string {
  const words = escape(name ?? '') || escape(username ?? '');
  return words === '' ? ', creator not stated' : ` by ${words}`;
}

/** Parameters of signed addresses, however written: such an address is not repeated anywhere. */
const SIGNED =
  /[?&;#](?:[^=]*-)?(?:signature|expires|token|credential|oauth_\w+|policy|key-pair-id)=/i;
const CONTROL_OR_BACKSLASH = /[\u0000-\u0020\u007f-\u009f\\]/;

/** A rooted path that no parser changes; most permalinks are, and parsing thousands of them shows in a build. */
const PLAIN_PATH = /^\/(?:[\w~.-]+\/)*[\w~.-]*$/;

/**
 * The absolute address of a permalink, or `null` where it is missing or leaves the catalog's site.
 * Permalinks are untrusted: only paths on `siteUrl`'s own origin over http(s) count, and only of hosts that everybody can reach.
 */
export function resolvePermalink(permalink: string | undefined, siteUrl: string): string | null {
  if (permalink === undefined || permalink === '' || CONTROL_OR_BACKSLASH.test(permalink))
    return null;
  if (SIGNED.test(permalink) || permalink.startsWith('//')) return null;
  if (PLAIN_PATH.test(permalink) && !permalink.includes('/.')) {
    const origin = originOf(siteUrl);
    return origin === null ? null : origin + permalink;
  }
  if (!URL.canParse(permalink, siteUrl)) return null;
  const url = new URL(permalink, siteUrl);
  if (url.origin !== new URL(siteUrl).origin) return null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || !isPublicHost(url.hostname)) return null;
  return url.origin + toUriCharacters(url.pathname + url.search + url.hash);
}

/** A whole address that a record states, which everybody can open; `null` for anything else. */
function publicAddress(address: string | undefined): string | null {
  return address === undefined ? null : checkedAddress(address);
}

const checkedAddress = remember((address) =>
  URL.canParse(address) ? resolvePermalink(address, new URL(address).origin) : null,
);

/** WHATWG addresses may hold characters that RFC 3986 (and with it the schema's `uri`) does not allow. */
function toUriCharacters(path: string): string {
  return path
    .replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/(?<=#.*)#/g, '%23');
}

const originOf = remember((siteUrl) => {
  if (!URL.canParse(siteUrl)) return null;
  const { origin, protocol, hostname } = new URL(siteUrl);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return isPublicHost(hostname) ? origin : null;
});
