import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../src/cli/commands/download.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runOn } from './support/fake-host.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki', 'game-icons'] });
const { env } = catalog;
const [first = 0, second = 0, third = 0] = iconIds('maki', 3);
const credited = String(iconIds('game-icons', 1)[0]);

describe('one icon', () => {
  it('is written under its name and id, with licence and credit on standard error', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await runCli(['download', credited], { env: env(), cwd });
    const [file = '', ...others] = await readdir(cwd);
    expect({ code, stdout, others }).toEqual({ code: 0, stdout: `${file}\n`, others: [] });
    expect(file).toMatch(new RegExp(`^[a-z0-9-]+-${credited}\\.svg$`));
    expect(await readFile(join(cwd, file), 'utf8')).toMatch(/^<svg/);
    expect(stderr).toContain('Licence: creative-commons-attribution. Credit: “');
    expect(stderr).toContain('These SVG files are unchanged and not sanitised.');
    expect(catalog.calls).toEqual([
      `GET /v2/icon/${credited}`,
      `GET /v2/icon/${credited}/download`,
    ]);
  });

  it('has the colour, type and size that are asked for', async () => {
    const svg = await runOn(['download', String(first), '--color=#ff8800', '-o', '-'], {
      env: env(),
    });
    expect(svg.out()).toMatch(/#ff8800/i);
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await runCli(
      ['download', String(first), '--size', '64', '-o', 'icon.png', '--color', '000000'],
      { env: env(), cwd },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'icon.png\n' });
    expect(stderr).not.toContain('made safe');
    const png = await readFile(join(cwd, 'icon.png'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 64]);
  });

  it('goes to standard output as it is', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await runCli(['download', String(first), '-o', '-'], {
      env: env(),
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<svg[^]*<\/svg>\s*$/);
    expect(stderr).toMatch(/^\d+ bytes\. Licence: public-domain\. Credit: /);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('overwrites nothing, and costs no download, without --force', async () => {
    const cwd = await temporaryFolder();
    const args = ['download', String(first), '-o', 'icon.svg'];
    expect((await runCli(args, { env: env(), cwd })).code).toBe(0);
    catalog.calls.length = 0;
    const again = await runCli([...args, '--color=00ff00'], { env: env(), cwd });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('icon.svg exists already');
    expect(again.stderr).toContain('--force');
    expect(catalog.calls).toEqual([`GET /v2/icon/${first}`]);
    expect(await readFile(join(cwd, 'icon.svg'), 'utf8')).not.toContain('00ff00');
    expect((await runCli([...args, '--color=00ff00', '--force'], { env: env(), cwd })).code).toBe(
      0,
    );
    expect(await readFile(join(cwd, 'icon.svg'), 'utf8')).toContain('00ff00');
  });
});

describe('several icons', () => {
  it('are written once each, and reported as one JSON document', async () => {
    const ids = [first, second, first, third].map(String);
    const { code, out, files } = await runOn(['download', ...ids, '--json'], { env: env() });
    const records = JSON.parse(out()) as { id: string; file: string; bytes: number }[];
    expect(code).toBe(0);
    expect(records.map(({ id }) => id)).toEqual([first, second, third].map(String));
    for (const { file, bytes } of records) {
      const path = [...files.keys()].find((name) => name.endsWith(file)) ?? '';
      expect(files.get(path)?.length).toBe(bytes);
    }
  });

  it('show a bar on a terminal, which is gone at the end', async () => {
    const { err } = await runOn(['download', String(first), String(second)], {
      env: env(),
      terminal: true,
    });
    for (const step of ['0 of 2 icons', '1 of 2 icons', '2 of 2 icons\r\u001b[2K']) {
      expect(err()).toContain(step);
    }
  });

  it('go on when one fails, and end with 1', async () => {
    const { code, out, err, files } = await runOn(['download', '5', String(first), '6'], {
      env: env(),
    });
    expect(code).toBe(1);
    expect(out()).toMatch(new RegExp(`^\\S+-${first}\\.svg\n$`));
    expect(files.size).toBe(1);
    expect(err()).toContain('[CATALOG_NOT_FOUND] 2 of 3 icons were not downloaded:');
    expect(err()).toMatch(/^ {2}5 .+\n {2}6 /m);
  });
});

describe('the name of a file', () => {
  it.each([
    ['Red House', 'red-house-7.svg'],
    ['../../etc/passwd', 'etc-passwd-7.svg'],
    ['-rf .hidden', 'rf-hidden-7.svg'],
    ['猫 と Käse', '猫-と-käse-7.svg'],
    ['\u001b[31m\u202e\u0000', '31m-7.svg'],
    ['', 'icon-7.svg'],
    ['x'.repeat(300), `${'x'.repeat(60)}-7.svg`],
  ])('%j becomes %s', (term, name) => {
    expect(fileNameOf({ id: '7', term }, 'svg')).toBe(name);
  });
});
