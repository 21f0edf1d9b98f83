import { svgToDataUri } from '../emit/svg-text.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { rewriteStyle } from '../markup/style-references.ts';
import type { LoadContext, LoadedIcon } from '../pipeline/load-icon.ts';
import { toCanonical, toDefaultId } from '../request/key.ts';
import { ANY_FRAMEWORK, parseImage, parseRequest } from '../request/parse-request.ts';
import type { IconRequest } from '../types.ts';
import { withoutFrames } from './failures.ts';
import { placeholderMarkup, type SessionIcons, warnOfPlaceholder } from './modules.ts';
import type { FoundUsage, ImageSession, LoadOptions, SessionImage } from './session-types.ts';
import { decode, type EmittedFile, kindOf } from './search-outputs.ts';
import { symbolName } from './sprites.ts';

/** Icons of style sheets and pages: those of the pipeline, wrapped as an address instead of a module. */
export function createImages(context: () => LoadContext, icons: SessionIcons): ImageSession {
  const ports = { ...icons, context };
  return {
    async image(specifier, options = {}) {
      if (options.property === '@import')
        throw withoutFrames(noStyles(specifier, options.importer));
      const { request, form } = read(() =>
        parseImage(specifier, context().options, options.importer),
      );
      const withForm = (as: 'url' | 'data'): IconRequest => {
        const variant = { ...request, as };
        return { ...variant, canonical: toCanonical(variant) };
      };
      const [file, inline] = [withForm('url'), withForm('data')];
      remember(inline, options.importer, icons);
      const found = await load(file, ports, options);
      if ('standIn' in found) {
        const { standIn: source } = found;
        const name = `placeholder-${request.id}.svg`;
        const asset = { fileName: name, source, contentType: 'image/svg+xml' };
        return { ids: undefined, form: 'data', asset, dataUri: svgToDataUri(source) };
      }
      const { module, svg, bytes } = found.icon;
      if (module.kind !== 'asset') throw new TypeError('an image was loaded as a module');
      // A drawing of several colours has kept its own.
      if (isPainted(options.property) && svg?.includes('currentColor'))
        context().pipeline.build.warn(
          `\`${specifier}\` is drawn in black: an image takes no colour from the text around it. Write \`?color=…\` (\`?color=original\` keeps the colour it was drawn in), or use it as a mask.`,
        );
      const { fileName, source, contentType } = module;
      return {
        ids: { url: file.canonical, data: inline.canonical },
        form,
        asset: { fileName, source, contentType },
        about: () => module.code(''),
        dataUri:
          svg === undefined
            ? `data:image/png;base64,${Buffer.from(bytes ?? []).toString('base64')}`
            : svgToDataUri(svg),
        ...(request.filetype === 'png' &&
          request.size !== null && { pixels: Number(request.size) }),
      };
    },
    async drawing(specifier, { title, class: classes, ...options } = {}) {
      const { aliases, catalog, defaults } = context().options;
      const parsed = read(() =>
        parseRequest(
          specifier,
          { aliases, catalog, framework: ANY_FRAMEWORK, defaults: { ...defaults, as: 'svg' } },
          options.importer,
        ),
      );
      const request = { ...parsed };
      if (title !== undefined && title.trim() !== '') request.title = oneLine(title);
      if (classes !== undefined && classes.trim() !== '')
        request.class = [request.class, oneLine(classes)].filter(Boolean).join(' ');
      request.canonical = toCanonical(request);
      if (request.as !== 'svg') throw withoutFrames(noDrawing(specifier, options.importer));
      const found = await load(request, ports, options);
      const icon = 'standIn' in found ? undefined : found.icon;
      const module = icon?.module;
      return {
        id: icon && request.canonical,
        svg: 'standIn' in found ? found.standIn : (icon?.svg ?? ''),
        ...(module?.kind === 'code' && { about: () => module.code }),
        name: symbolName(request),
      };
    },
  };
}

/** Attribution will be asked for it by its canonical id. */
function remember(
  request: IconRequest,
  importer: string | undefined,
  { requests, loaded }: SessionIcons,
): void {
  requests.note(request, importer);
  loaded.mayShip(toDefaultId(request.canonical));
}

