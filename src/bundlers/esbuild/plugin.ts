import { basename } from 'node:path';
import type { BuildOptions, BuildResult, OnEndResult, Plugin, PluginBuild } from 'esbuild';
import type { ManifestBuild } from '../../types.ts';
import { createTypeDeclarations } from '../../build/declarer.ts';
import { withSprite } from '../../build/sprites.ts';
import type { Sprite } from '../../build/session-types.ts';
import { addIconHooks, scoutGraph, toFailure } from './modules.ts';
import { findLeftover } from '../../build/failures.ts';
import {
  deliverFiles,
  forceMetafile,
  outputFolder,
  readOutputs,
  readStyles,
  removeFiles,
} from './output.ts';
import {
  foundUsages,
  modulesOf,
  outputsOf,
  shippedIcons,
  spriteFile,
  type Outputs,
} from './usages.ts';
import type { Session } from '../../build/session-interface.ts';

const NOT_BUNDLED =
  'Without `bundle: true` esbuild asks no plugin about imports: `icon:` imports stay as they are, and no attribution files are written.';
const NO_METAFILE =
  'Another plugin took the metafile out of the result, so the icons cannot be credited. Put this plugin before it.';
const NO_FOLDER =
  'Without `outdir` or `outfile` there is no folder for the attribution files: none were written.';

/**
 * The plugin over a session. Each build context opens its own, since one plugin object may serve several builds and
 * the first of them to be disposed of must not end the others.
 */
export function createEsbuildPlugin(openSession: () => Session): Plugin {
  const plugin: Plugin = {
    name: 'unplugin-icon-catalog',
    setup: (build) => setUp(build, plugin, openSession),
  };
  return plugin;
}

function setUp(build: PluginBuild, self: Plugin, openSession: () => Session): void {
  const options = build.initialOptions;
  if (options.bundle !== true) {
    build.onStart(() => ({ warnings: [{ text: NOT_BUNDLED }] }));
    return;
  }
  const session = openSession();
  const root = options.absWorkingDir ?? process.cwd();
  session.configure({ root, ...(options.logLevel === 'silent' && { log: SILENT }) });
  const metafile = forceMetafile(options);
  const identity: ManifestBuild = {
    id: 'esbuild',
    bundler: 'esbuild',
    consumer: options.platform === 'node' ? 'server' : 'client',
    precision: 'module-graph',
  };
  let ahead: Promise<Set<string> | undefined> | undefined;
  let credited: Set<string> | undefined;
  let sprite: Sprite | undefined;
  const lookAhead = (): NonNullable<typeof ahead> =>
    (ahead ??= scoutGraph(build, { self, session, root, identity }));

  const declarations = createTypeDeclarations(session);
  let imported: string[] = [];

  build.onStart(async () => {
    ahead = undefined;
    credited = undefined;
    sprite = undefined;
    imported = [];
    try {
      if (await session.config.refresh()) declarations.forget();
    } catch (error) {
      return toFailure(error);
    }
    session.begin();
    return undefined;
  });
  addIconHooks(build, {
    session,
    root,
    imported: (specifier) => void imported.push(specifier),
    async credits() {
      credited = await lookAhead();
      return session.creditsCode(credited ?? [], true);
    },
    async sprite() {
      sprite = await session.sprite((await lookAhead()) ?? []);
      if (sprite !== undefined) session.checkSpriteOrigin(options.publicPath);
      return sprite?.source;
    },
  });
  build.onEnd(async (result) => {
    const ended = await end(result);
    // A plugin is not told whether it watches. One that is disposed of right behind its build does not.
    for (const specifier of imported) declarations.imported(specifier);
    return ended;
  });
  build.onDispose(() => {
    declarations.drop();
    void session.close();
  });

  async function end(result: BuildResult): Promise<OnEndResult | undefined> {
    const made = metafile.take(result);
    const outputs = made && outputsOf(made);
    if (result.errors.length > 0 || outputs === undefined) {
      // What was fetched before the error is kept, so that the next build does not pay for it again.
      await session.end([], { quiet: true });
      return result.errors.length > 0 ? undefined : { errors: [{ text: NO_METAFILE }] };
    }
    try {
      const missing = session.missing();
      if (missing !== undefined) {
        await discard(result, outputs);
        await session.end([], { quiet: true });
        throw missing;
      }
      const built = result.outputFiles;
      const leftover = findLeftover(await readStyles(Object.keys(outputs), { root, built }));
      if (leftover !== undefined) throw leftover;
      return {
        warnings: [...warnOfDrift(credited, outputs), ...(await attribute(result, outputs))],
      };
    } catch (error) {
      return toFailure(error);
    }
  }

  /** By now everything is written, and placeholders in it are not to be taken for a build. */
  async function discard({ outputFiles }: BuildResult, outputs: Outputs): Promise<void> {
    outputFiles?.splice(0);
    if (outputFiles === undefined) await removeFiles(Object.keys(outputs), root);
  }

  async function attribute(
    { outputFiles: built }: BuildResult,
    outputs: Outputs,
  ): Promise<NonNullable<OnEndResult['warnings']>> {
    const { consumer } = identity;
    const folder = outputFolder(options, root);
    const inMetafile = folder?.inMetafile ?? '';
    const found = foundUsages(outputs, { folder: inMetafile, consumer });
    const usages = withSprite(found, sprite, spriteFile(outputs, inMetafile));
    const files = await session.attributionFiles(usages, identity, {
      folder: built === undefined ? folder?.path : undefined,
      entries: entriesOf(options),
      outputs: () => readOutputs(outputs, { root, built, folder: folder?.path ?? root }),
      modules: () => modulesOf(outputs, { root, folder: inMetafile }),
    });
    if (folder === undefined && built === undefined) {
      await session.end();
      return files.length > 0 ? [{ text: NO_FOLDER }] : [];
    }
    await deliverFiles(files, { folder: folder?.path ?? root, built });
    await session.settle();
    const shown = files.map(({ fileName }) =>
      folder?.inMetafile ? `${folder.inMetafile}/${fileName}` : fileName,
    );
    await session.end(built === undefined ? shown : []);
    return [];
  }
}

/** Names of what a build begins with, and its format: an entry may be built as several. */
function entriesOf({ entryPoints = [], format }: BuildOptions): string[] {
  const points = Array.isArray(entryPoints)
    ? entryPoints.map((each) => (typeof each === 'string' ? each : each.out))
    : Object.keys(entryPoints);
  const names = points.map((point) => basename(point).replace(/\.[^.]*$/, ''));
  return format === undefined || format === 'esm' ? names : [...names, format];
}

/** Only a plugin that builds differently the second time can bring this about. */
function warnOfDrift(
  credited: ReadonlySet<string> | undefined,
  outputs: Outputs,
): { text: string }[] {
  if (credited === undefined) return [];
  const missing = [...shippedIcons(outputs)].filter((id) => !credited.has(id));
  if (missing.length === 0) return [];
  return [
    {
      text: `\`icon:credits\` lacks ${missing.join(', ')}: another plugin does not build the same twice. The attribution files are complete.`,
    },
  ];
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
