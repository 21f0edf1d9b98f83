import { describe, expect, it } from 'vitest';
import { presentUsages, readOutputs, type SearchPorts } from '../../src/build/search-outputs.ts';
import type { FoundUsage } from '../../src/build/session-types.ts';

const COUNT = 50;
const ids = Array.from({ length: COUNT }, (_, at) => `icon:${at + 1}`);
const pathOf = (id: string): string => `M${id.slice('icon:'.length)} 2h${id.length}v7.25z`;
const codeOf = (id: string): string => `'<svg><path d="${pathOf(id)}"/></svg>'`;

/** The usages that remain of all icons in one script, and the icons that were looked for by their drawings. */
async function search(script: string): Promise<{ kept: string[]; looked: number[] }> {
  const looked: number[] = [];
  const modules = { get: (id: string) => ({ value: codeOf(/icon:\d+/.exec(id)?.[0] ?? '') }) };
  const ports = {
    isRedrawn: false,
    loaded: new Set<string>(),
    request: (id: string) => ({ id: Number(id.slice('icon:'.length)), filetype: 'svg', as: 'svg' }),
    pipeline: {
      modulesNow: () => modules,
      fingerprint: async (id: number) => {
        looked.push(id);
        return undefined;
      },
    },
  } as unknown as SearchPorts;
  const usages = ids.map((id): FoundUsage => ({ id, file: 'main.js', kind: 'inline-js' }));
  const outputs = readOutputs([{ fileName: 'main.js', content: Buffer.from(script) }]);
  const present = await presentUsages(usages, outputs, { consumer: 'client', ports });
  return { kept: present.map(({ id }) => id), looked };
}

describe('icons of a finished script', () => {
  const scripts = {
    'in the order of their imports': ids.map(codeOf),
    'in the opposite order': ids.toReversed().map(codeOf),
    'in an order of its own': ids.toSorted().map(codeOf),
    'in quotes with a backslash': ids.toReversed().map((id) => JSON.stringify(codeOf(id))),
    'in an address': ids.toReversed().map((id) => `"data:,%3Cpath d=%22${pathOf(id)}%22/%3E"`),
    'in another attribute': ids.toReversed().map((id) => `{path:"${pathOf(id)}"}`),
  };

  it.each(Object.entries(scripts))('are found %s', async (_, codes) => {
    const { kept, looked } = await search(codes.join(';\n'));
    expect(kept).toEqual(ids);
    expect(looked).toEqual([]);
  });

  it.each([ids, ids.toReversed()])(
    'are looked for by their drawing if they are gone',
    async (...all) => {
      const { looked } = await search(
        all
          .filter((id) => id !== 'icon:7')
          .map(codeOf)
          .join(),
      );
      expect(looked).toEqual([7]);
    },
  );
});
