import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../src/catalog/endpoints.ts';
import {
  fitText,
  padText,
  renderTable,
  showWhenSlow,
  toPlainJson,
  toPlainText,
  widthOf,
  wrapLines,
  wrapText,
} from '../../src/cli/terminal.ts';
import { Cancelled, type Host, confirmOn } from '../../src/cli/host.ts';
import { queryOptions } from '../../src/cli/query-options.ts';
import { type CliArgs, readArguments } from '../../src/cli/command.ts';
import { createFakeHost, type FakeHost } from './support/fake-host.ts';

describe('options from the endpoint table', () => {
  const names = Object.keys(ENDPOINTS) as EndpointName[];

  it.each(names)('%s: each parameter but the query is an option with a description', (name) => {
    const params = Object.keys(ENDPOINTS[name].query).filter((param) => param !== 'query');
    const options = Object.entries(queryOptions(name));
    expect(options).toHaveLength(params.length);
    // A parameter that is new in the table has no words yet: they belong into PURPOSES.
    if (!ENDPOINTS[name].path.startsWith('/v2/') || name === 'blacklistIds') return;
    for (const [, { description }] of options) expect(description).toMatch(/^[A-Z].* /);
  });
});

describe('reading arguments', () => {
  const args: CliArgs = {
    id: { type: 'positional', multiple: true },
    tag: { type: 'string', multiple: true },
    output: { type: 'string', alias: 'o' },
    force: { type: 'boolean', alias: 'f' },
  };

  it.each<[string[], Record<string, string[]>, boolean?]>([
    [['1', '--tag', 'a', '2', '--tag=b=c'], { id: ['1', '2'], tag: ['a', 'b=c'] }],
    [['-fo', 'x', '1'], { id: ['1'], output: ['x'] }, true],
    [['-o', '-', '1'], { id: ['1'], output: ['-'] }],
    [['--tag=--no-x=', '1'], { id: ['1'], tag: ['--no-x='] }],
    [['--', '-1', '--tag'], { id: ['-1', '--tag'] }],
  ])('%j', (raw, expected, force = false) => {
    const given = readArguments(args, raw);
    for (const [name, values] of Object.entries({ tag: [], output: [], ...expected })) {
      expect(given.all(name)).toEqual(values);
      expect(given.text(name)).toBe(values[0]);
    }
    expect(given.flag('force')).toBe(force);
  });
});

describe('a question', () => {
  it.each<[string | undefined, boolean]>([
    ['y\n', true],
    ['Yes \r\n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
    ['y', false],
    // The end of the input.
    [undefined, false],
  ])('answered by %j is %j', async (answer, expected) => {
    const input = new PassThrough();
    const output = new PassThrough();
    if (answer !== undefined) input.write(answer);
    input.end();
    expect(await confirmOn('Remove 3 lines?', { input, output })).toBe(expected);
    expect(String(Buffer.concat(await output.end().toArray()))).toContain('Remove 3 lines? (y/N) ');
  });

  it('is the end of the command for Ctrl+C, as a terminal sends it', async () => {
    const input = new PassThrough();
    const output = Object.assign(new PassThrough(), { isTTY: true });
    input.write('y\u0003');
    await expect(confirmOn('Remove 3 lines?', { input, output })).rejects.toThrow(Cancelled);
  });
});

describe('text that fits', () => {
  it.each([
    ['plain', 5],
    ['猫', 2],
    ['👍', 2],
    ['e\u0301', 1],
  ])('%s takes %i columns', (text, columns) => expect(widthOf(text)).toBe(columns));

  it.each(['plain text', '猫猫猫猫猫', '👍👍👍👍👍👍'])(
    '%s is cut to what is asked for',
    (text) => {
      for (let width = 1; width < 14; width += 1) {
        expect(widthOf(fitText(text, width))).toBeLessThanOrEqual(width);
        expect(widthOf(padText(fitText(text, width), width))).toBe(width);
      }
      expect(fitText(text, 20)).toBe(text);
      expect(fitText(text, 5)).toMatch(/…$/);
    },
  );

  it.each([undefined, 0])('stays as it is in %s columns', (columns) => {
    const text = 'a '.repeat(60).trim();
    expect(wrapLines(text, { columns })).toBe(text);
  });

  it('breaks lines at spaces', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapText('', 7)).toEqual(['']);
  });
});

it('shrinks the widest columns of a table first, and keeps those that may not', () => {
  const paint = (_: string, text: string): string => text;
  const rows = [{ id: '1234567890', name: 'n'.repeat(30), tags: 't'.repeat(12) }];
  const columns = [
    { title: 'ID', value: ({ id }: (typeof rows)[0]) => id, align: 'right' as const },
    { title: 'NAME', value: ({ name }: (typeof rows)[0]) => name, least: 5 },
    { title: 'TAGS', value: ({ tags }: (typeof rows)[0]) => tags, least: 5 },
  ];
  expect(renderTable(rows, columns, { width: 40, paint })).toBe(
    `        ID  NAME            TAGS\n1234567890  ${'n'.repeat(13)}…  ${'t'.repeat(12)}`,
  );
});

describe('plain text', () => {
  it('is one line', () => expect(toPlainText(' a\n\tb\u2028c ')).toBe('a b c'));

  it('leaves ordinary text alone', () => {
    const text = 'Zoë’s “猫” — العربية עברית 👩‍👧 ½ …';
    expect(toPlainText(text)).toBe(text);
  });

  it('is the same value in JSON', () => {
    const value = { a: 'x\u009b\u202e\u2028\n\u{e0041}\ud800', b: [1, null] };
    expect(JSON.parse(toPlainJson(value))).toEqual(value);
  });
});

describe('a command that is slow', () => {
  function slowHost(): { host: Host; fake: FakeHost; pass: () => void; cancelled: () => number } {
    const fake = createFakeHost({ terminal: true });
    let task: (() => void) | undefined;
    let cancels = 0;
    const host: Host = {
      ...fake,
      later(milliseconds, run) {
        expect(milliseconds).toBeLessThanOrEqual(500);
        task = run;
        return () => {
          cancels += 1;
          task = undefined;
        };
      },
    };
    return { host, fake, pass: () => task?.(), cancelled: () => cancels };
  }

  it('reports its wait on a terminal until it writes', () => {
    const { host, fake, pass } = slowHost();
    const slow = showWhenSlow(host, 'search');
    expect(fake.err()).toBe('');
    pass();
    expect(fake.err()).toContain('search …');
    slow.host.stdout.write('result');
    slow.host.stderr.write('note');
    slow.end();
    expect(fake.err().split('\r\u001b[2K').at(-1)).toBe('note');
    expect(fake.out()).toBe('result');
  });

  it('says nothing before a question, to a waiting server, and without a terminal', async () => {
    for (const use of [(host: Host) => host.confirm('Sure?'), (host: Host) => host.interrupted()]) {
      const { host, fake, pass, cancelled } = slowHost();
      await use(showWhenSlow(host, 'prune').host);
      pass();
      expect({ cancelled: cancelled(), err: fake.err() }).toEqual({ cancelled: 1, err: '' });
    }
    const plain = createFakeHost();
    expect(showWhenSlow(plain, 'search').host).toBe(plain);
  });
});
