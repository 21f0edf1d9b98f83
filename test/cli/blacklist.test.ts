import { beforeEach, describe, expect, it } from 'vitest';
import type { Blacklist } from '../../src/client.ts';
import { runOn } from './support/fake-host.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const { env } = catalog;

async function runJson(args: readonly string[]): Promise<Blacklist> {
  const { code, out } = await runOn(['--json', ...args], { env: env() });
  expect(code).toBe(0);
  return JSON.parse(out()) as Blacklist;
}

beforeEach(async () => {
  for (const type of ['icon', 'collection', 'term']) {
    await runJson(['blacklist', 'replace', `--type=${type}`, '--yes']);
  }
  catalog.calls.length = 0;
});

it('adds entries of each type to what is there', async () => {
  await runJson(['blacklist', 'add', '1', '2']);
  await runJson(['blacklist', 'add', '3', '--type', 'icon']);
  await runJson(['blacklist', 'add', '4', '--type', 'collection']);
  expect(
    await runJson(['blacklist', 'add', '--type', 'term', 'wild boar', '猫', '--', '--x']),
  ).toEqual({
    icon_ids: [1, 2, 3],
    collection_ids: [4],
    search_terms: ['wild boar', '猫', '--x'],
  });
});

it('replaces the entries of one type', async () => {
  await runJson(['blacklist', 'add', '1', '2']);
  await runJson(['blacklist', 'add', '4', '--type', 'collection']);
  expect(await runJson(['blacklist', 'replace', '9'])).toEqual({
    icon_ids: [9],
    collection_ids: [4],
    search_terms: [],
  });
});

it('lists what is there', async () => {
  const { code, stdout } = await runCli(['blacklist', 'list'], { env: env() });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^icons {8}.+\ncollections {2}.+\nterms {8}.+\n$/);
});

it('leaves out what it matches where --blacklist is given', async () => {
  const search = async (...args: string[]): Promise<string[]> => {
    const { out } = await runOn(['search', 'home', '--json', ...args], { env: env() });
    return (JSON.parse(out()) as { id: string }[]).map(({ id }) => id);
  };
  const [first = '', ...others] = await search();
  await runJson(['blacklist', 'add', first]);
  expect(await search('--blacklist')).toEqual(others);
  expect(await search()).toEqual([first, ...others]);
});

describe('before it replaces', () => {
  it('asks on a terminal, and does nothing without a yes', async () => {
    const { code, out, err, questions } = await runOn(['blacklist', 'replace', '9'], {
      env: env(),
      terminal: true,
    });
    expect(questions).toEqual(['Replace every entry of type icon in the blacklist with 1 entry?']);
    expect({ code, out: out(), calls: catalog.calls }).toEqual({ code: 0, out: '', calls: [] });
    expect(err()).toContain('Nothing was changed.');
  });

  it('goes on with a yes', async () => {
    const { code } = await runOn(['blacklist', 'replace', '9'], {
      env: env(),
      terminal: true,
      answer: true,
    });
    expect({ code, calls: catalog.calls }).toEqual({
      code: 0,
      calls: ['POST /v2/client/blacklist/id'],
    });
  });

  it.each([
    [['--yes'], true],
    [['-y'], true],
    [[], false],
  ])('does not ask with %j on a terminal: %s', async (options, terminal) => {
    const { code, questions } = await runOn(['blacklist', 'replace', '9', ...options], {
      env: env(),
      terminal,
    });
    expect({ code, questions, calls: catalog.calls.length }).toEqual({
      code: 0,
      questions: [],
      calls: 1,
    });
  });
});

it('refuses more entries than one request may have', async () => {
  const ids = Array.from({ length: 1001 }, (_, at) => String(at));
  const { code, err } = await runOn(['blacklist', 'add', ...ids], { env: env() });
  expect(code).toBe(2);
  expect(err()).toContain('1000');
  expect(catalog.calls).toEqual([]);
});
