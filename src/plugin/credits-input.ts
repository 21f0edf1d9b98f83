import { createHash } from 'node:crypto';
import type { Corridor } from '../corridor/create-corridor.ts';
import type { ShippedIcon } from './shipped-icon.ts';

/** Raise when the same credits would be rendered into another file than before. */
const RENDERING = 5;

export interface CreditsInputPorts {
  shipped(valueId: string): Promise<ShippedIcon | undefined>;
  context(): { corridor: Corridor };
}

/** Hash of everything that attribution files are made of, without the places where icons are used. */
export interface CreditsInput {
  /** @param valueIds in order */
  of(valueIds: readonly string[]): Promise<string>;
  /** Makes that of all these ready while the bundler is busy; where fewer ship in the end, it was for nothing. */
  expect(valueIds: ReadonlySet<string>): Promise<void>;
  /** What was made ready is of another build. */
  forget(): void;
}

export function createCreditsInput({ shipped, context }: CreditsInputPorts): CreditsInput {
  let ready: { ids: string; input: string } | undefined;
  /** Counts up where an input that is still being made would come too late. */
  let turn = 0;

  function forget(): void {
    ready = undefined;
    turn += 1;
  }

  async function inputOf(
    valueIds: readonly string[],
    made: (valueId: string) => Promise<string> | undefined,
  ): Promise<string | undefined> {
    const { corridor } = context();
    const finished = await corridor.finished();
    const { name, siteUrl, termsUrl } = await corridor.catalog();
    let lines = JSON.stringify([RENDERING, name, siteUrl, termsUrl]);
    for (const id of valueIds) {
      // That of a finished module is known.
      const known = finished.digest(id) ?? made(id);
      if (known === undefined) return undefined;
      lines += `\n${id} ${typeof known === 'string' ? known : await known}`;
    }
    return createHash('sha256').update(lines).digest('hex');
  }

  async function drawn(id: string): Promise<string> {
    const found = await shipped(id);
    return found === undefined ? '' : JSON.stringify([found.credit, await found.draw()]);
  }

  return {
    async of(valueIds) {
      const expected = ready;
      forget();
      if (expected?.ids === valueIds.join('\n')) return expected.input;
      return (await inputOf(valueIds, drawn)) ?? '';
    },
    async expect(valueIds) {
      const ids = [...valueIds].toSorted();
      const begun = turn;
      const input = await inputOf(ids, () => undefined);
      if (input !== undefined && begun === turn) ready = { ids: ids.join('\n'), input };
    },
    forget,
  };
}
