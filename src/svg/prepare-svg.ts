import { createRequire } from 'node:module';
import type * as Svgo from 'svgo';
import { IconCatalogError } from '../errors.ts';
import type { SvgLimits, SvgMaster } from '../types.ts';
import { decodeSvg } from './decode-svg.ts';
import { invalidSvg } from './limits.ts';
import { createRemovals, describeRemovals, type Removals } from './removals.ts';
import { scanMarkup } from './scan-markup.ts';
import { createAfter, createBefore, type Findings } from './svg-visitors.ts';
import { planSvgo, type Overrides } from './svgo-plan.ts';

export interface PrepareSvgOptions {
  /** Icon id, for messages. */
  id: number;
  /** The colour that the file was asked for: the sentinel, or six hex digits of a download for one colour. */
  askedColor: string;
  /** True for a download of one colour: nothing is recoloured. @default false */
  fixedColor?: boolean;
  /** `false`: made safe only; a svgo configuration: its plugins instead of the safe set. */
  optimize: boolean | Svgo.Config;
  /** Active content is an error instead of being removed. */
  strict: boolean;
  /** Keep harmless SMIL animation. */
  animation: boolean;
  /** Largest file in bytes. */
  maxBytes: number;
  limits?: SvgLimits | undefined;
}

/**
 * svgo in its one bundled file, which loads in a third of the time of its many modules; the rest is for reading configuration
 * files, which we do not. A caller may spend the time while it waits for a file.
 */
export function loadSvgo(): Promise<Pick<typeof Svgo, 'optimize'>> {
  // Loaders that turn `import()` into `require` (jiti 1, with which Docusaurus reads its configuration) cannot have that file.
  return import('svgo/browser').catch(() => createRequire(import.meta.url)('svgo') as typeof Svgo);
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
    const plugins = [
      createBefore({ options, removals, findings, inlineStyles, overrides }),
      ...plan,
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
