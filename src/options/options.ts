import type { Config as SvgoConfig } from 'svgo';
import type { ComponentWriter, Framework } from '../component.ts';
import type { IconForm, IconRecord, PageLanguage, SharedStorage, SvgLimits } from '../types.ts';

export interface CatalogCredentials {
  /** Address of the catalog service, without a path of an endpoint. */
  baseUrl: string;
  /** Client key. */
  key: string;
  /** The key's secret. It leaves this process only as an HMAC. */
  secret: string;
  /**
   * The public website of the catalog, where credits link to. @default ICON_CATALOG_SITE_URL, or the host of `baseUrl`.
   * Credits never link to this machine or to a private network: in that case they have no links, and a build warns.
   */
  site?: CatalogSite;
  /**
   * Hosts from which pictures of icons may be fetched, for thumbnails in a terminal. @default any https host, and hosts
   * of this machine and of private networks only if the catalog itself is on such a host
   */
  assetHosts?: string[];
}

export interface CatalogSite {
  /** The name of the catalog in credits. @default the host of `url` */
  name?: string;
  /** `https://catalog.example/`; paths of records are added to its origin. */
  url: string;
}

/** What the embedded catalog serves; `createCatalogServer` accepts the same. */
export interface EmbeddedOptions {
  /** Prefixes of installed `@iconify-json/*` packages. @default all that the project has installed */
  sets?: string[];
  /** Folders of SVG files, relative to the project's root. */
  folders?: (string | EmbeddedFolder)[];
  /** Keys that may call. @default one key generated for this process */
  keys?: EmbeddedKey[];
  /** Milliseconds since 1970, for tests. @default Date.now */
  now?: () => number;
  /** The folder in which installed sets and `folders` are searched. @default process.cwd() */
  root?: string;
  /** Folder that keeps blacklists and usage across restarts. @default none: memory only */
  stateDir?: string;
}

export interface EmbeddedFolder {
  /** Path of the folder; its SVG files are icons named after their file names. */
  path: string;
  /** Name of the collection. @default the folder's name */
  name?: string;
  /** Author of the icons. @default the folder's name */
  author?: string;
  /** Value of `license_description`: name it where others drew the icons. @default 'project-file' */
  license?: string;
}

export interface EmbeddedKey {
  key: string;
  secret: string;
  /** `free` keys may download public-domain icons only. @default 'paid' */
  access?: 'free' | 'paid';
  /** Calls per month; further ones are answered with 429. @default 5000 */
  monthlyLimit?: number;
  /** Calls per hour. @default none */
  hourlyLimit?: number;
  /** Calls per day. @default none */
  dailyLimit?: number;
}

export interface SvgOptions {
  /** `false`: made safe but not optimised; a svgo configuration: used instead of the set that changes no rendering. @default true */
  optimize?: boolean | SvgoConfig;
  /**
   * The last step for the markup of every svg icon: what it returns is shipped unchanged. Markup for a page has no
   * `xmlns`; that of `as=url` and `as=data` has it, since an XML parser reads it.
   */
  transform?: (svg: string, icon: IconRecord) => string | Promise<string>;
  /** Makes active content in an icon an error (`SVG_UNSAFE`) instead of being removed with a warning. @default false */
  strict?: boolean;
  /** Keeps harmless SMIL animation. @default false */
  animation?: boolean;
  /** The size limit of a file in bytes. @default 1048576 */
  maxBytes?: number;
  /** How much work an icon may be for a browser; beyond a limit it is an error (`SVG_TOO_LARGE`). */
  limits?: SvgLimits;
  /** Writes the credit as RDF into each separate svg file (`as=url`), beside the short comment. @default false */
  metadata?: boolean;
}

export interface LicenseAssertion {
  /** The SPDX identifier of the licence that the project found out. */
  license: string;
  /** The person or team that found it out. */
  by: string;
  /** The evidence: an address, a mail, a file. */
  evidence: string;
}

export interface CatalogTerms {
  /** Version of Creative Commons Attribution that the terms state for the catalog’s icons: `'3.0'`. */
  version: '1.0' | '2.0' | '2.5' | '3.0' | '4.0';
  /** Where that can be read. Manifests and software bills name it. */
  url: string;
}

export interface LicenseOptions {
  /**
   * Values of `license_description`, or SPDX identifiers, that may be shipped. Those named here are not reported for what
   * they ask of a project (non-commercial use, the same licence for changed copies). @default all that are known
   */
  allow?: string[];
  /**
   * What happens to a build with an icon whose licence is unknown, or whose credit text or file names a stricter
   * licence than its record. @default 'error'
   */
  unknown?: 'error' | 'warn';
  /**
   * What the project knows about licences: by icon id, alias, `collection:<id>`, or value of `license_description`
   * (`'royalty-free'`). A statement about an icon overrides that about its collection, which overrides that about the
   * value.
   */
  assert?: Record<string, LicenseAssertion>;
  /**
   * What the catalog’s terms state about all icons that are `creative-commons-attribution`. Outranks the version that a
   * credit text states; an assertion outranks it. @default none
   */
  terms?: CatalogTerms;
}

