import { describe, expect, it } from 'vitest';
import { describeRemovals } from '../../src/svg/refusals.ts';
import { withNamespace } from '../../src/svg/render-svg.ts';
import type { SvgMaster } from '../../src/types.ts';
import { file, NS, prepare, render } from './support/prepare.ts';

const GRADIENT =
  '<linearGradient id="grad"><stop stop-color="#010203"/><stop offset="1" stop-color="red"/></linearGradient><path fill="url(#grad)" d="M0 0h9v9z"/>';

function master(changes: Partial<SvgMaster> = {}): SvgMaster {
  return {
    viewBox: '0 0 24 24',
    width: 24,
    height: 24,
    root: [' fill="', 0, '"'],
    body: ['<path d="M0 0h9"/>'],
    paint: 'mono',
    hasIds: false,
    removed: {},
    removedVisible: false,
    creditText: [],
    notices: [],
    fingerprint: 'M00h9',
    ...changes,
  };
}

describe('renderSvg', () => {
  it('writes a decorative icon, with what each of its readers needs', () => {
    const page = render(master(), { isFile: false });
    const document = render(master(), { isFile: true });
    expect(page).toBe(
      '<svg width="1em" height="1em" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M0 0h9"/></svg>',
    );
    expect(document).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 24 24" fill="currentColor"><path d="M0 0h9"/></svg>',
    );
    const plain = render(master(), { isFile: false, title: 'a' });
    expect(withNamespace(plain)).toBe(render(master(), { isFile: true, title: 'a' }));
    expect(withNamespace(document)).toBe(document);
  });

  it('writes a named icon', () => {
    expect(
      render(master(), { title: 'Up & <down>', color: 'FF0000', class: 'a b', isFile: false }),
    ).toBe(
      '<svg width="1em" height="1em" viewBox="0 0 24 24" fill="#ff0000" class="a b" role="img"><title>Up &amp; &lt;down&gt;</title><path d="M0 0h9"/></svg>',
    );
  });

  it.each([
    ['64', 24, 24, 'width="64" height="64"'],
    ['1em', 48, 24, 'width="2em" height="1em"'],
    ['2rem', 24, 48, 'width="1rem" height="2rem"'],
    ['10', 1, 3, 'width="3.3333" height="10"'],
    ['.5em', 24, 24, 'width="0.5em" height="0.5em"'],
    ['50%', 24, 24, 'width="50%" height="50%"'],
  ])('keeps the aspect ratio of size %s at %d × %d', (size, width, height, expected) => {
    expect(render(master({ width, height }), { size })).toContain(expected);
  });

  it('lets nothing out of title, class, size and colour', () => {
    const svg = render(master(), {
      title: '</title><script>x</script>\u202e\u0000',
      class: '"><script>',
      size: '1" onload="x',
      color: 'red" onload="x',
    });
    expect(svg).not.toMatch(/<script|" onload|\u202e|\u0000/);
    expect(svg).toContain('fill="currentColor"');
  });

  it('gives two colours of one icon two namespaces', async () => {
    const prepared = await prepare(file(GRADIENT), { id: 123 });
    expect(prepared.hasIds).toBe(true);
    const [current, red, blue] = ['currentColor', 'ff0000', '0000ff'].map((color) =>
      render(prepared, { id: 123, color }),
    );
    expect(current).toContain('id="i123-0"');
    expect(current).toContain('url(#i123-0)');
    expect(red).toContain('id="i123-ff0000-0"');
    expect(red).toContain('url(#i123-ff0000-0)');
    expect(blue).toContain('id="i123-0000ff-0"');
    expect(JSON.stringify(prepared)).not.toContain('grad"');
  });

  it('renames every form of reference', async () => {
    const prepared = await prepare(
      file(`<defs><path id="a b" d="M0 0h1"/><path id="p" d="M0 0h9v9z"/><clipPath id="c"><use href="#p"/></clipPath><mask id="m"><use href="#p"/></mask><marker id="k"><path d="M0 0h1v1z"/></marker><filter id="f"><feOffset dx="1"/></filter><pattern id="t" width="1" height="1"><use href="#p"/></pattern><linearGradient id="g"><stop/></linearGradient><radialGradient id="h" href="#g"/></defs>
        <g clip-path="url('#c')" mask="url( #m )" filter="url(&quot;#f&quot;)"><path marker-start="url(#k)" fill="url(#t)" stroke="url(#h)" d="M0 0h9v9"/></g><text fill="#010203"><textPath href="#p">x</textPath></text>`),
    );
    const svg = render(prepared);
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual(ids.map((_, index) => `i7-${index}`));
    expect(ids).toHaveLength(8);
    const used = new Set([...svg.matchAll(/(?:url\(|href=")#([^")]+)/g)].map((match) => match[1]));
    expect(used).toEqual(new Set(ids));
  });

  it('can be read as a document of its own and drops what it does not need', async () => {
    const svg = render(
      await prepare(
        `<?xml version="1.0"?><!-- x --><svg ${NS} xmlns:x="urn:x" id="Layer_1" x:y="z" version="1.1" width="48" height="24" viewBox="0 0 48 24"><title>t</title><desc>d</desc><metadata>m</metadata><g id="unused"><path d="M0 0h9v9z"/></g></svg>`,
      ),
    );
    expect(svg).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="2em" height="1em" viewBox="0 0 48 24" fill="currentColor"><path d="M0 0h9v9z"/></svg>',
    );
  });
});

describe('describeRemovals', () => {
  it('says kinds and counts', () => {
    expect(
      describeRemovals(12345, { 'external-reference': 1, 'event-attribute': 2, script: 1 }),
    ).toBe('icon 12345: removed 1 <script>, 2 event attributes, 1 external reference');
    expect(describeRemovals(1, {})).toBe('');
  });

  it('knows the one colour that a file came in', async () => {
    const tone = async (body: string): Promise<string | undefined> =>
      (await prepare(file(body))).tone;
    expect(await tone('<path fill="#f00" d="M0 0h1v1z"/>')).toBe('#ff0000');
    expect(await tone('<path d="M0 0h1v1z"/>')).toBe('#000000');
    expect(await tone('<path fill="#f00" d="M0 0h1v1z"/><path d="M0 0h9v1z"/>')).toBeUndefined();
  });

  it('says what was in a file', async () => {
    const { removed, removedVisible } = await prepare(
      file(
        '<script>x</script><path d="M0 0h1v1z" onclick="x" onload="y"/><use href="https://evil.example/a#b"/>',
      ),
    );
    expect(describeRemovals(7, removed)).toBe(
      'icon 7: removed 1 <script>, 2 event attributes, 1 external reference',
    );
    expect(removedVisible).toBe(false);
    expect((await prepare(file('<path d="M0 0h1v1z"/><foreignObject/>'))).removedVisible).toBe(
      true,
    );
  });
});