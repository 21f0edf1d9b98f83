import type { CustomPlugin, XastElement, XastRoot } from 'svgo';
import type { IconCatalogError } from '../errors.ts';
import type { PaintScheme } from '../types.ts';
import { SHAPES } from './allowed.ts';
import { checkExpansion } from './check-expansion.ts';
import { findCreditText } from './credit-text.ts';
import { fingerprint } from './fingerprint.ts';
import type { inlineStyles as InlineStyles } from './inline-styles.ts';
import { findLicenseNotices } from './license-notices.ts';
import { limitDashes } from './limit-dashes.ts';
import { invalidSvg, LIMITS, tooLargeSvg } from './limits.ts';
import { SVG_NAMESPACE } from './namespaces.ts';
import type { PrepareSvgOptions } from './prepare-svg.ts';
import { readCanvas, tameRoot, type Canvas } from './read-canvas.ts';
import { recolor } from './recolor.ts';
import { createRemovals, type Removals } from './removals.ts';
import { resolveColors } from './resolve-colors.ts';
import { resolveReferences } from './resolve-references.ts';
import { sanitize, type StyleSource } from './sanitize.ts';
import { toTemplate, type TemplateParts } from './to-template.ts';
import { textContent, walkElements } from './walk.ts';

/** What the visitors find on their way through the one tree. */
export interface Findings {
  canvas: Canvas;
  paint: PaintScheme;
  creditText: string[];
  licenseNotices: string[];
  template: TemplateParts;
  hasIds: boolean;
  fingerprint: string;
  /** What the root painted with before svgo. */
  rootFill: string;
  /** svgo wrote something that no list allows. */
  isBroken: boolean;
}

/** Sanitise → styles to attributes → references → recolour, on the tree as it was parsed. */
export function createBefore({
  options: { id, askedColor, fixedColor = false, animation },
  removals,
  findings,
  inlineStyles,
}: {
  options: PrepareSvgOptions;
  removals: Removals;
  findings: Partial<Findings>;
  inlineStyles: typeof InlineStyles | undefined;
}): CustomPlugin {
  return {
    name: 'icon-catalog-before',
    fn: (root: XastRoot) => {
      findings.licenseNotices = findLicenseNotices(root);
      const sources: StyleSource = { sheets: [], own: new Map() };
      const svg = sanitize(root, { id, removals, animation, styles: sources });
      if (textContent(svg).length > LIMITS.text)
        throw tooLargeSvg(id, `it has more than ${LIMITS.text} characters of text`);
      const canvas = readCanvas(svg, id);
      inlineStyles?.(svg, { sources, id, removals });
      tameRoot(svg, removals);
      resolveReferences(svg, { id, removals, name: (index) => `a${index}` });
      limitDashes(svg, { removals, repetition: checkExpansion(svg, id) });
      const credits = findCreditText(svg);
      resolveColors(svg);
      findings.paint = recolor(svg, { askedColor, fixedColor, credits: credits.elements });
      findings.creditText = credits.words;
      findings.canvas = canvas;
      findings.rootFill = svg.attributes['fill'] ?? '#000';
      svg.attributes = { xmlns: SVG_NAMESPACE, viewBox: canvas.viewBox, ...svg.attributes };
      return null;
    },
  };
}

/** Whatever stood between, built-in or the user's own: nothing that is not on the list leaves here. */
export function createAfter({
  options: { id, animation },
  findings,
}: {
  options: PrepareSvgOptions;
  findings: Partial<Findings>;
}): CustomPlugin {
  return {
    name: 'icon-catalog-after',
    fn: (root: XastRoot) => {
      if (!root.children.some((child) => child.type === 'element')) throw nothingLeft(id);
      for (const child of root.children)
        if (child.type === 'element') child.attributes['xmlns'] ??= SVG_NAMESPACE;
      const removals = createRemovals();
      const svg = sanitize(root, { id, removals, animation, styles: undefined });
      tameRoot(svg, removals);
      findings.hasIds = resolveReferences(svg, { id, removals, name: (index) => `-${index}` }) > 0;
      checkExpansion(svg, id);
      if (!hasDrawing(svg)) throw nothingLeft(id);
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

function nothingLeft(id: number): IconCatalogError {
  return invalidSvg(id, 'nothing that can be drawn is left of it');
}

function hasDrawing(svg: XastElement): boolean {
  let found = false;
  walkElements(svg, ({ name }) => {
    if (SHAPES.has(name) || name === 'use') found = true;
  });
  return found;
}
