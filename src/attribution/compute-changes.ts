import type { Change, ChangeKind, Filetype } from '../types.ts';
import { compareCodeUnits, toPlainLine } from './plain-text.ts';

/** What the pipeline did to one variant of an icon. */
export interface PipelineFacts {
  filetype: Filetype;
  recolored: boolean;
  /** Width or height of the canvas set. */
  resized: boolean;
  optimized: boolean;
  /** The sanitiser took away something that could be seen. */
  sanitizedVisible: boolean;
  /** The project's `svg.transform` ran and returned something else. */
  transformed: boolean;
  /** The drawing moved, and does so no more. @default false */
  animationRemoved?: boolean;
  creditTextRemoved: boolean;
  /** Pixels were made of the drawing. */
  rasterized: boolean;
  viewBoxChanged?: boolean;
  metadataAdded?: boolean;
  /** Who painted. @default the service for png, the plugin for svg */
  recoloredBy?: 'plugin' | 'service';
  /** Words of credit text drawn into the file. Kept in the record when the text is removed. */
  creditText?: readonly string[];
  /** Earlier changes, where the catalog states them. */
  prior?: readonly string[];
  /** True only where the bytes that ship are the bytes that came. @default false */
  identical?: boolean;
}

const ORDER: readonly ChangeKind[] = [
  'prior',
  'recolor',
  'resize',
  'viewbox',
  'format',
  'sanitize',
  'credit-removed',
  'transform',
  'custom',
  'metadata-added',
  'optimize',
];

/** The changes to state for an icon. Empty only for a file that ships byte for byte as it came. */
export function computeChanges(facts: PipelineFacts): Change[] {
  const by = facts.filetype === 'png' ? 'service' : 'plugin';
  const changes: Change[] = (facts.prior ?? []).map((summary) => ({
    kind: 'prior',
    summary: toPlainLine(summary) || 'changed before, in a way that is not stated',
    visible: true,
    by: 'upstream',
  }));
  const add = (kind: ChangeKind, summary: string, rest: Partial<Change> = {}): void => {
    changes.push({ kind, summary, visible: true, by, ...rest });
  };
  if (facts.recolored) add('recolor', 'recoloured', { by: facts.recoloredBy ?? by });
  if (facts.resized) add('resize', 'canvas resized');
  if (facts.viewBoxChanged === true) add('viewbox', 'view box changed');
  if (facts.rasterized) add('format', 'rasterised');
  if (facts.sanitizedVisible) add('sanitize', 'unsafe parts removed', { by: 'plugin' });
  if (facts.animationRemoved === true) add('sanitize', 'animation removed', { by: 'plugin' });
  if (facts.creditTextRemoved)
    add('credit-removed', removedCredit(facts.creditText), { by: 'plugin' });
  if (facts.transformed) add('transform', 'transformed by the project', { by: 'project' });
  if (facts.metadataAdded === true)
    add('metadata-added', 'credit added to the file', { visible: false, by: 'plugin' });
  if (facts.optimized) add('optimize', 'optimised', { visible: false, by: 'plugin' });
  if (changes.length === 0 && facts.identical !== true) {
    add('optimize', 're-encoded', { visible: false, by: 'plugin' });
  }
  return mergeChanges(changes);
}

/** The union of the changes of several variants: each once, in one order. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const changeByKey = new Map<string, Change>();
  for (const { kind, summary, visible, by } of changes) {
    changeByKey.set(`${kind}\n${by}\n${visible}\n${summary}`, { kind, summary, visible, by });
  }
  return [...changeByKey.entries()]
    .sort(
      ([keyA, a], [keyB, b]) =>
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || compareCodeUnits(keyA, keyB),
    )
    .map(([, change]) => change);
}

/** Changes as words of a credit: `recoloured; optimised (encoding only)`, `none` for no change. */
export function describeChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return 'none';
  return [
    ...new Set(
      changes.map(
        ({ summary, visible }) => `${toPlainLine(summary)}${visible ? '' : ' (encoding only)'}`,
      ),
    ),
  ].join('; ');
}

function removedCredit(words: readonly string[] = []): string {
  const said = words.map(toPlainLine).filter((line) => line !== '');
  return said.length === 0
    ? 'drawn credit text removed'
    : `drawn credit text removed: “${said.join(' ')}”`;
}
