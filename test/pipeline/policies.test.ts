import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIcons, type Icons } from '../../src/icons.ts';
import type { EmbeddedFolder, Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';

const STAR =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 2l3 7h7l-6 5 2 8-6-5-6 5 2-8-6-5h7z"/></svg>';
const SCRIPTED = STAR.replace('</svg>', '<script>alert(1)</script><g onclick="alert(2)"/></svg>');
const TWO_TONES = STAR.replace(
  '</svg>',
  '<path fill="#e11" d="M0 0h9v9z"/><path fill="#1e1" d="M9 9h9v9z"/></svg>',
);

async function iconsOf(
  files: Record<string, string>,
  { folder, ...options }: Options & { folder?: Partial<EmbeddedFolder> } = {},
): Promise<{ icons: Icons; log: string[]; id: (name: string) => number }> {
  const root = await writeProject(
    Object.fromEntries(Object.entries(files).map(([name, svg]) => [`icons/${name}.svg`, svg])),
  );
  const { lines, ...log } = recordingLog();
  const icons = createIcons(
    {
      catalog: { embedded: { sets: [], folders: [{ path: 'icons', name: 'own', ...folder }] } },
      cacheDir: `${root}/.cache`,
      ...options,
    },
    { root, env: {}, log },
  );
  onTestFinished(() => icons.close());
  return { icons, log: lines, id: (name) => embeddedIconId('own', name) };
}

describe('active content', () => {
  it('is removed and reported with counts, never with the text of the file', async () => {
    const { icons, log, id } = await iconsOf({ bad: SCRIPTED });
    const { svg } = await icons.load(`icon:${id('bad')}`);
    expect(svg).toContain('<path');
    expect(svg).not.toMatch(/script|alert|onclick/);
    const warning = log.find((line) => line.includes('removed'));
    expect(warning).toMatch(/^warn icon \d+ \("Bad"\): removed .*1 <script>/);
    expect(warning).toContain('1 event attribute');
    expect(log.join()).not.toContain('alert');
  });

  it('is an error where svg.strict is set, also when the file comes from the cache', async () => {
    const { icons, id } = await iconsOf({ bad: SCRIPTED, good: STAR }, { svg: { strict: true } });
    await expect(icons.load(`icon:${id('bad')}`)).rejects.toMatchObject({
      code: 'SVG_UNSAFE',
      icon: String(id('bad')),
    });
    await expect(icons.load(`icon:${id('bad')}`)).rejects.toMatchObject({ code: 'SVG_UNSAFE' });
    expect((await icons.load(`icon:${id('good')}`)).svg).toContain('<path');
  });
});

describe('a drawing in several colours', () => {
  it('is not called recoloured if the catalog left its own colours', async () => {
    const { icons, id } = await iconsOf({ flag: TWO_TONES });
    const { svg, credit } = await icons.load(`icon:${id('flag')}?color=0000ff`);
    expect(svg).toMatch(/#e11/);
    expect(credit.changes.map(({ kind }) => kind)).not.toContain('recolor');
  });
});

describe('licences', () => {
  it('that are unknown end the build before anything is downloaded', async () => {
    const { icons, id } = await iconsOf({ star: STAR }, { folder: { license: 'my-own-terms' } });
    await expect(icons.load(`icon:${id('star')}`)).rejects.toMatchObject({
      code: 'LICENSE_UNKNOWN',
    });
  });

  it('that are unknown can be shipped with a warning, or known by evidence', async () => {
    const warned = await iconsOf(
      { star: STAR },
      { folder: { license: 'my-own-terms' }, licenses: { unknown: 'warn' } },
    );
    expect((await warned.icons.load(`icon:${warned.id('star')}`)).credit.license.status).toBe(
      'unknown',
    );
    expect(warned.log.join()).toContain('my-own-terms');

    const id = embeddedIconId('own', 'star');
    const assert = {
      [id]: { license: 'MIT', by: 'legal@example.com', evidence: 'https://example.com/letter' },
    };
    const asserted = await iconsOf(
      { star: STAR },
      { folder: { license: 'my-own-terms' }, licenses: { assert } },
    );
    const { credit } = await asserted.icons.load(`icon:${id}`);
    expect(credit.license).toMatchObject({ spdx: 'MIT', assertion: { by: 'legal@example.com' } });
  });

  it('that the policy does not list are refused', async () => {
    const { icons, id } = await iconsOf(
      { star: STAR },
      { folder: { license: 'MIT' }, licenses: { allow: ['public-domain'] } },
    );
    await expect(icons.load(`icon:${id('star')}`)).rejects.toMatchObject({
      code: 'LICENSE_REFUSED',
    });
  });

  it('that the file contradicts are an error where the file is stricter, until an assertion settles it', async () => {
    const words = '<text y="30">Created by Ada, CC BY-NC 3.0</text></svg>';
    const files = { star: STAR.replace('</svg>', words) };
    const folder = { license: 'creative-commons-attribution' };
    const id = embeddedIconId('own', 'star');

    const strict = await iconsOf(files, { folder });
    await expect(strict.icons.load(`icon:${id}`)).rejects.toThrow(
      /LICENSE_UNKNOWN[^]*“creative-commons-attribution”[^]*its file says “CC BY-NC 3\.0”/,
    );

    const warned = await iconsOf(files, { folder, licenses: { unknown: 'warn' } });
    await warned.icons.load(`icon:${id}`);
    await warned.icons.load(`icon:${id}?color=ff0000`);
    expect(warned.log.filter((line) => line.includes('CC BY-NC 3.0'))).toHaveLength(1);

    const assert = { [id]: { license: 'CC-BY-NC-3.0', by: 'Legal', evidence: 'letter' } };
    const settled = await iconsOf(files, { folder, licenses: { assert } });
    expect((await settled.icons.load(`icon:${id}`)).credit.license.spdx).toBe('CC-BY-NC-3.0');
    expect(settled.log.join()).not.toContain('its file says');
  });

  it('without a version are credited without one', async () => {
    const { icons, id } = await iconsOf(
      { star: STAR },
      { folder: { license: 'creative-commons-attribution' } },
    );
    const { credit } = await icons.load(`icon:${id('star')}`);
    expect(credit.license).toMatchObject({
      status: 'attribution',
      version: null,
      url: null,
      versionBasis: 'not-stated',
    });
    expect(credit.credit.line).toContain('version not stated by the catalog');
  });
});

describe('a change', () => {
  const part = '<path d="M2 2h20v9z"/>';
  const red = '<path fill="#EE1122" d="M2 12h20v9z"/>';
  const draw = (body: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">${body}</svg>`;

  it.each([
    ['black', draw(part), 'color=000', ['resize']],
    ['the size that it has', draw(part), 'color=000&size=24', []],
    [
      'the size that it has, in thirds',
      draw(part).replace('width="24"', 'width="17.333333"').replace('0 24 24', '0 17.333333 24'),
      'color=000&size=24',
      [],
    ],
    ['another colour', draw(part), 'color=010101&size=24', ['recolor']],
    ['another size', draw(part), 'color=000&size=25', ['resize']],
    ['the colour of the text', draw(part), 'size=24', ['recolor']],
    ['black as a picture', draw(part), 'color=000&filetype=png', ['format']],
    ['its own colour', draw(red), 'color=e12&size=24', []],
    ['black in place of its own colour', draw(red), 'color=000&size=24', ['recolor']],
    ['its own colours', draw(red + part), 'color=original&size=24', []],
    ['its own colour as a picture', draw(red), 'color=e12&filetype=png', ['format']],
    [
      'black as a picture of another colour',
      draw(red),
      'color=000&filetype=png',
      ['recolor', 'format'],
    ],
    ['a colour for a picture of two', draw(red + part), 'color=0f0&filetype=png', ['format']],
  ])('is none, or is named: %s', async (_, svg, query, kinds) => {
    const { icons, id } = await iconsOf({ star: svg });
    const { credit } = await icons.load(`icon:${id('star')}?${query}`);
    const visible = credit.changes.filter((each) => each.visible);
    expect(visible.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('that takes an animation away is named as that', async () => {
    const animate = '<animate attributeName="opacity" values="1;0.5;1" dur="2s"/>';
    const { icons, id } = await iconsOf({ star: draw(part.replace('/>', `>${animate}</path>`)) });
    const { credit } = await icons.load(`icon:${id('star')}`);
    expect(credit.changes.map(({ summary }) => summary)).toContain('animation removed');
    expect(credit.changes.map(({ summary }) => summary)).not.toContain('unsafe parts removed');
  });
});

describe('the project', () => {
  it('has the last word on the markup', async () => {
    const { icons, id } = await iconsOf(
      { star: STAR },
      { svg: { transform: (svg, { term }) => svg.replace('<svg ', `<svg data-name="${term}" `) } },
    );
    const { svg, credit } = await icons.load(`icon:${id('star')}`);
    expect(svg).toMatch(/^<svg data-name="Star" /);
    expect(credit.changes.map(({ kind }) => kind)).toContain('transform');
  });

  it('is credited with no change by a transform that changes nothing', async () => {
    const { icons, id } = await iconsOf({ star: STAR }, { svg: { transform: (svg) => svg } });
    const { credit } = await icons.load(`icon:${id('star')}`);
    expect(credit.changes.map(({ kind }) => kind)).not.toContain('transform');
  });

  it('keeps the pinned drawing when a file of a folder changes, until its line is gone', async () => {
    const root = await writeProject({ 'icons/star.svg': STAR });
    const load = async (): Promise<string | undefined> => {
      const icons = createIcons(
        { catalog: { embedded: { sets: [], folders: ['icons'] } }, cacheDir: `${root}/.cache` },
        { root, env: {}, log: recordingLog() },
      );
      const { svg } = await icons.load(`icon:${embeddedIconId('icons', 'star')}`);
      await icons.close();
      return svg;
    };
    const before = await load();

    await writeFiles(root, { 'icons/star.svg': STAR.replace('M12 2', 'M12 3') });
    expect(await load()).toBe(before);
    await rm(join(root, 'icons.lock'));
    expect(await load()).not.toBe(before);
  });
});