async function load(
  request: IconRequest,
  { context, ...icons }: SessionIcons & { context: () => LoadContext },
  options: LoadOptions & { importer?: string | undefined },
): Promise<{ icon: LoadedIcon } | { standIn: string }> {
  const { importer, placeholder = false, alone = placeholder } = options;
  remember(request, importer, icons);
  try {
    const { loadIcon } = await import('../pipeline/load-icon.ts');
    const icon = await loadIcon(request, context(), importer);
    if (alone) context().pipeline.flushSoon();
    return { icon };
  } catch (error) {
    // The build reports it at its end, with all others of its kind.
    if (alone || !icons.missing.add(request, error))
      warnOfPlaceholder(error, { placeholder, warn: context().pipeline.build.warn });
    return { standIn: placeholderMarkup(request) };
  }
}

function read<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw withoutFrames(error);
  }
}

function noStyles(specifier: string, importer: string | undefined): IconCatalogError {
  return new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`@import\` of \`${specifier}\`: an icon is no style sheet.`,
    remedy: 'Use it as an image: `background: url(…)`, `mask: url(…)`.',
    importer,
  });
}

function noDrawing(specifier: string, importer: string | undefined): IconCatalogError {
  return new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`${specifier}\` cannot be drawn into the page: only markup can, and \`as\`, its flags and \`filetype=png\` ask for something else.`,
    remedy: 'Leave them out, or use a plain `<img>`, which takes a file.',
    importer,
  });
}

/** A mask has no colours. What a custom property is for is not known. */
function isPainted(property: string | undefined): boolean {
  return property !== undefined && !/mask|^--|^$/.test(property);
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Surrogate}\ufffe\uffff\s]+/gu, ' ').trim();
}

/** An icon that was written into a style sheet or a page, and so is in no module graph. */
export type PlacedIcon = { id: string } & (
  | {
      /** Text that an output holds if it holds the icon. */
      trace: string;
    }
  | {
      /** What the bundler gave for the emitted file. */
      reference: string;
    }
);

/** What the modules of a build hold, by module; a module that is built again reports again what it holds. */
export interface PlacedIcons {
  set(build: object, module: string, icons: readonly PlacedIcon[]): void;
  /** Every placed icon of those modules that the build still has. */
  of(build: object, isThere: (module: string) => boolean): PlacedIcon[];
  /** Canonical ids of whatever was placed in any build. */
  all(): string[];
}

export function createPlacedIcons(): PlacedIcons {
  const byBuild = new Map<object, Map<string, readonly PlacedIcon[]>>();
  return {
    set(build, module, icons) {
      const modules = byBuild.get(build) ?? new Map<string, readonly PlacedIcon[]>();
      byBuild.set(build, modules);
      if (icons.length === 0) modules.delete(module);
      else modules.set(module, icons);
    },
    all: () =>
      [...byBuild.values()].flatMap((modules) => [...modules.values()].flat().map(({ id }) => id)),
    of: (build, isThere) =>
      [...(byBuild.get(build) ?? [])].flatMap(([module, icons]) => (isThere(module) ? icons : [])),
  };
}

