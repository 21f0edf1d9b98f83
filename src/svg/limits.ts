import { IconCatalogError } from '../errors.ts';

/** Measured so that every hostile file ends in well under two seconds; real icons stay far below each. */
export const LIMITS = {
  elements: 20_000,
  depth: 64,
  attributes: 128,
  attributeLength: 262_144,
  ids: 4_000,
  styleRules: 500,
  styleLength: 262_144,
  selectorSteps: 5_000_000,
  transforms: 64,
  /** Elements after every `use`, pattern, marker, mask and filter has been followed. */
  expansion: 200_000,
  entities: 64,
  entityLength: 1_024,
  /** Beyond these svgo's path conversion is quadratic: 20,000 segments took 6 s. */
  slowElements: 2_000,
  slowCharacters: 200_000,
  slowPath: 60_000,
  /** Largest coordinate. */
  magnitude: 1e9,
  /** Widest ratio between the sides of a viewBox: `1em` must stay icon-sized. */
  aspectRatio: 100,
  /** Dashes that one file may ask a renderer to draw. */
  dashes: 100_000,
} as const;

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
