import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { byteLength, INLINE_LIMIT, type ImageDialect } from '../../plugin/place-image.ts';
import { usagesOfPlaced, type PlacedIcon } from '../../plugin/placed-icons.ts';
import type { FoundUsage } from '../../plugin/session-types.ts';

/** Folder of emitted icons in the site. */
const FOLDER = 'assets/icons';

export interface PageIcons {
  /** Files that pages point to, by name below the output folder. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** @param page file of the page, below the output folder */
  dialect(page: string): ImageDialect;
  /** @param page file of the page, below the output folder; `undefined` where it is not written */
  placed(page: string | undefined, icon: PlacedIcon): void;
  /** What the site ships, as far as it was built in this process. */
  usages(pages: readonly { fileName: string; text: string }[]): FoundUsage[];
}

/** What the pages of one site hold. A page that is built again says again what it holds. */
export function createPageIcons(): PageIcons {
  const files = new Map<string, string | Uint8Array>();
  const placedBy = new Map<string, { icon: PlacedIcon; page: string | undefined }>();
  const foundIn = new Map<string, FoundUsage[]>();

  return {
    files,
    dialect: (page) => ({
      isSmall: ({ source }) => byteLength(source) < INLINE_LIMIT,
      emit({ fileName, source }) {
        const name = `${FOLDER}/${hashed(fileName, source)}`;
        files.set(name, source);
        // Relative: right below any path prefix, whether or not another plugin adds it.
        return { address: posix.relative(posix.dirname(page), name), reference: name };
      },
    }),
    placed(page, icon) {
      placedBy.set(JSON.stringify([page, icon]), { icon, page });
    },
    usages(pages) {
      const all = [...placedBy.values()];
      const icons = all.map(({ icon }) => icon);
      for (const page of pages) {
        const outputs = [page];
        const usages = usagesOfPlaced(icons, {
          outputs,
          fileNameOf: (name) => (page.text.includes(posix.basename(name)) ? name : undefined),
          consumer: 'client',
        });
        foundIn.set(page.fileName, usages);
      }
      const found = [...foundIn.values()].flat();
      const ids = new Set(found.map(({ id }) => id));
      // A minifier may have written it differently: in doubt it is credited where it was asked for.
      const doubtful = all.filter(({ icon, page }) => page !== undefined && !ids.has(icon.id));
      return distinct([
        ...found,
        ...doubtful.map(({ icon: { id }, page = '' }): FoundUsage => ({
          id,
          file: page,
          kind: 'inline-html',
        })),
      ]);
    },
  };
}

function distinct(usages: readonly FoundUsage[]): FoundUsage[] {
  return [
    ...new Map(
      usages.map((usage) => [[usage.id, usage.file, usage.kind].join('\t'), usage]),
    ).values(),
  ];
}

function hashed(fileName: string, source: string | Uint8Array): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const dot = fileName.lastIndexOf('.');
  return `${fileName.slice(0, dot)}-${hash}${fileName.slice(dot)}`;
}
