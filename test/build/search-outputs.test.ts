import { describe, expect, it } from 'vitest';
import { presentUsages, readOutputs, type SearchPorts } from '../../src/build/search-outputs.ts';
import type { FoundUsage } from '../../src/build/session-types.ts';

const COUNT = 50;
const ids = Array.from({ length: COUNT }, (_, at) => `icon:${at + 1}`);
const pathOf = (id: string): string => `M${id.slice('icon:'.length)} 2h${id.length}v7.25z`;
const codeOf = (id: string): string => `'<svg><path d="${pathOf(id)}"/></svg>'`;

/** The usages that remain of all icons in one script, and the icons that were looked for by their drawings. */
async function search(
  script: string,
  valueOf = codeOf,
): Promise<{ kept: string[]; looked: number[] }> {
  const looked: number[] = [];
  const modules = { get: (id: string) => ({ value: valueOf(/icon:\d+/.exec(id)?.[0] ?? '') }) };
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

  const circles = (id: string): string => `<svg><circle cx="${id.slice('icon:'.length)}"/></svg>`;
  const short = (id: string): string => `<svg><path d="M${id.slice('icon:'.length)} 2"/></svg>`;
  const address = (id: string): string => `data:image/svg+xml,${short(id).replaceAll('"', '%22')}`;

  it.each([
    ['drawings without paths', circles],
    ['drawings of a short path', short],
    ['addresses of short paths', address],
  ])('are found without a search by drawing: %s in quotes of another kind', async (_, markupOf) => {
    const script = ids.map((id) => `\`${markupOf(id)}\``).join();
    const found = await search(script, (id) => JSON.stringify(markupOf(id)));
    expect(found).toEqual({ kept: ids, looked: [] });
    const less = ids.filter((id) => id !== 'icon:7').map((id) => `\`${markupOf(id)}\``);
    const { looked } = await search(less.join(), (id) => JSON.stringify(markupOf(id)));
    expect(looked).toEqual([7]);
    // Rolldown writes all strings anew.
    const quoted = ids.map((id) => JSON.stringify(markupOf(id))).join();
    const again = await search(quoted, (id) => `'${markupOf(id)}'`);
    expect(again).toEqual({ kept: ids, looked: [] });
  });

  it('are found though one of next to no path stands far from the icon before it', async () => {
    const valueOf = (id: string): string => (id === 'icon:7' ? `'${short(id)}'` : codeOf(id));
    const filler = `/* ${'-'.repeat(3000)} */`;
    for (const all of [ids, ids.toReversed()]) {
      const script = all.map((id) => filler + valueOf(id)).join(';\n');
      expect(await search(script, valueOf)).toEqual({ kept: ids, looked: [] });
    }
  });

  it('are found as components', async () => {
    const valueOf = (id: string): string => `[0,24,{},[["path",{"d":"${pathOf(id)}"}]]]`;
    const script = ids.map((id) => `[0,24,{},[[\`path\`,{d:\`${pathOf(id)}\`}]]]`).join();
    expect(await search(script, valueOf)).toEqual({ kept: ids, looked: [] });
  });

  it('are found though one has the path of another, far behind', async () => {
    const twice = (id: string): string => (id === 'icon:3' ? codeOf('icon:48') : codeOf(id));
    const filler = `/* ${'-'.repeat(3000)} */`;
    const script = ids.map((id) => filler + twice(id)).join(';\n');
    expect(await search(script, twice)).toEqual({ kept: ids, looked: [] });
  });
});
