import { dirname, resolve } from 'node:path';
import type { Session } from '../../build/session-interface.ts';
import { CREDITS_SLOT, type FoundUsage, SPRITE_SLOT } from '../../build/session-types.ts';
import {
  chunksOf,
  type CreditsSlot,
  emittedFiles,
  entriesOf,
  foundUsages,
  iconsOfChunks,
  modulesOf,
  nameIn,
  type SpriteSlot,
} from './output.ts';
import { findLeftover } from '../../build/failures.ts';
import { creditOutput, type BuildOutput } from '../../build/finish-build.ts';
import { type PlacedIcon, TEXT_FILE, usagesOfPlaced } from '../../build/images.ts';
import { STYLE_SLOT } from './styles.ts';
import type {
  AnyBundle,
  ChunkPlugin,
  Chunks,
  EmitContext,
  EmittedIcon,
  GraphContext,
  OutputPlace,
  RollupDialect,
  RollupHooks,
} from './types.ts';
import type { TypeDeclarations } from '../../build/session.ts';

const STYLE_SHEET = /\.css$/;
const SLOTS = new RegExp(`${CREDITS_SLOT}|${SPRITE_SLOT.replace('.', '\\.')}|${STYLE_SLOT}`);

/** What the hooks of one plugin share. */
export interface RollupBuilds {
  session: Session;
  dialect: RollupDialect;
  declarations: TypeDeclarations;
  credits: CreditsSlot;
  sprites: SpriteSlot;
  /** Vite's environments may build side by side through one instance: the last one to end closes the sockets. */
  running: number;
  /** The build is a watcher's. Dev servers have type declarations of their own. */
  isWatched: boolean;
  /** Icons that the build emitted as files, by their ids. */
  emittedOf(context: object): Map<string, EmittedIcon>;
  /** Chunks of bundles as the bundler has made them, by the places of the bundles. */
  chunksOf(context: object): Map<string, Chunks>;
  /** Bundles that are being written, likewise. */
  writtenBy(context: object): Map<string, Shipped>;
  placedIcons(context: GraphContext): PlacedIcon[];
}

/** What ships of a bundle. */
interface Shipped {
  usages: FoundUsage[];
  chunks: Chunks;
}

/** A plugin of its own: its hook comes before those of other plugins, and that of `outputHooks` after them. */
export function chunkPlugin({ dialect, chunksOf: seen }: RollupBuilds): ChunkPlugin {
  return {
    name: 'unplugin-icon-catalog:chunks',
    generateBundle: {
      order: 'pre',
      handler(output, bundle) {
        if (dialect.dev() === undefined)
          seen(this).set(placeOf(output), chunksOf(bundle as AnyBundle));
      },
    },
  };
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
        // Vite's `experimental.bundledDev` bundles for its dev server.
        if (dialect.dev() !== undefined) return;
        const build = dialect.build(this);
        const before = builds.chunksOf(this).get(placeOf(output));
        builds.chunksOf(this).delete(placeOf(output));
        const chunks = chunksOf(bundle as AnyBundle, before);
        const usages = await usagesOf(builds, this, { bundle: bundle as AnyBundle, chunks });
        if (dialect.isNested()) {
          session.contribute(usages);
          return session.end([], { quiet: true });
        }
        if (isWrite) {
          writtenBy(this).set(placeOf(output), { usages, chunks });
          return credits.amend(dialect.key(this), bundle as AnyBundle, () =>
            session.present(
              usages,
              { ...build, precision: 'emitted' },
              { outputs: emittedFiles(bundle as AnyBundle), modules: () => modulesOf(chunks) },
            ),
          );
        }
        return finish(builds, this, bundle as AnyBundle, {
          place: output,
          shipped: { usages, chunks },
          write: (files) =>
            files.map(({ fileName, source }) => {
              // Stencil writes no assets but strings.
              this.emitFile({ type: 'asset', fileName, source: source.toString() });
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
        const shipped = writtenBy(this).get(placeOf(output));
        if (shipped === undefined) return;
        writtenBy(this).delete(placeOf(output));
        await finish(builds, this, bundle as AnyBundle, {
          place: output,
          folder: folderOf(output),
          shipped,
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
  { bundle, chunks }: { bundle: AnyBundle; chunks: Chunks },
): Promise<FoundUsage[]> {
  const { consumer } = dialect.build(context);
  const found = foundUsages(bundle, {
    chunks,
    emitted: emittedOf(context).values(),
    fileNameOf: (reference) => context.getFileName(reference),
    consumer,
    isSplit: session.isSplittable,
  });
  const inStyles =
    dialect.styleFiles?.settle(context, bundle, placedIcons(context)) ?? placedIcons(context);
  const leftover = findLeftover(emittedFiles(bundle, STYLE_SHEET));
  if (leftover !== undefined) throw leftover;
  const usages = await sprites.settle(context, bundle, found);
  if (inStyles.length > 0) {
    const fileNameOf = (reference: string): string | undefined => {
      const name = context.getFileName(reference);
      // Of Vite's server bundles assets were taken out; Rolldown shows none that are emitted only now.
      return nameIn(bundle, name) ?? (dialect.styleFiles && name);
    };
    const outputs = emittedFiles(bundle, TEXT_FILE);
    usages.push(...usagesOfPlaced(inStyles, { outputs, fileNameOf, consumer }));
  }
  return usages;
}

/** The last hook that Rollup runs for this output: `generateBundle` if the files stay in memory, or `writeBundle`. */
async function finish(
  builds: RollupBuilds,
  context: object,
  bundle: AnyBundle,
  output: Pick<BuildOutput, 'write'> & {
    place: OutputPlace;
    shipped: Shipped;
    folder?: string;
  },
): Promise<void> {
  const { session, dialect, declarations, credits, isWatched } = builds;
  const { place, folder, shipped, write } = output;
  const { expected = [], site, called, ...build } = dialect.build(context);
  const shown = await creditOutput(session, {
    build: { ...build, precision: 'module-graph' },
    report: {
      folder: folder && (called ?? folder),
      site,
      expected,
      // What a framework of Vite builds for one site is called after its environments.
      entries: site === undefined ? entriesOf(shipped.chunks, place.format) : [],
      modules: () => modulesOf(shipped.chunks),
      ...(folder === undefined && {
        found: (icons) => credits.fillAgain(dialect.key(context), bundle, icons),
      }),
    },
    usages: () => shipped.usages,
    files: () => emittedFiles(bundle),
    write,
  });
  if (folder !== undefined) await session.settle();
  await declarations.settle();
  await session.end(shown, { site: isWatched ? undefined : dialect.site?.(context) });
}

function placeOf({ dir, file, format }: OutputPlace): string {
  return [dir, file, format].join('\n');
}

/** Absolute. */
function folderOf({ dir, file }: OutputPlace): string | undefined {
  const folder = dir ?? (file === undefined ? undefined : dirname(file));
  return folder === undefined ? undefined : resolve(folder);
}
