import type { LoadContext } from '../pipeline/load-icon.ts';
import { creditOfRecords, type CachedModule } from '../pipeline/module-cache.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { toDefaultId } from '../request/key.ts';
import type { Credit, IconRequest } from '../types.ts';
import { sha256Hex } from '../store/hash.ts';

export interface ShippedIcon {
  credit: Credit;
  /** Drawn only where it is shown: once an icon, however many variants of it ship. */
  draw(): Promise<string>;
}

/** What an icon that ships is credited as; `undefined` where it ships no artwork. */
export async function shippedIcon(
  wanted: IconRequest,
  { pipeline, options }: LoadContext,
): Promise<ShippedIcon | undefined> {
  // A module of bare metadata ships no artwork.
  if (wanted.as === 'meta') return undefined;
  const { modules } = await pipeline.open();
  const defaultId = toDefaultId(wanted.canonical);
  const kept = modules.get(defaultId);
  const records = kept && (await modules.records(defaultId));
  if (kept !== undefined && records !== undefined) {
    return {
      credit: creditOfRecords(records),
      async draw() {
        const plain = plainMarkup(wanted, kept);
        if (plain !== undefined) return plain;
        const { drawForCredits } = await import('../pipeline/load-icon.ts');
        return drawForCredits(wanted, await pipeline.source(wanted));
      },
    };
  }
  const { creditedIcon } = await import('../pipeline/load-icon.ts');
  const found = await creditedIcon(wanted, { pipeline, options });
  return found && { credit: found.credit, draw: async () => found.draw() };
}

/** Markup of a module that is drawn as the credits page draws it. */
function plainMarkup(
  { as, color, size, title, class: className }: IconRequest,
  { value }: CachedModule,
): string | undefined {
  const isPlain =
    as === 'svg' &&
    color === 'currentColor' &&
    size === '1em' &&
    title === null &&
    className === null;
  return isPlain ? (JSON.parse(value) as string) : undefined;
}

/** Raise when the same credits would be rendered into another file than before. */
const RENDERING = 5;

interface CreditsInputPorts {
  shipped(defaultId: string): Promise<ShippedIcon | undefined>;
  context(): { pipeline: Pipeline };
}

/** Hash of everything that attribution files are made of, without the places where icons are used. */
interface CreditsInput {
  /** @param defaultIds in order */
  of(defaultIds: readonly string[]): Promise<string>;
  /** Makes that of all these ready while the bundler is busy; where fewer ship in the end, it was for nothing. */
  expect(defaultIds: ReadonlySet<string>): void;
  /** What was made ready is of another build. */
  forget(): void;
}

export function createCreditsInput({ shipped, context }: CreditsInputPorts): CreditsInput {
  let expected: { ids: string; input: Promise<string | undefined> } | undefined;

  async function inputOf(
    defaultIds: readonly string[],
    made: (defaultId: string) => Promise<string> | undefined,
  ): Promise<string | undefined> {
    const { pipeline } = context();
    const { modules, catalog } = await pipeline.open();
    const { name, siteUrl, termsUrl } = catalog;
    let lines = JSON.stringify([RENDERING, name, siteUrl, termsUrl]);
    for (const id of defaultIds) {
      // That of a finished module is known.
      const known = modules.digest(id) ?? made(id);
      if (known === undefined) return undefined;
      lines += `\n${id} ${typeof known === 'string' ? known : await known}`;
    }
    return sha256Hex(lines);
  }

  async function drawn(id: string): Promise<string> {
    const found = await shipped(id);
    return found === undefined ? '' : JSON.stringify([found.credit, await found.draw()]);
  }

  return {
    async of(defaultIds) {
      const { ids, input } = expected ?? {};
      expected = undefined;
      const ready = ids === defaultIds.join('\n') ? await input : undefined;
      return ready ?? (await inputOf(defaultIds, drawn)) ?? '';
    },
    expect(defaultIds) {
      const ids = [...defaultIds].toSorted();
      // What fails here fails again for the files.
      const input = inputOf(ids, () => undefined).catch(() => undefined);
      expected = { ids: ids.join('\n'), input };
    },
    forget() {
      expected = undefined;
    },
  };
}
