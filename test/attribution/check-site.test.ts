import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CreditLicense, Manifest } from '../../src/types.ts';
import type { LockedWords } from '../../src/attribution/check/credits.ts';
import { checkSite, type CheckedSite } from '../../src/attribution/check/site.ts';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { computeChanges } from '../../src/attribution/credit/create-credit.ts';
import { resolveLicense } from '../../src/attribution/license/resolve-license.ts';
import { credit, FACTS, licenseCases, manifest, record } from './records.ts';

const WHALE = 'M2 2h9v9H2zm3 4l5-5';
const CRAB = 'M12 12c1.5-.3 2.25 4 .1 9z';
const svg = (d: string): string => `<svg viewBox="0 0 24 24"><path d="${d}"/></svg>`;
/** A ring, which is a part of the crab’s drawing below, and its own icon. */
const RING = 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0';
const plain = (d: string): string => d.replaceAll(' ', '');
const fingerprints = new Map([
  ['1', [plain(WHALE)]],
  ['2', [plain(CRAB)]],
  ['3', [plain(RING)]],
]);
const made = manifest([credit({ id: '1', term: 'Whale' })]);
const escaped = (text: string): string =>
  Array.from(text, (c) => String.raw`\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const CREDITS = '<footer><a href="/icon-attribution.html">Credits</a></footer>';

function check(
  files: Record<string, string | Buffer>,
  of = made,
  rest: Partial<Parameters<typeof checkSite>[1]> = {},
): CheckedSite {
  const all = { 'icon-attribution.html': renderAttribution(of, 'html'), ...files };
  return checkSite(
    Object.entries(all).map(([path, text]) => ({ path, content: Buffer.from(text) })),
    { manifest: of, creditsFiles: [], fingerprints, ...rest },
  );
}

const reported = ({ problems }: CheckedSite): string[] =>
  problems.map(({ kind, files }) => [kind, ...files].join(' '));

describe('a page of credits in another language', () => {
  const fish = Array.from({ length: 9 }, (_, at) =>
    credit({ id: String(100 + at), term: `Fish ${at}`, attribution: `“Fish ${at}” by Ada, free` }),
  );
  const birds = Array.from({ length: 9 }, (_, at) =>
    credit({ id: String(200 + at), term: `Bird ${at}`, license_description: 'public-domain' }),
  );
  const FRENCH = {
    code: 'fr',
    words: {
      by: 'par ',
      iconName: '{nom de l’icône}',
      licenceNames: {
        'Public domain, as stated by the catalog': 'Domaine public selon le catalogue',
        'Creative Commons Attribution, version not stated by the catalog':
          'Creative Commons Attribution, version non précisée',
      },
    },
  };
  const LISTS = [licenseCases(), [...fish, ...birds]].map((credits) => manifest(credits));

  const NAME = 'Public domain, as stated by the catalog';

  it.each([
    [undefined, NAME],
    ['en', NAME],
    ['de', 'Gemeinfrei laut Katalog'],
    [FRENCH, 'Domaine public selon le catalogue'],
  ])('agrees with its list until somebody changes it: %j', (language, name) => {
    for (const of of LISTS) {
      const page = renderAttribution(of, 'html', { language });
      const messages = (html: string): string[] =>
        check({ 'icon-attribution.html': html }, of, {
          fingerprints: new Map(),
          language,
        }).problems.map(({ message }) => message);
      expect(messages(page)).toEqual([]);
      expect(messages(page.replaceAll('Ada', 'Eve')).join()).toContain(
        'does not say the creator “Ada”',
      );
      expect(messages(page.replaceAll(name, 'My own')).join()).toContain(
        `does not say the licence “${NAME}”`,
      );
    }
  });

  it('does not say the credit text of a set whose words were changed', () => {
    const of = manifest(fish);
    const page = renderAttribution(of, 'html', { language: 'de' });
    const { problems } = check(
      { 'icon-attribution.html': page.replace(' by Ada, free', ' by me') },
      of,
      {
        fingerprints: new Map(),
        language: 'de',
      },
    );
    expect(problems).toHaveLength(9);
    expect(problems[0]?.message).toContain('does not say the credit text ““Fish 0” by Ada, free”');
  });
});

describe('a finished site', () => {
  it('agrees with its credits', () => {
    const site = check({ 'index.html': svg(WHALE) + CREDITS });
    expect([reported(site), site.found]).toEqual([[], ['1']]);
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
  ])('reports an icon without credit in %s', (_, files, file) => {
    const { problems } = check(files);
    expect(problems).toEqual([
      {
        kind: 'uncredited',
        message: `Icon 2 is in ${file} and has no credit.`,
        remedy: 'Import it as `icon:2` and build again, or remove it.',
        files: [file],
      },
    ]);
  });

  it('gets a report of a credit for nothing, unless it is the server’s', () => {
    expect(reported(check({ 'index.html': CREDITS }))).toEqual(['unused']);
    const server = manifest([], {
      credits: [
        {
          credit: credit({ id: '1' }),
          usedIn: [{ build: 'ssr', file: 'server.js', kind: 'server-only' }],
        },
      ],
    });
    expect(reported(check({ 'index.html': CREDITS }, server))).toEqual([]);
  });

  it('is believed to show, in obfuscated scripts, the icons that the list says are there', () => {
    const of = manifest([], {
      credits: ['1', '2'].map((id) => ({
        credit: credit({ id }),
        usedIn: [{ build: 'vite', file: `${id}.js`, kind: 'inline-js' }],
      })),
    });
    const hides = 'const _0x3fa1=_0x12bc;';
    const page = '<script type="module" src="/assets/1.js"></script>';
    const site = check({ 'index.html': page, 'assets/1.js': hides, '2.js': '' }, of);
    expect(reported(site)).toEqual(['unused', 'unreachable index.html']);
    expect([site.found, site.problems[0]?.message]).toEqual([
      ['1'],
      expect.stringContaining('Icon 2 '),
    ]);
    // What others show counts as well.
    const more = { 'index.html': page, 'assets/1.js': hides, 'lost.html': svg(WHALE) };
    expect(reported(check(more, of))).toEqual(['unused', 'unreachable index.html lost.html']);
  });

  it('needs no icons of builds that went to another folder', () => {
    const build = (id: string) => ({ id, bundler: 'vite', precision: 'emitted' as const });
    const of = manifest([], {
      credits: ['client', 'ssr'].map((id, index) => ({
        credit: credit({ id: String(index + 1) }),
        usedIn: [{ build: id, file: `${id}.js`, kind: index === 0 ? 'inline-js' : 'server-only' }],
      })),
      builds: [
        { ...build('client'), consumer: 'client' },
        { ...build('ssr'), consumer: 'server' },
      ],
    });
    expect(reported(check({ 'ssr.js': svg(CRAB) }, of))).toEqual([]);
    expect(reported(check({ 'site/client.js': svg(WHALE) }, of))).toEqual([]);
    expect(reported(check({ 'client.js': '', 'ssr.js': svg(CRAB) }, of))).toEqual(['unused']);
    expect(reported(check({ 'other.js': '' }, of))).toEqual(['unused']);
    // A step behind the bundler has removed all files of one.
    const shown = (folder?: string): Manifest => {
      const { builds, icons, ...rest } = structuredClone(of);
      for (const each of builds)
        Object.assign(each, { consumer: 'client', ...(folder && { folder }) });
      for (const { usedIn } of icons) for (const use of usedIn) use.kind = 'inline-js';
      return { ...rest, builds, icons };
    };
    expect(reported(check({ 'client.js': svg(WHALE) }, shown()))).toEqual(['unused']);
    expect(reported(check({ 'client.js': svg(WHALE) }, shown('../x')))).toEqual([]);
  });

  it('gets a report of pages with icons from which no link leads to the credits', () => {
    const site = check({
      'index.html': `${svg(WHALE)}<a href="about/">About</a>`,
      'about/index.html': `${svg(WHALE)}<a href='../icon-attribution.html#icon-1'>Credits</a>`,
      'lost.html': svg(WHALE),
      'loads.html': '<script type="module" src="assets/a.js"></script>',
      'assets/a.js': `import './b.js'`,
      'assets/b.js': `x = '${svg(WHALE)}'`,
      'plain.html': '<p>No icons, no link.</p>',
      'shop.php': `<?php echo 1 ?>${svg(WHALE)}`,
    });
    expect(reported(site)).toEqual(['unreachable lost.html loads.html shop.php']);
    expect(site.problems[0]).toMatchObject({
      message:
        'lost.html, loads.html, shop.php show icons, and no link leads from them to the credits.',
      remedy:
        'Link to icon-attribution.html from them or from a page that they link to, for example in a footer.',
    });
  });

  it('gets the address of the page of its own list, and not that of a folder in it', () => {
    const html = 'static/icon-attribution.html';
    const pages = { 'index.html': svg(WHALE), [html]: renderAttribution(made, 'html') };
    const [problem] = check(pages, made, { creditsFiles: [html] }).problems;
    expect(problem?.remedy).toContain(`<a href="${html}">`);
  });

  it('may make its link in a script, or show the credits in a page of its own', () => {
    expect(
      reported(
        check({
          'index.html': '<script src="/a.js"></script>',
          'a.js': `x='${svg(WHALE)}'; a.href = '/icon-attribution.html'`,
        }),
      ),
    ).toEqual([]);
    const own = renderAttribution(made, 'html', { template: '<h1>x</h1><!-- icon-credits -->' });
    expect(
      reported(check({ 'index.html': `${svg(WHALE)}<a href=thanks>x</a>`, 'thanks.html': own })),
    ).toEqual([]);
  });

  it.each([
    [
      'below a folder of its host',
      {
        'index.html': '<a href="/app/about/">About</a><script src="/app/assets/a.js"></script>',
        'about/index.html': '<a href="/app/icon-attribution.html">Credits</a>',
      },
    ],
    [
      'with a base address',
      {
        'shop/index.html':
          '<base href="/"><a href="icon-attribution.html">Credits</a><script src="assets/a.js"></script>',
      },
    ],
    [
      'whose icons stand in a frame beside the link',
      {
        'index.html': `<iframe src="frame.html"></iframe>${CREDITS}`,
        'frame.html': '<script src="assets/a.js"></script>',
      },
    ],
    [
      'whose link stands in a frame',
      {
        'index.html': `<script src="assets/a.js"></script><iframe srcdoc="&lt;a href=&quot;icon-attribution.html&quot;>Credits&lt;/a>"></iframe>`,
      },
    ],
    [
      'that sends its visitors on',
      {
        'index.html': '<meta http-equiv="refresh" content="0; url=de/">',
        'de/index.html': `<script src="../assets/a.js"></script>${CREDITS}`,
      },
    ],
    [
      'with routes behind #, whose script holds the records',
      {
        'index.html': '<a href="#/credits">Credits</a><script src="assets/a.js"></script>',
        'assets/b.js': 'JSON.parse(decodeURIComponent("%7B%22credits%22%3A%5B%5D%7D"))',
        'assets/c.js': 'import("./b.js")',
        'assets/a.js': `import './c.js'; x = '${svg(WHALE)}'`,
      },
    ],
    [
      'whose link is an address of the web',
      {
        'index.html':
          '<script src="assets/a.js"></script><a href="https://shop.example/icon-attribution.html">Credits</a>',
      },
    ],
  ])('may be one %s', (_, files) => {
    const site = check({ 'assets/a.js': `x = '${svg(WHALE)}'`, ...files });
    expect([reported(site), site.found]).toEqual([[], ['1']]);
  });

  it.each([
    [
      'a picture that only a script names',
      {
        'index.html': '<script src="a.js"></script>',
        'a.js': 'x.src = "/img/whale.svg"',
        'img/whale.svg': svg(WHALE),
      },
    ],
    [
      'a chunk whose name is put together at run time',
      {
        'index.html': '<script src="a.js"></script>',
        'a.js': 'self.webpackChunk=[];e.u=e=>e+"."+{7:"c0ffee"}[e]+".js"',
        '7.c0ffee.js': `x='${svg(WHALE)}'`,
      },
    ],
    [
      'a frame',
      { 'index.html': `<iframe srcdoc='${svg(WHALE).replaceAll("'", '&#39;')}'></iframe>` },
    ],
    [
      'a page whose link is commented out',
      { 'index.html': `${svg(WHALE)}<!-- <a href="icon-attribution.html">Credits</a> -->` },
    ],
    [
      'a page whose service worker caches the credits ahead',
      {
        'index.html': `${svg(WHALE)}<script src="register.js"></script>`,
        'register.js': 'navigator.serviceWorker.register("/sw.js")',
        'sw.js':
          's.precacheAndRoute([{url:"icon-attribution.html",revision:"c0ffee"},{"revision":null,"url":"icon-attribution.html"}],{})',
      },
    ],
    [
      'a page that links to the top of another site',
      {
        'index.html': `${svg(WHALE)}<a href="https://other.example/">Other</a><a href="https://other.example/about">About</a>`,
        'about.html': CREDITS,
      },
    ],
  ])('reports a page without link that shows its icons by %s', (_, files) => {
    expect(reported(check(files))[0]).toBe('unreachable index.html');
  });

  it('asks for no link in a page that only the server could give an icon', () => {
    const usedIn = [{ build: 'server', file: 'server/page.js', kind: 'server-only' as const }];
    const served = manifest([], { credits: [{ credit: credit({ id: '1' }), usedIn }] });
    const files = {
      '404.html': '<script src="a.js"></script>',
      'a.js': 'self.webpackChunk=[]',
      'server/page.js': `x='${svg(WHALE)}'`,
    };
    expect(reported(check(files, served))).toEqual([]);
    // What it has drawn there counts.
    const drawn = { ...files, 'index.html': svg(WHALE) };
    expect(reported(check(drawn, served))).toEqual(['unreachable index.html']);
  });

  it('is reported once of icons with one drawing, and not where one of them is credited', () => {
    const twins = { fingerprints: new Map([...fingerprints, ['4', [plain(WHALE)]]]) };
    const files = { 'index.html': svg(WHALE) + CREDITS };
    expect(reported(check(files, made, twins))).toEqual([]);
    expect(reported(check(files, manifest([]), twins))).toEqual(['uncredited index.html']);
  });

  it('takes a drawing that is part of a credited one for that one', () => {
    const ringed = `${RING}|${WHALE}`;
    const files = { 'index.html': `x=["${RING}","${WHALE}"]${CREDITS}` };
    const known = new Map([...fingerprints, ['1', [plain(ringed)]]]);
    expect(reported(check(files, made, { fingerprints: known }))).toEqual([]);
    const alone = { 'index.html': svg(RING) + CREDITS };
    expect(reported(check(alone, made, { fingerprints: known }))).toContain(
      'uncredited index.html',
    );
  });

  it('finds pictures by their bytes, and by their names where these were packed again', () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
    const digest = createHash('sha256').update(picture).digest('hex');
    const drawn = manifest([], {
      credits: [
        {
          credit: credit({ id: '1' }),
          usedIn: [{ build: 'b', file: 'assets/whale-1.png', kind: 'asset' }],
        },
      ],
    });
    const known = { fingerprints: new Map([['1', [plain(WHALE), `sha256:${digest}`]]]) };
    const inPlace = `<img src="data:image/png;base64,${picture.toString('base64')}">`;
    const padded = Buffer.concat([picture, Buffer.alloc(40)]);
    const long = createHash('sha256').update(padded).digest('hex');
    const inCss = `url(data:image/png;base64,${encodeURIComponent(padded.toString('base64'))})`;
    expect(reported(check({ 'index.html': inPlace + CREDITS }, drawn, known))).toEqual(['unused']);
    expect(
      check({ 'a.css': inCss }, drawn, { fingerprints: new Map([['1', [`sha256:${long}`]]]) })
        .found,
    ).toEqual(['1']);
    expect(reported(check({ 'assets/whale-1.png': 'packed again' }, drawn, known))).toEqual([]);
    expect(check({ 'index.html': svg(WHALE) + CREDITS }, drawn, known).found).toEqual(['1']);
  });

  it('finds the smallest drawings among others where they are credited', () => {
    const known = { fingerprints: new Map([...fingerprints, ['1', ['M17777']]]) };
    const script = `a=[["path",{d:"${RING}"}]];b=[["path",{d:"M17 7 7 7"}]]`;
    const files = { 'index.html': CREDITS + svg(RING), 'a.js': script };
    const both = manifest([credit({ id: '1' }), credit({ id: '3' })]);
    expect(reported(check(files, both, known))).toEqual([]);
  });

  it('does not take the drawing beside a credit for a use of the icon', () => {
    const artwork = new Map([['1', svg(WHALE)]]);
    const page = renderAttribution(made, 'html', { artwork, template: '<!-- icon-credits -->' });
    expect(page).toContain(WHALE);
    expect(reported(check({ 'thanks.html': page }))).toEqual(['unused']);
    const own = `<div class="tile" aria-hidden="true">${svg(WHALE)}</div>`;
    expect(reported(check({ 'thanks.html': page + own }))).toEqual([]);
  });

  it('knows the page of credits under the name that the project gives it', () => {
    const files = {
      'index.html': `${svg(WHALE)}<script>a.href=\`\${base}legal/icons.html\`</script>`,
      'legal/icons.html': renderAttribution(made, 'html', {
        artwork: new Map([['1', svg(WHALE)]]),
      }),
    };
    expect(reported(check(files, made, { creditsFiles: ['legal/icons.html'] }))).toEqual([]);
    expect(reported(check({ 'legal/icons.html': files['legal/icons.html'] }))).toEqual(['unused']);
  });

  it.each([
    ['UTF-16', { 'a.js': Buffer.from(`\ufeffx='${svg(CRAB)}'`, 'utf16le') }],
    [
      'UTF-16 with the high byte first',
      { 'a.js': Buffer.from(`\ufeff${svg(CRAB)}`, 'utf16le').swap16() },
    ],
    ['UTF-16 without a mark', { 'a.svg': Buffer.from(svg(CRAB), 'utf16le') }],
    [
      'UTF-16 without a mark, with the high byte first',
      { 'a.svg': Buffer.from(svg(CRAB), 'utf16le').swap16() },
    ],
    ['escapes of letters', { 'a.js': `x="${svg(CRAB).replace('M', String.raw`\u004d`)}"` }],
    ['escapes of everything', { 'a.js': `x="${escaped(svg(CRAB))}"` }],
    ['a page of PHP', { 'shop.php': `<?php echo 1 ?>${svg(CRAB)}${CREDITS}` }],
    ['a file without ending', { 'shop/crab': svg(CRAB) }],
    ['an optimised drawing', { 'a.html': `${svg('m12 12 q2 0 1 9 z')}${CREDITS}` }],
  ])('reports an icon in %s', (_, files) => {
    const drawings = [{ key: '2', svg: svg('M12 12c1.3333 0 1.6667 3 1 9z') }];
    const page = { 'index.html': svg(WHALE) + CREDITS };
    const all = check({ ...page, ...files }, made, { drawings });
    expect(reported(all)).toEqual([`uncredited ${Object.keys(files).join()}`]);
  });

  it('takes one icon for another one that is drawn alike, if that one has a credit', () => {
    const drawings = ['2', '1'].map((key) => ({ key, svg: svg(WHALE) }));
    const moved = svg(WHALE.replace('M2 2h9', 'M2 2 11 2'));
    expect(reported(check({ 'index.html': moved + CREDITS }, made, { drawings }))).toEqual([]);
  });

  it.each([
    [
      'deleted',
      (page: string) => page.replace(/<li id="icon-1"[^]*?<\/li>/, ''),
      'has no credit for',
    ],
    [
      'emptied',
      (page: string) => page.replace(/(<li id="icon-1"[^>]*>)[^]*?<\/li>/, '$1</li>'),
      'does not say the title “Whale” and the creator “Ada”',
    ],
    [
      'hidden',
      (page: string) => page.replace('<li id="icon-1"', '<li hidden id="icon-1"'),
      'does not say the title',
    ],
    [
      'of another creator',
      (page: string) => page.replaceAll('Ada', 'Bo'),
      'does not say the creator “Ada”',
    ],
    [
      'of another licence',
      (page: string) => page.replaceAll('Creative Commons', 'Other'),
      'does not say the licence',
    ],
    [
      'without the text that the catalog asks for',
      (page: string) => page.replaceAll('from the catalog', ''),
      'does not say the credit text',
    ],
  ])('reports a credit that was %s', (_, change, words) => {
    const requested = 'Whale from the catalog';
    const plain = credit({ id: '1', term: 'Whale', attribution: requested });
    const of = manifest([plain]);
    const page = renderAttribution(of, 'html', { artwork: new Map([['1', svg(WHALE)]]) });
    expect(change(page)).not.toBe(page);
    const files = { 'index.html': svg(WHALE) + CREDITS };
    expect(reported(check(files, of))).toEqual([]);
    const { problems } = check({ ...files, 'icon-attribution.html': change(page) }, of);
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['altered', expect.stringContaining(words)],
    ]);
    // A minifier changes nothing that counts.
    const minified = page.replaceAll(/\s*\n\s*/g, ' ');
    expect(reported(check({ ...files, 'icon-attribution.html': minified }, of))).toEqual([]);
  });

  it('takes the words about one icon for no others', () => {
    const of = manifest(['1', '3'].map((id) => credit({ id, term: 'Whale' })));
    const messages = (html: string): string[] =>
      check({ 'icon-attribution.html': html }, of, { fingerprints: new Map() }).problems.map(
        ({ message }) => message,
      );
    const page = renderAttribution(of, 'html');
    const emptied = page.replace(/(<li id="icon-3"[^>]*>)[^]*?<\/li>/, '$1</li>');
    expect(messages(page)).toEqual([]);
    expect(messages(emptied)).toEqual([
      expect.stringMatching(/does not say the title “Whale” and the creator “Ada” .*of icon 3/),
    ]);
    const [{ credit: said, license } = credit()] = of.icons;
    const part = (heading: string, id: string): string =>
      `<section><h2>${heading}</h2><ul><li about="#icon-${id}">Whale ${said.requested?.replace('Ada', '')}, ${license.name}</ul></section>`;
    const own = manifest(
      ['1', '3'].map((id) => credit({ id, attribution: 'Whale by  from the catalog' })),
    );
    const { problems } = check(
      { 'icon-attribution.html': `<main>${part('By Ada', '1')}${part('By Bo', '3')}</main>` },
      own,
      { fingerprints: new Map() },
    );
    expect(problems.map(({ message }) => message)).toEqual([
      'icon-attribution.html does not say the creator “Ada” of icon 3 (“Whale”).',
    ]);
  });

  it.each([
    ['term', { term: 'Fish' }, 'Whale', 'Fish'],
    ['attribution', { attribution: 'By Bo' }, 'Whale by Ada from the catalog', 'By Bo'],
    ['creator.name', { creator: { name: 'Bo', permalink: '/ada/', username: 'ada' } }, 'Ada', 'Bo'],
  ])('gets a report of a list that has another %s than the lock', (field, words, said, before) => {
    const locked = new Map([['1', record({ id: '1', ...words })]]);
    const site = check({ 'index.html': svg(WHALE) + CREDITS }, made, { locked });
    expect(site.problems.map(({ message }) => message)).toEqual([
      `The list says “${said}” as ${field} of icon 1, and the lock “${before}”.`,
    ]);
  });

  it('gets a report of a list that says something else than the lock', () => {
    const words = record({ id: '1', term: 'Whale' });
    const locked = new Map([['1', { ...words, license_description: 'public-domain' }]]);
    const files = { 'index.html': svg(WHALE) + CREDITS };
    expect(reported(check(files, made, { locked: new Map([['1', words]]) }))).toEqual([]);
    expect(check(files, made, { locked }).problems).toEqual([
      {
        kind: 'altered',
        message: `The list says “${words.license_description}” as license_description of icon 1, and the lock “public-domain”.`,
        remedy: 'Build again.',
        files: [],
      },
    ]);
  });

  describe('what follows from the lock of a licence', () => {
    const words = record({ id: '1', term: 'Whale', attribution: 'Whale by Ada, CC BY 3.0' });
    const files = { 'index.html': svg(WHALE) + CREDITS };
    const of = (license: Partial<CreditLicense>, from = words, notices: string[] = []) => {
      const plain = credit({ ...from });
      return manifest([
        {
          ...plain,
          license: { ...plain.license, ...license },
          credit: { ...plain.credit, notices },
        },
      ]);
    };
    const reportsOf = (list: Manifest, lock: LockedWords = words): string[] =>
      check(files, list, { locked: new Map([['1', lock]]) })
        .problems.map(({ message }) => message)
        .filter((message) => message.startsWith('The list'));

    it.each([
      ['version', '4.0', '3.0'],
      ['url', null, 'https://creativecommons.org/licenses/by/3.0/'],
      ['name', 'MIT License', 'Creative Commons Attribution 3.0'],
      ['spdx', 'CC-BY-4.0', 'CC-BY-3.0'],
    ])('gets a report of a list with another %s', (field, said, before) => {
      expect(reportsOf(of({}))).toEqual([]);
      expect(reportsOf(of({ [field]: said }))).toEqual([
        expect.stringContaining(
          `The list says “${said ?? 'none'}” as license.${field} of icon 1, and the lock “${before}`,
        ),
      ]);
    });

    it('is what the project asserts, and what the file says', () => {
      const assertion = { license: 'MIT', by: 'us', evidence: 'a letter' };
      const asserted = resolveLicense({ record: words, assertion }).license;
      expect(reportsOf(of(asserted), { ...words, assertion })).toEqual([]);
      const other = { ...words, assertion: { ...assertion, license: 'ISC' } };
      expect(reportsOf(of(asserted), other)).toEqual([
        'The list says “MIT License” as license.name of icon 1, and the lock “ISC License”.',
      ]);
      // A library may have asked about its icons itself.
      expect(reportsOf(of(asserted))).toEqual([]);
      const silent = { ...words, attribution: 'Whale by Ada' };
      const stated = resolveLicense({ record: silent, fileNotices: ['CC BY 2.0'] }).license;
      expect(stated.version).toBe('2.0');
      expect(reportsOf(of(stated, silent, ['CC BY 2.0']), silent)).toEqual([]);
      const edited = of({ ...stated, version: '4.0' }, silent, ['CC BY 2.0']);
      expect(reportsOf(edited, silent)).toHaveLength(1);
      const terms = { termsVersion: '4.0' };
      const byTerms = resolveLicense({ record: silent, ...terms }).license;
      expect(reportsOf(of(byTerms, silent), { ...silent, ...terms })).toEqual([]);
      expect(reportsOf(of(byTerms, silent), { ...silent, termsVersion: '3.0' })).toHaveLength(1);
    });
  });

  it.each([
    ['in a template', '<template><a href="icon-attribution.html">Credits</a></template>'],
    ['that is hidden', '<a hidden href="icon-attribution.html">Credits</a>'],
    [
      'in a hidden element',
      '<footer style="display: none"><a href="icon-attribution.html">Credits</a></footer>',
    ],
    [
      'that cannot be seen',
      '<a style="visibility:hidden" href="icon-attribution.html">Credits</a>',
    ],
    ['without a text', '<a href="icon-attribution.html"> </a><p>Credits</p>'],
    ['with a hidden text', '<a href="icon-attribution.html"><b hidden>Credits</b></a>'],
  ])('reports a page with a link %s, which is none', (_, link) => {
    const { problems } = check({ 'index.html': svg(WHALE) + link });
    expect(problems.map(({ kind, remedy }) => [kind, remedy])).toEqual([
      [
        'unreachable',
        'Link to them from it or from a page that it links to: <a href="icon-attribution.html">Icon credits</a>.',
      ],
    ]);
  });

  it('names the page of credits that is not there', () => {
    const content = Buffer.from(svg(WHALE) + CREDITS);
    const options = { manifest: made, creditsFiles: [], fingerprints };
    const { problems } = checkSite([{ path: 'index.html', content }], options);
    expect(problems.map(({ message }) => message)).toEqual([
      'index.html shows icons, and the site has no page of credits.',
    ]);
  });

  it('proposes a link that is right below any base', () => {
    const { problems } = check({
      'index.html': '<a href="icon-attribution.html">Credits</a>',
      'about/us/index.html': svg(WHALE),
    });
    expect(problems.map(({ remedy }) => remedy)).toEqual([
      'Link to them from it or from a page that it links to: <a href="../../icon-attribution.html">Icon credits</a>.',
    ]);
  });

  it.each([
    '<a href="icon-attribution.html"><img src="i.png" alt="Credits"></a>',
    '<a href="icon-attribution.html" aria-label="Credits"><i></i></a>',
    '<a href="icon-attribution.html"><b><span>Credits</span></b></a>',
    '<map><area href="icon-attribution.html" alt="Credits"></map>',
    '<p hidden="until-found"><a href="icon-attribution.html">Credits</a></p>',
  ])('takes %s for a link', (link) => {
    expect(reported(check({ 'index.html': svg(WHALE) + link }))).toEqual([]);
  });

  it('cannot look for what the project has changed, and reports it', () => {
    const changes = computeChanges({ ...FACTS, transformed: true });
    const of = manifest([credit({ id: '1' }, { changes }), credit({ id: '9' })]);
    const site = check({ 'index.html': CREDITS }, of);
    expect([reported(site), site.unknown]).toEqual([[], ['1', '9']]);
  });

  it('is read in a time that grows with its size: what is quadratic would take hours', () => {
    const blob = 'a/b.c+d'.repeat(600_000);
    const html = `<a href="${'x'.repeat(2_000_000)}${'<!--'.repeat(500_000)}<iframe src=`;
    const found = check({
      'index.html': html,
      'a.js': `x="${blob}"`,
      'b.js': '<a '.repeat(1_000_000),
      'c.js': `"\\u0041${'\\'.repeat(1_000_000)}`,
    });
    expect(found.unknown).toEqual([]);
  });
});
