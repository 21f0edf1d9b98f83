import { execFile, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadTree } from '../../src/cli/command.ts';
import { ROOT as ENTRY } from '../../src/cli/tree.ts';
import { walkCommands } from '../../src/cli/completion.ts';
import { writeProject } from '../support/write-project.ts';
import { runInProject } from './support/project-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runOn } from './support/fake-host.ts';

const run = promisify(execFile);
const ROOT = await loadTree(ENTRY);
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

async function scriptOf(shell: string): Promise<string> {
  const { code, out } = await runOn(['completion', shell]);
  expect(code).toBe(0);
  return out();
}

/** What bash offers for the last of the words, as its readline would ask for it. */
async function complete(...words: string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  const program = join(folder, 'icon-catalog');
  await writeFile(
    program,
    `#!/bin/sh\ncd ${process.cwd()} && exec ${process.execPath} ${CLI} "$@"\n`,
  );
  await chmod(program, 0o755);
  const script = join(folder, 'completion.bash');
  await writeFile(script, await scriptOf('bash'));
  const { stdout } = await run(
    'bash',
    [
      '--norc',
      '-c',
      `set -u; source "$1"; shift; COMP_WORDS=(./icon-catalog "$@"); COMP_CWORD=$#; COMPREPLY=()
      $(complete -p icon-catalog | sed 's/.*-F \\([^ ]*\\) .*/\\1/'); printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`,
      'bash',
      script,
      ...words,
    ],
    { cwd: folder },
  );
  return stdout.split('\n').filter(Boolean);
}

describe('bash', () => {
  it('offers commands', async () => {
    expect(await complete('')).toEqual(ROOT.children.map(({ name }) => name));
    expect(await complete('col')).toEqual(['collections', 'collection']);
    expect(await complete('--json', 'us')).toEqual(['usage']);
    expect(await complete('blacklist', '')).toEqual(['list', 'add', 'replace']);
  });

  it('offers the options of every command', async () => {
    for (const { words, command } of walkCommands(ROOT)) {
      const options = Object.entries(command.args)
        .filter(([, { type }]) => type !== 'positional')
        .map(([name]) => `--${name}`);
      expect(await complete(...words, '--')).toEqual(options);
    }
  });

  it('offers values', async () => {
    expect(await complete('search', '--style', '')).toEqual(['solid', 'line']);
    expect(await complete('search', 'home', '--thumbnail-size', '8')).toEqual(['84']);
    expect(await complete('search', '--style', '=', 'l')).toEqual(['line']);
    expect(await complete('blacklist', 'add', '--type', 't')).toEqual(['term']);
    expect(await complete('completion', 'f')).toEqual(['fish']);
    expect(await complete('completion', 'p')).toEqual(['powershell']);
  });

  it('offers installed sets and the names of their icons', async () => {
    expect(await complete('show', 'tab')).toEqual(['tabler/']);
    expect(await complete('add', 'tabler/home', 'tabler/home-of')).toEqual(['tabler/home-off']);
    expect(await complete('show', 'nowhere/h')).toEqual([]);
  });

  it('offers files where a path is wanted, and nothing for free text', async () => {
    expect(await complete('download', '1', '-o', 'comp')).toEqual(['completion.bash']);
    expect(await complete('search', 'hou')).toEqual([]);
  });
});

describe('every shell', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    '%s: the script names every command and option',
    async (shell) => {
      const script = await scriptOf(shell);
      for (const { command } of walkCommands(ROOT)) {
        expect(script).toContain(command.name);
        for (const [name, { type }] of Object.entries(command.args)) {
          if (type !== 'positional')
            expect(script).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`);
        }
      }
    },
  );

  it('is asked by all of them for aliases of the project as well as names of sets', async () => {
    const root = await writeProject({
      'icon-catalog.config.json':
        '{ "catalog": "embedded", "aliases": { "tab": 1, "house": 2, "home": 3 } }',
    });
    const answer = async (beginning: string): Promise<string> =>
      (await runInProject(root, ['completion', 'icons', beginning])).out;
    expect(await answer('ho')).toBe('home\nhouse\n');
    expect(await answer('house/')).toBe('');
    await writeFile(join(root, 'icon-catalog.config.json'), '{');
    expect(await answer('ho')).toBe('');
  });

  it('PowerShell: every path has its words, options and values', async () => {
    const script = await scriptOf('powershell');
    expect(script).toContain("    'blacklist' = @('list', 'add', 'replace')\n");
    expect(script).toContain("    'search --style' = @('solid', 'line')\n");
    expect(script).toMatch(/^ {2}\$icons = @\('show', 'download', .*'add'/m);
    expect(script.split('{').length).toBe(script.split('}').length);
  });

  it('has a syntax that the shells on this machine accept', async () => {
    const folder = await temporaryFolder();
    const shells = ['bash', 'zsh', 'fish'].filter(
      (shell) => spawnSync(shell, ['--version']).status === 0,
    );
    expect(shells).toContain('bash');
    for (const shell of shells) {
      const script = join(folder, `completion.${shell}`);
      await writeFile(script, await scriptOf(shell));
      const { status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
      expect({ shell, status, stderr }).toEqual({ shell, status: 0, stderr: '' });
    }
  });
});
