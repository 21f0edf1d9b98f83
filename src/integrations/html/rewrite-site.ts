import { join, posix, relative } from 'node:path';
import { rewritePage } from '../../markup/rewrite-page.ts';
import type { EmittedFile } from '../../plugin/search-outputs.ts';
import { createPagePort } from '../../plugin/page-port.ts';
import { byteLength, INLINE_LIMIT, type ImageDialect } from '../../plugin/place-image.ts';
import { usagesOfPlaced, type PlacedIcon } from '../../plugin/placed-icons.ts';
import type { FoundUsage, OutputFile, Session } from '../../plugin/session-types.ts';
import { hashedName, readText, writeWhole } from './site-files.ts';

export interface SiteOptions {
  session: Session;
  /** Folder of the site, absolute. */
  site: string;
  /** Folder of emitted icons, relative to the site. */
  assets: string;
  /** Address of the site's folder; `undefined` writes relative addresses. */
  base: string | undefined;
  /** Writes nothing. */
  dry: boolean;
  /** The last step of a build, whose summary counts it. */
  isPart?: boolean;
  /** Finished files that may hold icons which the session loaded, and which nothing else credits. */
  outputs?: () => Promise<Iterable<EmittedFile>>;
}

export interface SiteReport {
  /** Pages with icons, relative to the site. */
  pages: string[];
  /** Places in those pages. */
  icons: number;
  /** Emitted files that were not there before, attribution files included. */
  files: string[];
}

/**
 * Replaces the `icon:` references of finished pages. Everything is made before anything is written, so that an icon
 * that cannot be had leaves the site as it was; the pages come last, so that a run that was stopped can be repeated.
 *
 * @param paths absolute
 * @throws IconCatalogError as a build does
 */
export async function rewriteSite(
  paths: readonly string[],
  { session, site, assets, base, dry, isPart = false, outputs }: SiteOptions,
): Promise<SiteReport> {
  const pages: OutputFile[] = [];
  const emitted = new Map<string, string | Uint8Array>();
  const usages: FoundUsage[] = [];
  let icons = 0;

  session.begin();
  for (const path of paths) {
    const html = (await readText(path)) ?? '';
    const fileName = relative(site, path).replaceAll('\\', '/');
    const dialect: ImageDialect = {
      isSmall: ({ source }) => byteLength(source) < INLINE_LIMIT,
      emit({ fileName: suggested, source }) {
        const name = posix.join(assets, hashedName(suggested, source));
        emitted.set(name, source);
        const address =
          base === undefined
            ? posix.relative(posix.dirname(fileName), name)
            : `${base.replace(/\/?$/, '/')}${name}`;
        return { address: encodeURI(address), reference: name };
      },
    };
    const placed: PlacedIcon[] = [];
    const port = createPagePort(session, {
      file: path,
      dialect,
      placeholder: false,
      placed: (icon) => void placed.push(icon),
      styles: true,
    });
    const text = await rewritePage(html, path, port);
    if (text === html) continue;
    icons += placed.length;
    pages.push({ fileName, source: text });
    const outputs = [{ fileName, text }];
    usages.push(
      ...usagesOfPlaced(placed, { outputs, fileNameOf: (name) => name, consumer: 'client' }),
    );
  }
  const missing = session.missing();
  if (missing !== undefined) throw missing;
  const isMore = pages.length > 0 || outputs !== undefined;
  if (isMore) await attribute();
  const files: string[] = [];
  for (const [name, source] of dry ? [] : emitted)
    if (await writeWhole(join(site, name), source)) files.push(name);
  if (isMore && !dry)
    for (const path of await session.settle())
      files.push(relative(site, path).replaceAll('\\', '/'));
  for (const { fileName, source } of dry ? [] : pages)
    await writeWhole(join(site, fileName), source);
  await session.end([], { quiet: !isPart, site: { folder: site, base } });
  return { pages: pages.map(({ fileName }) => fileName), icons, files: files.toSorted() };

  function attribute(): Promise<OutputFile[]> {
    const ours = new Map<string, string | Uint8Array>(emitted);
    for (const { fileName, source } of pages) ours.set(fileName, source);
    const rewrote = pages.map(({ fileName }) => fileName);
    const wrote = [...ours.keys()].filter((name) => !rewrote.includes(name));
    return session.attributionFiles(
      usages,
      { id: 'html', bundler: 'icon-catalog', consumer: 'client', precision: 'emitted' },
      {
        folder: dry ? undefined : site,
        site,
        keepsOwn: true,
        wrote,
        rewrote,
        async outputs() {
          const others = [...((await outputs?.()) ?? [])];
          return [
            ...others.filter(({ fileName }) => !ours.has(fileName)),
            ...Array.from(ours, ([fileName, content]) => ({ fileName, content })),
          ];
        },
      },
    );
  }
}
