import type { Chunk, Compilation, Compiler } from 'webpack';
import type { Session } from '../session-types.ts';
import { buildIdentity } from './build-identity.ts';
import { toBundlerError } from './bundler-error.ts';
import { fillCredits, hashCredits } from './credits.ts';
import { findShippedIcons } from './shipped-icons.ts';

const NAME = 'unplugin-icon-catalog';

interface FinishOptions {
  session: Session;
  bundler: string;
  /** Told the attribution files, relative to the output folder. */
  done(files: readonly string[]): void;
}

/** What only the finished module graph can say: the credits, and the attribution files. */
export function finishOutput(
  compiler: Compiler,
  compilation: Compilation,
  { session, bundler, done }: FinishOptions,
): void {
  const { PROCESS_ASSETS_STAGE_PRE_PROCESS, PROCESS_ASSETS_STAGE_OPTIMIZE_HASH } =
    compiler.webpack.Compilation;
  const build = () => buildIdentity(compiler, bundler);
  let credits: { chunks: Set<Chunk>; text: string } | undefined;
  hashCredits(compiler, compilation, () => credits);

  /** A licence that forbids the icon, a record that is gone: an error of the build, not of the bundler. */
  const reported = (step: () => Promise<void>) => async () => {
    try {
      await step();
    } catch (error) {
      compilation.errors.push(toBundlerError(error));
    }
  };

  // The last asynchronous hook before hashes are made; chunks and used exports are final.
  compilation.hooks.optimizeTree.tapPromise(
    NAME,
    reported(async () => {
      const { ids, creditsChunks } = findShippedIcons(compilation, build().consumer);
      credits =
        creditsChunks.size === 0
          ? undefined
          : { chunks: creditsChunks, text: await session.creditsText(ids) };
    }),
  );

  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_PRE_PROCESS },
    reported(async () => {
      const { orphanedFiles, creditsChunks } = findShippedIcons(compilation, build().consumer);
      for (const file of orphanedFiles) compilation.deleteAsset(file);
      if (credits !== undefined)
        fillCredits(compilation, { chunks: creditsChunks, text: credits.text });
    }),
  );

  // File names are final now; compressing and reporting plugins still see the files.
  compilation.hooks.processAssets.tapPromise(
    { name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 },
    reported(async () => {
      const { usages } = findShippedIcons(compilation, build().consumer);
      const complete = compilation.errors.length === 0;
      const files = await session.attributionFiles(usages, build(), { complete });
      const { RawSource } = compiler.webpack.sources;
      for (const { fileName, source } of files) {
        compilation.emitAsset(fileName, new RawSource(source));
      }
      done(files.map(({ fileName }) => fileName));
    }),
  );
}
