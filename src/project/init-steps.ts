import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Spliced } from './splice-config.ts';

export interface InitStep {
  file: string;
  what: string;
  /** `by hand`: its form is not understood, so that it was left as it is. */
  status: 'written' | 'changed' | 'unchanged' | 'by hand';
  lines?: string[];
}

/** The folder of a project, in which what is not understood stays as it is. */
export interface Folder {
  read(file: string): Promise<string | undefined>;
  create(file: string, what: string, text: string): Promise<InitStep>;
  save(file: string, what: string, spliced: Spliced, lines: string[]): Promise<InitStep>;
  /** Puts lines at the end of a file, unless its text is like `known`. */
  append(file: string, what: string, lines: readonly string[], known: RegExp): Promise<InitStep>;
}

export function createFolder(root: string, isDry: boolean): Folder {
  const read = (file: string): Promise<string | undefined> =>
    readFile(join(root, file), 'utf8').catch(() => undefined);
  const write = async (file: string, text: string): Promise<void> => {
    if (isDry) return;
    const before = (await read(file)) ?? '';
    const hasCrlf = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), hasCrlf ? text.replaceAll(/\r?\n/g, '\r\n') : text);
  };
  return {
    read,
    async create(file, what, text) {
      if ((await read(file)) !== undefined) return { file, what, status: 'unchanged' };
      await write(file, text);
      return { file, what, status: 'written' };
    },
    async save(file, what, spliced, lines) {
      if (spliced === undefined) return { file, what, status: 'by hand', lines };
      if (!spliced.isNew) return { file, what, status: 'unchanged' };
      await write(file, spliced.text);
      return { file, what, status: 'changed' };
    },
    async append(file, what, lines, known) {
      const before = await read(file);
      const text = before ?? '';
      if (known.test(text)) return { file, what, status: 'unchanged' };
      const end = text === '' || text.endsWith('\n') ? '' : '\n';
      await write(file, `${text}${end}${lines.join('\n')}\n`);
      return { file, what, status: before === undefined ? 'written' : 'changed' };
    },
  };
}
