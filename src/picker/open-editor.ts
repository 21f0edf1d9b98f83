import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { importDefault } from '../options/import-default.ts';
import type { Environment } from '../options/resolve-options.ts';
import type { OpenEditor } from './questions.ts';

/**
 * Opens places in the user's editor: with `launch-editor`, if the project has it (it finds editors that run), or with the
 * command that LAUNCH_EDITOR, VISUAL or EDITOR names.
 */
export function createEditorOpener(root: string, env: Environment): OpenEditor {
  return async ({ path, line, column }) => {
    const launch = await findLauncher(root);
    if (launch !== undefined)
      return new Promise((resolve) => {
        launch(`${path}:${line}:${column}`, env['LAUNCH_EDITOR'], () => resolve(false));
        // It reports only failures, at once if there is no editor.
        setImmediate(() => resolve(true));
      });
    const inCode = env['TERM_PROGRAM'] === 'vscode' ? 'code' : undefined;
    const command = env['LAUNCH_EDITOR'] ?? inCode ?? env['VISUAL'] ?? env['EDITOR'];
    const args = command && editorArguments(basename(command), { path, line, column });
    if (!command || args === undefined || args === '') return false;
    // The commands of most editors are scripts there (`code.cmd`), which only the shell finds and runs.
    const isScript = process.platform === 'win32' && !/\.exe$/i.test(command);
    return isScript ? runInShell([command, ...args]) : startDetached(command, args);
  };
}

/** Characters that have a meaning to the shell of Windows, also between quotation marks. */
const SPECIAL = /["%!&|<>^\r\n]/;
/** Milliseconds after which a command that still runs counts as one that was found. */
const STARTED = 1000;

/** False if there is no such command, or if a word of it could be taken for another one. */
function runInShell(words: readonly string[]): Promise<boolean> {
  if (words.some((word) => SPECIAL.test(word))) return Promise.resolve(false);
  return new Promise((resolve) => {
    const line = words.map((word) => `"${word}"`).join(' ');
    const child = spawn(line, { shell: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
    setTimeout(() => resolve(true), STARTED).unref();
  });
}

/** Starts a program that outlives this process. False if there is no such program. */
export function startDetached(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

type Launch = (file: string, editor: string | undefined, failed: () => void) => void;

async function findLauncher(root: string): Promise<Launch | undefined> {
  try {
    const path = createRequire(join(root, 'package.json')).resolve('launch-editor');
    return (await importDefault(path)) as Launch;
  } catch {
    // Not installed.
    return undefined;
  }
}

/** `undefined`: the editor needs a terminal of its own. */
function editorArguments(
  command: string,
  { path, line, column }: { path: string; line: number; column: number },
): string[] | undefined {
  const name = command.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
  const place = `${path}:${line}:${column}`;
  if (/^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/.test(name)) return ['-g', place];
  if (/^(?:subl|sublime_text|zed|zeditor|atom)$/.test(name)) return [place];
  if (/^(?:idea|webstorm|phpstorm|pycharm|rider|fleet)(?:64)?$/.test(name))
    return ['--line', String(line), '--column', String(column), path];
  if (/^(?:n?vim?|nano|pico|emacs|hx|micro|joe|ed)$/.test(name)) return undefined;
  return [path];
}
