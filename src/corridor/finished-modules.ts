import { createHash } from 'node:crypto';
import type { ModuleParts } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { RenderPack } from '../store/render-pack.ts';
import type { Credit, IconRequest } from '../types.ts';

export interface FinishedModule {
  /** Expression of the default export. */
  value: string;
  /** Hash of the whole module, the credit included. */
  digest: string;
  /** False: the credit cannot name the version of its licence, which the build says at its end. */
  versionStated: boolean;
}

export type FinishedRecords = Pick<ModuleParts, 'credit' | 'icon'>;

/** Modules as an earlier build with the same options made them, so that a warm build neither renders nor credits again. */
export interface FinishedModules {
  get(request: IconRequest): FinishedModule | undefined;
  /** The same as `get` gives, without reading the module again. */
  digest(request: IconRequest): string | undefined;
  /** The rest of a module that `get` knows; `undefined` where it was damaged. */
  records(request: IconRequest): Promise<FinishedRecords | undefined>;
  set(request: IconRequest, module: { parts: ModuleParts | undefined; credit: Credit }): void;
}

type TextPack = Pick<RenderPack<object>, 'open' | 'getText' | 'setText'>;

/**
 * JSON allows white space between values and no bare tab within them: the parts, which are JSON strings as well as
 * JavaScript ones, are cut apart without being read.
 */
const BETWEEN = ',\t';

/**
 * Lines `<canonical>!<hash of the licence options>` of two render packs, whose identity holds everything else that a
 * module depends on: values, which every build needs, and records, which few do. What a build has to say anew each
 * time (a licence that is not known, the project's own `svg.transform`) is not kept.
 *
 * @param packs.values is open
 */
export function createFinishedModules(
  { licenses, svg }: ResolvedOptions,
  { values, records }: { values: TextPack; records: TextPack },
): FinishedModules {
  const policy = hash(JSON.stringify(licenses)).slice(0, 12);
  const keyOf = ({ canonical }: IconRequest): string => `${canonical}!${policy}`;
  const isKept = ({ filetype, as }: IconRequest): boolean =>
    filetype === 'svg' && (as === 'svg' || as === 'data') && svg.transform === undefined;

  const digests = new Map<string, string>();

  function get(request: IconRequest): FinishedModule | undefined {
    const text = isKept(request) ? values.getText(keyOf(request)) : undefined;
    if (text === undefined) return undefined;
    const [value = '', digest = '', versionStated] = text.slice(1, -1).split(BETWEEN);
    digests.set(request.canonical, digest);
    return { value, digest, versionStated: versionStated === 'true' };
  }

  return {
    get,
    digest: (request) => digests.get(request.canonical) ?? get(request)?.digest,
    async records(request) {
      await records.open();
      const text = records.getText(keyOf(request));
      if (text === undefined) return undefined;
      const [credit = '', icon = '', digest] = text.slice(1, -1).split(BETWEEN);
      // The two files may have been written by different builds.
      return digest === get(request)?.digest ? { credit, icon } : undefined;
    },
    set(request, { parts, credit: { license } }) {
      if (parts === undefined || !isKept(request) || license.status === 'unknown') return;
      const versionStated = license.status !== 'attribution' || license.version !== null;
      const { value, credit, icon } = parts;
      const digest = `"${hash([value, credit, icon].join(BETWEEN))}"`;
      const key = keyOf(request);
      digests.delete(request.canonical);
      values.setText(key, `[${[value, digest, versionStated].join(BETWEEN)}]`);
      records.setText(key, `[${[credit, icon, digest].join(BETWEEN)}]`);
    },
  };
}

/** The credit that a module exports. */
export function creditOfRecords({ credit }: FinishedRecords): Credit {
  return JSON.parse(JSON.parse(credit) as string) as Credit;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
