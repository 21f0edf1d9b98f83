import fs from 'node:fs';
import { posix, relative, resolve } from 'node:path';
import type { Chunk, Compilation, Compiler } from 'webpack';
import { slug } from '../../build/other-builds.ts';
import { creditOutput, type BuildOutput } from '../../build/finish-build.ts';
import { CREDITS_SLOT } from '../../build/session-types.ts';
import type { ManifestBuild } from '../../types.ts';
import {
  idOfIconResource,
  isNext,
  isNextServer,
  toBundlerError,
  type WebpackBuild,
} from './read-icon.ts';
import {
  emittedFiles,
  family,
  findShippedIcons,
  iconUsages,
  modulesInChunks,
  plainName,
  resourceOf,
  scriptsOf,
  type ShippedIcons,
  shippedIds,
} from './shipped.ts';
import { createSpriteOutput, fillSlot, hashWith, type SpriteOutput } from './sprite-output.ts';
import { idOfMark, readMark } from './styles.ts';

const NAME = 'unplugin-icon-catalog';

/** What the build of one compilation has found and made so far. */
interface RunningOutput extends WebpackBuild {
  compilation: Compilation;
  sprite: SpriteOutput;
  report(step: () => Promise<void>): Promise<void>;
  shipped: ShippedIcons | undefined;
  credits: WrittenCredits | undefined;
}

interface WrittenCredits {
  chunks: Set<Chunk>;
  text: string;
}

/**
 * The credits and the attribution files, which need the finished module graph. webpack makes hashes before it writes, so
 * the credits are filled in before that, the attribution files are added after it, and the session ends in `done`.
 *
 * @param done receives the names of the attribution files, relative to the output folder
 */
export function finishOutput(
  build: WebpackBuild,
  compilation: Compilation,
  done: (files: readonly string[]) => void,
): void {
  const { compiler, session } = build;
  const { PROCESS_ASSETS_STAGE_PRE_PROCESS, PROCESS_ASSETS_STAGE_OPTIMIZE_HASH } =
    compiler.webpack.Compilation;
  const { optimizeTree, processAssets } = compilation.hooks;
  const sprite = createSpriteOutput(compilation, session);
  const report = createReporter(compilation);
  const found = { shipped: undefined, credits: undefined };
  const running: RunningOutput = { ...build, ...found, compilation, sprite, report };
  hashWith(compilation, () => running.credits);

  // The last asynchronous hook before hashes are made; chunks and used exports are final.
  optimizeTree.tapPromise(NAME, () => findCredits(running));
  processAssets.tapPromise({ name: NAME, stage: PROCESS_ASSETS_STAGE_PRE_PROCESS }, async () => {
    const { shipped } = running;
    if (shipped === undefined) return;
    sprite.emit();
    const isMore = settleFiles(compilation, shipped);
    if (isMore && running.credits !== undefined) await writeCredits(running, shipped);
    if (running.credits !== undefined) fillCredits(compilation, running.credits);
  });
  // Names that follow the content are made of the content after this stage.
  processAssets.tapPromise({ name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 1 }, () =>
    report(() => creditPresent(running)),
  );
  // File names are final now; compressing and reporting plugins still see the files.
  processAssets.tapPromise({ name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 }, () =>
    report(async () => {
      // `done` ends the session quietly after an error, and webpack then writes nothing that could be removed.
      const missing = session.missing();
      if (missing !== undefined) throw missing;
      done(await creditOutput(session, outputOf(running)));
    }),
  );
}

async function findCredits(running: RunningOutput): Promise<void> {
  const { compilation, missing, session, sprite, report } = running;
  const found = findShippedIcons(compilation, missing);
  running.shipped = found;
  running.credits = undefined;
  await report(() => sprite.collect(found));
  const { creditsChunks: chunks } = found;
  if (chunks.size === 0) return;
  // An empty list stands there if the credits cannot be made and the build goes on.
  running.credits = { chunks, text: await session.creditsText([]) };
  await writeCredits(running, found);
}

