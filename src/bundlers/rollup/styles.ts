import { posix } from 'node:path';
import { shortPath, withoutFrames } from '../../build/failures.ts';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
  type PlacedIcons,
  placeImage,
} from '../../build/images.ts';
import { placeholderOfClass } from '../../build/modules.ts';
import type { ImageSession, SessionImage } from '../../build/session-types.ts';
import { decode } from '../../build/search-outputs.ts';
import type { Made, Part } from '../../build/outdated.ts';
import { IconCatalogError, isIconCatalogError } from '../../errors.ts';
import { rewriteStyle } from '../../markup/style-references.ts';
import { sha256Hex } from '../../store/hash.ts';
import type { EmitContext, StyleFiles } from './types.ts';

/**
 * Stands in a style sheet for the address of a file. An address of `data:`, as tools for CSS leave those alone; with a
 * hash of the file in it, as the style sheet's own name may have one.
 */
const SLOT = /data:,icon-catalog-[\da-f]{32}/g;

/** Finds out whether a script is worth looking at. */
export const STYLE_SLOT = 'data:,icon-catalog-';

interface Slot {
  image: SessionImage;
  ids: NonNullable<SessionImage['ids']>;
  /** The first style sheet that asked for it. */
  importer: string;
}

/**
 * Files for icons of style sheets if other plugins bundle CSS: where a style sheet goes, and whether it becomes part
 * of a script, is unknown before the bundle is complete.
 */
export function createStyleFiles(): StyleFiles {
  // Never cleared: a watcher does not transform again what has not changed.
  const slots = new Map<string, Slot>();

  function fillScript(code: string): string {
    return code.replace(SLOT, (key) => {
      const slot = slots.get(key);
      if (slot?.image.form === 'url') throw inScript(slot);
      return slot?.image.dataUri ?? key;
    });
  }

  return {
    dialect: (importer) => ({
      isSmall: ({ source }) => byteLength(source) < INLINE_LIMIT,
      emit({ source }, id, image) {
        const hash = sha256Hex(`${id} ${image.form} ${sha256Hex(source)}`);
        const address = `${STYLE_SLOT}${hash.slice(0, 32)}`;
        const { ids } = image;
        if (ids !== undefined && !slots.has(address)) slots.set(address, { image, ids, importer });
        return { address, reference: address };
      },
    }),
    fillScript,
    settle(context, bundle, icons) {
      const references = new Map<string, string>();
      const fileOf = (key: string, { fileName: name, source }: SessionImage['asset']): string => {
        const known = references.get(key);
        const reference = known ?? context.emitFile({ type: 'asset', name, source });
        references.set(key, reference);
        return context.getFileName(reference);
      };
      let scripts = '';
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') {
          // Another plugin may have written a style sheet into a script since.
          if (output.code?.includes(STYLE_SLOT)) output.code = fillScript(output.code);
          scripts += output.code ?? '';
        } else if (output.fileName.endsWith('.css')) {
          const css = decode(output.source ?? '');
          if (!css.includes(STYLE_SLOT)) continue;
          output.source = css.replace(SLOT, (key) => {
            const asset = slots.get(key)?.image.asset;
            return asset ? relative(output.fileName, fileOf(key, asset)) : key;
          });
        }
      }
      const unseen = new Set<string>();
      const settled = icons.flatMap((icon): PlacedIcon[] => {
        const slot = 'reference' in icon ? slots.get(icon.reference) : undefined;
        if (slot === undefined || !('reference' in icon)) return [icon];
        const { ids, image, importer } = slot;
        const reference = references.get(icon.reference);
        const found: PlacedIcon[] = reference === undefined ? [] : [{ id: ids.url, reference }];
        if (scripts.includes(image.dataUri)) found.push({ id: ids.data, trace: image.dataUri });
        if (found.length === 0) unseen.add(`${image.asset.fileName} of ${shortPath(importer)}`);
        return found;
      });
      if (unseen.size > 0) context.warn(unseenFiles([...unseen]));
      return settled;
    },
  };
}

function unseenFiles(names: readonly string[]): string {
  return `[icon-catalog] Nothing of the output refers to ${names.join(', ')}. Where a plugin writes style sheets past the bundler, write \`?inline\`: the icon then needs no file.`;
}

