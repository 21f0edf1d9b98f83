import markdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { findAlteredCredits } from '../../src/attribution/check/credits.ts';
import { uniteManifests } from '../../src/attribution/manifest/create-manifest.ts';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { renderReuse } from '../../src/attribution/render/reuse.ts';
import { cleanLicenseText, copyrightOf } from '../../src/attribution/license/list.ts';
import { credit, manifest, MIT_TEXT, OWN_TEXT, record, withTexts } from './records.ts';
import { findDrift } from '../../src/attribution/credit/drift.ts';

const count = (text: string, part: string): number => text.split(part).length - 1;
const MIT_END = 'WITHOUT WARRANTY.';

describe('who holds the rights', () => {
  it.each([
    [MIT_TEXT, 'Copyright (c) 2019-2024 Ada <ada@example.com>'],
    [OWN_TEXT, '© Aya and friends'],
    [
      'Copyright 2020 Ada. All rights reserved.\n(C) 2021 Aya',
      'Copyright 2020 Ada. All rights reserved.\n(C) 2021 Aya',
    ],
    ['/*\n * Copyright © 2014, Ada\n */\nCopyright © 2014, Ada', 'Copyright © 2014, Ada'],
    ['Copyright Ada and contributors, 2022', 'Copyright Ada and contributors, 2022'],
    // Forms to fill in, the licence's own copyright, and lines of the terms.
    ['   Copyright [yyyy] [name of copyright owner]', undefined],
    ['Copyright (C) <year>  <name of author>', undefined],
    ['Copyright (C) 2007 Free Software Foundation, Inc. <https://fsf.org/>', undefined],
    ['must retain the above\ncopyright notice, this list of 3 conditions of 2020', undefined],
    ['copyright holders of 2020 may not be used', undefined],
    ['', undefined],
  ])('is read from %j', (text, holders) => {
    expect(copyrightOf(text)).toBe(holders);
  });
});

it('a text is kept with LF, and without controls and marks of direction', () => {
  expect(cleanLicenseText('\ufeff \r\nMIT\u0000 Li\u202ecense\r\n\n  a\tb \n\n')).toBe(
    'MIT License\n\n  a\tb',
  );
  for (const text of [undefined, '', ' \n ', 'x'.repeat(70_000)])
    expect(cleanLicenseText(text)).toBeUndefined();
});

describe('texts in the list of credits', () => {
  const made = withTexts();

  it('stand there once, by their digests, and only those that an icon refers to', () => {
    expect(Object.values(made.texts ?? {}).sort()).toEqual([OWN_TEXT, MIT_TEXT].sort());
    const [crab, free] = made.icons;
    expect(made.texts?.[crab?.license.text ?? '']).toBe(MIT_TEXT);
    expect(crab?.license).toMatchObject({
      file: 'https://github.com/ada/sea/blob/main/LICENSE',
      copyright: 'Copyright (c) 2019-2024 Ada <ada@example.com>',
    });
    expect(crab?.creator.url).toBe('https://ada.example/');
    expect(free?.license).not.toHaveProperty('text');
  });

  it('are once in a page of several licences, and beside the address of their file', () => {
    const both = ['MIT', 'ISC'].map((license_description, index) =>
      credit({ id: `${index}`, license_description, license_text: MIT_TEXT }),
    );
    const shared = manifest(both, { texts: made.texts ?? {} });
    for (const format of ['html', 'html-fragment', 'markdown', 'text'] as const)
      expect([format, count(renderAttribution(shared, format), MIT_END)]).toEqual([format, 1]);
    const address = 'https://github.com/ada/sea/blob/main/LICENSE';
    const link = `Licence file: <a href="${address}">github.com/ada/sea/blob/main/LICENSE</a>`;
    expect(count(renderAttribution(made, 'html'), link)).toBe(2);
    expect(count(renderAttribution(made, 'markdown'), `Licence file: <${address}>.`)).toBe(2);
    expect(count(renderAttribution(made, 'text'), `Licence file: ${address}.`)).toBe(2);
    // A set may say where its text lies without bringing it along.
    const { license } = credit({ license_description: 'MIT', license_url: address });
    expect([license.file, license.text]).toEqual([address, undefined]);
  });

  it('come along from the lists of other builds', () => {
    const other = { ...made, icons: made.icons.filter(({ id }) => id === '3') };
    const united = uniteManifests(manifest([credit({ id: '9' })]), [other], { complete: true });
    expect(Object.values(united.texts ?? {})).toEqual([OWN_TEXT]);
  });

  it('are shown once and folded by the page, and once by its fragment, the text and Markdown', () => {
    const page = renderAttribution(made, 'html');
    expect(count(page, '<details class="text">')).toBe(2);
    expect(page).toContain('MIT License – <bdi>Copyright (c) 2019-2024 Ada');
    expect(page).toContain('1. Be &#60;kind&#62;.');
    for (const format of ['html', 'html-fragment', 'markdown', 'text'] as const) {
      const text = renderAttribution(made, format);
      expect([format, count(text, MIT_END), count(text, '1. Be ')]).toEqual([format, 1, 1]);
      // The record of each of both icons, and the text itself, whose title in pages has it as well.
      expect(count(text, '2019-2024 Ada')).toBe(format.startsWith('html') ? 4 : 3);
    }
    const german = renderAttribution(made, 'html', { language: 'de' });
    expect(german).toContain('Text der Lizenz: MIT License');
  });

  it('are blocks of code in Markdown, so that nothing in them is markup', () => {
    const blocks = markdownIt('commonmark')
      .parse(renderAttribution(made, 'markdown'), {})
      .flatMap(({ type, content }) => (type === 'code_block' ? [content.trimEnd()] : []));
    expect(blocks.sort()).toEqual([OWN_TEXT, MIT_TEXT].sort());
  });

  it('are looked for by the check of a page: a copyright line that is gone is reported', () => {
    const page = renderAttribution(made, 'html');
    const check = (html: string): string[] =>
      findAlteredCredits(html, { path: 'page.html', icons: made.icons, isRequired: () => true });
    expect(check(page)).toEqual([]);
    expect(check(page.replaceAll('© Aya and friends', ''))).toEqual([
      'page.html does not say the copyright line “© Aya and friends” of icon 3 (“Shell”).',
    ]);
  });
});

it('another text in the catalog is a drift of rights', () => {
  const locked = record({ license_text: MIT_TEXT });
  const drift = findDrift(locked, { ...locked, license_text: MIT_TEXT.replace('Ada', 'Aya') });
  expect(drift).toMatchObject([{ field: 'license_text', legal: true }]);
  expect(drift[0]?.locked).toContain('Ada');
  expect(drift[0]?.current).toContain('Aya');
});

it('REUSE files name the holders that the texts name, and have the texts', () => {
  const records = [
    record({ id: '1', license_description: 'MIT', license_text: MIT_TEXT }),
    record({ id: '2', license_description: 'house rules', license_text: OWN_TEXT }),
  ];
  const { table, licenses, listed } = renderReuse({ records, assert: {}, files: ['icons.lock'] });
  expect(table).toContain('"Copyright (c) 2019-2024 Ada <ada@example.com>"');
  expect(table).toContain('"© Aya and friends"');
  expect([...listed]).toEqual([['MIT', MIT_TEXT]]);
  expect(Object.values(licenses).join()).toContain(OWN_TEXT);
});