function writeCredits(running: RunningOutput, found: ShippedIcons): Promise<void> {
  return running.report(async () => {
    const text = await running.session.creditsText(shippedIds(found));
    running.credits = { chunks: found.creditsChunks, text };
  });
}

/** `icon:credits` holds what the finished files hold. */
async function creditPresent(running: RunningOutput): Promise<void> {
  const { compiler, compilation, session, bundler, missing, shipped, credits } = running;
  if (shipped === undefined || credits === undefined) return;
  const build = buildIdentity(compiler, bundler);
  const usages = iconUsages(compilation, shipped, { consumer: build.consumer, missing });
  const icons = await session.present(usages, build, {
    outputs: emittedFiles(compilation),
    modules: () => modulesOf(compilation),
  });
  const text = await session.creditsText(icons);
  if (text === credits.text) return;
  fillCredits(compilation, { ...credits, text }, credits.text);
  running.credits = { ...credits, text };
}

const MISSING = /\bCan't resolve '(?!icon:)/;

function outputOf({
  compiler,
  compilation,
  bundler,
  missing,
  sprite,
  shipped,
}: RunningOutput): BuildOutput {
  sprite.fillPages();
  const found = shipped ?? findShippedIcons(compilation, missing);
  const build = buildIdentity(compiler, bundler);
  const { folder, nameOf } = placeOfOutput(compilation);
  return {
    build,
    report: {
      // A script that failed may have imported any icon. One that is missing ships none, and tools hide such errors.
      complete:
        [...family(found)].every(({ complete }) => complete) &&
        [...compilation.errors].every(({ message }) => MISSING.test(message)),
      // A dev server keeps files in memory, where no other build writes.
      folder: isOnDisk(compiler) && !isNextDev(compiler) ? folder : undefined,
      emits: folder === compiler.outputPath,
      entries: entriesOf(compiler),
      *modules() {
        for (const module of modulesOf(compilation)) yield { ...module, file: nameOf(module.file) };
      },
    },
    usages() {
      const { consumer } = build;
      const usages = sprite.settle(iconUsages(compilation, found, { consumer, missing }));
      return Array.from(usages, (use) => ({ ...use, file: nameOf(use.file) }));
    },
    *files() {
      for (const file of emittedFiles(compilation))
        yield { ...file, fileName: nameOf(file.fileName) };
    },
    write(files) {
      if (isNextDev(compiler)) return [];
      const { RawSource } = compiler.webpack.sources;
      // `minimized` keeps minifiers away: people read the page, and it is the same from every bundler.
      for (const { fileName, source } of files)
        compilation.emitAsset(fileName, new RawSource(source.toString()), { minimized: true });
      return files.map(({ fileName }) => fileName);
    },
  };
}

/**
 * Next.js writes scripts of servers beside their output folder (`../app/page.js` from `server/chunks`): the list is
 * written to the folder that holds them all, and its names are relative to that folder.
 */
function placeOfOutput(compilation: Compilation): { folder: string; nameOf(file: string): string } {
  const { outputPath } = compilation.compiler;
  const names = compilation.getAssets().map(({ name }) => name);
  const ups = names.map((name) => /^(?:\.\.\/)*/.exec(name)?.[0] ?? '');
  const up = ups.reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (up === '') return { folder: outputPath, nameOf: (file) => file };
  const folder = resolve(outputPath, up);
  const inside = relative(folder, outputPath).replaceAll('\\', '/');
  const placed = new Map(
    names.map((name) => [plainName(name), posix.join(inside, name.replace(/\?.*$/, ''))]),
  );
  return { folder, nameOf: (file) => placed.get(file) ?? posix.join(inside, file) };
}

