import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'ICON_CATALOG_';

/** `$NAME`, `${NAME}` or `${NAME:-default}`, unless a backslash precedes it. */
const REFERENCE = /(?<!\\)\$(?:\{([^{}]+)\}|([A-Za-z_]\w*))/;

/** The most references that one value may need. Only a value that refers to itself needs more. */
const MOST_REFERENCES = 100;

/**
 * The environment with our variables of the `.env` files in `folder`, by Vite's rules: `.env`, `.env.local`,
 * `.env.[mode]`, `.env.[mode].local`, later files win, and the environment wins over all of them. Vite's own `loadEnv`
 * is not used, because it prints what it returns under `--debug`, and what it returns here is a secret.
 */
export async function loadEnv(
  env: Environment,
  { mode, folder }: { mode: string; folder: string },
): Promise<Environment> {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  const written: Environment = Object.assign({}, ...texts.map((text) => parseEnv(text)));
  const known = { ...written, ...env };
  const ours = Object.keys(written).filter((name) => name.startsWith(PREFIX));
  return {
    ...Object.fromEntries(ours.map((name) => [name, expand(written[name] ?? '', known)])),
    ...env,
  };
}

function expand(value: string, known: Environment): string {
  let expanded = value;
  for (let count = 0; ; count += 1) {
    const [reference, braced, name = ''] = REFERENCE.exec(expanded) ?? [];
    if (reference === undefined) return expanded.replaceAll('\\$', '$');
    const next = count < MOST_REFERENCES ? resolve(braced ?? name, known) : '';
    expanded = expanded.replace(reference, () => next);
  }
}

/** @param expression `NAME`, `NAME:-default`, `NAME-default`, `NAME:+value` or `NAME+value` */
function resolve(expression: string, known: Environment): string {
  const [, name = '', operator = '', word = ''] =
    /^(.*?)(?:(:?[-+])(.*))?$/s.exec(expression) ?? [];
  if (operator.endsWith('+')) return known[name] ? word : '';
  return known[name] || word;
}
