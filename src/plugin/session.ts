import { checkOptions } from '../check-options.ts';
import { declareImports } from '../corridor/declare-imports.ts';
import { finishedValue, loadModule } from '../corridor/load-module.ts';
import { isIconCatalogError } from '../errors.ts';
import type { Options } from '../options.ts';
import { isUsualSpecifier, toIconId, toValueId } from '../corridor/value-id.ts';
import type { IconRequest } from '../types.ts';
import { createAttribution } from './create-attribution.ts';
import { createSprites } from './create-sprite.ts';
import { fingerprintOf } from './fingerprint-of.ts';
import { createImages } from './images.ts';
import { createKnownRequests } from './known-requests.ts';
import { createLoadedIcons } from './loaded-icons.ts';
import { createLockMarks } from './lock-marks.ts';
import { createResolver } from './create-resolver.ts';
import { missedIcons } from './missed-icons.ts';
import { createMissingIcons } from './missing-icons.ts';
import { reportBuild } from './report-build.ts';
import { placeholderModule } from './placeholder.ts';
import type { LargeSession } from './large-session.ts';
import type { SessionHost } from './session-types.ts';
import { shortPath } from './short-path.ts';
import { createSessionState, type SessionState } from './session-state.ts';
import { creditsCode, pendingCreditsCode, toSlotText } from './credits-code.ts';
import { createSummary } from './summary.ts';
import { settled } from './settled.ts';
import { withoutFrames } from './without-frames.ts';

/**
 * One bundler run's view of the pipeline. Options are checked at once; environment and root wait for `configure`,
 * since only the bundler knows them.
 *
 * @throws IconCatalogError OPTIONS_INVALID
 */
