import { type Call, mayHaveFile } from './call.ts';
import { colorize } from './colorize.ts';
import { HttpError, badRequest } from './http-error.ts';
import type { Icon } from './library.ts';
import { DEFAULT_DOWNLOAD_SIZE } from './params.ts';
import { rasterize } from './raster.ts';

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
    ? await rasterize({ icon, svg, size: size ?? DEFAULT_DOWNLOAD_SIZE })
    : Buffer.from(svg);
  return {
    base64_encoded_file: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'base64',
    ),
    content_type: isPng ? 'image/png' : 'image/svg+xml',
  };
}
