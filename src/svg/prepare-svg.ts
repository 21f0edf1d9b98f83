import type { Config as SvgoConfig, CustomPlugin, XastElement, XastRoot } from 'svgo';
import { IconCatalogError } from '../errors.ts';
import type { PaintScheme, SvgMaster } from '../types.ts';
import { SHAPES } from './allowed.ts';
import { checkExpansion } from './check-expansion.ts';
import { findCreditText } from './credit-text.ts';
import { decodeSvg } from './decode-svg.ts';
import { fingerprint } from './fingerprint.ts';
import { invalidSvg } from './limits.ts';
import { limitDashes } from './limit-dashes.ts';
import { SVG_NAMESPACE } from './namespaces.ts';
import { readCanvas, tameRoot, type Canvas } from './read-canvas.ts';
import { recolor } from './recolor.ts';
import { createRemovals, describeRemovals, type Removals } from './removals.ts';
import { resolveColors } from './resolve-colors.ts';
import { resolveReferences } from './resolve-references.ts';
import { sanitize, type StyleSource } from './sanitize.ts';
import { scanMarkup } from './scan-markup.ts';
import { planSvgo } from './svgo-plan.ts';
import { toTemplate, type TemplateParts } from './to-template.ts';
import { walkElements } from './walk.ts';

export interface PrepareSvgOptions {
  /** Icon id, for messages. */
  id: number;
  /** The colour that the file was asked for: the sentinel, or six hex digits of a download for one colour. */
  askedColor: string;
  /** True for a download of one colour: nothing is recoloured. @default false */
  fixedColor?: boolean;
  /** `false`: made safe only; a svgo configuration: its plugins instead of the safe set. */
  optimize: boolean | SvgoConfig;
  /** Active content is an error instead of being removed. */
  strict: boolean;
  /** Keep harmless SMIL animation. */
  animation: boolean;
  /** Largest file in bytes. */
  maxBytes: number;
}

type InlineStyles = typeof import('./inline-styles.ts').inlineStyles;

/** What the visitors find on their way through the one tree. */
interface Findings {
  canvas: Canvas;
  paint: PaintScheme;
  creditText: string[];
  template: TemplateParts;
  hasIds: boolean;
  fingerprint: string;
  /** What the root painted with before svgo. */
  rootFill: string;
  /** svgo wrote something that no list allows. */
  isBroken: boolean;
}

/**
 * A stranger's file → a safe, small master whose colour, size, title, class and id namespace are still open. One parse:
 * sanitise → styles to attributes → recolour → svgo → rename ids → lock down.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE, SVG_UNSAFE (`strict` only)
 */
export async function prepareSvg(
  bytes: Uint8Array,
  options: PrepareSvgOptions,
): Promise<SvgMaster> {
  const { id, strict } = options;
  const text = decodeSvg(bytes, options);
  const size = { ...scanMarkup(text, id), characters: text.length };
  const { optimize } = await import('svgo');
  const inlineStyles = /style/i.test(text)
    ? (await import('./inline-styles.ts')).inlineStyles
    : undefined;
  const run = (using: PrepareSvgOptions['optimize']): SvgMaster => {
    const removals = createRemovals();
    const findings: Partial<Findings> = {};
    const plugins = [
      createBefore({ options, removals, findings, inlineStyles }),
      ...planSvgo(using, { ...size, ...describeMarkup(text, options.animation) }),
      createAfter({ options, findings }),
    ];
    try {
      // Neither several passes nor the user's own writer: what leaves is what the last visitor locked down.
      optimize(text, { plugins });
    } catch (error) {
      throw toSvgError(error, { id, isConfigured: typeof using === 'object' });
    }
    if (strict && removals.active()) throw unsafeSvg(id, removals);
    return findings.isBroken === true && using !== false
      ? run(false)
      : toMaster(findings, removals, id);
  };
  return run(options.optimize);
}

function describeMarkup(
  text: string,
  animation: boolean,
): { hasUse: boolean; hasAnimation: boolean } {
  return {
    hasUse: /<(?:[\w.-]{1,100}:)?use[\s/>]/.test(text),
    hasAnimation: animation && /<(?:[\w.-]{1,100}:)?(?:animate|set)/.test(text),
  };
}

function toMaster(findings: Partial<Findings>, removals: Removals, id: number): SvgMaster {
  const { canvas, paint, template } = findings;
  if (canvas === undefined || paint === undefined || template === undefined)
    throw invalidSvg(id, 'it could not be prepared');
  return {
    ...canvas,
    ...template,
    paint,
    hasIds: findings.hasIds ?? false,
    removed: removals.toCounts(),
    removedVisible: removals.visible(),
    creditText: findings.creditText ?? [],
    fingerprint: findings.fingerprint ?? '',
  };
}

function unsafeSvg(id: number, removals: Removals): IconCatalogError {
  const found = describeRemovals(id, removals.toCounts()).replace(
    ': removed',
    ' has active content:',
  );
  return new IconCatalogError('SVG_UNSAFE', { message: `${found}.`, icon: id });
}

function createBefore({
  options: { id, askedColor, fixedColor = false, animation },
  removals,
  findings,
  inlineStyles,
}: {
  options: PrepareSvgOptions;
  removals: Removals;
  findings: Partial<Findings>;
  inlineStyles: InlineStyles | undefined;
}): CustomPlugin {
  return {
    name: 'icon-catalog-before',
    fn: (root: XastRoot) => {
      const sources: StyleSource = { sheets: [], own: new Map() };
      const svg = sanitize(root, { id, removals, animation, styles: sources });
      const canvas = readCanvas(svg, id);
      inlineStyles?.(svg, { sources, id, removals });
      tameRoot(svg);
      resolveReferences(svg, { id, removals, name: (index) => `a${index}` });
      limitDashes(svg, { removals, expansion: checkExpansion(svg, id) });
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
function createAfter({
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
      tameRoot(svg);
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

/** The parser's own words may quote the file; they stay out. */
function toSvgError(
  error: unknown,
  { id, isConfigured }: { id: number; isConfigured: boolean },
): unknown {
  if (error instanceof IconCatalogError) return error;
  if (
    error instanceof Error &&
    error.name === 'SvgoParserError' &&
    'line' in error &&
    'column' in error
  )
    return invalidSvg(
      id,
      `it is not well-formed XML at line ${String(error.line)}, column ${String(error.column)}`,
    );
  if (isConfigured && error instanceof Error)
    return new IconCatalogError('OPTIONS_INVALID', {
      message: `icon ${id}: svgo failed with the configuration in \`svg.optimize\`: ${error.message}`,
      icon: id,
      path: 'svg.optimize',
      cause: error,
    });
  return invalidSvg(id, 'it could not be optimised');
}
