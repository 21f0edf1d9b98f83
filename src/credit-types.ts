/** The vocabulary of credits and of the files that hold them. */

export type ChangeKind =
  | 'recolor'
  | 'resize'
  | 'viewbox'
  | 'optimize'
  | 'format'
  | 'credit-removed'
  | 'sanitize'
  | 'transform'
  | 'metadata-added'
  | 'prior'
  | 'custom';

export interface Change {
  kind: ChangeKind;
  summary: string;
  /** False: only the encoding of the file differs, the rendering does not. */
  visible: boolean;
  by: 'plugin' | 'service' | 'project' | 'upstream';
}

export type LicenseStatus =
  | 'attribution'
  | 'public-domain'
  | 'spdx'
  | 'separately-licensed'
  | 'unknown';

export interface CreditLicense {
  /** The catalog's `license_description`, byte for byte. */
  declared: string | null;
  status: LicenseStatus;
  name: string;
  /** An SPDX identifier, or `LicenseRef-…` where none is certain. */
  spdx: string;
  version: string | null;
  versionBasis:
    | 'not-stated'
    | 'credit-text'
    | 'source-file'
    | 'catalog-terms'
    | 'project-assertion'
    | 'spdx';
  assertion?: { by: string; evidence: string; date?: string } | undefined;
  url: string | null;
  /** Address of the licence file of the icon's set. */
  file?: string | undefined;
  /** SHA-256 of the licence's text as it came with the icon, which the manifest has in `texts`. */
  text?: string | undefined;
  /** Who holds the rights: the copyright lines of that text. */
  copyright?: string | undefined;
}

/** One credit: a record of `icon-attribution.json` without the places that only a finished build knows. */
export interface Credit {
  id: string;
  title: string | null;
  creator: { name: string | null; username: string | null; url: string | null };
  credit: {
    requested: string | null;
    line: string;
    required: boolean;
    /** Credit text that is drawn into the file itself, word for word; absent if there is none. */
    drawn?: string[];
    /** Notices about copyright and licence in the file, in its words: comments, metadata, every line of drawn credit. */
    notices?: string[];
  };
  source: { url: string | null; sha256: string };
  license: CreditLicense;
  changes: Change[];
  collections: { id: string; name: string; url: string | null }[];
}

export type UsageKind =
  | 'inline-js'
  | 'inline-html'
  | 'inline-css'
  | 'sprite-symbol'
  | 'asset'
  | 'server-only';

/** One place in the output that holds an icon. */
export interface IconUsage {
  /** Build id, `[a-z0-9][a-z0-9._-]*`. */
  build: string;
  /** Path relative to the output folder, `/` between folders. */
  file: string;
  kind: UsageKind;
  /** Which of the icon's changes this build made, by their places in `changes`. Absent: all of them. */
  changes?: number[];
}

/** One icon as the manifest lists it. */
export interface ManifestIcon extends Credit {
  usedIn: IconUsage[];
}

export interface ManifestBuild {
  id: string;
  bundler: string;
  consumer: 'client' | 'server';
  /** How the list was obtained; `requested` may over-report, `found` is what no build drew itself. */
  precision: 'emitted' | 'module-graph' | 'requested' | 'found';
  /** The build's output folder, from the folder of the list, if it lies outside of that one; files are named from there. */
  folder?: string;
  /** With `found`: the package or the folder that brought the icons. Absent: files of the output. */
  from?: string;
  /** False: this build knew that icons may be missing from its own list. Absent: it did not. */
  complete?: false;
}

/** `icon-attribution.json`. */
export interface Manifest {
  schemaVersion: 1;
  generator: { name: string; version: string };
  catalog: { name: string; siteUrl: string; termsUrl?: string };
  complete: boolean;
  builds: ManifestBuild[];
  /** Texts of licences by their SHA-256: each once. Absent if no icon brings one. */
  texts?: Record<string, string>;
  icons: ManifestIcon[];
}

/** What the credits page says in one language. `{…}` is filled in; a pair is one and many. */
export interface PageWords {
  /** Between thousands. */
  thousands: string;
  title: string;
  /** `{icons}`, `{creators}` and `{licences}` are counted words. */
  summary: string;
  /** The same if no creator is known. */
  summaryWithoutCreators: string;
  icons: readonly [one: string, many: string];
  creators: readonly [one: string, many: string];
  licences: readonly [one: string, many: string];
  /** `{catalog}` is a link. */
  thanks: string;
  terms: string;
  noIcons: string;
  emptyTitle: string;
  emptyText: string;
  incomplete: string;
  /** `{site}` is the site's name. */
  back: string;
  otherFormats: string;
  find: string;
  /** `{n}` of `{total}`. */
  found: string;
  /** `{words}` is what was searched for. */
  nothingFound: string;
  licenceList: string;
  /** `{generator}` is the package. */
  footer: string;
  /** The same for a list of what the project asks for. */
  footerRequested: string;
  drawingsNeedScripts: string;
  chooseToCopy: string;
  /** `{title}` is the icon's. */
  copyCredit: string;
  copyAs: string;
  plainText: string;
  copy: string;
  copied: string;
  close: string;
  /** `{id}` is the icon's. */
  untitled: string;
  by: string;
  creatorNotStated: string;
  /** `{name}` stands for the icon's name in a credit text that many icons share. */
  iconName: string;
  credit: string;
  drawnInFile: string;
  noticeInFile: string;
  licence: string;
  licenceText: string;
  licenceFile: string;
  /** `{licence}` is its name. */
  textOf: string;
  asserted: string;
  changes: string;
  noChanges: string;
  encodingOnly: string;
  licenceUnknown: string;
  noCreditRequired: string;
  versionNotStated: string;
  licensedSeparately: string;
  /** By kind: words instead of the record's own English ones. What upstream and the project wrote is never replaced. */
  changeWords: Readonly<Partial<Record<ChangeKind, string>>>;
  /** Names of licences that are this package's own words, by the name in the record. */
  licenceNames: Readonly<Record<string, string>>;
  /** Names of catalogs that are this package's own words, by the name in the list. */
  catalogNames: Readonly<Record<string, string>>;
}

/** A language of the credits page. */
export interface PageLanguage {
  /** BCP 47, such as `fr` or `pt-BR`. */
  code: string;
  /** Whatever is left out is said in English. */
  words?: Partial<PageWords> | undefined;
}
