import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../src/cli/command.ts';
import { ROOT } from '../../src/cli/tree.ts';
import { embeddedIconId } from '../../src/server/ids.ts';
import { GENERATOR } from '../../src/version.ts';
import { runOn } from './support/fake-host.ts';
import { widest } from './support/lines.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const { env } = catalog;
const commands = (await loadCommands(ROOT)).map((command) => ({
  line: command.words.join(' '),
  words: command.words,
  command,
}));

describe('what is written wrongly ends with 2, and nothing is sent', () => {
  it.each([
    [['serch'], 'There is no command "serch". Did you mean `icon-catalog search`?'],
    [['ls'], 'Did you mean `icon-catalog collections`?'],
    [['list'], 'Did you mean `icon-catalog collections`?'],
    [['open'], /Did you mean `icon-catalog (?:browse|show)`\?/],
    [['login'], /Did you mean `icon-catalog (?:init|usage)`\?/],
    [['credits'], 'Did you mean `icon-catalog attribution`?'],
    [['blacklist', 'ad'], 'Did you mean `icon-catalog blacklist add`?'],
    [['search', '--stile', 'line'], 'There is no option --stile. Did you mean --style?'],
    [['search', '--quux'], 'There is no option --quux.\n'],
    [['search', '-x'], 'There is no option -x.\n'],
    [['search', '--no-all'], 'There is no option --no-all.'],
    [['search', '--limit'], '--limit needs a value.'],
    [['search', '--limit', '--json'], '--limit needs a value. Write --limit=--json'],
    [['search', '--all=1'], '--all takes no value.'],
    [['search', '--limit', '1', '--limit', '2'], '--limit is given twice.'],
    [['search', '--limit=0'], '--limit must be an integer, 1 or more; "0" is not.'],
    [['search', '--line-weight=61'], '--line-weight must be an integer 1 to 60'],
    [['search', '--style=dotted'], '--style must be solid, line'],
    [['search', '--thumbnail-size=100'], '--thumbnail-size must be one of 42, 84, 200'],
    [['suggest', 'a', '--limit=11'], '--limit must be an integer 1 to 10'],
    [['suggest'], '<term> is missing.'],
    [['show'], '<id> is missing.'],
    [['collection', 'house'], '<id> must be an integer; "house" is not.'],
    [['show', '1', '2'], '"2" is one argument too many.'],
    [['usage', 'now'], '"now" is one argument too many.'],
    [['collection', '../1'], '<id> must be an integer'],
    [['download', '1', '--size', '64'], '--size is not accepted with --filetype svg.'],
    [['download', '1', '--filetype=gif'], '--filetype must be one of svg, png; "gif" is not.'],
    [['download', '1', '--color=red'], '--color must be 3 or 6 hexadecimal digits'],
    [['download', '1', '--filetype=png', '--size=19'], '--size must be an integer 20 to 1200'],
    [['download', '1', '2', '-o', 'x.svg'], '--output takes one icon.'],
    [['download', '1', '-o', '-', '--json'], 'both want standard output'],
    [['blacklist', 'add'], '<entry> is missing.'],
    [['blacklist', 'add', '1', '--type=tag'], '--type must be one of icon, collection, term'],
    [['blacklist', 'add', 'boar'], 'An id must be an integer, and is "boar". Nothing was sent.'],
    [['blacklist', 'replace'], 'this would empty the list of type icon. Add --yes'],
    [['api', 'GET'], '<path> is missing.'],
    [['api', 'GET', 'v2/icon'], '<path> must begin with one "/"'],
    [['api', 'GET', '//host/v2/icon'], '<path> must begin with one "/"'],
    [['api', 'G T', '/v2/icon'], '<method> must be GET or POST: no endpoint has "G T".'],
    [['api', 'delete', '/v2/icon'], 'no endpoint has "delete".'],
    [['api', 'GET', '/v2/icon', '--query', 'limit'], '--query must be name=value'],
    [['api', 'POST', '/v2/icon', '--body', '{'], '--body must be JSON'],
    [['serve', '--port=65536'], '--port must be a number from 0 to 65535'],
    [['completion', 'tcsh'], '<shell> must be one of bash, zsh, fish, powershell; "tcsh" is not.'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await runOn(args, { env: env() });
    expect(err()).toEqual(
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
    );
    expect(err()).toMatch(/\n {2}(?:See icon-catalog[a-z ]* --help\.|Check the parameters .*)\n$/);
    const written = args.includes('--json') ? expect.stringContaining('"error": {') : '';
    expect({ code, out: out(), calls: catalog.calls }).toEqual({
      code: 2,
      out: written,
      calls: [],
    });
  });

  it('is the exit code of the process', async () => {
    const { code, stdout, stderr } = await runCli(['search', '--limits', '3']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Did you mean --limit?');
  });
});

describe('help', () => {
  it.each(commands)(
    'of "$line" is on standard output, in 80 columns',
    async ({ words, command }) => {
      const { code, out, err } = await runOn([...words, '--help']);
      expect({ code, err: err() }).toEqual({ code: 0, err: '' });
      expect(out()).toContain(`icon-catalog ${words.join(' ')}`.trimEnd());
      expect(widest(out())).toBeLessThanOrEqual(80);
      for (const name of Object.keys(command.args)) expect(out()).toContain(name);
    },
  );

  it('has --json and --help in every command', () => {
    for (const { command } of commands) {
      expect(Object.keys(command.args)).toEqual(expect.arrayContaining(['json', 'help']));
    }
  });

  it('can be asked for in other ways', async () => {
    const { out } = await runOn(['search', '--help']);
    for (const args of [
      ['help', 'search'],
      ['search', '-h'],
      ['--help', 'search', 'x', '--limit'],
    ]) {
      const other = await runOn(args);
      expect({ code: other.code, out: other.out() }).toEqual({ code: 0, out: out() });
    }
  });

  it.each([[[]], [['blacklist']]])('is what a group of commands alone prints: %j', async (args) => {
    const { code, out, err } = await runOn(args);
    expect({ code, err: err() }).toEqual({ code: 0, err: '' });
    expect(out()).toContain('Usage');
  });
});

describe('a failure with --json', () => {
  it('is one document on standard output, and text on standard error', async () => {
    const { code, out, err } = await runOn(['show', '1', '--json'], { env: env() });
    expect(code).toBe(1);
    expect(JSON.parse(out())).toEqual({
      error: {
        code: 'CATALOG_NOT_FOUND',
        message: expect.stringContaining('1') as string,
        remedy: expect.stringMatching(/\.$/) as string,
        icon: '1',
      },
    });
    expect(err()).toContain('error [CATALOG_NOT_FOUND]');
  });

  it.each<[string[], object]>([
    [
      ['serch', '--json'],
      {
        code: 'USAGE',
        remedy: 'See icon-catalog --help.',
        message: expect.stringMatching(/^There is no command "serch"\. Did you mean/) as string,
      },
    ],
    [
      ['search', '--limit=0', '--json'],
      {
        code: 'USAGE',
        remedy: 'See icon-catalog search --help.',
        message: '--limit must be an integer, 1 or more; "0" is not.',
      },
    ],
  ])('%j', async (args, error) => {
    const { code, out } = await runOn(args, { env: env() });
    expect({ code, ...(JSON.parse(out()) as object) }).toEqual({ code: 2, error });
  });

  it('names the option, and stands beside what was done', async () => {
    const wrong = await runOn(['usage', '--json'], {
      env: { ...env(), ICON_CATALOG_URL: 'nowhere' },
    });
    expect(JSON.parse(wrong.out())).toMatchObject({
      error: { code: 'OPTIONS_INVALID', path: 'catalog.baseUrl' },
    });
    const ids = [String(embeddedIconId('maki', 'bus')), '1'];
    const partly = await runOn(['download', ...ids, '--json', '--force'], { env: env() });
    expect(JSON.parse(partly.out())).toMatchObject({
      error: {
        code: 'CATALOG_NOT_FOUND',
        message: expect.stringContaining('1 of 2 icons was') as string,
      },
      results: [{ id: ids[0] }],
    });
  });
});

describe('an error on a terminal', () => {
  it.each([40, 80])('fits %i columns, with its remedy indented', async (columns) => {
    const { err } = await runOn(['show', '1'], { env: env(), terminal: true, columns });
    expect(widest(err())).toBeLessThanOrEqual(columns);
    expect(err()).toMatch(/\n {2}\S/);
    const { err: whole } = await runOn(['show', '1'], { env: env() });
    expect(plain(err())).toBe(plain(whole()));
  });
});

/** The words of a text, without colours and line ends. */
const plain = (text: string): string =>
  stripVTControlCharacters(text).split(/\s+/).filter(Boolean).join(' ');

describe('--version', () => {
  it.each(['--version', '-v'])('%s', async (option) => {
    const { code, stdout } = await runCli([option]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${GENERATOR.version}\n` });
  });

  it('is JSON with --json', async () => {
    const { out } = await runOn(['--version', '--json']);
    expect(JSON.parse(out())).toEqual(GENERATOR);
  });
});

describe('where options may stand', () => {
  it('is before the command and behind it', async () => {
    const behind = await runOn(['search', 'home', '--json', '--limit=2'], { env: env() });
    const before = await runOn(['--json', 'search', '--limit=2', 'home'], { env: env() });
    const ids = (text: string): string[] =>
      (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    expect(ids(before.out())).toEqual(ids(behind.out()));
  });

  it('takes everything behind -- as it is', async () => {
    const { code, out } = await runOn(['search', '--json', '--', '--help', '-v'], { env: env() });
    expect(code).toBe(0);
    expect(JSON.parse(out())).toEqual([]);
  });
});
