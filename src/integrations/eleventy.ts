import { rm } from 'node:fs/promises';
import { join, posix, relative, resolve } from 'node:path';
import process from 'node:process';
import { abandonBuild, type BuildOutput, finishBuild } from '../build/finish-build.ts';
import { createPagePort, longestValue, siteDialect } from '../build/pages.ts';
import { type ImageDialect, type PlacedIcon, placeImage, usagesOfPlaced } from '../build/images.ts';
import type { Session } from '../build/session-interface.ts';
import type { FoundUsage } from '../build/session-types.ts';
import { createSession } from '../build/session.ts';
import { createCopies, rewritePage } from '../markup/rewrite-page.ts';
import type { Options } from '../options/options.ts';
import { ICON_PREFIX } from '../request/key.ts';
import { writeChanged } from '../store/files.ts';

const HTML = /\.html?$/;

/** What changes from one run of Eleventy to the next. */
interface Run {
  icons: PageIcons;
  /** As opposed to a run that serves or watches. */
  isBuild: boolean;
  /** The output folder. */
  output: string;
  /** What gives drawings ids of their own, by file of the page. */
  copies: Map<string | undefined, (svg: string) => string>;
}

/** Icons in Eleventy's templates and in the pages that come of them, and the site's credits. */
export function addToEleventy(config: EleventyConfig, options: Options = {}): void {
  // Eleventy hands over an empty object where nothing is written.
  const given = Object.keys(options).length > 0 ? options : undefined;
  const session = createSession(given, 'eleventy');
  const root = process.cwd();
  session.configure({ root });
  for (const file of session.config.files) config.addWatchTarget(`./${relative(root, file)}`);
  const run: Run = { icons: createPageIcons(), isBuild: true, output: '', copies: new Map() };

  config.on('eleventy.before', async ({ runMode, directories }) => {
    await session.config.refresh();
    run.isBuild = runMode === 'build';
    if (run.isBuild) run.icons = createPageIcons();
    run.output = directories.output;
    run.copies = new Map();
    session.begin();
  });
  addTemplateIcons(config, session, run);
  config.on('eleventy.after', async (after) => {
    await finishBuild(session, outputOf(after, run.icons));
    if (after.runMode === 'build') await session.close();
  });
  config.on('eleventy.error', async () => {
    await abandonBuild(session);
    if (run.isBuild) await session.close();
  });
}

/** Shortcodes and filters, and the transform of finished pages. */
function addTemplateIcons(config: EleventyConfig, session: Session, run: Run): void {
  const fileOf = ({ page }: PageScope): string | undefined =>
    page === undefined || page.outputPath === false
      ? undefined
      : relative(run.output, page.outputPath).replaceAll('\\', '/');
  function copiesIn(file: string | undefined): (svg: string) => string {
    const known = run.copies.get(file) ?? createCopies();
    run.copies.set(file, known);
    return known;
  }
  const asking = ({ page }: PageScope) => ({
    ...(page !== undefined && { importer: page.inputPath }),
    placeholder: !run.isBuild,
  });

  async function icon(this: PageScope, written: unknown, ...args: unknown[]): Promise<string> {
    const said = shortcodeOptions(args);
    const { id, svg: drawn } = await session.drawing(shortcodeSpecifier(written, said), {
      ...asking(this),
      ...(said.title !== undefined && { title: said.title }),
      ...(said.class !== undefined && { class: said.class }),
    });
    const file = fileOf(this);
    const svg = copiesIn(file)(drawn);
    if (id !== undefined) run.icons.placed(file, { id, trace: longestValue(svg) });
    return svg;
  }

  async function iconUrl(this: PageScope, written: unknown, ...args: unknown[]): Promise<string> {
    const specifier = shortcodeSpecifier(written, shortcodeOptions(args));
    const image = await session.image(specifier, asking(this));
    const file = fileOf(this);
    const { address, placed } = placeImage(image, run.icons.dialect(file ?? 'index.html'));
    if (placed !== undefined) run.icons.placed(file, placed);
    return address;
  }

  for (const [name, code] of Object.entries({ icon, iconUrl })) {
    config.addAsyncShortcode(name, code);
    config.addAsyncFilter(name, code);
  }
  config.addTransform('unplugin-icon-catalog', async function (this: PageScope, content) {
    const file = fileOf(this);
    if (file === undefined || !HTML.test(file) || typeof content !== 'string') return content;
    const source = this.page?.inputPath ?? file;
    const port = createPagePort(session, {
      file: source,
      dialect: run.icons.dialect(file),
      placeholder: !run.isBuild,
      placed: (placed) => run.icons.placed(file, placed),
      styles: true,
      copies: copiesIn(file),
    });
    return rewritePage(content, source, port);
  });
}

