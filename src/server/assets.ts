import { escapeMarkup } from '../markup/tokens.ts';
import { type Call, type Catalog, mayHaveFile } from './call.ts';
import { badRequest, DEFAULT_DOWNLOAD_SIZE, HttpError, notFound } from './params.ts';
import type { Icon } from './library.ts';
import { colorize } from './paint.ts';
import type { rasterize } from './raster.ts';
import { attributionOf } from './records.ts';

const THUMBNAIL = /^\/asset\/thumbnail\/(\d{1,16})-(42|84|200)\.png$/;
const FILE = /^\/asset\/icon\/(\d{1,16})(\.svg|-1200\.png)$/;
const ATTRIBUTION = /^\/asset\/attribution\/(\d{1,16})\.svg$/;

/** Files behind the addresses of records: thumbnails and previews for anyone, icon files for signed addresses. Not metered. */
export async function serveAsset(catalog: Catalog, url: URL, now: number): Promise<Response> {
  const thumbnail = THUMBNAIL.exec(url.pathname);
  if (thumbnail) {
    const icon = findIcon(catalog, thumbnail[1]);
    const size = Number(thumbnail[2]);
    const drawn = await drawPng({ icon, svg: black(icon), size }).catch(withoutRenderer);
    return drawn === undefined
      ? toResponse(black(icon), 'no-store')
      : toResponse(drawn, 'public, max-age=86400');
  }
  const attribution = ATTRIBUTION.exec(url.pathname);
  if (attribution)
    return toResponse(
      attributionPreview(findIcon(catalog, attribution[1])),
      'public, max-age=86400',
    );
  const file = FILE.exec(url.pathname);
  if (!file) throw notFound('This address');
  const refusal = catalog.addresses.refusal(url, now);
  if (refusal !== undefined) throw new HttpError(403, refusal);
  const icon = findIcon(catalog, file[1]);
  const svg = black(icon);
  return toResponse(
    file[2] === '.svg' ? svg : await drawPng({ icon, svg, size: 1200 }),
    'private, no-store',
  );
}

/** Most processes never draw: the sanitiser and its queue are loaded for those that do. */
const drawPng: typeof rasterize = async (drawing) =>
  (await import('./raster.ts')).rasterize(drawing);

/** The drawing is a picture, too. */
function withoutRenderer(error: unknown): undefined {
  if (error instanceof HttpError && error.status === 501) return undefined;
  throw error;
}

function findIcon({ library }: Catalog, id: string | undefined): Icon {
  const icon = library.icon(Number(id));
  if (!icon) throw notFound(`Icon ${id}`);
  return icon;
}

function black(icon: Icon): string {
  return colorize(icon.collection.markup(icon.name), undefined);
}

/**
 * The icon above its credit text. The icon stands in it as an image: so a preview runs no script of
 * the file.
 */
function attributionPreview(icon: Icon): string {
  const credit = attributionOf(icon);
  const image = `data:image/svg+xml;base64,${Buffer.from(black(icon)).toString('base64')}`;
  // Letters of a sans-serif face are about half as wide as high.
  const size = Math.min(18, Math.floor((496 / credit.length) * 2 * 10) / 10);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="560" viewBox="0 0 512 560">' +
    `<image href="${image}" width="512" height="512"/>` +
    `<text x="256" y="542" font-family="sans-serif" font-size="${size}" text-anchor="middle">${escapeMarkup(credit)}</text></svg>`
  );
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
};

/** @param drawing markup, or the bytes of a PNG */
function toResponse(drawing: string | Uint8Array, caching: string): Response {
  const isMarkup = typeof drawing === 'string';
  const type = isMarkup ? 'image/svg+xml' : 'image/png';
  return new Response(isMarkup ? drawing : new Uint8Array(drawing), {
    headers: { ...HEADERS, 'content-type': type, 'cache-control': caching },
  });
}

/** The file of an icon in the asked colour, type and size, base64 in JSON. */
export async function download(
  call: Call,
  icon: Icon,
): Promise<{ base64_encoded_file: string; content_type: string }> {
  const { query } = call;
  const isPng = query.text('filetype') === 'png';
  const size = query.number('size');
  if (!isPng && size !== undefined)
    throw badRequest('size is not accepted with filetype=svg, the default; add filetype=png.');
  if (!mayHaveFile(call, icon)) {
    throw new HttpError(
      403,
      `Free access may download public-domain icons only; icon ${icon.id} is ${icon.collection.license.description}.`,
    );
  }
  const svg = colorize(icon.collection.markup(icon.name), query.color('color'));
  const bytes = isPng
    ? await drawPng({ icon, svg, size: size ?? DEFAULT_DOWNLOAD_SIZE })
    : Buffer.from(svg);
  return {
    base64_encoded_file: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'base64',
    ),
    content_type: isPng ? 'image/png' : 'image/svg+xml',
  };
}
