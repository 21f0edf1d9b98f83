import { posix } from 'node:path';
import type { PagePort } from '../markup/rewrite-page.ts';
import type { Part } from './outdated.ts';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
  placeImage,
} from './images.ts';
import { sha256Hex } from '../store/hash.ts';
import type { ImageSession, SessionImage } from './session-types.ts';

/** A page's access to the session. Everything that the page will hold is reported to `placed`. */
export function createPagePort(
  session: ImageSession,
  {
    file,
    dialect,
    placeholder,
    placed,
    asked,
    styles,
    copies,
  }: {
    file: string;
    dialect: ImageDialect;
    placeholder: boolean;
    placed(icon: PlacedIcon): void;
    /** Called for each reference before it can fail. */
    asked?(part: Part): void;
    /** False if the bundler treats the styles of a page as style sheets. */
    styles: boolean;
    /** Gives the drawings of this page ids of their own: `createCopies`. */
    copies: (svg: string) => string;
  },
): PagePort {
  const options = (at: string) => ({ importer: `${file}:${at}`, placeholder });

  function address(image: SessionImage, isFile?: boolean): string {
    const put = placeImage(image, dialect, { ...(isFile !== undefined && { isFile }) });
    if (put.placed !== undefined) placed(put.placed);
    return put.address;
  }

  return {
    async image(specifier, at) {
      asked?.(`image ${specifier}`);
      const image = await session.image(specifier, options(at));
      return () => address(image);
    },
    async favicon(specifier, at) {
      asked?.(`image ${specifier}`);
      const image = await session.image(specifier, options(at));
      const { contentType: type } = image.asset;
      const { pixels } = image;
      const size = pixels === undefined ? undefined : `${pixels}x${pixels}`;
      const sizes = type === 'image/png' ? size : 'any';
      // Browsers cache a favicon by its address, and some take none from a data URI.
      return () => ({ address: address(image, true), type, sizes });
    },
    async drawing(specifier, { at, ...more }) {
      asked?.(`drawing ${specifier}`);
      const drawing = await session.drawing(specifier, { ...options(at), ...more });
      const { id, name } = drawing;
      return () => {
        const svg = copies(drawing.svg);
        if (id !== undefined) placed({ id, trace: longestValue(svg) });
        return { svg, name };
      };
    },
    style: styles
      ? async ({ specifier, property }, at) => {
          const image = await session.image(specifier, { ...options(at), property });
          return () => address(image);
        }
      : undefined,
  };
}

/** The root may be rewritten and a minifier may change quotes, but the longest run of a drawing's data stays. */
export function longestValue(svg: string): string {
  const values = [...svg.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
  return values.reduce((best, value) => (value.length > best.length ? value : best), '');
}

export interface SitePlaces {
  /** Folder of emitted icons, relative to the site. */
  assets: string;
  /** Address of the site's folder; `undefined` writes relative addresses. */
  base: string | undefined;
}

/**
 * Images of a finished page: small ones are part of it, the others are files of the site.
 * @param emitted gets the files of icons, by their names below the site
 */
export function siteDialect(
  page: string,
  { assets, base, emitted }: SitePlaces & { emitted: Map<string, string | Uint8Array> },
): ImageDialect {
  return {
    isSmall: ({ source }) => byteLength(source) < INLINE_LIMIT,
    emit({ fileName, source }) {
      const name = posix.join(assets, hashedName(fileName, source));
      emitted.set(name, source);
      // A relative address is right below any path prefix, whether or not another tool adds it.
      const address =
        base === undefined
          ? posix.relative(posix.dirname(page), name)
          : `${base.replace(/\/?$/, '/')}${name}`;
      return { address: encodeURI(address), reference: name };
    },
  };
}

/** `star-123-0a1b2c3d.svg` */
function hashedName(fileName: string, source: string | Uint8Array): string {
  const hash = sha256Hex(source).slice(0, 8);
  const dot = fileName.lastIndexOf('.');
  return `${fileName.slice(0, dot)}-${hash}${fileName.slice(dot)}`;
}
