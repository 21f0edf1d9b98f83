import fs from 'node:fs';
import { posix, relative, resolve } from 'node:path';
import type { Chunk, Compilation, Compiler } from 'webpack';
import { findLeftover } from '../../build/failures.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import { CREDITS_SLOT } from '../../build/session-types.ts';
import type { ManifestBuild } from '../../types.ts';
import { idOfIconResource, isNextServer, type LoadLedger, toBundlerError } from './read-icon.ts';
import {
  family,
  findShippedIcons,
  iconUsages,
  innerModules,
  plainName,
  resourceOf,
  scriptsOf,
  type ShippedIcons,
  shippedIds,
  textAssets,
} from './shipped.ts';
import { createSpriteOutput, fillSlot } from './sprite-output.ts';
import { idOfMark, readMark } from './styles.ts';
import type { Session } from '../../build/session-interface.ts';

const NAME = 'unplugin-icon-catalog';

interface FinishOptions {
  session: Session;
  ledger: LoadLedger;
  bundler: string;
  /** Told the attribution files, relative to the output folder. */
  done(files: readonly string[]): void;
}

/** What only the finished module graph can say: the credits, and the attribution files. */
export function finishOutput(
  compiler: Compiler,
  compilation: Compilation,
  { session, ledger, bundler, done }: FinishOptions,
): void {
  const { PROCESS_ASSETS_STAGE_PRE_PROCESS, PROCESS_ASSETS_STAGE_OPTIMIZE_HASH } =
    compiler.webpack.Compilation;
  const { missing } = ledger;
  const report = createReporter(compilation);
  let shipped: ShippedIcons | undefined;
  let credits: { chunks: Set<Chunk>; text: string } | undefined;
  const sprite = createSpriteOutput(compiler, compilation, session);
  hashCredits(compiler, compilation, () => credits);

  const writeCredits = (found: ShippedIcons): Promise<void> =>
    report(async () => {
      credits = { chunks: found.creditsChunks, text: await session.creditsText(shippedIds(found)) };
    });

  // The last asynchronous hook before hashes are made; chunks and used exports are final.
  compilation.hooks.optimizeTree.tapPromise(NAME, async () => {
    const found = findShippedIcons(compilation, missing);
    shipped = found;
    credits = undefined;
    await report(() => sprite.collect(found));
    const { creditsChunks: chunks } = found;
    if (chunks.size === 0) return;
    // What stands there when the credits cannot be had, and the build goes on.
    credits = { chunks, text: await session.creditsText([]) };
    await writeCredits(found);
  });

  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_PRE_PROCESS },
    async () => {
      if (shipped === undefined) return;
      sprite.emit();
      const isMore = settleFiles(compilation, shipped);
      if (isMore && credits !== undefined) await writeCredits(shipped);
      if (credits !== undefined) fillCredits(compilation, credits);
    },
  );

  // Names that follow the content are made of what stands there after this.
  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 1 },
    () => report(() => creditPresent()),
  );

  /** `icon:credits` holds what the finished files hold. */
  async function creditPresent(): Promise<void> {
    if (shipped === undefined || credits === undefined) return;
    const build = buildIdentity(compiler, bundler);
    const usages = iconUsages(compilation, shipped, { consumer: build.consumer, missing });
    const ids = await session.present(usages, build, () => emittedFiles(compilation));
    const text = await session.creditsText(ids, { isFinal: true });
    if (text === credits.text) return;
    fillCredits(compilation, { ...credits, slot: credits.text, text });
    credits = { ...credits, text };
  }

  // File names are final now; compressing and reporting plugins still see the files.
  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 },
    () =>
      report(async () => {
        const absent = session.missing();
        if (absent !== undefined) throw absent;
        sprite.fillPages();
        const found = shipped ?? findShippedIcons(compilation, missing);
        const build = buildIdentity(compiler, bundler);
        const leftover = findLeftover(textAssets(compilation));
        if (leftover !== undefined) throw leftover;
        const usages = sprite.settle(
          iconUsages(compilation, found, { consumer: build.consumer, missing }),
        );
        // A script that failed may have imported any icon.
        const complete = isComplete(found) && compilation.errors.length === 0;
        const { folder, nameOf } = placeOfOutput(compilation);
        const placed = Array.from(usages, (use) => ({ ...use, file: nameOf(use.file) }));
        const files = await session.attributionFiles(placed, build, {
          complete,
          // A dev server keeps files in memory, where nobody else writes.
          folder: isOnDisk(compiler) ? folder : undefined,
          emits: folder === compiler.outputPath,
          entries: entriesOf(compiler),
          *outputs() {
            for (const file of emittedFiles(compilation))
              yield { ...file, fileName: nameOf(file.fileName) };
          },
          *modules() {
            for (const module of modulesOf(compilation))
              yield { ...module, file: nameOf(module.file) };
          },
        });
        const { RawSource } = compiler.webpack.sources;
        for (const { fileName, source } of files) {
          // `minimized` keeps minifiers away: the page is one for people, and the same from every bundler.
          compilation.emitAsset(fileName, new RawSource(source), { minimized: true });
        }
        done(files.map(({ fileName }) => fileName));
      }),
  );
}

