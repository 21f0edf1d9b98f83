/**
 * What the icon browser's page and its handler say to each other: JSON bodies of `POST <base>api/<name>`, each with the
 * header `Authorization: Bearer <token>`. This file is read by both sides and imports nothing.
 */

/** What a search asks for. The same fields, in the same words, stand in the page's address. */
export interface SearchRequest {
  query: string;
  styles?: ('solid' | 'line')[];
  /** Inclusive range of the line weight, 1 to 60. */
  lineWeight?: [from: number, to: number];
  publicDomain?: boolean;
  /** Only icons that the project's licence policy allows. Narrows what is loaded; it is never sent to the catalog. */
  allowed?: boolean;
  nextPage?: string;
  /** `false` answers from cache, lock and installed sets alone: no call. */
  remote: boolean;
  /** Asks the catalog even if the answer is kept on disk. */
  fresh?: boolean;
}

/** One icon as the page shows it. All texts are untrusted: they are shown as text, never as markup. */
export interface PickerIcon {
  /** Canonical id, or name of an installed set's icon (`tabler/home`). */
  id: string;
  /** What is written after `icon:` if the icon has no alias: the id, or the name in the embedded catalog. */
  name: string;
  term: string;
  creator?: { name: string; url?: string };
  collections: { id: string; name: string }[];
  tags: string[];
  styles: string[];
  lineWeight?: number;
  license: {
    /** As the catalog declares it. */
    description: string;
    /** Short readable name, such as `CC BY 3.0`. */
    label: string;
    url?: string;
    /** What its use asks for, in a sentence. */
    asks: string;
    requiresCredit: boolean;
    /** Verdict of the project's policy; `reason` is shown beside a refused one. */
    verdict: 'allowed' | 'warned' | 'refused';
    reason?: string;
  };
  /** The credit line of a build, as plain text. */
  credit: string;
  url?: string;
  /** Address of the thumbnail, relative to the page; absent if there is none (yet). */
  thumb?: string;
  /** The address of the thumbnail died: "reload (1 call)". */
  thumbExpired?: boolean;
  /** Aliases of the project that stand for this icon. */
  aliases: string[];
  pinned: boolean;
  /** Where the project uses it. `use` is the number that `open` takes. */
  uses: { use: number; file: string; line: number; column: number }[];
  /** Its bytes are on this machine: showing and adding it costs no call. */
  local: boolean;
}

/** What calls cost so far; part of every answer. */
export interface Costs {
  /** Signed calls that this answer cost. */
  calls: number;
  /** Signed calls of this session, and how many are allowed before it asks. */
  session: number;
  budget: number;
  /** What the catalog last said is left this month, if it said anything. */
  left?: number;
  /** No call is made any more: why. ISO time at which the quota is renewed, if the catalog said it. */
  stopped?: { code: string; message: string; renewsAt?: string };
}

export interface SearchAnswer {
  icons: PickerIcon[];
  total?: number;
  nextPage?: string;
  from: 'catalog' | 'kept' | 'local';
  /** ISO time at which a kept answer was asked. */
  askedAt?: string;
  suggestions?: string[];
  costs: Costs;
}

export interface SuggestRequest {
  query: string;
}
export interface SuggestAnswer {
  suggestions: string[];
  costs: Costs;
}

export interface CollectionsRequest {
  nextPage?: string;
  remote: boolean;
}
export interface PickerCollection {
  id: string;
  name: string;
  description?: string;
  iconCount?: number;
  creator?: string;
  license?: string;
  thumb?: string;
}
export interface CollectionsAnswer {
  collections: PickerCollection[];
  nextPage?: string;
  costs: Costs;
}
export interface CollectionRequest {
  id: string;
  nextPage?: string;
  remote: boolean;
}
export interface CollectionAnswer extends SearchAnswer {
  collection: PickerCollection;
}

