import { loadIcon, type LoadContext } from '../pipeline/load.ts';
import { svgToDataUri } from '../emit/svg-text.ts';
import { IconCatalogError } from '../errors.ts';
import { parseImage, parseRequest } from '../request/parse-request.ts';
import { toCanonical } from '../request/key.ts';
import type { IconRequest } from '../types.ts';
import { placeholderMarkup, warnOfPlaceholder } from './load.ts';
import type { ImageSession } from './session-types.ts';
import { withoutFrames } from './failures.ts';

export interface ImagesPorts {
  context(): LoadContext;
  /** The request is one of this build's: attribution will be asked for it by its canonical id. */
  remember(request: IconRequest, importer: string | undefined): void;
  /** True for an error that the build reports at its end, with all others of its kind. */
  absent(request: IconRequest, error: unknown): boolean;
  warn(message: string): void;
}

/** Icons of style sheets and pages: those of the pipeline, wrapped as an address instead of a module. */
export function createImages(ports: ImagesPorts): ImageSession {
  const { context, remember, warn } = ports;
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
      remember(file, options.importer);
      remember(inline, options.importer);
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
        warn(
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
          { aliases, catalog, defaults: { ...defaults, as: 'svg' } },
          options.importer,
        ),
      );
      const request = { ...parsed };
      if (title !== undefined && title.trim() !== '') request.title = oneLine(title);
      if (classes !== undefined && classes.trim() !== '')
        request.class = [request.class, oneLine(classes)].filter(Boolean).join(' ');
      request.canonical = toCanonical(request);
      if (request.as !== 'svg') throw withoutFrames(noDrawing(specifier, options.importer));
      remember(request, options.importer);
      const found = await load(request, ports, options);
      const icon = 'standIn' in found ? undefined : found.icon;
      const module = icon?.module;
      return {
        id: icon && request.canonical,
        svg: 'standIn' in found ? found.standIn : (icon?.svg ?? ''),
        ...(module?.kind === 'code' && { about: () => module.code }),
        // Lists of credits in the page have `icon-<id>` for their own.
        name: `icon-symbol-${request.id}${request.color === 'currentColor' || request.color === null ? '' : `-${request.color}`}`,
      };
    },
  };
}

async function load(
  request: IconRequest,
  { context, absent, warn }: ImagesPorts,
  { importer, placeholder = false }: { importer?: string | undefined; placeholder?: boolean },
): Promise<{ icon: Awaited<ReturnType<typeof loadIcon>> } | { standIn: string }> {
  try {
    const icon = await loadIcon(request, context(), importer);
    return { icon };
  } catch (error) {
    if (placeholder || !absent(request, error)) warnOfPlaceholder(error, { placeholder, warn });
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
