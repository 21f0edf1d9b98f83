import { isIconSpecifier } from '../../request/specifier.ts';
import { CREDITS_ID, CREDITS_SLOT, type Session, type SessionModule } from '../session-types.ts';
import { foundUsages, iconsOfChunk, type AnyBundle, type EmittedIcon } from './found-usages.ts';

export interface RunningBuild {
  /** Keeps builds that share one plugin instance apart (Vite's environments). */
  key: object;
  id: string;
  bundler: string;
  consumer: 'client' | 'server';
}

/** Everything that is ours to answer. With a filter Rolldown stays in Rust for all other ids. */
const ICON_SPECIFIER_PATTERN = /^icon:/;

export interface DevDialect {
  /** Keeps a file for the browser; returns the JavaScript expression of its address. */
  serve(module: Extract<SessionModule, { kind: 'asset' }>): string;
  /** Canonical ids of everything asked for since the server started. */
  requested(): Iterable<string>;
  /** A placeholder stands for this icon: it is to be loaded again when the page is. */
  loadAgain(id: string): void;
}

/** What Rollup, Rolldown and Vite differ in. */
export interface RollupDialect {
  /** The build that a hook runs for, from the hook's context. */
  build(context: object): RunningBuild;
  /** JavaScript expression for the address of an emitted file. */
  fileUrl(reference: string): string;
  /** Dev servers serve icons instead of emitting them, and get along without network; `undefined` in a build. */
  dev(): DevDialect | undefined;
  /** True where the bundle is part of another one (a worker), which then credits its icons. */
  isNested(): boolean;
}

export interface EmitContext {
  emitFile(file: {
    type: 'asset';
    name?: string;
    fileName?: string;
    source: string | Uint8Array;
  }): string;
  getFileName(reference: string): string;
}

export interface Chunk {
  moduleIds: string[];
}

export interface LoadedCode {
  code: string;
  map: { mappings: '' };
  moduleSideEffects: false;
  moduleType: 'js';
}

/** Written out, since the plugin types of the three differ in everything that we do not use. */
export interface RollupHooks {
  buildStart(this: object): void;
  resolveId: {
    filter: { id: RegExp };
    handler(
      source: string,
      importer: string | undefined,
    ): { id: string; moduleSideEffects: false } | null;
  };
  load: {
    filter: { id: RegExp };
    handler(this: EmitContext, id: string): Promise<LoadedCode> | null;
  };
  buildEnd(error?: Error): Promise<void>;
  closeBundle(): Promise<void>;
  renderChunk: {
    filter: { code: string };
    handler(
      this: object,
      code: string,
      chunk: Chunk,
      output: object,
      meta?: { chunks: Record<string, Chunk> },
    ): Promise<{ code: string; map: null } | null>;
  };
  generateBundle: {
    order: 'post';
    handler(this: EmitContext, output: { dir?: string | undefined }, bundle: object): Promise<void>;
  };
}

/** Hooks that the three bundlers of Rollup's family share. They hold no logic: the session does the work. */
export function createRollupHooks(session: Session, dialect: RollupDialect): RollupHooks {
  /** Vite's environments may build side by side through one instance: the last one out closes the sockets. */
  let running = 0;
  const emittedByBuild = new WeakMap<object, Map<string, EmittedIcon>>();

  function emittedOf(context: object): Map<string, EmittedIcon> {
    const { key } = dialect.build(context);
    const emitted = emittedByBuild.get(key) ?? new Map<string, EmittedIcon>();
    emittedByBuild.set(key, emitted);
    return emitted;
  }

  async function moduleCode(context: EmitContext, id: string): Promise<string> {
    const dev = dialect.dev();
    if (id === CREDITS_ID)
      return dev ? session.creditsCode(dev.requested(), false) : session.pendingCreditsCode();
    const module = await session.load(id, { placeholder: dev !== undefined });
    if (module.kind === 'code') {
      if (module.placeholder === true) dev?.loadAgain(id);
      return module.code;
    }
    if (dev) return module.code(dev.serve(module));
    const { fileName: name, source } = module;
    const reference = context.emitFile({ type: 'asset', name, source });
    emittedOf(context).set(id, { id, reference });
    return module.code(dialect.fileUrl(reference));
  }

  async function loaded(context: EmitContext, id: string): Promise<LoadedCode> {
    const code = await moduleCode(context, id);
    return { code, map: { mappings: '' }, moduleSideEffects: false, moduleType: 'js' };
  }

  return {
    buildStart() {
      emittedOf(this).clear();
      running += 1;
      session.begin();
    },
    // Bundlers from before hook filters call the handler for every id: it looks for itself.
    resolveId: {
      filter: { id: ICON_SPECIFIER_PATTERN },
      handler(source, importer) {
        return isIconSpecifier(source)
          ? { id: session.resolve(source, importer), moduleSideEffects: false }
          : null;
      },
    },
    load: {
      filter: { id: ICON_SPECIFIER_PATTERN },
      handler(id) {
        return isIconSpecifier(id) ? loaded(this, id) : null;
      },
    },
    async closeBundle() {
      running -= 1;
      if (running <= 0) await session.close();
    },
    async buildEnd(error) {
      // What was fetched before the error is kept, so that the next build does not pay for it again.
      if (error !== undefined) await session.end([], { quiet: true });
    },
    renderChunk: {
      filter: { code: CREDITS_SLOT },
      async handler(code, _chunk, _output, meta) {
        if (!code.includes(CREDITS_SLOT)) return null;
        const inChunks = Object.values(meta?.chunks ?? {}).flatMap(iconsOfChunk);
        const text = await session.creditsText([...inChunks, ...emittedOf(this).keys()]);
        // The slot stands on a line of its own, so the map of every other line stays right.
        return { code: code.replaceAll(CREDITS_SLOT, () => text), map: null };
      },
    },
    // Last: Vite has then taken the assets out of server bundles, and ours stay.
    generateBundle: {
      order: 'post',
      async handler(output, bundle) {
        const { key: _key, ...build } = dialect.build(this);
        const usages = foundUsages(bundle as AnyBundle, {
          emitted: emittedOf(this).values(),
          fileNameOf: (reference) => this.getFileName(reference),
          consumer: build.consumer,
        });
        if (dialect.isNested()) {
          session.contribute(usages);
          return session.end([], { quiet: true });
        }
        const files = await session.attributionFiles(usages, {
          ...build,
          precision: 'module-graph',
        });
        for (const { fileName, source } of files)
          this.emitFile({ type: 'asset', fileName, source });
        await session.end(files.map(({ fileName }) => inFolder(output.dir, fileName)));
      },
    },
  };
}

function inFolder(folder: string | undefined, file: string): string {
  return folder === undefined ? file : `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/${file}`;
}
