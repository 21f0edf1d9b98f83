import type { CustomPlugin, XastElement } from 'svgo';
import { loadSvgo, prepareSvg } from '../svg/prepare-svg.ts';
import { renderSvg } from '../svg/render-svg.ts';
import { SENTINEL } from '../svg/sentinel.ts';
import { walkElements } from '../svg/walk.ts';

const MAX_BYTES = 1024 * 1024;

/** Filter primitives that keep the renderer busy without end for some parameters. */
const ENDLESS = new Set([
  'feMorphology',
  'feTurbulence',
  'feConvolveMatrix',
  'feDiffuseLighting',
  'feSpecularLighting',
]);

/**
 * What of a stranger's file may reach the renderer, which reads local files through `<image>`: the sanitised drawing in
 * its own colours, without costly filters, in a square of `size` pixels.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE, SVG_UNSAFE
 */
export async function toDrawable(
  svg: string,
  { id, size }: { id: number; size: number },
): Promise<string> {
  const master = await prepareSvg(Buffer.from(svg), {
    id,
    askedColor: SENTINEL,
    fixedColor: true,
    optimize: false,
    // A server cannot warn: what would be another picture without its active content is not drawn at all.
    strict: true,
    animation: false,
    maxBytes: MAX_BYTES,
    // The costly ones are left out below, and the renderer is stopped if the rest takes too long.
    limits: { filterCost: Infinity },
  });
  const safe = renderSvg(master, {
    id,
    color: 'currentColor',
    size: String(size),
    title: null,
    class: null,
  });
  const { optimize } = await loadSvgo();
  return optimize(safe, { plugins: [createForRenderer(size)] }).data;
}

function createForRenderer(size: number): CustomPlugin {
  return {
    name: 'icon-catalog-raster',
    fn: ({ children }) => {
      for (const child of children) {
        if (child.type !== 'element') continue;
        // The view box is centred in the square by the rules of SVG.
        child.attributes['width'] = String(size);
        child.attributes['height'] = String(size);
        dropEndlessFilters(child);
      }
      return null;
    },
  };
}

/** A filter that loses all of its primitives goes altogether: an empty one would hide what it stands on. */
function dropEndlessFilters(root: XastElement): void {
  const emptied = new Set<string>();
  walkElements(root, (node) => {
    const before = node.children.length;
    node.children = node.children.filter(
      (child) => child.type !== 'element' || !ENDLESS.has(child.name),
    );
    if (node.children.length < before && node.children.length === 0)
      emptied.add(`url(#${node.attributes['id'] ?? ''})`);
  });
  walkElements(root, ({ attributes }) => {
    if (emptied.has(attributes['filter'] ?? '')) delete attributes['filter'];
  });
}
