import { describe, expect, it, onTestFinished } from 'vitest';
import { createIcons, type Icons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeProject } from '../support/write-project.ts';

const WORDS = 'Created by Ada & friends, CC BY 3.0';
const DRAWN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 125"><path d="M10 10h80v80H10z"/><text x="0" y="115" font-size="5">Created by Ada &amp; friends, <tspan>CC BY 3.0</tspan></text></svg>';
const ID = embeddedIconId('own', 'whale');

async function iconsOf(options: Options): Promise<{ icons: Icons; lines: string[] }> {
  const root = await writeProject({ 'icons/whale.svg': DRAWN });
  const license = 'creative-commons-attribution';
  const folders = [{ path: 'icons', name: 'own', license }];
  const { lines, ...log } = recordingLog();
  const icons = createIcons(
    { catalog: { embedded: { sets: [], folders } }, cacheDir: `${root}/.cache`, ...options },
    { root, env: {}, log },
  );
  onTestFinished(() => icons.close());
  return { icons, lines };
}

const withoutText = (svg: string): string => svg.replace(/<text[^]*<\/text>/, '');

describe('credit that is drawn into a file', () => {
  it('stays there, and its words stand in the record', async () => {
    const { icons } = await iconsOf({});
    const { svg, credit } = await icons.load(`icon:${ID}`);
    expect(svg).toContain('Created by Ada');
    expect(credit.credit.drawn).toEqual([WORDS]);
    expect(credit.license).toMatchObject({ version: '3.0', versionBasis: 'source-file' });
    expect(credit.changes.map(({ kind }) => kind)).not.toContain('credit-removed');
  });

  it('is named as a change where the project takes it away', async () => {
    const { icons } = await iconsOf({ svg: { transform: withoutText } });
    const { svg, credit } = await icons.load(`icon:${ID}`);
    expect(svg).not.toContain('Created by');
    expect(credit.credit.drawn).toEqual([WORDS]);
    expect(credit.changes).toContainEqual({
      kind: 'credit-removed',
      summary: `drawn credit text removed: “${WORDS}”`,
      visible: true,
      by: 'plugin',
    });
  });

  it.each([
    ['no attribution', false],
    ['no file of them', { json: false, html: false, markdown: false }],
  ] as const)('may not be removed if %s is written', async (_, attribution) => {
    const { icons } = await iconsOf({ svg: { transform: withoutText }, attribution });
    await expect(icons.load(`icon:${ID}`)).rejects.toThrow(
      /OPTIONS_INVALID[\s\S]*credit drawn into it[\s\S]*attribution/,
    );
    const kept = await iconsOf({ svg: { transform: (svg) => svg }, attribution });
    expect((await kept.icons.load(`icon:${ID}`)).svg).toContain('Created by');
  });

  it('is missed where svgo was configured to remove text', async () => {
    const removeText = {
      name: 'remove-text',
      fn: () => ({
        element: {
          enter(node: { name: string }, parent: { children: object[] }) {
            if (node.name === 'text')
              parent.children = parent.children.filter((child) => child !== node);
          },
        },
      }),
    };
    const { icons } = await iconsOf({ svg: { optimize: { plugins: [removeText] } } });
    const { credit } = await icons.load(`icon:${ID}`);
    expect(credit.changes.map(({ kind }) => kind)).toContain('credit-removed');
  });
});

describe('notices of a file', () => {
  const filesOf = async (files: Record<string, string>, license: string) => {
    const root = await writeProject(
      Object.fromEntries(Object.entries(files).map(([name, svg]) => [`icons/${name}.svg`, svg])),
    );
    const folders = [{ path: 'icons', name: 'own', license }];
    const { lines, ...log } = recordingLog();
    const icons = createIcons(
      { catalog: { embedded: { sets: [], folders } }, cacheDir: `${root}/.cache` },
      { root, env: {}, log },
    );
    onTestFinished(() => icons.close());
    return { lines, load: (name: string) => icons.load(`icon:${embeddedIconId('own', name)}`) };
  };
  const path = /<path[^>]*>/.exec(DRAWN)?.[0] ?? '';
  const around = (markup: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 125">${markup}${path}</svg>`;

  it('give CC BY its version', async () => {
    const { load } = await filesOf(
      {
        whale: around(
          '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"><cc:Work><cc:license rdf:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></rdf:RDF></metadata>',
        ),
      },
      'creative-commons-attribution',
    );
    const { svg, credit } = await load('whale');
    expect(svg).not.toContain('metadata');
    expect(credit.license).toMatchObject({ version: '4.0', versionBasis: 'source-file' });
  });

  it('stand in the record, with every line of drawn credit', async () => {
    const { load, lines } = await filesOf(
      {
        whale: DRAWN.replace('<path', '<!-- © 2020 Ada --><path').replace(
          '</svg>',
          '<text y="9">from the open sea</text></svg>',
        ),
      },
      'creative-commons-attribution',
    );
    const drawn = [WORDS, 'from the open sea'];
    expect((await load('whale')).credit.credit).toMatchObject({
      drawn,
      notices: [...drawn, '© 2020 Ada'],
    });
    expect(lines.join('\n')).not.toContain('says');
  });

  it('that contradict the record are reported, and refused if they are stricter', async () => {
    const { load, lines } = await filesOf(
      {
        set: around(
          '<!--! Icon Set Free by @ada - https://ada.example License - https://ada.example/free (Icons: CC BY 4.0, Fonts: SIL OFL 1.1, Code: MIT License) -->',
        ),
        laxer: around('<desc>Copyright 2020 Ada, ISC License</desc>'),
        stricter: around('<!-- © Ada. All rights reserved. -->'),
      },
      'CC-BY-4.0',
    );
    expect((await load('set')).credit.credit.notices).toHaveLength(1);
    expect(lines).toEqual([]);
    await load('laxer');
    expect(lines.join('\n')).toMatch(/“CC-BY-4\.0” for icon \d+ “Laxer”, but its file says “ISC”/);
    await expect(load('stricter')).rejects.toThrow(
      /LICENSE_UNKNOWN[^]*its file says “All rights reserved”, which is stricter/,
    );
  });
});
