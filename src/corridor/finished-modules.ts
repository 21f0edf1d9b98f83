import { createHash } from 'node:crypto';
import { unacceptedConditions } from '../attribution/license-policy.ts';
import type { ModuleParts } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { TextPack } from '../store/text-pack.ts';
import type { Credit, IconRequest } from '../types.ts';
import { filesInProof } from './proof.ts';
import type { ProvenModules } from './proven-modules.ts';
import { toValueId } from './value-id.ts';

export interface FinishedModule {
  /** Expression of the default export. */
  value: string;
  /** False: the credit cannot name the version of its licence, which the build says at its end. */
  versionStated: boolean;
  /** True: nobody asked for a colour, and the drawing has several, which it keeps. The build says so at its end. */
  keepsColors: boolean;
  /** True: the licence asks for credit, and no attribution file is written. */
  creditMissing: boolean;
}

export type FinishedRecords = Pick<ModuleParts, 'credit' | 'icon'>;

/** Modules as an earlier build with the same options made them, so that a warm build neither renders nor credits again. */
export interface FinishedModules {
  /** @param valueId as `toValueId` makes it of a canonical id */
  get(valueId: string): FinishedModule | undefined;
  /** Hash of a whole module that `get` knows, the credit included. */
  digest(valueId: string): string | undefined;
  /** The rest of a module that `get` knows; `undefined` where it was damaged. */
  records(valueId: string): Promise<FinishedRecords | undefined>;
  set(
    request: IconRequest,
    module: { parts: ModuleParts | undefined; credit: Credit; proof: string | undefined },
  ): void;
}

/** White space that JavaScript allows between tokens and no string literal holds: parts are cut apart without being read. */
const BETWEEN = '\t';
/** Length of what stands behind the value: two separators, a hash, one digit, which is the sum of what applies below. */
const TAIL = 67;
const VERSION_STATED = 1;
const KEEPS_COLORS = 2;
const CREDIT_REQUIRED = 4;

/**
 * Lines of two text packs, whose identity holds everything that a module depends on besides its variant: values, which
 * every build needs, and records, which few do. What every build has to report again (a licence that is not known
 * or asks something of the project, the project's own `svg.transform`) is not kept.
 *
 * @param packs.values is open
 */
export function createFinishedModules(
  { attribution, framework, licenses, svg }: ResolvedOptions,
  {
    values,
    records,
    proven,
  }: { values: TextPack; records: TextPack; proven: Pick<ProvenModules, 'accepts' | 'made'> },
): FinishedModules {
  const isKept = ({ filetype, as }: IconRequest): boolean =>
    filetype === 'svg' &&
    (as === 'svg' || as === 'data' || (as === 'component' && typeof framework === 'string')) &&
    svg.transform === undefined;

  function accepted(valueId: string): string | undefined {
    const text = values.get(valueId);
    return text !== undefined && proven.accepts(valueId, text) ? text : undefined;
  }

  function digest(valueId: string): string | undefined {
    const text = accepted(valueId);
    return text && digestOfValue(text);
  }

  return {
    get(valueId) {
      const text = accepted(valueId);
      if (text === undefined) return undefined;
      const flags = Number(text.at(-1));
      return {
        value: text.slice(0, -TAIL),
        versionStated: (flags & VERSION_STATED) !== 0,
        keepsColors: (flags & KEEPS_COLORS) !== 0,
        creditMissing: attribution === false && (flags & CREDIT_REQUIRED) !== 0,
      };
    },
    digest,
    async records(valueId) {
      await records.open();
      const [credit = '', icon = '', said] = records.get(valueId)?.split(BETWEEN) ?? [];
      // The two files may have been written by different builds.
      return said !== undefined && said === digest(valueId) ? { credit, icon } : undefined;
    },
    set(request, { parts, credit: { credit: said, license }, proof }) {
      if (parts === undefined || proof === undefined) return;
      if (!isKept(request) || license.status === 'unknown') return;
      if (unacceptedConditions(license, licenses.allow) !== undefined) return;
      const versionStated = license.status !== 'attribution' || license.version !== null;
      const keepsColors = request.color === 'currentColor' && filesInProof(proof) > 1;
      const flags =
        (versionStated ? VERSION_STATED : 0) +
        (keepsColors ? KEEPS_COLORS : 0) +
        (said.required ? CREDIT_REQUIRED : 0);
      const { value, credit, icon } = parts;
      const made = hash([value, credit, icon].join(BETWEEN));
      const id = toValueId(request.canonical);
      values.set(id, [value, made, flags].join(BETWEEN));
      records.set(id, [credit, icon, made, proof].join(BETWEEN));
      proven.made(id);
    },
  };
}

export function digestOfValue(text: string): string {
  return text.slice(1 - TAIL, -2);
}

/** Digest and proof of a line of records. */
export function proofOfRecords(text: string): { digest: string; proof: string } {
  const [, , digest = '', proof = ''] = text.split(BETWEEN);
  return { digest, proof };
}

/** The credit that a module exports. */
export function creditOfRecords({ credit }: FinishedRecords): Credit {
  return JSON.parse(JSON.parse(credit) as string) as Credit;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
