/** The vocabulary of the house. Words of the wire are the interface's own. */

export type Filetype = 'svg' | 'png';
export type IconForm = 'svg' | 'url' | 'data' | 'component' | 'sprite' | 'meta';

/** One `icon:` import after parsing. Two requests with equal `canonical` are one request. */
export interface IconRequest {
  /** Integer icon id, aliases resolved. */
  id: number;
  filetype: Filetype;
  as: IconForm;
  /**
   * `currentColor`, `original` (the drawing's own colours) or six lower-case hex digits without `#`; `null`: the
   * service's own colour (png only).
   */
  color: string | null;
  /** svg: a CSS length (`1em`, `64px` is written `64`); png: integer 20–1200 as digits, or `null` for the service's own size. */
  size: string | null;
  /** Accessible name; `null`: decorative. */
  title: string | null;
  /** Class names for the root, single spaces between; `null`: none. */
  class: string | null;
  /** `icon:123?as=svg&color=ff0000&filetype=svg&size=64`: parameters sorted, defaults written out, values percent-encoded (no `/`). */
  canonical: string;
}

/**
 * Texts by key for a whole fleet, as `sharedCache` takes them. Any storage of unstorage is one. What is not there is
 * `null` or `undefined`.
 */
export interface SharedStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<unknown>;
}

/** Who drew an icon, in the catalog's words. Permalinks are paths relative to the catalog's site. */
export interface Creator {
  name: string;
  permalink: string;
  username: string;
}

export interface CollectionReference {
  id: string;
  name: string;
  permalink: string;
  creator?: Creator | undefined;
}

export interface IconStyle {
  style: string;
  line_weight?: number | undefined;
}

/** What is kept of a v2 icon record: everything but the addresses that die within the hour. */
export interface IconRecord {
  id: string;
  term: string;
  attribution: string;
  creator: Creator;
  collections: CollectionReference[];
  license_description: string;
  permalink: string;
  /** Where the permalinks lead, if the catalog itself has no public address and its record states it. */
  site_url?: string | undefined;
  /** Address of the creator's own page. */
  creator_url?: string | undefined;
  /** Address of the licence file of the icon's set. */
  license_url?: string | undefined;
  /** The licence's text with its copyright line, if the set brings one. */
  license_text?: string | undefined;
  /** The drawing's own colour if that is not black: six hex digits, or `several`. Stated by the embedded catalog alone. */
  own_color?: string | undefined;
  styles: IconStyle[];
  tags: string[];
}

/**
 * One line of `icons.lock`: the icon's record as it was when the line was written, and the digest of the bytes which the
 * catalog sent then. Lines of bare metadata have neither digest nor size.
 */
export interface LockEntry extends Omit<IconRecord, 'id'> {
  /** 1 when the icon was first pinned; `icon-catalog update` raises it. */
  rev: number;
  /** `sha512-<base64>`. */
  integrity?: string;
  /** Bytes. */
  size?: number;
}

/** The `icon` export of every icon module. */
export type IconInfo = Pick<
  IconRecord,
  'id' | 'term' | 'creator' | 'license_description' | 'permalink'
>;

/** How the colour of an icon was found (see svg/recolor). */
export type PaintScheme = 'sentinel' | 'mono' | 'multi-tone' | 'fixed';

/**
 * Markup with open slots: strings stand as they are, `0` is the colour, `1` the id namespace.
 * Every string is already escaped for XML.
 */
export type SvgTemplate = (string | 0 | 1)[];

/** What the sanitiser took away. Keys are kinds (`script`, `event-attribute`, `external-reference`), values counts; never the file's text. */
export type RemovalCounts = Record<string, number>;

/** A safe, optimised icon whose colour, size, title, class and id namespace are still open. JSON-serialisable. */
export interface SvgMaster {
  /** `min-x min-y width height`. */
  viewBox: string;
  /** Width and height in user units, for the aspect ratio. Both positive. */
  width: number;
  height: number;
  /** Attributes of the root other than xmlns, width, height, viewBox, class, role and aria-*: ` fill="` 0 `"`. */
  root: SvgTemplate;
  /** What stands between `<svg …>` and `</svg>`. */
  body: SvgTemplate;
  paint: PaintScheme;
  /** The one colour of the drawing as it came, where it has no more than one: `#` and six digits. */
  tone?: string | undefined;
  /** True when the file has ids, so that two colours of it need two namespaces. */
  hasIds: boolean;
  removed: RemovalCounts;
  /** True when something that could be seen was removed; of an animation only `removed` tells. */
  removedVisible: boolean;
  /** Credit text drawn into the file, verbatim; empty if there is none. */
  creditText: string[];
  /** What comments, descriptions, metadata and the title say of copyright and licence; empty if they say nothing. */
  notices: string[];
  /** What finds the icon in emitted bytes: see `fingerprint` in svg/to-template. */
  fingerprint: string;
}

/** A drawing as a symbol of the sprite file. */
export interface SvgSymbol {
  /** Id within the sprite file: `icon-123`; `icon-123-ff0000` or `icon-123-original` if the drawing has fixed colours. */
  id: string;
  /** `<symbol id="icon-123" …>…</symbol>`. */
  symbol: string;
  /** Markup that shows it, cut where the address of the sprite file stands. */
  use: [before: string, after: string];
}

export type {
  ChangeKind,
  Change,
  LicenseStatus,
  CreditLicense,
  Credit,
  UsageKind,
  IconUsage,
  ManifestIcon,
  ManifestBuild,
  Manifest,
  PageLanguage,
  PageWords,
} from './credit-types.ts';

/** Two of the ports; the others are files and the clock. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type FetchPort = (request: Request) => Promise<Response>;

/** Limits on what is slow rather than unsafe: raise one if an icon that you trust is refused. */
export interface SvgLimits {
  /** Elements of the file. @default 20000 */
  elements?: number;
  /** Elements that are drawn once each `use`, pattern, marker and mask has been followed. @default 200000 */
  expansion?: number;
  /** Milliseconds that its filters take to draw at 256 px without a graphics card, as estimated. @default 400 */
  filterCost?: number;
  /** Characters of drawn text. @default 1000 */
  text?: number;
  /** Animations, if `svg.animation` keeps them. @default 500 */
  animations?: number;
}
