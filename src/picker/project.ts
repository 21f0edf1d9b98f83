import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FetchPort, Log } from '../types.ts';
import type { Environment, ResolvedOptions } from '../options/resolve-options.ts';
import { creditedIcon } from '../pipeline/load-icon.ts';
import { lastingFields } from '../pipeline/assets.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import { createSearches, type Searches } from '../pipeline/searches.ts';
import { createThumbnails, type Thumbnails } from '../pipeline/thumbnails.ts';
import { readAliases } from '../project/edit-aliases.ts';
import { readReferences } from '../project/references.ts';
import { parseRequest } from '../request/parse-request.ts';
import { resolveAliases } from '../request/reference.ts';
import type { IconRecord } from '../types.ts';
import type { PickerIcon } from './api.ts';
import type { IconContext } from './icons.ts';
import { findIconifySets } from '../server/installed-sets.ts';
import type { PickerState } from './state.ts';
import { parseLockKey } from '../request/key.ts';
import { createLog } from '../pipeline/build-state.ts';

/** The project that a picker belongs to, as its host knows it at the moment. */
export interface PickerProject {
  resolved: ResolvedOptions;
  env: Environment;
  /** The file that the options come from, absolute, if there is one that can be read. */
  config: string | undefined;
  /** Nothing may be written, whatever the project allows. @default false */
  isReadOnly?: boolean;
}

export interface ProjectPorts {
  state: PickerState;
  log: Log;
  fetch?: FetchPort | undefined;
  now: () => number;
}

/** A project that is open: what its lock, its sources and its catalog say. Nothing here writes. */
export interface OpenPickerProject extends PickerProject {
  /** Makes calls, as far as the mode and the budget of the session allow. */
  pipeline: Pipeline;
  /** Opens no socket, whatever it is asked for. */
  local: Pipeline;
  searches: Searches;
  thumbnails: Thumbnails;
  fetch: FetchPort | undefined;
  /** The catalog is part of this process and meters no one. */
  isFree: boolean;
  isOnline: boolean;
  name: string;
  context(): Promise<IconContext>;
  record(id: string): Promise<IconRecord | undefined>;
  /** Whether the file of the usual drawing is on this machine. */
  hasFile(id: string): Promise<boolean>;
  /** Files have changed: they are read again. */
  forget(): void;
  close(): Promise<void>;
}

/** Milliseconds for which sources are not read again: several tabs ask at once. */
const SOURCES_LIFE = 1000;

/**
 * Its pipeline is never flushed, so that looking at icons pins none: what is added goes through a pipeline of its own.
 */
export function openPickerProject(
  project: PickerProject,
  { state, log, fetch, now }: ProjectPorts,
): OpenPickerProject {
  const { env, config } = project;
  const options = withInstalledSets(project.resolved);
  const { catalog } = options;
  const isFree = catalog.kind === 'embedded' && catalog.embedded.keys === undefined;
  const ports = { log: createLog('silent'), fetch };
  // What the project refuses is shown too, with the reason.
  const licenses = { ...options.licenses, allow: undefined, unknown: 'warn' as const };
  const shown = { ...options, licenses, ...(isFree && { mode: 'online' as const }) };
  const pipeline = createPipeline(shown, { ...ports, ...(!isFree && { onCall: state.meter }) });
  const { connection } = pipeline;
  const local = isFree ? pipeline : createPipeline({ ...shown, mode: 'offline' }, ports);
  const searches = createSearches(options, { connection, warn: log.warn, now });
  const thumbnails = createThumbnails(options, { connection, env });
  const uses = createUses(options, { state, now });
  const namesNow = createNames(options, config);

  async function context(): Promise<IconContext> {
    for (const { iconLock } of [pipeline, local]) iconLock.refresh();
    await Promise.all([pipeline.iconLock.open(), local.iconLock.open()]);
    const { siteUrl } = (await pipeline.open()).catalog;
    const names = await namesNow();
    const aliases = new Map<string, string[]>();
    for (const [name, id] of Object.entries(names))
      aliases.set(String(id), [...(aliases.get(String(id)) ?? []), name]);
    const keys = [...pipeline.iconLock.all().entries.keys()];
    const pinned = new Set(keys.flatMap((key) => String(parseLockKey(key)?.id ?? '') || []));
    return { options, siteUrl, aliases, pinned, uses: await uses.now(names) };
  }

  async function hasFile(id: string): Promise<boolean> {
    if (isFree) return true;
    const assets = await pipeline.assets();
    return assets.hasBytes({ id: Number(id), kind: 'svg', color: null, size: null });
  }

  async function record(id: string): Promise<IconRecord | undefined> {
    await pipeline.iconLock.open();
    const pinned = pipeline.iconLock.record(Number(id));
    if (pinned !== undefined) return lastingFields(pinned);
    const known = (await searches.known()).get(id) ?? (await storedRecord(Number(id), pipeline));
    if (known !== undefined || !isFree) return known && lastingFields(known);
    const { client } = await connection.session();
    return client.icon(id).then(
      ({ icon }) => lastingFields(icon),
      () => undefined,
    );
  }

  return {
    ...project,
    pipeline,
    local,
    searches,
    thumbnails,
    fetch,
    isFree,
    isOnline: isFree || (options.mode === 'online' && catalog.kind === 'remote'),
    name: basename(options.root),
    context,
    record,
    hasFile,
    forget() {
      uses.forget();
      pipeline.begin();
      local.begin();
    },
    async close() {
      await Promise.all([pipeline.close(), local.close()]);
    },
  };
}

