import type { Compilation, Compiler } from 'webpack';
import { rewriteStyle } from '../../markup/rewrite-style.ts';
import { byteLength, INLINE_LIMIT, placeImage, type ImageDialect } from '../place-image.ts';
import type { Session } from '../session-types.ts';
import { assetPlace } from './asset-place.ts';
import { toBundlerError } from './bundler-error.ts';
import { isDev, type IconLoaderContext } from './read-icon.ts';
import { toMark } from './style-marks.ts';
import type { Watches } from './watches.ts';

interface StyleOptions {
  session: Session;
  compiler: Compiler;
  compilation: Compilation;
  watch: Watches;
}

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
  { session, compiler, compilation, watch }: StyleOptions,
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
      await watch.config.styled(specifier, context);
      const placeholder = isDev(compiler);
      const image = await session.image(specifier, { importer, placeholder, property });
      // The next rebuild, and the next start with a persistent cache, must try anew.
      if (image.ids === undefined) context.cacheable(false);
      else await watch.lock.loaded(image.ids.data, context);
      const { address, placed } = placeImage(image, dialect);
      if (placed !== undefined) {
        const { name, content } = toMark(placed);
        context.emitFile(name, content);
      }
      return address;
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
