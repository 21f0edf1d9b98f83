import { isIconCatalogError } from '../../errors.ts';
import { rewriteStyle } from '../../markup/rewrite-style.ts';
import { placeImage, type ImageDialect } from '../place-image.ts';
import type { PlacedIcon, PlacedIcons } from '../placed-icons.ts';
import type { ImageSession, SessionImage } from '../session-types.ts';
import { withoutFrames } from '../without-frames.ts';
import type { EmitContext } from './rollup-types.ts';

/** Style sheets and style blocks of components, by what Vite takes for one. */
const STYLE_ID = /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
/** Asked for as a text or an address: a script by now. */
const NO_STYLE = /[?&](?:raw|url|worker|sharedworker)(?:&|=|$)/;
const WITH_ICON = /icon(?::|\\)/;
const LINE_COMMENTS = /\.(?:scss|less|styl|stylus)(?:$|\?)/;

export interface StylePluginPorts {
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
  /** References of a module, as they are spelled. */
  held?(module: string, specifiers: readonly string[]): void;
  /** Makes a style sheet, again where another lock was read meanwhile. */
  made?(context: EmitContext, module: string, make: () => Promise<MadeStyle>): Promise<MadeStyle>;
}

interface MadeStyle {
  css: string;
  found: readonly PlacedIcon[];
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

/** Replaces the `icon:` references of style sheets. A plugin of its own, as it has its turn elsewhere than the other. */
export function createStylePlugin(ports: StylePluginPorts): StylePlugin {
  const { session, icons, order } = ports;
  const withIcons = new Set<string>();
  return {
    name: ports.name,
    // Lock or options may say something else by now.
    shouldTransformCachedModule: ({ id }) => (withIcons.has(id) ? true : null),
    transform: {
      ...(order && { order }),
      // By id alone: a style sheet that has lost its icons must say so.
      filter: { id: { include: STYLE_ID, exclude: NO_STYLE } },
      async handler(code, id) {
        // Bundlers from before hook filters show every module.
        if (!STYLE_ID.test(id) || NO_STYLE.test(id)) return null;
        const make = async (): Promise<MadeStyle> => {
          const found: PlacedIcon[] = [];
          const held = new Set<string>();
          const dialect = ports.dialect(this, id);
          const css = !WITH_ICON.test(code)
            ? code
            : await rewriteStyle(
                code,
                async ({ specifier, property }) => {
                  held.add(specifier);
                  // Told before it can fail: a mended alias has the module made anew.
                  ports.held?.(id, [...held]);
                  const image = await session.image(specifier, {
                    importer: id,
                    placeholder: ports.placeholder(),
                    property,
                  });
                  if (image.ids === undefined) ports.loadAgain?.(id);
                  const { address, placed } = placeHere(image, dialect, id);
                  if (placed !== undefined) found.push(placed);
                  return address;
                },
                { lineComments: order === 'pre' && LINE_COMMENTS.test(id) },
              );
          ports.held?.(id, [...held]);
          icons.set(ports.keyOf(this), id, found);
          if (found.length > 0) withIcons.add(id);
          else withIcons.delete(id);
          return { css, found };
        };
        const { css } = await (ports.made?.(this, id, make) ?? make());
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
