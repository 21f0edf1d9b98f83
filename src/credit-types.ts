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
    /** Credit text that is drawn into the file itself, word for word; absent where there is none. */
    drawn?: string[];
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
}

/** One icon as the manifest lists it. */
export interface ManifestIcon extends Credit {
  usedIn: IconUsage[];
}

export interface ManifestBuild {
  id: string;
  bundler: string;
  consumer: 'client' | 'server';
  /** How the list was obtained; `requested` may over-report. */
  precision: 'emitted' | 'module-graph' | 'requested';
}

/** `icon-attribution.json`. */
export interface Manifest {
  schemaVersion: 1;
  generator: { name: string; version: string };
  catalog: { name: string; siteUrl: string; termsUrl?: string };
  complete: boolean;
  builds: ManifestBuild[];
  icons: ManifestIcon[];
}
