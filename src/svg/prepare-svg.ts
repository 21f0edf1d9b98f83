import { createRequire } from 'node:module';
import type * as Svgo from 'svgo';
import type { CustomPlugin, XastElement, XastRoot } from 'svgo';
import { IconCatalogError } from '../errors.ts';
import type { PaintScheme, SvgLimits, SvgMaster } from '../types.ts';
import { SHAPES } from './allow-list.ts';
import { decodeSvg } from './decode-svg.ts';
import { checkExpansion } from './expansion.ts';
import type { inlineStyles as InlineStyles } from './inline-styles.ts';
import {
  limitDashes,
  foldOrigins,
  wrapNested,
  type Canvas,
  readCanvas,
  tameRoot,
} from './canvas.ts';
import {
  createRemovals,
  describeRemovals,
  invalidSvg,
  type Removals,
  scanMarkup,
} from './refusals.ts';
import { recolor } from './recolor.ts';
import { resolveColors } from './resolve-colors.ts';
import { resolveReferences } from './resolve-references.ts';
import { SVG_NAMESPACE } from './sanitize-attributes.ts';
import { sanitize, type StyleSource } from './sanitize.ts';
import { findOverrides, type Overrides, planSvgo } from './svgo-plan.ts';
import { findCreditText, findNotices } from './text.ts';
import { fingerprint, type TemplateParts, toTemplate } from './to-template.ts';
import { isVisibleAtRest } from './sanitize-animation.ts';
import { childrenOf, hasElement } from './walk.ts';

export interface PrepareSvgOptions {
  id: number;
  /** The colour that was requested: the sentinel, or six hex digits of a download for one colour. */
  askedColor: string;
  /** True for a download of one colour: nothing is recoloured. @default false */
  fixedColor?: boolean;
  /** `false`: the file is sanitised only; a svgo configuration: its plugins are used instead of the safe set. */
  optimize: boolean | Svgo.Config;
  /** Makes active content an error instead of removing it. */
  strict: boolean;
  /** Keeps harmless SMIL animation. */
  animation: boolean;
  maxBytes: number;
  limits?: SvgLimits | undefined;
}

/**
 * svgo in its single bundled file, which loads in a third of the time of its many modules; the rest is for reading
 * configuration files, which is not needed here. A caller may load it while it waits for a file.
 */
export function loadSvgo(): Promise<Pick<typeof Svgo, 'optimize'>> {
  // Loaders that turn `import()` into `require` (jiti 1, with which Docusaurus reads its configuration) cannot load
  // that file.
  return (svgo ??= import('svgo/browser').catch(
    () => createRequire(import.meta.url)('svgo') as typeof Svgo,
  ));
}

let svgo: Promise<Pick<typeof Svgo, 'optimize'>> | undefined;

/**
 * An untrusted file → a safe, small master whose colour, size, title, class and id namespace are still open. One parse:
 * sanitise → styles to attributes → recolour → svgo → rename ids → lock down.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE, SVG_UNSAFE (`strict` only)
 */
