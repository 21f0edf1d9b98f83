import type { Compilation, Compiler } from 'webpack';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
  placeImage,
} from '../../build/images.ts';
import { placeholderOfClass } from '../../build/modules.ts';
import { textOfImage } from '../../build/outdated.ts';
import { rewriteStyle } from '../../markup/style-references.ts';
import {
  assetPlace,
  type IconLoaderContext,
  isDev,
  toBundlerError,
  type WebpackBuild,
} from './read-icon.ts';
import { sha256Hex } from '../../store/hash.ts';

type DataUrlCondition =
  | { maxSize?: number }
  | ((source: Buffer, context: { filename: string; module: unknown }) => boolean)
  | undefined;

/**
 * A style sheet with its icons in place. Those that are to be files of their own are `data:` too, with their name: the
 * rule of `addStyleFiles` makes files of them, so that public paths and `new URL` are the bundler's matter.
 *
 * @throws Error ready to be printed
 */
export async function rewriteIconStyle(
  css: string,
  { session, compiler, compilation, watch }: WebpackBuild & { compilation: Compilation },
  context: IconLoaderContext,
): Promise<string> {
  if (!css.includes('icon') || !isStyle(context)) return css;
  const importer = context.resourcePath;
  const dialect: ImageDialect = {
    isSmall: (asset) => isSmall(compiler, asset, context),
    emit(asset) {
      const { address: name, file, url } = assetPlace(compilation, asset);
      if (url !== undefined) {
        context.emitFile(file, asset.source as string, undefined, { immutable: true });
        return { address: url, reference: file };
      }
      const payload = Buffer.from(asset.source as string).toString('base64');
      const address = `data:${TYPE};name=${encodeURIComponent(name)};base64,${payload}`;
      return { address, reference: name };
    },
  };
  try {
    return await rewriteStyle(css, async ({ specifier, property }) => {
      const part = `image ${specifier}` as const;
      const placeholder = isDev(compiler);
      const image = await session
        .image(specifier, { importer, placeholder, property })
        .catch(async (error: unknown) => {
          await watch.made(part, () => '', context);
          if (!compiler.watchMode) throw error;
          const warn = (message: string): void =>
            context.emitWarning(Object.assign(new Error(message), { stack: message }));
          return placeholderOfClass(error, { specifier, css, warn });
        });
      if (typeof image === 'string') return () => image;
      return async () => {
        // The next rebuild, and the next start with a persistent cache, must try again.
        if (image.ids === undefined) context.cacheable(false);
        await watch.made(part, () => textOfImage(image), context);
        const { address, placed } = placeImage(image, dialect);
        if (placed !== undefined) {
          const { name, content } = toMark(placed);
          context.emitFile(name, content);
        }
        return address;
      };
    });
  } catch (error) {
    throw toBundlerError(error, importer);
  }
}

/** By the type alone can a rule know a `data:` address: webpack gives it nothing else to look at. */
const TYPE = 'application/x-icon-catalog-file';
const NAMED = new RegExp(`^data:${TYPE};name=([^;,]+)`);

/** Rule for the icons of style sheets that are to be files. */
export function addStyleFiles({ options }: Compiler): void {
  options.module.rules.push({
    mimetype: TYPE,
    type: 'asset/resource',
    generator: {
      filename(about: { filename?: string; module?: { resource?: string } }) {
        const [, name = ''] =
          NAMED.exec(about.filename ?? '') ?? NAMED.exec(about.module?.resource ?? '') ?? [];
        return decodeURIComponent(name);
      },
    },
  });
}

/** With css-loader the loader stands behind it, wherever; without it the module itself must be CSS. */
function isStyle({ loaders, loaderIndex, _module: module }: IconLoaderContext): boolean {
  const before = loaders
    .slice(0, loaderIndex)
    .some(({ path }) => /[/\\]css-loader[/\\]/.test(path));
  const behind = loaders.slice(loaderIndex).some(({ path }) => /[/\\]css-loader[/\\]/.test(path));
  return before || (!behind && module?.type.startsWith('css') === true);
}

function isSmall(
  { options }: Compiler,
  { fileName, source }: { fileName: string; source: string | Uint8Array },
  { _module: module }: IconLoaderContext,
): boolean {
  const parser = options.module.parser as { asset?: { dataUrlCondition?: DataUrlCondition } };
  const condition = parser.asset?.dataUrlCondition;
  if (typeof condition === 'function')
    return condition(Buffer.from(source as string), { filename: fileName, module });
  return byteLength(source) <= (condition?.maxSize ?? INLINE_LIMIT);
}

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

/**
 * A style sheet that holds an icon also emits a file without content, its mark: bundlers keep emitted files with the
 * module that emitted them, in their persistent caches too, and hand them on from modules that only run during the
 * build. The mark names the icons, and is removed before anything is written.
 *
 * `icon-catalog-mark/<id>/<hash>`, with the rest as JSON.
 */
const FOLDER = 'icon-catalog-mark/';

function toMark(icon: PlacedIcon): { name: string; content: string } {
  const content = JSON.stringify(icon);
  const hash = sha256Hex(content).slice(0, 16);
  return { name: `${FOLDER}${encodeURIComponent(icon.id)}/${hash}`, content };
}

/** The id of the icon, where this is the name of a mark. */
export function idOfMark(name: string): string | undefined {
  if (!name.startsWith(FOLDER)) return undefined;
  return decodeURIComponent(name.slice(FOLDER.length, name.lastIndexOf('/')));
}

export function readMark(content: string | Buffer): PlacedIcon {
  return JSON.parse(String(content)) as PlacedIcon;
}