export function createSession(options: Options = {}, bundler: string): LargeSession {
  checkOptions(options);
  let host: SessionHost = {};
  let state: SessionState | undefined;
  const requests = createKnownRequests(parse);
  const missing = createMissingIcons(requests);

  /** Everything that needs the host is made on first use, and again after `configure`. */
  function ready(): SessionState {
    state ??= createSessionState(options, host);
    return state;
  }

  function parse(specifier: string, importer: string | undefined): IconRequest {
    try {
      return ready().parse(specifier, importer);
    } catch (error) {
      throw withoutFrames(error);
    }
  }

  const { resolve, isPlain, plainModule } = createResolver({ parse, note: requests.note });

  const ports = {
    request: (id: string) => requests.get(toIconId(id)).request,
    context: () => ({ corridor: ready().shared.corridor, options: ready().resolved }),
  };
  const attribution = createAttribution(ports);
  const { begin: beginSprites, ...sprites } = createSprites({
    ...ports,
    exchange: () => ready().shared.sprites,
  });
  const summary = createSummary(bundler);
  const loaded = createLoadedIcons();
  const builder = {};
  const images = createImages({
    ...ports,
    remember(request, importer) {
      requests.note(request, importer);
      loaded.mayShip(toValueId(request.canonical));
    },
    absent: missing.add,
    warn: (message) => {
      if (ready().shared.corridor.build.first(message)) ready().log.warn(message);
    },
  });
  const attributionBytes: LargeSession['attributionBytes'] = (usages, build, options = {}) => {
    const all = [...usages, ...ready().shared.contributed];
    // A bundler with a warm cache never called `load` for what it ships.
    for (const { id } of all) loaded.add(toValueId(id));
    const { corridor, fragments } = ready().shared;
    const about = { ...options, ...ports, attribution, corridor, builder, loaded: loaded.all() };
    return reportBuild(all, build, { ...about, fragments: fragments(bundler) });
  };

  return {
    lock: createLockMarks(requests, ready),
    get fingerprint() {
      return fingerprintOf(options);
    },
    configure(next) {
      host = { ...host, ...next };
      if (state !== undefined) void settled(state.shared.release());
      state = undefined;
    },
    begin({ isDev = false } = {}) {
      missing.clear();
      ready().shared.begin();
      if (!isDev) {
        ready().shared.corridor.prefetch();
        ready().shared.fragments(bundler).begin(builder);
      }
      summary.start();
      loaded.begin();
      beginSprites();
    },
    missing() {
      const { shared, resolved } = ready();
      return withoutFrames(missing.error(shared.missing, resolved));
    },
    resolve,
    expect: () => settled(ready().shared.corridor.finished()),
    hasShapes(id) {
      if (isPlain(id)) return false;
      const { as, filetype } = requests.get(id).request;
      if (as === 'component') return typeof ready().resolved.framework === 'string';
      return filetype === 'svg' && (as === 'svg' || as === 'data');
    },
    usualValueId(specifier, importer) {
      if (!isUsualSpecifier(specifier) || !ready().isUsual) return undefined;
      const id = toValueId(specifier);
      requests.noteUsual(id, importer);
      return id;
    },
    finishedValue(id) {
      const { corridor } = ready().shared;
      const code = finishedValue(id, { finished: corridor.finishedNow(), corridor });
      if (code === undefined) return undefined;
      loaded.add(id);
      return code;
    },
    async load(id, { placeholder = false, alone = placeholder, importer, shape = 'whole' } = {}) {
      const { resolved, shared, log } = ready();
      const plain = plainModule(id, resolved);
      if (plain !== undefined) return plain;
      const { request, importer: first } = requests.get(id, importer);
      try {
        const module = await loadModule(
          request,
          { corridor: shared.corridor, options: resolved },
          { importer: first ?? importer, shape },
        );
        loaded.add(toValueId(request.canonical));
        if (placeholder) shared.corridor.flushSoon();
        return module;
      } catch (error) {
        if (!alone && missing.add(request, error))
          return placeholderModule(request, resolved.framework);
        if (!placeholder || !isIconCatalogError(error) || error.code !== 'CATALOG_UNAVAILABLE')
          throw withoutFrames(error);
        log.warn(
          `${error.message}\n  A placeholder stands for the icon until the catalog can be reached.`,
        );
        return placeholderModule(request, resolved.framework);
      }
    },
    ...images,
    creditsCode: async (ids, complete) =>
      creditsCode(await attribution.credits(missing.leaveOut(ids)), complete),
    pendingCreditsCode,
    creditsText: async (ids) => {
      const contributed = ready().shared.contributed.map(({ id }) => id);
      const all = missing.leaveOut([...ids, ...contributed]);
      return toSlotText(await attribution.credits(all), true);
    },
    ...sprites,
    sprite: (ids, build) => sprites.sprite(missing.leaveOut(ids), build),
    missed(usages, build, outputs) {
      const { corridor, contributed } = ready().shared;
      const about = { ...ports, corridor, loaded: loaded.all(), outputs };
      return missedIcons([...usages, ...contributed], build, about);
    },
    contribute: (usages) => void ready().shared.contributed.push(...usages),
    async attributionFiles(...of) {
      const files = await attributionBytes(...of);
      return files.map(({ fileName, source }) => ({
        fileName,
        source: Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(),
      }));
    },
    expectFiles: (build) => void settled(attribution.expect(build, loaded.all())),
    attributionBytes,
    async end(files = [], { quiet = false } = {}) {
      const { shared, log } = ready();
      shared.fragments(bundler).finish(builder);
      await shared.corridor.flush();
      if (!quiet)
        summary.print({
          log,
          variants: loaded.recent(),
          door: shared.corridor.door,
          build: shared.corridor.build,
          files: files.map(shortPath),
          calls: shared.calls(),
        });
      shared.end();
    },
    async declare(specifiers) {
      const { resolved, shared, log } = ready();
      try {
        await declareImports(specifiers, { options: resolved, corridor: shared.corridor });
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        log.warn(`icon-catalog.d.ts was not written: ${said}`);
      }
    },
    async settle() {
      await state?.shared.fragments(bundler).settle(builder);
    },
    async close() {
      await state?.shared.fragments(bundler).settle(builder);
      await state?.shared.release();
      state = undefined;
    },
  };
}
