import type { BundlerSession } from '../../build/session-interface.ts';
import {
  CREDITS_SLOT,
  type FoundUsage,
  type OutputBytes,
  SPRITE_SLOT,
} from '../../build/session-types.ts';
import type { TypeDeclarations } from '../../build/declarer.ts';
import {
  type AnyBundle,
  emittedFiles,
  type EmittedIcon,
  entriesOf,
  foundUsages,
  iconsOfChunks,
  modulesOf,
  textOutputs,
} from './output.ts';
import type { CreditsSlot, SpriteSlot } from './slots.ts';
import { type ImportResolver, folderOf, placeOf } from './imports.ts';
import { findLeftover } from '../../build/failures.ts';
import { creditOutput, type BuildOutput } from '../../build/finish-build.ts';
import { usagesOfPlaced, type PlacedIcon } from '../../build/placed-images.ts';
import { STYLE_SLOT } from './styles.ts';
import type {
  EmitContext,
  GraphContext,
  OutputPlace,
  RollupDialect,
  RollupHooks,
} from './types.ts';

const STYLE_SHEET = /\.css$/;
const SLOTS = new RegExp(`${CREDITS_SLOT}|${SPRITE_SLOT.replace('.', '\\.')}|${STYLE_SLOT}`);

/** What the hooks of one plugin share. */
export interface RollupBuilds {
  session: BundlerSession;
  dialect: RollupDialect;
  declarations: TypeDeclarations;
  imports: ImportResolver;
  credits: CreditsSlot;
  sprites: SpriteSlot;
  /** Vite's environments may build side by side through one instance: the last one to end closes the sockets. */
  running: number;
  /** The build is a watcher's. Dev servers have type declarations of their own. */
  isWatched: boolean;
  /** Icons that the build emitted as files, by their ids. */
  emittedOf(context: object): Map<string, EmittedIcon>;
  /** Usages of bundles that are being written, by the places of the bundles. */
  writtenBy(context: object): Map<string, FoundUsage[]>;
  placedIcons(context: GraphContext): PlacedIcon[];
}

export function outputHooks(
  builds: RollupBuilds,
): Pick<RollupHooks, 'renderChunk' | 'generateBundle' | 'writeBundle'> {
  const { session, dialect, credits, sprites, emittedOf, writtenBy, placedIcons } = builds;
  return {
    renderChunk: {
      filter: { code: SLOTS },
      async handler(code, _chunk, _output, meta) {
        if (!SLOTS.test(code)) return null;
        const withStyles = dialect.styleFiles?.fillScript(code) ?? code;
        const filled = code.includes(SPRITE_SLOT)
          ? await sprites.fill(this, withStyles, meta?.chunks)
          : withStyles;
        // Slots stand on lines of their own, so the map of every other line stays right.
        if (!filled.includes(CREDITS_SLOT)) return { code: filled, map: null };
        const inChunks = iconsOfChunks(Object.values(meta?.chunks ?? {}), session.isSplittable);
        const inStyles = placedIcons(this).map(({ id }) => id);
        const ids = [...inChunks, ...emittedOf(this).keys(), ...inStyles];
        return { code: await credits.fill(dialect.key(this), filled, ids), map: null };
      },
    },
    // Last: Vite has then taken the assets out of server bundles, and ours stay.
    generateBundle: {
      order: 'post',
      async handler(output, bundle, isWrite = false) {
        const build = dialect.build(this);
        const usages = await usagesOf(builds, this, bundle as AnyBundle);
        if (dialect.isNested()) {
          session.contribute(usages);
          return session.end([], { quiet: true });
        }
        if (isWrite) {
          writtenBy(this).set(placeOf(output), usages);
          return credits.amend(dialect.key(this), bundle as AnyBundle, () =>
            session.present(usages, { ...build, precision: 'emitted' }, () =>
              emittedFiles(bundle as AnyBundle),
            ),
          );
        }
        return finish(builds, this, bundle as AnyBundle, {
          place: output,
          usages: () => usages,
          write: (files) =>
            files.map(({ fileName, source }) => {
              this.emitFile({ type: 'asset', fileName, source });
              return fileName;
            }),
        });
      },
    },
    // Before plugins that work on a written folder: the credits are there for them, too.
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler(output, bundle) {
        const usages = writtenBy(this).get(placeOf(output));
        if (usages === undefined) return;
        writtenBy(this).delete(placeOf(output));
        await finish(builds, this, bundle as AnyBundle, {
          place: output,
          folder: folderOf(output),
          usages: () => usages,
          // The session writes them when it settles.
          write: (files) => files.map(({ fileName }) => fileName),
        });
      },
    },
  };
}

/** Where the icons of a bundle are, once its files have their addresses. */
async function usagesOf(
  { session, dialect, sprites, emittedOf, placedIcons }: RollupBuilds,
  context: EmitContext & GraphContext,
  bundle: AnyBundle,
): Promise<FoundUsage[]> {
  const { consumer } = dialect.build(context);
  const found = foundUsages(bundle, {
    emitted: emittedOf(context).values(),
    fileNameOf: (reference) => context.getFileName(reference),
    consumer,
    isSplit: session.isSplittable,
  });
  const inStyles =
    dialect.styleFiles?.settle(context, bundle, placedIcons(context)) ?? placedIcons(context);
  const leftover = findLeftover(textOutputs(bundle, STYLE_SHEET));
  if (leftover !== undefined) throw leftover;
  const usages = await sprites.settle(context, bundle, found);
  if (inStyles.length > 0) {
    const fileNameOf = (reference: string): string | undefined => {
      const name = context.getFileName(reference);
      // Of Vite's server bundles assets were taken out; Rolldown shows none that are emitted only now.
      return dialect.styleFiles || Object.hasOwn(bundle, name) ? name : undefined;
    };
    const outputs = textOutputs(bundle);
    usages.push(...usagesOfPlaced(inStyles, { outputs, fileNameOf, consumer }));
  }
  return usages;
}

/** The last hook that Rollup runs for this output: `generateBundle` if the files stay in memory, or `writeBundle`. */
async function finish(
  builds: RollupBuilds,
  context: object,
  bundle: AnyBundle,
  output: Pick<BuildOutput<OutputBytes>, 'usages' | 'write'> & {
    place: OutputPlace;
    folder?: string;
  },
): Promise<void> {
  const { session, dialect, declarations, credits, isWatched } = builds;
  const { place, folder, usages, write } = output;
  const { expected = [], site, ...build } = dialect.build(context);
  const shown = await creditOutput(
    { attributionFiles: session.attributionBytes },
    {
      build: { ...build, precision: 'module-graph' },
      report: {
        folder,
        site,
        expected,
        // Builds of Vite are called after their environments.
        entries: build.bundler === 'vite' ? [] : entriesOf(bundle, place.format),
        modules: () => modulesOf(bundle),
        ...(folder === undefined && {
          found: (ids) => credits.fillAgain(dialect.key(context), bundle, ids),
        }),
      },
      usages,
      files: () => emittedFiles(bundle),
      write,
    },
  );
  if (folder !== undefined) await session.settle();
  await declarations.settle();
  await session.end(shown, { site: isWatched ? undefined : dialect.site?.(context) });
}