/** Without a catalog people look at the sets that are installed. */
function withInstalledSets(options: ResolvedOptions): ResolvedOptions {
  const { catalog, root } = options;
  if (catalog.kind !== 'none' || findIconifySets(root).size === 0) return options;
  return { ...options, catalog: { kind: 'embedded', embedded: { root } } };
}

/** What the cache says about an icon that the lock does not have. */
async function storedRecord(id: number, pipeline: Pipeline): Promise<IconRecord | undefined> {
  const assets = await pipeline.assets();
  return (await assets.hasRecord(id)) ? assets.record(id) : undefined;
}

/**
 * The names of the project as its file states them now. A dev server takes a moment to load a configuration again in which an
 * alias has just come, gone or got another name.
 */
function createNames(
  { aliases }: ResolvedOptions,
  config: string | undefined,
): () => Promise<Record<string, number>> {
  async function readStated(): Promise<Record<string, number>> {
    const text = config && (await readFile(config, 'utf8').catch(() => undefined));
    return text ? resolveAliases(readAliases(text, config)) : {};
  }
  const statedFirst = readStated();
  return async () => {
    const [first, stated] = await Promise.all([statedFirst, readStated()]);
    const others = Object.entries(aliases).filter(([name]) => !Object.hasOwn(first, name));
    return { ...Object.fromEntries(others), ...stated };
  };
}

interface Uses {
  now(aliases: Readonly<Record<string, number>>): Promise<Map<string, PickerIcon['uses']>>;
  forget(): void;
}

function createUses(
  options: ResolvedOptions,
  { state, now }: Pick<ProjectPorts, 'state' | 'now'>,
): Uses {
  let read: { at: number; uses: Promise<Map<string, PickerIcon['uses']>> } | undefined;

  async function readUses(
    aliases: Readonly<Record<string, number>>,
  ): Promise<Map<string, PickerIcon['uses']>> {
    const { icons } = await readReferences({ ...options, aliases });
    const uses = new Map<string, PickerIcon['uses']>();
    for (const { request, places } of icons) {
      const id = String(request.id);
      const found = places.map((place) => Object.assign({ use: state.numberOf(place) }, place));
      uses.set(id, [...(uses.get(id) ?? []), ...found]);
    }
    return uses;
  }

  return {
    now(aliases) {
      if (read === undefined || now() - read.at > SOURCES_LIFE)
        read = { at: now(), uses: readUses(aliases).catch(() => new Map()) };
      return read.uses;
    },
    forget() {
      read = undefined;
    },
  };
}

/** Aliased, pinned and used icons, with the credits of those whose files are here; drawn without a call. */
export async function projectIcons(
  project: OpenPickerProject,
  context: IconContext,
): Promise<{ records: IconRecord[]; context: IconContext }> {
  const ids = new Set([...context.aliases.keys(), ...context.pinned, ...context.uses.keys()]);
  const credits = new Map<string, string>();
  const records = await Promise.all(
    [...ids].map(async (id) => {
      const record = await project.record(id);
      // An icon of which this machine knows no more than its id.
      if (record === undefined)
        return lastingFields({ id: id, term: context.aliases.get(id)?.[0] ?? id });
      if (context.pinned.has(id)) {
        const line = await creditLine(id, project).catch(() => undefined);
        if (line !== undefined) credits.set(id, line);
      }
      return record;
    }),
  );
  return { records, context: { ...context, credits } };
}

async function creditLine(
  id: string,
  { local: pipeline, resolved: options }: OpenPickerProject,
): Promise<string | undefined> {
  const request = parseRequest(`icon:${id}`, { ...options, framework: undefined });
  if (request.filetype !== 'svg') return undefined;
  return (await creditedIcon(request, { pipeline, options }))?.credit.credit.line;
}
