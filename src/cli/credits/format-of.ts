import {
  ATTRIBUTION_FORMATS,
  type AttributionFormat,
} from '../../attribution/render-attribution.ts';
import { UsageError } from '../usage-error.ts';

/** What people call them, and what files of them end with. */
const SHORT: Readonly<Record<string, AttributionFormat>> = {
  md: 'markdown',
  txt: 'text',
  fragment: 'html-fragment',
  cdx: 'cyclonedx',
};
const BY_ENDING: readonly [ending: string, AttributionFormat][] = [
  ['.spdx.json', 'spdx'],
  ['.cdx.json', 'cyclonedx'],
  ['.json', 'json'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.md', 'markdown'],
  ['.txt', 'text'],
];

/**
 * The format that is asked for, or that the name of the file to write says.
 * @throws UsageError
 */
export function formatOf(asked: string | undefined, output: string | undefined): AttributionFormat {
  if (asked === undefined) {
    const name = output?.toLowerCase() ?? '';
    return BY_ENDING.find(([ending]) => name.endsWith(ending))?.[1] ?? 'text';
  }
  const format = ATTRIBUTION_FORMATS.find((each) => each === asked);
  const found = format ?? (Object.hasOwn(SHORT, asked) ? SHORT[asked] : undefined);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no format ${asked}. Formats: ${[...ATTRIBUTION_FORMATS, ...Object.keys(SHORT)].join(', ')}.`,
  );
}
