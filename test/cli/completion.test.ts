import { execFile, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../src/cli/command.ts';
import { ROOT } from '../../src/cli/tree.ts';
import { writeProject } from '../support/write-project.ts';
import { runInProject } from './support/project-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runOn } from './support/fake-host.ts';
import { CLI, FOLDER } from './support/run-cli.ts';

const run = promisify(execFile);
const COMMANDS = await loadCommands(ROOT);

async function scriptOf(shell: string): Promise<string> {
  const { code, out } = await runOn(['completion', shell]);
  expect(code).toBe(0);
  return out();
}

/** What bash offers for the last of the words, as its readline would ask for it. */
async function complete(...words: string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  const program = join(folder, 'icon-catalog');
  await writeFile(program, `#!/bin/sh\ncd ${FOLDER} && exec ${process.execPath} ${CLI} "$@"\n`);
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

  it('offers the options of a command', async () => {
    const asked = COMMANDS.filter(({ words }) =>
      ['', 'search', 'blacklist add'].includes(words.join(' ')),
    );
    expect(asked.length).toBe(3);
    for (const { words, args } of asked) {
      const options = Object.entries(args)
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

/** What the scripts of zsh, fish and PowerShell are told: values, each with its description behind a tab. */
async function answer(current: string, ...before: string[]): Promise<string[]> {
  const { code, out } = await runOn([
    'completion',
    'words',
    `--current=${current}`,
    '--',
    ...before,
  ]);
  expect(code).toBe(0);
  return out().split('\n').filter(Boolean);
}

describe('every shell', () => {
  it('is told commands and options with their descriptions', async () => {
    expect(await answer('br')).toEqual([
      'browse\tOpen the icon browser to find icons, look at them and add them',
    ]);
    expect(await answer('a', 'blacklist')).toEqual(['add\tAdd icons, collections or search terms']);
    for (const { words, args } of COMMANDS) {
      const options = Object.entries(args)
        .filter(([, { type }]) => type !== 'positional')
        .map(([name, { description }]) => `--${name}\t${description}`);
      expect(await answer('--', ...words)).toEqual(options);
    }
  });

  it('is told values, also behind an = in one word, and that a path is wanted', async () => {
    expect(await answer('', 'search', '--style')).toEqual(['solid', 'line']);
    expect(await answer('--style=l', 'search')).toEqual(['--style=line']);
    expect(await answer('', 'download', '1', '-o')).toEqual([':files']);
    expect(await answer('', 'completion')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await answer('', 'search', '--limit')).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    '%s: the script passes on the line, and knows no command itself',
    async (shell) => {
      const script = await scriptOf(shell);
      expect(script).toMatch(/completion words "?--current=.*--/);
      expect(script).toContain(':files');
      expect(script).not.toContain('blacklist');
      expect(script.split('{').length).toBe(script.split('}').length);
    },
  );

  it('is told aliases of the project as well as names of sets', async () => {
    const root = await writeProject({
      'icon-catalog.config.json':
        '{ "catalog": "embedded", "aliases": { "tab": 1, "house": 2, "home": 3 } }',
    });
    const told = async (beginning: string): Promise<string> =>
      (await runInProject(root, ['completion', 'words', `--current=${beginning}`, '--', 'show']))
        .out;
    expect(await told('ho')).toBe('home\nhouse\n');
    expect(await told('house/')).toBe('');
    await writeFile(join(root, 'icon-catalog.config.json'), '{');
    expect(await told('ho')).toBe('');
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
