import type { CustomPlugin, XastElement, XastRoot } from 'svgo';
import { IconCatalogError } from '../errors.ts';
import type { PaintScheme } from '../types.ts';
import { SHAPES } from './allowed.ts';
import { checkExpansion } from './check-expansion.ts';
import { findCreditText } from './credit-text.ts';
import { findNotices } from './file-notices.ts';
import { fingerprint } from './fingerprint.ts';
import type { inlineStyles as InlineStyles } from './inline-styles.ts';
import { limitDashes } from './limit-dashes.ts';
import { invalidSvg } from './limits.ts';
import { SVG_NAMESPACE } from './namespaces.ts';
import { foldOrigins, wrapNested } from './normalize-transforms.ts';
import type { PrepareSvgOptions } from './prepare-svg.ts';
import { readCanvas, tameRoot, type Canvas } from './read-canvas.ts';
import { recolor } from './recolor.ts';
import { createRemovals, type Removals } from './removals.ts';
import { resolveColors } from './resolve-colors.ts';
import { resolveReferences } from './resolve-references.ts';
import { sanitize, type StyleSource } from './sanitize.ts';
import { findOverrides, type Overrides } from './svgo-plan.ts';
import { toTemplate, type TemplateParts } from './to-template.ts';
import { isVisibleAtRest } from './visible-at-rest.ts';
import { walkElements } from './walk.ts';

/** What the visitors find on their way through the one tree. */
export interface Findings {
  canvas: Canvas;
  paint: PaintScheme;
  tone: string | undefined;
  creditText: string[];
  notices: string[];
  template: TemplateParts;
  hasIds: boolean;
  fingerprint: string;
  /** What the root painted with before svgo. */
  rootFill: string;
  /** Harmless animations were removed. */
  hasLostAnimation: boolean;
  /** svgo wrote something that no list allows. */
  isBroken: boolean;
}

/** Sanitise → styles to attributes → references → recolour, on the tree as it was parsed. */
export function createBefore({
  options: { id, askedColor, fixedColor = false, animation, limits },
  removals,
  findings,
  inlineStyles,
  overrides,
}: {
  options: PrepareSvgOptions;
  removals: Removals;
  findings: Partial<Findings>;
  inlineStyles: typeof InlineStyles | undefined;
  /** Of the preset that comes next, which reads them when it runs. */
  overrides: Overrides;
}): CustomPlugin {
  return {
    name: 'icon-catalog-before',
    fn: (root: XastRoot) => {
      findings.notices = findNotices(root);
      const sources: StyleSource = { sheets: [], idle: [], own: new Map() };
      const svg = sanitize(root, { id, removals, animation, styles: sources });
      const canvas = readCanvas(svg, id);
      inlineStyles?.(svg, { sources, id, removals });
      tameRoot(svg, removals);
      const isFolded = foldOrigins(svg, canvas);
      wrapNested(svg);
      resolveReferences(svg, { id, removals, name: (index) => `a${index}` });
      limitDashes(svg, { removals, repetition: checkExpansion(svg, { id, limits, canvas }) });
      const credits = findCreditText(svg);
      resolveColors(svg, removals);
      findings.hasLostAnimation = removals.counts.has('animation');
      if (findings.hasLostAnimation && !isVisibleAtRest(svg)) throw nothingLeft(id, findings);
      const credited = credits.elements;
      const { paint, tone } = recolor(svg, { askedColor, fixedColor, credits: credited });
      findings.paint = paint;
      findings.tone = tone;
      findings.creditText = credits.words;
      findings.canvas = canvas;
      findings.rootFill = svg.attributes['fill'] ?? '#000';
      Object.assign(overrides, findOverrides(svg, { hasOrigins: !isFolded }));
      svg.attributes = { xmlns: SVG_NAMESPACE, viewBox: canvas.viewBox, ...svg.attributes };
      return null;
    },
  };
}

/** Whatever stood between, built-in or the user's own: nothing that is not on the list leaves here. */
export function createAfter({
  options: { id, animation, limits },
  findings,
}: {
  options: PrepareSvgOptions;
  findings: Partial<Findings>;
}): CustomPlugin {
  return {
    name: 'icon-catalog-after',
    fn: (root: XastRoot) => {
      if (!root.children.some((child) => child.type === 'element')) throw nothingLeft(id, findings);
      for (const child of root.children)
        if (child.type === 'element') child.attributes['xmlns'] ??= SVG_NAMESPACE;
      const removals = createRemovals();
      const svg = sanitize(root, { id, removals, animation, styles: undefined });
      tameRoot(svg, removals);
      wrapNested(svg);
      findings.hasIds = resolveReferences(svg, { id, removals, name: (index) => `-${index}` }) > 0;
      const { canvas = { width: 1, height: 1 } } = findings;
      checkExpansion(svg, { id, limits, canvas });
      if (!hasDrawing(svg)) throw nothingLeft(id, findings);
      const withColor = findings.paint === 'sentinel' || findings.paint === 'mono';
      svg.attributes['fill'] ??= findings.rootFill ?? '#000';
      findings.template = toTemplate(svg, { withColor });
      findings.fingerprint = fingerprint(svg);
      findings.isBroken = removals.counts.has('invalid-value');
      // The template is the output; svgo need not write its own.
      root.children = [];
      return null;
    },
  };
}

function nothingLeft(id: number, { hasLostAnimation }: Partial<Findings>): IconCatalogError {
  return hasLostAnimation === true
    ? new IconCatalogError('SVG_INVALID', {
        message: `icon ${id}: nothing of it can be seen before its animation runs, and animations are removed.`,
        icon: id,
        remedy: 'Set `svg.animation: true` to keep its animation, or choose another icon.',
      })
    : invalidSvg(id, 'nothing that can be drawn is left of it');
}

function hasDrawing(svg: XastElement): boolean {
  let found = false;
  walkElements(svg, ({ name }) => {
    if (SHAPES.has(name) || name === 'use') found = true;
  });
  return found;
}
