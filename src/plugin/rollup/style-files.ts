import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { IconCatalogError } from '../../errors.ts';
import { byteLength, INLINE_LIMIT, type ImageDialect } from '../place-image.ts';
import type { PlacedIcon } from '../placed-icons.ts';
import type { SessionImage } from '../session-types.ts';
import { shortPath } from '../short-path.ts';
import { withoutFrames } from '../without-frames.ts';
import type { AnyBundle } from './found-usages.ts';
import type { EmitContext } from './rollup-types.ts';

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

export interface StyleFiles {
  dialect(importer: string): ImageDialect;
  /**
   * A script that holds a style sheet: only the page that runs it will say what its addresses are relative to, so that
   * icons are written in place.
   * @throws IconCatalogError SPECIFIER_INVALID where `?url` says that they may not be
   */
  fillScript(code: string): string;
  /**
   * Emits the files that style sheets of this bundle refer to, and writes their addresses. Warns of what no file of the
   * bundle refers to.
   * @returns the icons with what the bundle has of them
   */
  settle(context: EmitContext, bundle: AnyBundle, icons: readonly PlacedIcon[]): PlacedIcon[];
}

/**
 * Files for icons of style sheets where other plugins bundle CSS: nobody knows where a style sheet goes, or whether it
 * becomes part of a script, before the bundle is complete.
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
        const hash = createHash('sha256').update(`${id} ${image.form} `).update(source);
        const address = `${STYLE_SLOT}${hash.digest('hex').slice(0, 32)}`;
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
          const css = textOf(output.source);
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

function textOf(source: string | Uint8Array | undefined): string {
  return typeof source === 'string' ? source : Buffer.from(source ?? []).toString();
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
