import { describe, expect, it } from 'vitest';
import { checkSite, type CheckedSite } from '../../src/attribution/check-site.ts';
import { renderAttribution } from '../../src/attribution/render-attribution.ts';
import { credit, manifest } from './records.ts';

const WHALE = 'M2 2h9v9H2zm3 4l5-5';
const CRAB = 'M12 12c1.5-.3 2.25 4 .1 9z';
const svg = (d: string): string => `<svg viewBox="0 0 24 24"><path d="${d}"/></svg>`;
const fingerprints = new Map([
  ['1', WHALE.replaceAll(' ', '')],
  ['2', CRAB.replaceAll(' ', '')],
]);
const made = manifest([credit({ id: '1', term: 'Whale' })]);
const CREDITS = '<footer><a href="/icon-attribution.html">Credits</a></footer>';

function check(files: Record<string, string>, of = made): CheckedSite {
  const all = { 'icon-attribution.html': renderAttribution(of, 'html'), ...files };
  return checkSite(
    Object.entries(all).map(([path, text]) => ({ path, content: Buffer.from(text) })),
    { manifest: of, manifestPath: 'icon-attribution.json', fingerprints },
  );
}

const told = ({ problems }: CheckedSite): string[] =>
  problems.map(({ kind, files }) => [kind, ...files].join(' '));

describe('a finished site', () => {
  it('agrees with its credits', () => {
    const site = check({ 'index.html': svg(WHALE) + CREDITS });
    expect([told(site), site.found]).toEqual([[], ['1']]);
  });

  it.each([
    ['a page', { 'index.html': svg(WHALE) + svg(CRAB) + CREDITS }, 'index.html'],
    ['a script', { 'index.html': svg(WHALE) + CREDITS, 'a.js': `x='${svg(CRAB)}'` }, 'a.js'],
    [
      'a style sheet',
      {
        'index.html': svg(WHALE) + CREDITS,
        'a.css': `a{background:url("data:image/svg+xml,${encodeURIComponent(svg(CRAB))}")}`,
      },
      'a.css',
    ],
    ['a file', { 'index.html': svg(WHALE) + CREDITS, 'i/crab.svg': svg(CRAB) }, 'i/crab.svg'],
  ])('is told of an icon without credit in %s', (_, files, file) => {
    const { problems } = check(files);
    expect(problems).toEqual([
      {
        kind: 'uncredited',
        message: `Icon 2 is in ${file} and has no credit.`,
        files: [file],
      },
    ]);
  });

  it('is told of a credit for nothing, unless it is the server’s', () => {
    expect(told(check({ 'index.html': CREDITS }))).toEqual(['unused']);
    const server = manifest([], {
      credits: [
        {
          credit: credit({ id: '1' }),
          usedIn: [{ build: 'ssr', file: 'server.js', kind: 'server-only' }],
        },
      ],
    });
    expect(told(check({ 'index.html': CREDITS }, server))).toEqual([]);
  });

  it('is told of pages with icons from which no link leads to the credits', () => {
    const site = check({
      'index.html': `${svg(WHALE)}<a href="about/">About</a>`,
      'about/index.html': `${svg(WHALE)}<a href='../icon-attribution.html#icon-1'>Credits</a>`,
      'lost.html': svg(WHALE),
      'loads.html': '<script type="module" src="assets/a.js"></script>',
      'assets/a.js': `import './b.js'`,
      'assets/b.js': `x = '${svg(WHALE)}'`,
      'plain.html': '<p>No icons, no link.</p>',
    });
    expect(told(site)).toEqual(['unreachable lost.html', 'unreachable loads.html']);
    expect(site.problems[0]?.message).toBe(
      'lost.html shows icons, and no link leads from it to the credits.',
    );
  });

  it('may make its link in a script, or show the credits in a page of its own', () => {
    expect(
      told(
        check({
          'index.html': '<script src="/a.js"></script>',
          'a.js': `x='${svg(WHALE)}'; a.href = '/icon-attribution.html'`,
        }),
      ),
    ).toEqual([]);
    const own = renderAttribution(made, 'html', { template: '<h1>x</h1><!-- icon-credits -->' });
    expect(
      told(check({ 'index.html': `${svg(WHALE)}<a href=thanks>x</a>`, 'thanks.html': own })),
    ).toEqual([]);
  });
});
