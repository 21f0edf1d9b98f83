import type { Declaration, DeclaredValue } from '../declare/declaration.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { IconRequest } from '../types.ts';
import type { Corridor } from './create-corridor.ts';
import type { IconSource } from './sources.ts';

/** Neither lost on a light background nor on a dark one. */
const PREVIEW_COLOR = '808080';
const PREVIEW_SIZE = '48';
/** Bytes of a picture; editors show a comment as a whole. */
const LARGEST_PREVIEW = 6 * 1024;

/** An import with what the catalog knows about its icon, for the editor. Costs nothing where the icon was loaded. */
export async function describeImport(
  specifier: string,
  request: IconRequest,
  { corridor, options }: { corridor: Corridor; options: ResolvedOptions },
): Promise<Declaration> {
  const source = await corridor.source(request);
  const { id, term, creator, license_description } = source.record;
  return {
    specifier,
    form: formOf(request, options),
    about: {
      id,
      term,
      creator: creator.name,
      license: license_description,
      preview: previewOf(request, source),
    },
  };
}

/** What the default export is. */
export function formOf(
  { as }: Pick<IconRequest, 'as'>,
  { framework }: Pick<ResolvedOptions, 'framework'>,
): DeclaredValue {
  if (as === 'meta') return 'record';
  if (as !== 'component') return 'text';
  // What a project's own function makes, only the project's own types can tell.
  if (typeof framework !== 'string') throw new TypeError('not known');
  return { component: `typeof import('unplugin-icon-catalog/types/${framework}').default` };
}

function previewOf({ id, color }: IconRequest, source: IconSource): string | undefined {
  if (source.kind === 'meta') return undefined;
  if (source.kind === 'png') return toDataUri('image/png', source.bytes);
  const markup = renderSvg(source.master, {
    id,
    color: color === 'currentColor' ? PREVIEW_COLOR : (color ?? PREVIEW_COLOR),
    size: PREVIEW_SIZE,
    title: null,
    class: null,
  });
  return toDataUri('image/svg+xml', Buffer.from(markup));
}

/** Base64 has no character that could end a comment or a picture in Markdown. */
function toDataUri(type: string, bytes: Uint8Array): string | undefined {
  if (bytes.length > LARGEST_PREVIEW) return undefined;
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