/** In any body. */
export interface Opened {
  /**
   * The page has just been loaded, as a reload does, and had no answer yet: calls that a spent quota or a refused key had
   * stopped may be tried again. It does not wait for one question to be the first: several are sent at once.
   */
  opened?: boolean;
}

export interface ProjectAnswer {
  name: string;
  /** `embedded`, or the host of the catalog. */
  catalog: string;
  /** Searching and adding cost no call: the catalog is this process and meters no one. */
  isFree: boolean;
  /** False without credentials: the page explains both ways. */
  configured: boolean;
  mode: 'online' | 'offline' | 'locked';
  /** Framework of `?component`, or null if none is configured. */
  framework: string | null;
  defaults: { color?: string; size?: number };
  /** Aliases, pinned and used icons, drawn from lock and local bytes. */
  icons: PickerIcon[];
  policy: string;
  write: Writability;
  costs: Costs;
}
/** Whether aliases can be written, and where. */
export type Writability =
  | { possible: true; file: string; hash: string }
  | { possible: false; file?: string; reason: string };

export interface IconRequest {
  id: string;
  /** Allows one call if this machine does not know the icon. */
  remote: boolean;
}
export interface IconAnswer {
  icon: PickerIcon;
  costs: Costs;
}

export interface RenderRequest {
  id: string;
  color?: string;
  size?: number;
  /** Allows one call if the bytes are not on this machine. */
  fetch?: boolean;
}
export interface RenderAnswer {
  /** Finished markup, what a build would emit as `?raw`; absent if the bytes are not here. The page shows it as an image. */
  svg?: string;
  /** The icon has colours of its own, so a mask would lose them. */
  multicolor?: boolean;
  bytes?: number;
  costs: Costs;
}

export interface AddRequest {
  /** `replaces` is the alias of the icon that the new one takes the place of. */
  items: { id: string; alias?: string; replaces?: string }[];
  /** Hash of the file as the page knows it, from `project` or the last `add`. */
  ifMatch?: string;
  /** Names this write: under the same name it is made once, however often its answer is asked for. */
  attempt?: string;
}
export interface AddAnswer {
  added: { id: string; alias?: string; importLine: string }[];
  diff: string;
  /** Takes the whole write back. Absent if nothing was written. */
  undo?: string;
  /** Lines to copy, if the file cannot be edited. */
  copy?: { lines: string; reason: string };
  write: Writability;
  costs: Costs;
}
export interface UndoRequest {
  undo: string;
  attempt?: string;
}
export interface UndoAnswer {
  restored: string[];
  write: Writability;
  costs: Costs;
}
export interface OpenRequest {
  use: number;
}

/** Body and answer of every question. */
export interface Questions {
  search: [SearchRequest, SearchAnswer];
  suggest: [SuggestRequest, SuggestAnswer];
  collections: [CollectionsRequest, CollectionsAnswer];
  collection: [CollectionRequest, CollectionAnswer];
  /** Costs nothing. */
  project: [Record<string, never>, ProjectAnswer];
  /** One icon, as searches show it. */
  icon: [IconRequest, IconAnswer];
  render: [RenderRequest, RenderAnswer];
  add: [AddRequest, AddAnswer];
  undo: [UndoRequest, UndoAnswer];
  open: [OpenRequest, { costs: Costs }];
  /** Allows as many calls again. */
  budget: [Record<string, never>, { costs: Costs }];
}

/** Every answer with a status of 400 and more. */
export interface PickerError {
  error: {
    /** `UNAUTHORIZED` (401), `FOREIGN` (403), `CHANGED` (409), `BUDGET` (402), or a code of the package's errors. */
    code: string;
    message: string;
    remedy?: string;
    /** Nearest free alias, for a name that is taken or reserved. */
    suggestion?: string;
    /** Our clock and the catalog's, for a refused signature. */
    clock?: { here: string; there?: string };
    renewsAt?: string;
  };
  costs?: Costs;
}