/** Fit for `url()` without quotes too. */
function relative(from: string, to: string): string {
  return encodeURI(posix.relative(posix.dirname(from), to)).replace(
    /['()]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16)}`,
  );
}

function inScript({ image, importer }: Slot): IconCatalogError {
  return withoutFrames(
    new IconCatalogError('SPECIFIER_INVALID', {
      message: `A style sheet asks for the file ${image.asset.fileName} (\`?url\`), and becomes part of a script: only the page that runs it knows what addresses in it are relative to.`,
      remedy:
        'Leave `?url` out: the icon is then written in place. Or let the plugin for CSS write a file, or import the icon with `?url` in a script and set the address as a custom property.',
      importer,
    }),
  );
}

/** Style sheets and style blocks of components, by what Vite takes for one. */
const STYLE_ID = /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
/** Imported as a text or an address, so a script. */
const NO_STYLE = /[?&](?:raw|url|worker|sharedworker)(?:&|=|$)/;
const WITH_ICON = /icon(?::|\\)/;
const LINE_COMMENTS = /\.(?:scss|less|styl|stylus)(?:$|\?)/;

interface StylePluginPorts {
  session: ImageSession;
  icons: PlacedIcons;
  /** Name of the plugin. */
  name: string;
  /** Keeps builds apart that share one plugin instance. */
  keyOf(context: object): object;
  dialect(context: EmitContext, importer: string): ImageDialect;
  /** True in dev servers. */
  placeholder(): boolean;
  /** `pre` where preprocessors have not run yet when this plugin's turn comes. */
  order?: 'pre';
  /** A stand-in is in this module: it is to be built again soon. */
  loadAgain?(module: string): void;
  /** Makes a style sheet, again if lock or options changed meanwhile. */
  made?(context: EmitContext, module: string, make: () => Promise<Made<string>>): Promise<string>;
}

export interface StylePlugin {
  name: string;
  /** Rollup alone keeps modules while it watches. */
  shouldTransformCachedModule(module: { id: string }): true | null;
  transform: {
    order?: 'pre';
    filter: { id: { include: RegExp; exclude: RegExp } };
    handler(
      this: EmitContext,
      code: string,
      id: string,
    ): Promise<{ code: string; map: null } | null>;
  };
}

/** Replaces the `icon:` references of style sheets. It is a plugin of its own, because it runs at another place in the order of plugins. */
export function createStylePlugin(ports: StylePluginPorts): StylePlugin {
  const { session, icons, order } = ports;
  const withIcons = new Set<string>();
  return {
    name: ports.name,
    // Lock or options may have changed.
    shouldTransformCachedModule: ({ id }) => (withIcons.has(id) ? true : null),
    transform: {
      ...(order && { order }),
      // By id alone: a style sheet that has lost its icons must say so.
      filter: { id: { include: STYLE_ID, exclude: NO_STYLE } },
      async handler(code, id) {
        // Bundlers from before hook filters show every module.
        if (!STYLE_ID.test(id) || NO_STYLE.test(id)) return null;
        const make = async (): Promise<Made<string>> => {
          const found: PlacedIcon[] = [];
          const parts = new Set<Part>();
          const dialect = ports.dialect(this, id);
          const outcome = !WITH_ICON.test(code)
            ? code
            : await rewriteStyle(
                code,
                async ({ specifier, property }) => {
                  parts.add(`image ${specifier}`);
                  const about = { importer: id, placeholder: ports.placeholder(), property };
                  const image = await session.image(specifier, about).catch((error: unknown) => {
                    // Tailwind forgets no class while a watcher runs.
                    if (!about.placeholder && !this.meta?.watchMode) throw error;
                    const warn = (message: string): void => this.warn(message);
                    return placeholderOfClass(error, { specifier, css: code, warn });
                  });
                  if (typeof image === 'string') return () => image;
                  if (image.ids === undefined) ports.loadAgain?.(id);
                  return () => {
                    const { address, placed } = placeHere(image, dialect, id);
                    if (placed !== undefined) found.push(placed);
                    return address;
                  };
                },
                { lineComments: order === 'pre' && LINE_COMMENTS.test(id) },
              );
          icons.set(ports.keyOf(this), id, found);
          if (found.length > 0) withIcons.add(id);
          else withIcons.delete(id);
          return { outcome, parts: [...parts] };
        };
        const css = ports.made ? await ports.made(this, id, make) : (await make()).outcome;
        // Lines stay where they are, so the map that there is stays right.
        return css === code ? null : { code: css, map: null };
      },
    },
  };
}

/** A dialect knows what it cannot do, and not for whom. */
function placeHere(
  image: SessionImage,
  dialect: ImageDialect,
  importer: string,
): ReturnType<typeof placeImage> {
  try {
    return placeImage(image, dialect);
  } catch (error) {
    throw isIconCatalogError(error) ? withoutFrames(error.withImporter(importer)) : error;
  }
}