export async function prepareSvg(
  bytes: Uint8Array,
  options: PrepareSvgOptions,
): Promise<SvgMaster> {
  const { id, strict } = options;
  const text = decodeSvg(bytes, options);
  const size = { ...scanMarkup(text, options), characters: text.length };
  const { optimize } = await loadSvgo();
  const inlineStyles = /style/i.test(text)
    ? (await import('./inline-styles.ts')).inlineStyles
    : undefined;
  const run = (using: PrepareSvgOptions['optimize']): SvgMaster => {
    const removals = createRemovals();
    const findings: Partial<Findings> = {};
    const overrides: Overrides = {};
    const plan = planSvgo(using, {
      size: { ...size, hasAnimation: options.animation && ANIMATED.test(text) },
      overrides,
    });
    const pass = { options, removals, findings, inlineStyles, overrides };
    const plugins = [createBefore(pass), ...plan, createAfter(pass)];
    try {
      // Neither several passes nor the user's own writer are used: the output is what the last visitor locked down.
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

const ANIMATED = /<(?:[\w.-]{1,100}:)?(?:animate|set)/;

function toMaster(findings: Partial<Findings>, removals: Removals, id: number): SvgMaster {
  const { canvas, paint, template } = findings;
  if (canvas === undefined || paint === undefined || template === undefined)
    throw invalidSvg(id, 'it could not be prepared');
  return {
    ...canvas,
    ...template,
    paint,
    tone: findings.tone,
    hasIds: findings.hasIds ?? false,
    removed: removals.toCounts(),
    removedVisible: removals.visible(),
    creditText: findings.creditText ?? [],
    notices: findings.notices ?? [],
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

/** The parser's own message may quote the file, so it is left out. */
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

/** What the visitors find while they walk over the one tree. */
interface Findings {
  canvas: Canvas;
  paint: PaintScheme;
  tone: string | undefined;
  creditText: string[];
  notices: string[];
  template: TemplateParts;
  hasIds: boolean;
  fingerprint: string;
  rootFill: string;
  hasLostAnimation: boolean;
  /** True if svgo wrote something that is not on any list. */
  isBroken: boolean;
}

/** What the two visitors around svgo share. */
interface Pass {
  options: PrepareSvgOptions;
  removals: Removals;
  findings: Partial<Findings>;
  inlineStyles: typeof InlineStyles | undefined;
  /** The parameters of the preset that follows, which reads them when it runs. */
  overrides: Overrides;
}

/** Sanitise → styles to attributes → references → recolour, on the tree as it was parsed. */
function createBefore({
  options,
  removals,
  findings,
  inlineStyles,
  overrides,
}: Pass): CustomPlugin {
  const { id, askedColor, fixedColor = false, animation, limits } = options;
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

/** The last check, whichever plugins ran before, built-in or the user's own: only what is on the list passes. */
function createAfter({ options: { id, animation, limits }, findings }: Pass): CustomPlugin {
  return {
    name: 'icon-catalog-after',
    fn: (root: XastRoot) => {
      if (childrenOf(root).length === 0) throw nothingLeft(id, findings);
      for (const child of childrenOf(root)) child.attributes['xmlns'] ??= SVG_NAMESPACE;
      const removals = createRemovals();
      const svg = sanitize(root, { id, removals, animation, styles: undefined });
      tameRoot(svg, removals);
      wrapNested(svg);
      findings.hasIds = resolveReferences(svg, { id, removals, name: (index) => `-${index}` }) > 0;
      const { canvas = { width: 1, height: 1 } } = findings;
      checkExpansion(svg, { id, limits, canvas });
      if (!hasElement(svg, ({ name }) => SHAPES.has(name) || name === 'use'))
        throw nothingLeft(id, findings);
      const withColor = findings.paint === 'sentinel' || findings.paint === 'mono';
      if (inheritsFill(svg)) svg.attributes['fill'] ??= findings.rootFill ?? '#000';
      else delete svg.attributes['fill'];
      findings.template = toTemplate(svg, { withColor });
      findings.fingerprint = fingerprint(svg);
      findings.isBroken = removals.counts.has('invalid-value');
      // The template is the output, so svgo need not write its own.
      root.children = [];
      return null;
    },
  };
}

function nothingLeft(id: number, { hasLostAnimation }: Partial<Findings>): IconCatalogError {
  return hasLostAnimation === true
    ? new IconCatalogError('SVG_INVALID', {
        message: `icon ${id}: nothing of it is visible before its animation runs, and animations are removed.`,
        icon: id,
        remedy: 'Set `svg.animation: true` to keep its animation, or choose another icon.',
      })
    : invalidSvg(id, 'nothing is left of it that can be drawn');
}

/** Whether anything that paints takes its fill from the root. */
function inheritsFill(node: XastElement): boolean {
  return childrenOf(node).some((child) => {
    const { name, attributes } = child;
    if ((attributes['fill'] ?? 'inherit') !== 'inherit') return false;
    return SHAPES.has(name) || name === 'use' || inheritsFill(child);
  });
}
