import { basename, posix } from 'node:path';
import type {
  BuildOptions,
  BuildResult,
  OnEndResult,
  PartialMessage,
  Plugin,
  PluginBuild,
} from 'esbuild';
import type { ManifestBuild } from '../../types.ts';
import { withSprite } from '../../build/sprites.ts';
import type { CreditedIcons, Sprite } from '../../build/session-types.ts';
import { addIconHooks, scoutGraph, toFailure } from './modules.ts';
import { abandonBuild, finishBuild, type BuildOutput } from '../../build/finish-build.ts';
import {
  deliverFiles,
  type ForcedMetafile,
  forceMetafile,
  foundUsages,
  modulesOf,
  outputFolder,
  type Outputs,
  outputsOf,
  readOutputs,
  removeFiles,
  shippedIcons,
  spriteFile,
} from './output.ts';
import type { Session } from '../../build/session-interface.ts';
import { createTypeDeclarations } from '../../build/session.ts';

const NOT_BUNDLED =
  'Without `bundle: true` esbuild asks no plugin about imports: `icon:` imports stay as they are, and no attribution files are written.';
const NO_METAFILE =
  'Another plugin took the metafile out of the result, so the icons cannot be credited. Put this plugin before it.';
const NO_FOLDER =
  'Without `outdir` or `outfile` there is no folder for the attribution files: none were written.';

/**
 * The plugin over a session. Each build context opens its own: one plugin object may serve several builds, and the first
 * of them that is disposed of must not end the others.
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
  let ahead: Promise<CreditedIcons | undefined> | undefined;
  let made: AheadOfBuild = {};
  let imported: string[] = [];
  let isStopped = false;
  const lookAhead = (): NonNullable<typeof ahead> =>
    (ahead ??= scoutGraph(build, { self, session, root, identity }));
  const declarations = createTypeDeclarations(session);

  build.onStart(async () => {
    ahead = undefined;
    made = {};
    imported = [];
    isStopped = true;
    try {
      if (await session.config.refresh()) declarations.forget();
      session.begin();
    } catch (error) {
      return toFailure(error);
    }
    isStopped = false;
    return undefined;
  });
  addIconHooks(build, {
    session,
    root,
    imported: (specifier) => void imported.push(specifier),
    isStopped: () => isStopped,
    async credits() {
      made.credited = await lookAhead();
      return session.creditsCode(made.credited ?? [], true);
    },
    async sprite() {
      made.sprite = await session.sprite((await lookAhead())?.ids ?? []);
      if (made.sprite !== undefined) session.checkSpriteOrigin(options.publicPath);
      return made.sprite?.source;
    },
  });
  build.onEnd(async (result) => {
    const ended = await end(result, { session, root, options, identity, made, metafile });
    // esbuild does not tell a plugin whether it watches. A build that is disposed of right after its end does not.
    for (const specifier of imported) declarations.imported(specifier);
    return ended;
  });
  build.onDispose(() => {
    declarations.drop();
    void session.close();
  });
}

/** What a build has made of the icons that it will ship, before it was linked. */
interface AheadOfBuild {
  credited?: CreditedIcons | undefined;
  sprite?: Sprite | undefined;
}

interface EndedBuild {
  session: Session;
  root: string;
  options: BuildOptions;
  identity: ManifestBuild;
  made: AheadOfBuild;
  metafile: ForcedMetafile;
}

async function end(result: BuildResult, ended: EndedBuild): Promise<OnEndResult | undefined> {
  const { session, made, metafile } = ended;
  const taken = metafile.take(result);
  if (result.errors.length > 0 || taken === undefined) {
    await abandonBuild(session);
    return result.errors.length > 0 ? undefined : { errors: [{ text: NO_METAFILE }] };
  }
  const outputs = outputsOf(taken);
  const warnings: PartialMessage[] = [];
  const warn = (text: string): void => void warnings.push({ text });
  try {
    await finishBuild(session, outputOf(result, outputs, { ...ended, warn }));
    return { warnings: [...warnOfDrift(made.credited, outputs), ...warnings] };
  } catch (error) {
    return toFailure(error);
  }
}

function outputOf(
  { outputFiles: built }: BuildResult,
  outputs: Outputs,
  { root, options, identity, made, warn }: EndedBuild & { warn(text: string): void },
): BuildOutput {
  const { inMetafile = '', path } = outputFolder(options, root) ?? {};
  const paths = Object.keys(outputs);
  const place = { folder: path ?? root, built };
  return {
    build: identity,
    report: {
      folder: path,
      isHanded: built !== undefined,
      entries: entriesOf(options),
      modules: () => modulesOf(outputs, { root, folder: inMetafile }),
    },
    usages() {
      const { consumer } = identity;
      const found = foundUsages(outputs, { folder: inMetafile, consumer });
      return withSprite(found, made.sprite, spriteFile(outputs, inMetafile));
    },
    files: () => readOutputs(outputs, { root, ...place }),
    async write(files) {
      if (path === undefined && built === undefined) {
        if (files.length > 0) warn(NO_FOLDER);
        return [];
      }
      await deliverFiles(files, place);
      return built === undefined
        ? files.map(({ fileName }) => posix.join(inMetafile, fileName))
        : [];
    },
    async remove() {
      built?.splice(0);
      if (built === undefined) await removeFiles(paths, root);
    },
  };
}

/** Names of the entries, and the format unless it is the usual one: a project may build an entry in several formats. */
function entriesOf({ entryPoints = [], format }: BuildOptions): string[] {
  const points = Array.isArray(entryPoints)
    ? entryPoints.map((each) => (typeof each === 'string' ? each : each.out))
    : Object.keys(entryPoints);
  const names = points.map((point) => basename(point).replace(/\.[^.]*$/, ''));
  return format === undefined || format === 'esm' ? names : [...names, format];
}

/** This happens only if another plugin builds differently the second time. */
function warnOfDrift(credited: CreditedIcons | undefined, outputs: Outputs): { text: string }[] {
  if (credited === undefined) return [];
  const ids = new Set(credited.ids);
  const missing = [...shippedIcons(outputs)].filter((id) => !ids.has(id));
  if (missing.length === 0) return [];
  return [
    {
      text: `\`icon:credits\` lacks ${missing.join(', ')}: another plugin does not build the same twice. The attribution files are complete.`,
    },
  ];
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
