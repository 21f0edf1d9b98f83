import { resolve } from 'node:path';
import { findLeftover } from '../find-leftover.ts';
import { inlineStyle } from '../inline-style.ts';
import { usagesOfPlaced, type PlacedIcon } from '../placed-icons.ts';
import type { FoundUsage, Session } from '../session-types.ts';
import { readText } from './output-files.ts';

/** What is read of Farm's resources; `bytes` are a plain list. */
interface StyleResources {
  [name: string]: {
    name: string;
    bytes?: readonly number[];
    info?: { moduleIds: string[] } | null;
  };
}

export interface StyleIcons {
  /** @param file absolute */
  transform(css: string, file: string, placeholder: boolean): Promise<string>;
  /** Canonical ids of what these modules hold. @param modules Farm's ids or paths */
  ids(modules: Iterable<string>, root: string): Promise<string[]>;
  /** What the style sheets of the output hold. */
  usages(
    resources: StyleResources,
    options: { root: string; consumer: 'client' | 'server' },
  ): Promise<FoundUsage[]>;
}

const STYLE = /\.(?:css|scss|sass|less|styl)$/;
const TEXT = /\.(?:css|html?|[cm]?js)$/;

export function createStyleIcons(session: Session): StyleIcons {
  const placedBy = new Map<string, PlacedIcon[]>();

  async function transform(css: string, file: string, placeholder: boolean): Promise<string> {
    const inlined = await inlineStyle(css, { session, file, placeholder });
    placedBy.set(file, inlined.placed);
    return inlined.css;
  }

  async function placedIn(modules: Iterable<string>, root: string): Promise<PlacedIcon[]> {
    const placed: PlacedIcon[] = [];
    for (const id of new Set(modules)) {
      const file = resolve(root, id.replace(/\?.*$/, ''));
      if (!STYLE.test(file) && !placedBy.has(file)) continue;
      // Farm's cache keeps transformed style sheets: what they hold is read in the file again.
      if (!placedBy.has(file)) await transform(readText(file) ?? '', file, false);
      placed.push(...(placedBy.get(file) ?? []));
    }
    return placed;
  }

  return {
    transform,
    ids: async (modules, root) => (await placedIn(modules, root)).map(({ id }) => id),
    async usages(resources, { root, consumer }) {
      const outputs = Object.values(resources)
        .filter(({ name, bytes }) => TEXT.test(name) && bytes !== undefined)
        .map(({ name, bytes = [] }) => ({
          fileName: name,
          text: Buffer.from(bytes as number[]).toString(),
        }));
      const leftover = findLeftover(outputs);
      if (leftover !== undefined) throw leftover;
      const modules = Object.values(resources).flatMap(({ info }) => info?.moduleIds ?? []);
      const placed = await placedIn(modules, root);
      return usagesOfPlaced(placed, { outputs, fileNameOf: () => undefined, consumer });
    },
  };
}
