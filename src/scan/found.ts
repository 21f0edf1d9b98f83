/** What holds a reference: only those of scripts are modules that a bundler and TypeScript see as imports. */
export type ReferencePlace = 'script' | 'style' | 'markup';

/** A place in a source file. */
export interface SourcePlace {
  /** Path relative to the project's root, `/` between folders. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units, as editors count. */
  column: number;
}

/** One `icon:` reference, spelled as it is written once the quoting of its language is undone. */
export interface IconReference extends SourcePlace {
  specifier: string;
  place: ReferencePlace;
}

/** A reference that is only known when the code runs: ``import(`icon:${name}`)``. */
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

/** What the readers of the languages report to. Offsets are those of the whole file, in UTF-16 units. */
export interface Finder {
  /** The whole file without a byte order mark. */
  readonly text: string;
  reference(specifier: string, offset: number, place: ReferencePlace): void;
  unknown(start: number, end: number): void;
  warn(message: string, offset: number): void;
}