/** A licence that forbids an icon, a record that is gone: an error of the build that is reported once, and not a crash. */
function createReporter({ errors }: Compilation): (step: () => Promise<void>) => Promise<void> {
  const messages = new Set<string>();
  return async (step) => {
    try {
      await step();
    } catch (error) {
      const reported = toBundlerError(error);
      if (!messages.has(reported.message)) errors.push(reported);
      messages.add(reported.message);
    }
  };
}

/**
 * Drops the files of icons that were shaken away (bundlers emit what a module has emitted, even if the module is not used),
 * and adds to `shipped` the icons of style sheets and those files whose module no longer exists: a module that ran during
 * the build does not exist in a warm one, while its file stays with the module that imports it. Each file names its icon.
 * @returns true if an icon was added
 */
function settleFiles(compilation: Compilation, shipped: ShippedIcons): boolean {
  const owned = new Set<string>();
  const orphaned = new Set<string>();
  for (const { placements, orphanedFiles } of family(shipped)) {
    for (const file of orphanedFiles) orphaned.add(file);
    for (const placement of placements) {
      if ('files' in placement) for (const file of placement.files) owned.add(file);
    }
  }
  let isMore = false;
  for (const { name, info, source } of compilation.getAssets()) {
    if (idOfMark(name) !== undefined) {
      shipped.placed.push(readMark(source.source()));
      compilation.deleteAsset(name);
      continue;
    }
    const id = idOfIconResource(info.sourceFilename);
    if (id === undefined || owned.has(name)) continue;
    if (orphaned.has(name)) {
      compilation.deleteAsset(name);
    } else {
      shipped.placements.push({ id, files: [name] });
      isMore = true;
    }
  }
  return isMore;
}

/** Modules of files that are in the output, packages' among them. */
function* modulesOf(compilation: Compilation): Generator<{ path: string; file: string }> {
  const files = new Map(
    Array.from(compilation.chunks, (chunk) => [chunk, scriptsOf(compilation, chunk)]),
  );
  for (const { chunk, module } of modulesInChunks(compilation)) {
    const path = resourceOf(module);
    if (path === undefined) continue;
    for (const file of files.get(chunk) ?? []) yield { path, file: plainName(file) };
  }
}

/** Names of the entries of a compiler that has no name. An entry without a name, which is `main`, has that of its file. */
function entriesOf({ name = '', options: { entry } }: Compiler): string[] {
  if (name !== '' || typeof entry === 'function') return [];
  return Object.entries(entry).map(([key, { import: files }]) =>
    key === 'main' ? (/([^/\\]+)\.[cm]?[jt]sx?$/.exec(files?.at(-1) ?? '')?.[1] ?? '') : key,
  );
}

function isOnDisk({ outputFileSystem, intermediateFileSystem }: Compiler): boolean {
  const onDisk: unknown[] = [fs, intermediateFileSystem];
  return outputFileSystem !== null && onDisk.includes(outputFileSystem);
}

/**
 * The dev server of Next.js writes to a folder in that of its builds, and serves nothing of it that is not its own: a list
 * there would credit in the next build what only the dev server has shown.
 */
function isNextDev({ watchMode, options }: Compiler): boolean {
  return watchMode && isNext(options.output.publicPath);
}

/** The name of this compiler's build in the manifest. It is known once the compiler's defaults are applied. */
function buildIdentity(compiler: Compiler, bundler: string): ManifestBuild {
  const { externalsPresets, output } = compiler.options;
  return {
    id: slug(compiler.name ?? '') || bundler,
    bundler,
    consumer: externalsPresets.node === true || isNextServer(output) ? 'server' : 'client',
    precision: 'module-graph',
  };
}

/** Writes the credits into the scripts that hold `icon:credits`. This is before minifiers run: they see the real text. */
function fillCredits(
  compilation: Compilation,
  { chunks, text }: WrittenCredits,
  before: string = CREDITS_SLOT,
): void {
  const files = new Set<string>();
  for (const chunk of chunks) for (const file of chunk.files) files.add(file);
  fillSlot(compilation, { files, slot: before, text });
}
