import { describe, expect, it } from 'vitest';
import {
  absentIcons,
  presentUsages,
  readOutputs,
  type SearchPorts,
} from '../../src/build/search-outputs.ts';
import type { FoundUsage } from '../../src/build/session-types.ts';

const COUNT = 50;
const ids = Array.from({ length: COUNT }, (_, at) => `icon:${at + 1}`);
const pathOf = (id: string): string => `M${id.slice('icon:'.length)} 2h${id.length}v7.25z`;
/** As fingerprints have it. */
const drawingOf = (id: string): string => pathOf(id).replaceAll(' ', '');
const codeOf = (id: string): string => `'<svg><path d="${pathOf(id)}"/></svg>'`;

function portsOf(
  valueOf: (id: string) => string,
  fingerprintOf: (id: number) => string | undefined,
): SearchPorts {
  const modules = { get: (id: string) => ({ value: valueOf(/icon:\d+/.exec(id)?.[0] ?? '') }) };
  return {
    isRedrawn: false,
    loaded: new Set<string>(),
    request: (id: string) => ({
      id: Number.parseInt(id.slice('icon:'.length)),
      filetype: 'svg',
      as: 'svg',
    }),
    pipeline: {
      modulesNow: () => modules,
      fingerprint: async (id: number) => fingerprintOf(id),
    },
  } as unknown as SearchPorts;
}

/** The usages that remain of all icons in one script, and the icons that were looked for by their drawings. */
async function search(
  script: string,
  valueOf = codeOf,
  fingerprintOf: (id: string) => string | undefined = () => undefined,
): Promise<{ kept: string[]; looked: number[] }> {
  const looked: number[] = [];
  const ports = portsOf(valueOf, (id) => {
    looked.push(id);
    return fingerprintOf(`icon:${id}`);
  });
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

describe('icons that a finished script does not show', () => {
  const less = ids.filter((id) => id !== 'icon:7');
  const script = less.map(codeOf).join(';\n');

  it.each([
    ['as they were written', (code: string) => code],
    ['with escapes', (code: string) => code.replaceAll(' 2h', String.raw`\x202h`)],
  ])('are left out where others stand %s: a minifier has folded them away', async (_, write) => {
    const more = less.filter((id) => id !== 'icon:9');
    const { kept } = await search(more.map(codeOf).map(write).join(), codeOf, drawingOf);
    expect(kept).toEqual(more);
  });

  it.each([
    ['by the names that it has', 'const _0x3fa1=_0x12bc;'],
    ['by its alphabet', "e='abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/='"],
    [
      'by the order of its strings',
      'for(;;)try{if(parseInt(n(755))/1==t)break;r.push(r.shift())}catch{r.push(r.shift())}',
    ],
    [
      'by the order of its strings, for older browsers',
      'for(;;)try{if(t===n(1))break;r.push(r.shift())}catch(t){r.push(r.shift())}',
    ],
    ['by its bytes', '\0'],
  ])('stay in one that is known to hide its strings %s', async (_, sign) => {
    const { kept } = await search(`${sign};\n${script}`, codeOf, drawingOf);
    expect(kept).toEqual(ids);
  });

  it('stay in one that shows none of several', async () => {
    expect((await search('boot(7)', codeOf, drawingOf)).kept).toEqual(ids);
    const only = (id: string): string | undefined => (id === 'icon:7' ? drawingOf(id) : undefined);
    const { kept } = await search('boot(7)', codeOf, only);
    expect(kept).toEqual(less);
  });

  it('are left out of one that turns other lists', async () => {
    const { kept } = await search(`r.push(r.shift());\n${script}`, codeOf, drawingOf);
    expect(kept).toEqual(less);
  });

  it('are gone from a library that is a part of it, unless it is obfuscated', async () => {
    const ports = portsOf(codeOf, (id) => drawingOf(`icon:${id}`));
    const gone = async (...files: string[]): Promise<string[]> => {
      const contents = new Map(files.map((content, at) => [`${at}.js`, Buffer.from(content)]));
      return [...(await absentIcons(['6', '7'], { ...ports, contents }))];
    };
    expect(await gone(script, '')).toEqual(['7']);
    expect(await gone('', '')).toEqual(['6', '7']);
    expect(await gone(script, 'const _0x3fa1=_0x12bc;')).toEqual([]);
    // A picture hides nothing.
    expect(await gone(script, '\0')).toEqual(['7']);
  });
});