/** Our own have neither quotes nor white space nor parentheses in them. */
const PICTURE = /data:image\/[^"'()\s]*/g;

/** Finished files that may hold an icon of a style sheet or a page. */
export const TEXT_FILE: RegExp = /\.(?:css|html?|[cm]?js)(?:\.(?:gz|br))?$/;

export function textFiles(files: Iterable<EmittedFile>): EmittedFile[] {
  return [...files].filter(({ fileName }) => TEXT_FILE.test(fileName));
}

/**
 * The files that hold the placed icons. An icon that is found in none is credited in a style sheet that ships unknown
 * pictures, as a minifier may have written it differently. If every picture is known, the icon was removed.
 */
export function usagesOfPlaced(
  icons: readonly PlacedIcon[],
  {
    outputs,
    fileNameOf,
    consumer,
  }: {
    outputs: Iterable<EmittedFile>;
    /** Name of an emitted file; `undefined` where it is not part of the output. */
    fileNameOf: (reference: string) => string | undefined;
    consumer: 'client' | 'server';
  },
): FoundUsage[] {
  const texts = Array.from(outputs, ({ fileName, content }): TextFile => [
    fileName,
    decode(content),
  ]);
  const usages = new Map<string, FoundUsage>();
  let doubtful: TextFile[] | undefined;
  const add = (usage: FoundUsage): void =>
    void usages.set(JSON.stringify([usage.id, usage.file, usage.kind]), usage);
  for (const icon of icons) {
    const { id } = icon;
    if ('reference' in icon) {
      const file = fileNameOf(icon.reference);
      if (file !== undefined) add({ id, file, kind: 'asset' });
      continue;
    }
    const holders = texts.filter(([, text]) => text.includes(icon.trace));
    const files = holders.length > 0 ? holders : (doubtful ??= stylesWithUnknown(icons, texts));
    for (const [fileName] of files) add({ id, file: fileName, kind: kindOf(fileName, consumer) });
  }
  return [...usages.values()];
}

type TextFile = readonly [fileName: string, text: string];

/** At most one: the first style sheet with a picture that is not exactly one of these icons. */
function stylesWithUnknown(icons: readonly PlacedIcon[], texts: readonly TextFile[]): TextFile[] {
  const known = new Set(icons.map((icon) => ('trace' in icon ? icon.trace : '')));
  const style = texts.find(
    ([fileName, text]) =>
      fileName.endsWith('.css') &&
      Array.from(text.matchAll(PICTURE), ([address]) => address).some((one) => !known.has(one)),
  );
  return style === undefined ? [] : [style];
}

/** How a bundler turns an image into an address. */
export interface ImageDialect {
  /** Address of a file that is emitted or served, and what the bundler calls it. */
  emit(
    asset: SessionImage['asset'],
    id: string,
    image: SessionImage,
  ): { address: string; reference: string };
  /** True if the project wants a file like this in place. */
  isSmall(asset: SessionImage['asset']): boolean;
}

/** Files of this size and more are emitted where the project says nothing: Vite's own limit. */
export const INLINE_LIMIT = 4096;

export function byteLength(source: string | Uint8Array): number {
  return typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
}

/** Puts an image in place or into a file of its own; `isFile` overrules the size, and is overruled by what was asked for. */
export function placeImage(
  image: SessionImage,
  dialect: ImageDialect,
  { isFile = false }: { isFile?: boolean } = {},
): { address: string; placed: PlacedIcon | undefined } {
  const { ids, form, asset, dataUri } = image;
  const emits = form === 'url' || (form === 'auto' && (isFile || !dialect.isSmall(asset)));
  if (!emits || ids === undefined)
    return { address: dataUri, placed: ids && { id: ids.data, trace: dataUri } };
  const { address, reference } = dialect.emit(asset, ids.url, image);
  return { address, placed: { id: ids.url, reference } };
}

/**
 * A style sheet with its icons in place.
 *
 * @throws IconCatalogError with the style sheet as importer
 */
export async function inlineStyle(
  css: string,
  { session, file, ...options }: LoadOptions & { session: ImageSession; file: string },
): Promise<{ css: string; placed: PlacedIcon[] }> {
  const placed: PlacedIcon[] = [];
  try {
    const rewritten = await rewriteStyle(css, async ({ specifier, property }) => {
      const image = await session.image(specifier, { ...options, importer: file, property });
      return () => {
        const put = placeImage(image, inlineImages);
        if (put.placed !== undefined) placed.push(put.placed);
        return put.address;
      };
    });
    return { css: rewritten, placed };
  } catch (error) {
    throw isIconCatalogError(error) ? withoutFrames(error.withImporter(file)) : error;
  }
}

/** For bundlers that say too late, or never, where a style sheet goes: icons are written in place, whatever their size. */
export const inlineImages: ImageDialect = {
  isSmall: () => true,
  emit({ fileName }) {
    throw withoutFrames(
      new IconCatalogError('SPECIFIER_INVALID', {
        message: `A style sheet asks for the file ${fileName} (\`?url\`), and this bundler does not say where style sheets go.`,
        remedy:
          'Leave `?url` out: the icon is then written in place. Or import it with `?url` in a script and set the address as a custom property.',
      }),
    );
  },
};