function outputOf(
  { directories, outputMode, results, runMode }: EleventyAfter,
  icons: PageIcons,
): BuildOutput {
  const folder = directories.output;
  const pages = results.flatMap(({ outputPath, content }) =>
    outputPath === false || typeof content !== 'string'
      ? []
      : [{ fileName: relative(folder, outputPath).replaceAll('\\', '/'), content }],
  );
  const isWritten = outputMode === 'fs';
  return {
    build: { id: 'eleventy', bundler: 'eleventy', consumer: 'client', precision: 'emitted' },
    report: {
      complete: runMode === 'build',
      folder: isWritten ? resolve(folder) : undefined,
      // A run that serves writes the pages that have changed.
      keepsOwn: true,
    },
    usages: () => icons.usages(pages),
    files: () => [
      ...pages,
      ...Array.from(icons.files, ([fileName, content]) => ({ fileName, content })),
    ],
    async write(files) {
      if (!isWritten) return [];
      for (const [fileName, source] of icons.files)
        await writeChanged(join(folder, fileName), source);
      for (const { fileName, source } of files) await writeChanged(join(folder, fileName), source);
      return files.map(({ fileName }) => join(folder, fileName));
    },
    async remove() {
      if (!isWritten) return;
      for (const { fileName } of pages) await rm(join(folder, fileName), { force: true });
    },
  };
}

/** Folder of emitted icons in the site. */
const FOLDER = 'assets/icons';

interface PageIcons {
  /** Files that pages point to, by name below the output folder. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** @param page file of the page, below the output folder */
  dialect(page: string): ImageDialect;
  /** @param page file of the page, below the output folder; `undefined` where it is not written */
  placed(page: string | undefined, icon: PlacedIcon): void;
  /** What the site ships, as far as it was built in this process. */
  usages(pages: readonly { fileName: string; content: string }[]): FoundUsage[];
}

/** What the pages of one site hold. A page that is built again says again what it holds. */
function createPageIcons(): PageIcons {
  const files = new Map<string, string | Uint8Array>();
  const placedBy = new Map<string, { icon: PlacedIcon; page: string | undefined }>();
  const foundIn = new Map<string, FoundUsage[]>();

  return {
    files,
    dialect: (page) => siteDialect(page, { assets: FOLDER, base: undefined, emitted: files }),
    placed(page, icon) {
      placedBy.set(JSON.stringify([page, icon]), { icon, page });
    },
    usages(pages) {
      const all = [...placedBy.values()];
      const icons = all.map(({ icon }) => icon);
      for (const page of pages) {
        const usages = usagesOfPlaced(icons, {
          outputs: [page],
          fileNameOf: (name) => (page.content.includes(posix.basename(name)) ? name : undefined),
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

/** What a shortcode or a filter may say besides the icon. */
interface ShortcodeOptions {
  title?: string;
  class?: string;
  color?: string;
  size?: string | number;
}

/** `{% icon "star", "Title", "class" %}`, `{% icon "star", { color: "f00" } %}` and keyword arguments: all the ways of template languages. */
export function shortcodeOptions([first, second]: readonly unknown[]): ShortcodeOptions {
  if (typeof first === 'object' && first !== null) return first;
  return {
    ...(typeof first === 'string' && { title: first }),
    ...(typeof second === 'string' && { class: second }),
  };
}

/** `123`, `star?size=32` and `icon:star` with colour and size as parameters of the one specifier. */
export function shortcodeSpecifier(
  written: unknown,
  { color, size }: ShortcodeOptions = {},
): string {
  const text = String(written).trim();
  const specifier = text.startsWith(ICON_PREFIX) ? text : `${ICON_PREFIX}${text}`;
  const params = Object.entries({ color, size })
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (params.length === 0) return specifier;
  return `${specifier}${specifier.includes('?') ? '&' : '?'}${params.join('&')}`;
}

/** Eleventy ships no types: what we use of its configuration, from its documentation of versions 3. */
export interface EleventyConfig {
  on(event: 'eleventy.before', handler: (event: EleventyEvent) => Promise<void>): void;
  on(event: 'eleventy.after', handler: (event: EleventyAfter) => Promise<void>): void;
  on(event: 'eleventy.error', handler: () => Promise<void>): void;
  addWatchTarget(path: string): void;
  addAsyncShortcode(
    name: string,
    shortcode: (this: PageScope, ...args: unknown[]) => Promise<string>,
  ): void;
  addAsyncFilter(
    name: string,
    filter: (this: PageScope, ...args: unknown[]) => Promise<string>,
  ): void;
  addTransform(
    name: string,
    transform: (this: PageScope, content: string) => Promise<string>,
  ): void;
}

interface EleventyPage {
  /** Relative to the project: `./src/index.md`. */
  inputPath: string;
  /** `./_site/index.html`; false for a page that is not written. */
  outputPath: string | false;
}

/** `this` of shortcodes, filters and transforms. */
interface PageScope {
  page?: EleventyPage;
}

interface EleventyEvent {
  runMode: 'build' | 'watch' | 'serve';
  directories: {
    /** `./_site/` */
    output: string;
  };
}

interface EleventyAfter extends EleventyEvent {
  /** Where the pages went; nothing is written with `json` and `ndjson`. */
  outputMode: 'fs' | 'json' | 'ndjson';
  /** Pages of this run; content is text, or bytes for what no template engine made. */
  results: { outputPath: string | false; content: unknown }[];
}
