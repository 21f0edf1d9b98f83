import { IconCatalogError } from '../errors.ts';
import type { SvgLimits } from '../types.ts';

/** Measured so that every hostile file ends in well under two seconds; real icons stay far below each. */
export const LIMITS = {
  elements: 20_000,
  depth: 64,
  attributes: 128,
  attributeLength: 262_144,
  /** Namespace declarations: the parser looks each name up through all of them. */
  namespaces: 500,
  ids: 4_000,
  /** Of gradients: each is an element whose colours are read one by one. */
  stops: 4_000,
  /** Characters of drawn text: WebKit lays them out in quadratic time, 1,000 of one text in 0.4 s. */
  text: 1_000,
  /** Milliseconds, by the estimate of filter-cost.ts. */
  filterCost: 400,
  animations: 500,
  /** Seconds: 500 animations of 10 ms are smooth in Chromium and Firefox, 500 of 1 ms stall both. */
  shortestAnimation: 0.01,
  styleRules: 500,
  styleLength: 262_144,
  styleSteps: 250_000,
  /** Things in one style that are no CSS. */
  styleErrors: 100,
  transforms: 64,
  /** Elements after every `use`, pattern, marker, mask and filter has been followed. */
  expansion: 200_000,
  /** Levels that a renderer sees: 600 `use` of each other are short, and endless to lay out. */
  expandedDepth: 128,
  /** Animations that begin with another: each event reaches all that wait for it, in circles. */
  syncs: 200,
  entities: 64,
  entityLength: 1_024,
  /** Beyond these svgo is quadratic: in path data (20,000 segments took 6 s) and in the children of one element. */
  slowElements: 2_000,
  slowCharacters: 200_000,
  slowPath: 30_000,
  /** Several long paths cost what one longer path does: characters of the file times those of its longest attribute. */
  slowProduct: 1.5e9,
  /** Largest coordinate. */
  magnitude: 1e9,
  /** Widest ratio between the sides of a viewBox: `1em` must stay icon-sized. */
  aspectRatio: 100,
  /** Dashes that one file may ask a renderer to draw. */
  dashes: 100_000,
} as const;

const BEYOND: Readonly<Record<keyof SvgLimits, string>> = {
  elements: 'it has more elements than',
  expansion: 'drawing it takes the work of more elements than',
  filterCost: 'drawing its filters takes more milliseconds than',
  text: 'it draws more characters of text than',
  animations: 'it has more animations than',
};

/** @throws IconCatalogError SVG_TOO_LARGE for what the option `svg.limits` may allow */
export function checkLimit(
  name: keyof SvgLimits,
  count: number,
  { id, limits }: { id: number; limits?: SvgLimits | undefined },
): void {
  const most = limits?.[name] ?? LIMITS[name];
  if (count > most)
    throw new IconCatalogError('SVG_TOO_LARGE', {
      message: `icon ${id}: ${BEYOND[name]} ${most}.`,
      icon: id,
      remedy: `Choose a simpler icon, or raise \`svg.limits.${name}\`.`,
    });
}

export function invalidSvg(id: number, reason: string): IconCatalogError {
  return new IconCatalogError('SVG_INVALID', { message: `icon ${id}: ${reason}.`, icon: id });
}

export function tooLargeSvg(id: number, reason: string): IconCatalogError {
  return new IconCatalogError('SVG_TOO_LARGE', {
    message: `icon ${id}: ${reason}.`,
    icon: id,
    remedy: 'Choose a simpler icon.',
  });
}
