/**
 * The kind of text that holds a reference: only those of scripts are modules that a bundler and TypeScript see as
 * imports.
 */
type ReferencePlace = 'script' | 'style' | 'markup';

/** A place in a source file. */
export interface SourcePlace {
  /** Path relative to the project's root, `/` between folders. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in UTF-16 units, as editors count. */
  column: number;
}

/** One `icon:` reference, as it is written, without the quoting of its language. */
export interface IconReference extends SourcePlace {
  specifier: string;
  place: ReferencePlace;
}

/** A reference that is only known at run time: ``import(`icon:${name}`)``. */
export interface UnknownReference extends SourcePlace {
  /** The expression as written, cut at 80 characters. */
  written: string;
}

export interface ScanWarning extends SourcePlace {
  message: string;
}

export interface Scan {
  references: IconReference[];
  unknown: UnknownReference[];
  warnings: ScanWarning[];
}

/** The receiver of what the readers of the languages find. Offsets are those of the whole file, in UTF-16 units. */
export interface Finder {
  /** The whole file without a byte order mark. */
  readonly text: string;
  reference(specifier: string, offset: number, place: ReferencePlace): void;
  unknown(start: number, end: number): void;
  warn(message: string, offset: number): void;
}

/** Something follows the scheme. Whether it is an icon is decided by the grammar of requests. */
export function isIconReference(text: string): boolean {
  return text.startsWith('icon:') && text.length > 'icon:'.length;
}

/**
 * The `icon:` addresses of a `srcset`, each with where it begins.
 * HTML: candidates are separated by commas; an address ends at white space, and commas at its end are not part of it.
 */
export function readSrcset(text: string): { specifier: string; at: number }[] {
  return [...text.matchAll(/(?<=^|,)\s*([^\s,][^\s]*?),*(?=\s|$|,\s*icon:)/g)].flatMap((match) => {
    const specifier = match[1] ?? '';
    return isIconReference(specifier)
      ? [{ specifier, at: match.index + match[0].indexOf(specifier) }]
      : [];
  });
}

const QUOTED = /(["'`])(icon:(?:(?!\1)[^\s\\$])*)\1/g;
const ADDRESS = /\burl\(\s*(icon:[^\s"'()]+)\s*\)/g;
const ATTRIBUTE = /\s(?:src|href)\s*=\s*(icon:[^\s"'>]+)/g;

/**
 * Finds references without knowing the language: in everything quoted, and in addresses of styles and markup. It finds
 * too much rather than too little. If `reason` states why the file could not be read, a warning reports it.
 */
export function scanText(
  code: string,
  {
    finder,
    base = 0,
    at = base,
    reason,
  }: { finder: Finder; base?: number; at?: number; reason?: string | undefined },
): void {
  for (const [pattern, group, place] of [
    [QUOTED, 2, 'script'],
    [ADDRESS, 1, 'style'],
    [ATTRIBUTE, 1, 'markup'],
  ] as const) {
    for (const match of code.matchAll(pattern)) {
      const specifier = match[group] ?? '';
      if (isIconReference(specifier))
        finder.reference(specifier, base + match.index + match[0].indexOf(specifier), place);
    }
  }
  if (reason === undefined) return;
  finder.warn(`cannot be read (${reason}); its icons were searched for as plain text`, at);
}
