import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEditorOpener } from '../../src/picker/open-editor.ts';
import { writeProject } from '../support/write-project.ts';

const PLACE = { path: '/project/src/a b.ts', line: 3, column: 14 };

/** A program that writes the words of its command, a line each. @param code its exit code */
async function recorder(
  name: string,
  code = 0,
): Promise<{ root: string; program: string; words(): Promise<string[]> }> {
  const text = '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.tmp" && mv "$0.tmp" "$0.words"\n';
  const root = await writeProject({ [name]: `${text}exit ${code}\n`, 'package.json': '{}' });
  const program = join(root, name);
  await chmod(program, 0o755);
  const read = () => readFile(`${program}.words`, 'utf8').catch(() => '');
  return {
    root,
    program,
    async words() {
      await expect.poll(read).not.toBe('');
      return (await read()).trimEnd().split('\n');
    },
  };
}

describe.skipIf(process.platform === 'win32')('an editor', () => {
  it.each([
    ['code', ['-g', '/project/src/a b.ts:3:14']],
    ['Code.exe', ['-g', '/project/src/a b.ts:3:14']],
    ['zed', ['/project/src/a b.ts:3:14']],
    ['webstorm', ['--line', '3', '--column', '14', '/project/src/a b.ts']],
    ['another', ['/project/src/a b.ts']],
  ])('is told file, line and column in its own form: %s', async (name, words) => {
    const editor = await recorder(name);
    const open = createEditorOpener(editor.root, { LAUNCH_EDITOR: editor.program, EDITOR: 'vim' });
    expect(await open(PLACE)).toBe(true);
    expect(await editor.words()).toEqual(words);
  });

  it('is told every name as it is, since no shell runs it', async () => {
    const editor = await recorder('code');
    const open = createEditorOpener(editor.root, { EDITOR: editor.program });
    expect(await open({ ...PLACE, path: 'a&b"%$(c).ts' })).toBe(true);
    expect(await editor.words()).toEqual(['-g', 'a&b"%$(c).ts:3:14']);
  });

  it.each([
    ['is named', {}],
    ['of that name is there', { VISUAL: '/nowhere/code' }],
    ['has a window of its own', { EDITOR: 'vim' }],
  ])('is not opened where none %s', async (_, env) => {
    const { root } = await recorder('code');
    expect(await createEditorOpener(root, env)(PLACE)).toBe(false);
  });

  it('is found by launch-editor where the project has it', async () => {
    const launcher = `module.exports = (place, editor, failed) => {
      require('fs').writeFileSync(__dirname + '/asked', [place, editor].join());
      if (editor === 'missing') failed();
    };`;
    const root = await writeProject({
      'package.json': '{}',
      'node_modules/launch-editor/index.js': launcher,
    });
    for (const [editor, isFound] of [
      ['code', true],
      ['missing', false],
    ] as const) {
      expect(await createEditorOpener(root, { LAUNCH_EDITOR: editor })(PLACE)).toBe(isFound);
      expect(await readFile(join(root, 'node_modules/launch-editor/asked'), 'utf8')).toBe(
        `/project/src/a b.ts:3:14,${editor}`,
      );
    }
  });
});

describe.skipIf(process.platform === 'win32')('a command of Windows', () => {
  /** A shell that writes its words and ends with `code`. */
  async function onWindows(code: number): Promise<Awaited<ReturnType<typeof recorder>>> {
    const shell = await recorder('cmd.exe', code);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    vi.stubEnv('comspec', shell.program);
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    });
    return shell;
  }

  it('is run by the shell, which finds scripts', async () => {
    const shell = await onWindows(0);
    expect(await createEditorOpener(shell.root, { TERM_PROGRAM: 'vscode' })(PLACE)).toBe(true);
    expect(await shell.words()).toEqual(['-c', '"code" "-g" "/project/src/a b.ts:3:14"']);
  });

  it('that the shell does not find is no editor', async () => {
    const { root } = await onWindows(1);
    expect(await createEditorOpener(root, { LAUNCH_EDITOR: 'code.cmd' })(PLACE)).toBe(false);
  });

  it.each(['a&calc.ts', 'a%PATH%.ts', 'a".ts', 'a^.ts', 'a|b.ts', 'a>b.ts', 'a\n.ts', '!a!.ts'])(
    'gets no name that the shell takes for something else: %j',
    async (name) => {
      const shell = await onWindows(0);
      const open = createEditorOpener(shell.root, { EDITOR: 'code' });
      expect(await open({ ...PLACE, path: name })).toBe(false);
      expect(await readFile(`${shell.program}.words`, 'utf8').catch(() => '')).toBe('');
    },
  );

  it('that is a program needs no shell', async () => {
    const shell = await onWindows(1);
    const editor = await recorder('Code.exe');
    expect(await createEditorOpener(shell.root, { EDITOR: editor.program })(PLACE)).toBe(true);
    expect(await editor.words()).toEqual(['-g', '/project/src/a b.ts:3:14']);
  });
});
