import { createHash } from 'node:crypto';
import type { ModuleParts } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { RenderPack } from '../store/render-pack.ts';
import type { Credit, IconRequest } from '../types.ts';

export interface FinishedModule {
  parts: ModuleParts;
  /** False: the credit cannot name the version of its licence, which the build says at its end. */
  versionStated: boolean;
}

/** Modules as an earlier build with the same options made them, so that a warm build neither renders nor credits again. */
export interface FinishedModules {
  get(request: IconRequest): FinishedModule | undefined;
  set(request: IconRequest, module: { parts: ModuleParts | undefined; credit: Credit }): void;
}

/**
 * JSON allows white space between values and no bare tab within them: the parts, which are JSON strings as well as
 * JavaScript ones, are cut apart without being read.
 */
const BETWEEN = ',\t';

/**
 * Lines `<canonical>!<hash of the licence options>` of the render pack; its identity holds everything else that a
 * module depends on. What a build has to say anew each time (a licence that is not known, the project's own
 * `svg.transform`) is not kept.
 */
export function createFinishedModules(
  { licenses, svg }: ResolvedOptions,
  pack: Pick<RenderPack<object>, 'getText' | 'setText'>,
): FinishedModules {
  const policy = createHash('sha256').update(JSON.stringify(licenses)).digest('hex').slice(0, 12);
  const keyOf = ({ canonical }: IconRequest): string => `${canonical}!${policy}`;
  const isKept = ({ filetype, as }: IconRequest): boolean =>
    filetype === 'svg' && (as === 'svg' || as === 'data') && svg.transform === undefined;

  return {
    get(request) {
      const text = isKept(request) ? pack.getText(keyOf(request)) : undefined;
      if (text === undefined) return undefined;
      const [value = '', credit = '', icon = '', versionStated] = text.slice(1, -1).split(BETWEEN);
      return { parts: { value, credit, icon }, versionStated: versionStated === 'true' };
    },
    set(request, { parts, credit: { license } }) {
      if (parts === undefined || !isKept(request) || license.status === 'unknown') return;
      const versionStated = license.status !== 'attribution' || license.version !== null;
      const { value, credit, icon } = parts;
      pack.setText(keyOf(request), `[${[value, credit, icon, versionStated].join(BETWEEN)}]`);
    },
  };
}

/** The credit that a module exports. */
export function creditOfParts({ credit }: ModuleParts): Credit {
  return JSON.parse(JSON.parse(credit) as string) as Credit;
}
