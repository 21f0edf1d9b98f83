import { describe, expect, it } from 'vitest';
import { runOn } from './support/fake-host.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const { env } = catalog;

describe('failures end with 1 and say what to do', () => {
  it('names both ways where no catalog is configured', async () => {
    const { code, stdout, stderr } = await runCli(['usage']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[CATALOG_NOT_CONFIGURED]');
    expect(stderr).toContain('ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET');
    expect(stderr).toContain('--embedded');
  });

  it('names what is missing of the three', async () => {
    const { ICON_CATALOG_SECRET: _, ...rest } = env();
    const { code, err } = await runOn(['usage'], { env: rest });
    expect(code).toBe(1);
    expect(err()).toContain('No catalog is configured: ICON_CATALOG_SECRET is not set.');
  });

  it.each([
    ['show 5', 'CATALOG_NOT_FOUND'],
    ['collection 5', 'CATALOG_NOT_FOUND'],
    ['download 5', 'CATALOG_NOT_FOUND'],
    ['download 5 --output -', 'CATALOG_NOT_FOUND'],
    ['api GET /v2/nothing', 'CATALOG_NOT_FOUND'],
    ['api GET /v2/icon --query limit=none', 'CATALOG_BAD_REQUEST'],
  ])('%s: %s', async (line, errorCode) => {
    const { code, out, err } = await runOn(line.split(' '), { env: env() });
    expect({ code, out: out() }).toEqual({ code: 1, out: '' });
    expect(err()).toMatch(new RegExp(`^error \\[${errorCode}\\] .+\\n {2}.+`));
  });

  it('reports a refused key, and of no secret', async () => {
    const wrong = { ...env(), ICON_CATALOG_SECRET: 'a-secret-that-is-wrong' };
    const { code, stdout, stderr } = await runCli(['search', 'x', '--json'], { env: wrong });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CATALOG_UNAUTHORIZED' } });
    expect(stderr).toContain('[CATALOG_UNAUTHORIZED]');
    for (const written of [stdout, stderr]) {
      expect(written).not.toContain('a-secret-that-is-wrong');
      expect(written).not.toContain(env()['ICON_CATALOG_KEY']);
    }
  });

  it('reports a service that sends no JSON', async () => {
    catalog.intercept = () =>
      new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    const { code, err } = await runOn(['usage'], { env: env() });
    expect(code).toBe(1);
    expect(err()).toContain('[CATALOG_MALFORMED]');
  });

  it('reports a folder without icon sets', async () => {
    const cwd = await temporaryFolder();
    const { code, err } = await runOn(['search', 'x', '--embedded'], { cwd });
    expect(code).toBe(1);
    expect(err()).toMatch(/@iconify-json/);
  });

  it('shows what a service says, without what a terminal would obey', async () => {
    catalog.intercept = () =>
      Response.json({ message: 'gone \u001b[2J\u009b31m\u202e' }, { status: 404 });
    const { err } = await runOn(['show', '5'], { env: env() });
    expect(err()).toContain('gone');
    expect(err()).not.toMatch(/[\u001b\u009b\u202e]/);
  });
});
