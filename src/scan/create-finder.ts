import type { Finder, Scan, SourcePlace } from './found.ts';

const SHOWN = 80;

/** Collects what is found in one file, and turns offsets into lines. A place counts once, however many readers see it. */
export function createFinder(text: string, file: string): { finder: Finder; scan: Scan } {
  const scan: Scan = { references: [], unknown: [], warnings: [] };
  const starts = lineStarts(text);
  const seen = new Set<string>();

  function placeOf(offset: number): SourcePlace {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;

  return {
    scan,
    finder: {
      text,
      reference(specifier, offset, place) {
        if (isNew(`${offset} ${specifier}`))
          scan.references.push({ specifier, place, ...placeOf(offset) });
      },
      unknown(start, end) {
        if (!isNew(`${start}`)) return;
        const whole = text.slice(start, end).replace(/\s+/g, ' ');
        const written = whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
        scan.unknown.push({ written, ...placeOf(start) });
      },
      warn(message, offset) {
        scan.warnings.push({ message, ...placeOf(offset) });
      },
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}