/**
 * Next.js writes scripts of servers beside their output folder (`../app/page.js` from `server/chunks`): the list lies in
 * the folder that holds them all, and names each from there.
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

function isComplete(shipped: ShippedIcons): boolean {
  return [...family(shipped)].every(({ complete }) => complete);
}

/** A licence that forbids an icon, a record that is gone: an error of the build, told once, and not a crash. */
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
 * Drops the files of icons that were shaken away (bundlers emit what a module has emitted, whatever became of it), and
 * adds to `shipped` the icons of style sheets and those files whose module no longer exists: a module that ran during the build is gone on a warm
 * one, while its file lives on with the module that asked. Files say themselves what they are.
 * @returns true where something was added
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

/** Every file of a compilation, as it will be written. */
function* emittedFiles(compilation: Compilation): Generator<EmittedFile> {
  for (const { name, source } of compilation.getAssets())
    yield { fileName: plainName(name), content: source.source() };
}

/** Modules of files that are in the output, packages' among them. */
function* modulesOf(compilation: Compilation): Generator<{ path: string; file: string }> {
  const { chunks, chunkGraph } = compilation;
  for (const chunk of chunks) {
    const files = scriptsOf(compilation, chunk);
    for (const outer of chunkGraph.getChunkModulesIterable(chunk))
      for (const module of innerModules(outer)) {
        const path = resourceOf(module);
        if (path !== undefined) for (const file of files) yield { path, file: plainName(file) };
      }
  }
}

/** What a compiler without a name begins with: its entries, whose usual name is `main`. */
function entriesOf({ name = '', options: { entry } }: Compiler): string[] {
  return name !== '' || typeof entry === 'function' ? [] : Object.keys(entry);
}

function isOnDisk({ outputFileSystem, intermediateFileSystem }: Compiler): boolean {
  const onDisk: unknown[] = [fs, intermediateFileSystem];
  return outputFileSystem !== null && onDisk.includes(outputFileSystem);
}

/** How this compiler's build is called in the manifest. Known once the compiler's defaults are applied. */
function buildIdentity(compiler: Compiler, bundler: string): ManifestBuild {
  const { externalsPresets, output } = compiler.options;
  return {
    id: slug(compiler.name ?? '') || bundler,
    bundler,
    consumer: externalsPresets.node === true || isNextServer(output) ? 'server' : 'client',
    precision: 'module-graph',
  };
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
}

/** Writes the credits into the scripts that hold `icon:credits`. Before minifiers run, so that these see the real text. */
function fillCredits(
  compilation: Compilation,
  {
    chunks,
    text,
    slot = CREDITS_SLOT,
  }: {
    chunks: Iterable<Chunk>;
    text: string;
    /** What stands there. */
    slot?: string;
  },
): void {
  const files = new Set<string>();
  for (const chunk of chunks) for (const file of chunk.files) files.add(file);
  fillSlot(compilation, { files, slot, text });
}

/**
 * Makes the names of the scripts that hold the credits follow their text. The hash of a chunk is made of its
 * modules, where the text is still open; only `realContentHash` would notice that an icon was added elsewhere.
 */
function hashCredits(
  compiler: Compiler,
  compilation: Compilation,
  credits: () => { chunks: Set<Chunk>; text: string } | undefined,
): void {
  const hooks =
    compiler.webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(compilation);
  hooks.chunkHash.tap('unplugin-icon-catalog', (chunk, hash) => {
    const known = credits();
    if (known?.chunks.has(chunk) === true) hash.update(known.text);
  });
}
