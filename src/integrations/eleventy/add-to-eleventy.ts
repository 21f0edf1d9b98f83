import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { createCopies } from '../../markup/drawing.ts';
import { rewritePage } from '../../markup/rewrite-page.ts';
import type { Options } from '../../options.ts';
import { createPagePort, longestValue } from '../../plugin/page-port.ts';
import { placeImage } from '../../plugin/place-image.ts';
import { createSession } from '../../plugin/session.ts';
import type { EleventyAfter, EleventyConfig, PageScope } from './eleventy-types.ts';
import { createPageIcons, type PageIcons } from './page-icons.ts';
import { shortcodeOptions, shortcodeSpecifier } from './shortcode-specifier.ts';

const HTML = /\.html?$/;

/**
 * Icons in Eleventy's templates and in the pages that come of them, and the site's credits. It holds no logic of its
 * own: the session does the work.
 */
export function addToEleventy(config: EleventyConfig, options: Options = {}): void {
  // Eleventy hands over an empty object where nothing is written.
  const given = Object.keys(options).length > 0 ? options : undefined;
  const session = createSession(given, 'eleventy');
  const root = process.cwd();
  session.configure({ root });
  for (const file of session.config.files) config.addWatchTarget(`./${relative(root, file)}`);
  let icons: PageIcons = createPageIcons();
  let isBuild = true;
  let output = '';
  /** By file of the page. */
  let copies = new Map<string | undefined, (svg: string) => string>();

  config.on('eleventy.before', async ({ runMode, directories }) => {
    await session.config.refresh();
    isBuild = runMode === 'build';
    if (isBuild) icons = createPageIcons();
    output = directories.output;
    copies = new Map();
    session.begin();
  });

  const fileOf = ({ page }: PageScope): string | undefined =>
    page === undefined || page.outputPath === false
      ? undefined
      : relative(output, page.outputPath).replaceAll('\\', '/');
  function copiesIn(file: string | undefined): (svg: string) => string {
    const known = copies.get(file) ?? createCopies();
    copies.set(file, known);
    return known;
  }
  const asking = ({ page }: PageScope) => ({
    ...(page !== undefined && { importer: page.inputPath }),
    placeholder: !isBuild,
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
    if (id !== undefined) icons.placed(file, { id, trace: longestValue(svg) });
    return svg;
  }

  async function iconUrl(this: PageScope, written: unknown, ...args: unknown[]): Promise<string> {
    const specifier = shortcodeSpecifier(written, shortcodeOptions(args));
    const image = await session.image(specifier, asking(this));
    const file = fileOf(this);
    const { address, placed } = placeImage(image, icons.dialect(file ?? 'index.html'));
    if (placed !== undefined) icons.placed(file, placed);
    return address;
  }

  config.addAsyncShortcode('icon', icon);
  config.addAsyncFilter('icon', icon);
  config.addAsyncShortcode('iconUrl', iconUrl);
  config.addAsyncFilter('iconUrl', iconUrl);
  config.addTransform('unplugin-icon-catalog', async function (this: PageScope, content) {
    const file = fileOf(this);
    if (file === undefined || !HTML.test(file) || typeof content !== 'string') return content;
    const port = createPagePort(session, {
      file: this.page?.inputPath ?? file,
      dialect: icons.dialect(file),
      placeholder: !isBuild,
      placed: (placed) => icons.placed(file, placed),
      styles: true,
      copies: copiesIn(file),
    });
    return rewritePage(content, this.page?.inputPath ?? file, port);
  });

  config.on(
    'eleventy.after',
    async ({ directories, outputMode, results, runMode }: EleventyAfter) => {
      const folder = directories.output;
      const pages = results.flatMap(({ outputPath, content }) =>
        outputPath === false || typeof content !== 'string'
          ? []
          : [{ fileName: relative(folder, outputPath).replaceAll('\\', '/'), text: content }],
      );
      const files = await session.attributionFiles(
        icons.usages(pages),
        { id: 'eleventy', bundler: 'eleventy', consumer: 'client', precision: 'emitted' },
        {
          complete: runMode === 'build',
          folder: outputMode === 'fs' ? resolve(folder) : undefined,
          // A run that serves writes the pages that have changed.
          keepsOwn: true,
          outputs: () => [
            ...pages.map(({ fileName, text }) => ({ fileName, content: text })),
            ...Array.from(icons.files, ([fileName, content]) => ({ fileName, content })),
          ],
        },
      );
      const all = [
        ...[...icons.files].map(([fileName, source]) => ({ fileName, source })),
        ...files,
      ];
      if (outputMode === 'fs') for (const file of all) await put(folder, file);
      await session.settle();
      await session.end(
        outputMode === 'fs' ? files.map(({ fileName }) => join(folder, fileName)) : [],
      );
      if (runMode === 'build') await session.close();
    },
  );

  // What was fetched before the error is kept, so that the next build does not pay for it again.
  config.on('eleventy.error', async () => {
    await session.end([], { quiet: true });
    if (isBuild) await session.close();
  });
}

async function put(
  folder: string,
  { fileName, source }: { fileName: string; source: string | Uint8Array },
): Promise<void> {
  const path = join(folder, fileName);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, source);
}