export interface AttributionOptions {
  /** File name in the output, or `false`. @default 'icon-attribution.json' */
  json?: string | false;
  /** @default 'icon-attribution.html' */
  html?: string | false;
  /** @default 'icon-attribution.md' */
  markdown?: string | false;
  /** Plain text, such as `'icon-attribution.txt'`. @default false */
  text?: string | false;
  /** SPDX 2.3 JSON, such as `'icon-attribution.spdx.json'`. @default false */
  spdx?: string | false;
  /** CycloneDX 1.6 JSON, such as `'icon-attribution.cdx.json'`. @default false */
  cyclonedx?: string | false;
  /** The site's name on the credits page. @default none */
  title?: string;
  /**
   * The target of the link back from the credits page: an address, or a path of the site such as `'/'`. @default none
   */
  home?: string;
  /**
   * Language of the credits page: `'en'`, `'de'`, or one of your own with its words, `{ code: 'fr', words: { … } }`.
   * @default 'en'
   */
  language?: string | PageLanguage;
  /**
   * The folder of the one list for outputs in several folders, mostly the folder that is published. A relative path
   * starts at the project's root. @default the output folder of each build
   */
  site?: string;
  /** Ids of all builds that form the site, such as `['client', 'ssr']`: the list is complete once each has reported. */
  builds?: string[];
}

export interface Options {
  /**
   * The catalog service, or `'embedded'` for the one inside this package.
   * @default ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET from the environment
   */
  catalog?: CatalogCredentials | 'embedded' | { embedded: EmbeddedOptions };
  /** Requests in flight. @default 8 */
  concurrency?: number;
  /** Milliseconds for one attempt. @default 15000 */
  timeout?: number;
  /** Further attempts after the first, each signed again. @default 2 */
  retries?: number;
  /** Maximum of signed calls in one build. @default none */
  budget?: number;
  /**
   * What a build may do if the lock file has no line of an icon, or no cache has its bytes. `online`: ask the catalog,
   * and add the icon to the lock. `locked`: fetch only what the lock names, and fail otherwise. `offline`: open no
   * socket.
   * @default ICON_CATALOG_MODE, or 'locked' if CI is set and the lock file exists, or 'online'
   */
  mode?: 'online' | 'locked' | 'offline';
  /** The lock file, to be committed; a relative path starts at the project's root. @default 'icons.lock' */
  lockfile?: string;
  /**
   * Writes the icons themselves into a file to commit, as the catalog sent them; `true` means `icons.vendor.ndjson`. A relative
   * path starts at the project's root. @default false
   */
  vendor?: boolean | string;
  /** The folder of the cache, which all projects of the machine share. A relative path starts at the project's root. @default ICON_CATALOG_CACHE_DIR, or the user's cache directory */
  cacheDir?: string;
  /**
   * Downloaded files for a whole fleet: a storage (any of unstorage is one), the address of a Redis server (`redis://host:6379`) or
   * of a bucket (`s3://bucket/prefix?region=eu-central-1`), or a folder, relative to the project's root. A file is used
   * only if it has the digest that the lock states. `?readonly` at the end of an address: nothing is written.
   * @default ICON_CATALOG_SHARED_CACHE, or none
   */
  sharedCache?: SharedStorage | string;
  /** Names for icon ids: `{ house: 123 }`; with the embedded catalog also for names of icons: `{ house: 'tabler/home' }`. @default {} */
  aliases?: Record<string, number | string>;
  /**
   * What `as=component` produces, which is then the default of svg icons: components of a framework, or the JavaScript
   * module that a function of yours writes.
   * @default none
   */
  framework?: Framework | ComponentWriter;
  /** Values for parameters that an import leaves out. `color: 'original'` keeps the colours of the drawings. */
  defaults?: { color?: string; size?: string | number; as?: IconForm; class?: string };
  svg?: SvgOptions;
  licenses?: LicenseOptions;
  /** `false`: no attribution files are written. */
  attribution?: false | AttributionOptions;
  /**
   * The icon browser of dev servers, below `/__icon-catalog/`. `budget`: the signed calls that a session may make before it
   * asks. `false`: none. It does not run in builds, in tests or if CI is set.
   * @default true, with a budget of 40
   */
  picker?: boolean | { budget?: number };
  /** @default 'info' */
  logLevel?: 'silent' | 'error' | 'warn' | 'info';
}
