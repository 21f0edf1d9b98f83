import { copyrightOf, licenseTextDigest } from '../license-text.ts';
import type { Change, Credit, CreditLicense, IconRecord } from '../types.ts';
import { composeLine, type CreditParts } from './compose-line.ts';
import { mergeChanges } from './compute-changes.ts';
import { resolveLicense, type LicenseAssertion } from './resolve-license.ts';
import { publicAddress, resolvePermalink } from './resolve-permalink.ts';

/** Stands for the digest where no file was downloaded (`as=meta`); no file has this SHA-256 by any known means. */
export const NO_FILE_SHA256: string = '0'.repeat(64);

export interface CreditInput {
  record: IconRecord;
  /** Lower-case hex SHA-256 of the bytes that the catalog sent; `null` where none were downloaded. */
  sha256: string | null;
  changes: readonly Change[];
  /** Address that permalinks are relative to. */
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
  const { license, creditRequired } = resolveLicense({
    record,
    assertion,
    termsVersion,
    fileNotices,
  });
  const { id, title, creator, source, ...rest }: CreditParts = {
    id: record.id,
    title: orNull(record.term),
    creator: {
      name: orNull(record.creator.name),
      username: orNull(record.creator.username),
      url: publicAddress(record.creator_url) ?? resolvePermalink(record.creator.permalink, siteUrl),
    },
    source: { url: resolvePermalink(record.permalink, siteUrl), sha256: sha256 ?? NO_FILE_SHA256 },
    license: { ...license, ...textOf(record) },
    changes: mergeChanges(changes),
  };
  const line = composeLine({ id, title, creator, source, ...rest });
  return {
    id,
    title,
    creator,
    credit: {
      requested: orNull(record.attribution),
      line,
      required: creditRequired,
      ...(drawn.length > 0 && { drawn: [...drawn] }),
      ...(fileNotices.length > 0 && { notices: fileNotices }),
    },
    source,
    ...rest,
    collections: record.collections.map((collection) => ({
      id: collection.id,
      name: collection.name,
      url: resolvePermalink(collection.permalink, siteUrl),
    })),
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
    text: licenseTextDigest(license_text),
    ...(copyright !== undefined && { copyright }),
  };
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}
