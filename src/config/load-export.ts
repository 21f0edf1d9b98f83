import { dirname } from 'node:path';

/** How files of the project are reached. */
export interface ModuleReader {
  /** Text of a file; fails as the file system does. */
  readFile(path: string): Promise<string>;
  /** Default export of a JavaScript module of the project; fails as its import does. */
  importDefault(path: string): Promise<unknown>;
}

/**
 * What a configuration exports as its default.
 *
 * @param file absolute path of a script or of a JSON file
 * @throws Error as the file itself or its import does
 */
export async function loadExport(file: string, reader: ModuleReader): Promise<unknown> {
  if (file.endsWith('.json')) return parseJson(await reader.readFile(file));
  try {
    return await reader.importDefault(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    return bundled(file);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Some messages quote what is around the fault, which may be a secret.
    const { message } = error as SyntaxError;
    throw new SyntaxError(message.replace(/,? (?:\.{3})?".*" is not valid JSON/s, ''));
  }
}

/** Node before 22.18 reads no TypeScript by itself; where Vite is installed, it does. */
async function bundled(file: string): Promise<unknown> {
  const vite = await import('vite').catch(() => undefined);
  if (vite === undefined) {
    throw new Error(
      'this Node reads no TypeScript. Use Node 22.18 or newer, install vite, or write the configuration in JavaScript.',
    );
  }
  const env = { command: 'build', mode: 'production' } as const;
  const loaded = await vite.loadConfigFromFile(env, file, dirname(file), 'silent');
  return loaded?.config;
}
