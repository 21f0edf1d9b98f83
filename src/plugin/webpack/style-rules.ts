import type { Compiler } from 'webpack';

/** What is read of the rules, which may be nested and may be written in many ways. */
interface Rule {
  loader?: unknown;
  options?: unknown;
  use?: unknown;
  rules?: unknown;
  oneOf?: unknown;
}

/** css-loader, also the copies that frameworks bring along. */
const CSS_LOADER = /(?:^|[/\\])css-loader(?:[/\\]|$|\?)/;
const STYLE_FILE = /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)$/;

/**
 * Puts the loader behind every css-loader, and before the bundler's own CSS. css-loader leaves schemes alone that it
 * does not know, and a loader that runs first would not see what preprocessors pull in.
 *
 * @param loader path with the fingerprint as its query: persistent caches know modules by it
 */
export function addStyleLoader({ options }: Compiler, loader: string): void {
  for (const rule of options.module.rules) visit(rule, loader);
  options.module.rules.push({ test: STYLE_FILE, enforce: 'post', use: [{ loader }] });
}

function visit(given: unknown, loader: string): void {
  if (typeof given !== 'object' || given === null) return;
  const rule = given as Rule;
  for (const list of [rule.rules, rule.oneOf])
    if (Array.isArray(list)) for (const inner of list) visit(inner, loader);
  if (typeof rule.loader === 'string' && CSS_LOADER.test(rule.loader)) {
    const { loader: path, options = {} } = rule;
    rule.use = withLoader([{ loader: path, options }], loader);
    delete rule.loader;
    delete rule.options;
  } else if (typeof rule.use === 'function') {
    const use = rule.use as (...of: unknown[]) => unknown;
    rule.use = (...of: unknown[]) => withLoader(use(...of), loader);
  } else if (rule.use !== undefined) {
    rule.use = withLoader(rule.use, loader);
  }
}

function withLoader(use: unknown, loader: string): unknown {
  const list: unknown[] = Array.isArray(use) ? use : [use];
  const at = list.findIndex((entry) => CSS_LOADER.test(pathOf(entry)));
  if (at === -1) return use;
  return [...list.slice(0, at), withOneMore(list[at]), { loader }, ...list.slice(at + 1)];
}

/** `importLoaders` counts the loaders behind css-loader that `@import`s go through as well: there is one more now. */
function withOneMore(entry: unknown): unknown {
  const { options, ...rest } =
    typeof entry === 'string'
      ? { loader: entry }
      : (entry as { loader: string; options?: unknown });
  if (typeof options === 'string') return entry;
  const { importLoaders = 0, ...more } = (options ?? {}) as { importLoaders?: unknown };
  const count = Number(importLoaders);
  return {
    ...rest,
    options: { ...more, importLoaders: Number.isInteger(count) ? count + 1 : importLoaders },
  };
}

function pathOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const loader = (entry as { loader?: unknown } | undefined)?.loader;
  return typeof loader === 'string' ? loader : '';
}
