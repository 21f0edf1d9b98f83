import type { Chunk, Compilation, Compiler } from 'webpack';
import type { Session } from '../session-types.ts';
import { buildIdentity } from './build-identity.ts';
import { toBundlerError } from './bundler-error.ts';
import { fillCredits, hashCredits } from './credits.ts';
import type { LoadLedger } from './load-ledger.ts';
import { findShippedIcons, type ShippedIcons } from './shipped-icons.ts';

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
  const find = (): ShippedIcons => {
    const { consumer } = buildIdentity(compiler, bundler);
    return findShippedIcons(compilation, { consumer, missing: ledger.missing });
  };
  const report = createReporter(compilation);
  let credits: { chunks: Set<Chunk>; text: string } | undefined;
  hashCredits(compiler, compilation, () => credits);

  // The last asynchronous hook before hashes are made; chunks and used exports are final.
  compilation.hooks.optimizeTree.tapPromise(NAME, async () => {
    const { ids, creditsChunks } = find();
    if (creditsChunks.size === 0) return;
    credits = { chunks: creditsChunks, text: await session.creditsText([]) };
    await report(async () => {
      credits = { chunks: creditsChunks, text: await session.creditsText(ids) };
    });
  });

  compilation.hooks.processAssets.tap(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_PRE_PROCESS },
    () => {
      const { orphanedFiles, creditsChunks } = find();
      for (const file of orphanedFiles) compilation.deleteAsset(file);
      if (credits !== undefined) {
        fillCredits(compilation, { chunks: creditsChunks, text: credits.text });
      }
    },
  );

  // File names are final now; compressing and reporting plugins still see the files.
  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 },
    () =>
      report(async () => {
        const { usages, complete: found } = find();
        // A script that failed may have imported any icon.
        const complete = found && compilation.errors.length === 0;
        const build = buildIdentity(compiler, bundler);
        const files = await session.attributionFiles(usages, build, { complete });
        const { RawSource } = compiler.webpack.sources;
        for (const { fileName, source } of files) {
          // `minimized` keeps minifiers away: the page is one for people, and the same from every bundler.
          compilation.emitAsset(fileName, new RawSource(source), { minimized: true });
        }
        done(files.map(({ fileName }) => fileName));
      }),
  );
}

/** A licence that forbids an icon, a record that is gone: an error of the build, told once, and not a crash. */
function createReporter({ errors }: Compilation): (step: () => Promise<void>) => Promise<void> {
  const messages = new Set<string>();
  return async (step) => {
    try {
      await step();
    } catch (error) {
      const told = toBundlerError(error);
      if (!messages.has(told.message)) errors.push(told);
      messages.add(told.message);
    }
  };
}
