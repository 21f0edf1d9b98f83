import { IconCatalogError } from '../../src/errors.ts';
import {
  type CreditedIcons,
  CREDITS_SLOT,
  type FoundUsage,
  type SessionModule,
} from '../../src/build/session-types.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { toCanonical, toIconId } from '../../src/request/key.ts';
import { parseRequest } from '../../src/request/parse-request.ts';
import type { IconRequest, ManifestBuild } from '../../src/types.ts';
import type { Session } from '../../src/build/session-interface.ts';

type AssetModule = Extract<SessionModule, { kind: 'asset' }>;

/** Asking for this icon fails. */
export const MISSING_ICON = 404;

export interface FakeSession extends Session {
  /** `configure begin load end close` in the order of the calls, `load` once a module. */
  calls: string[];
  summaries: (readonly string[])[];
  /** What the end of the build asked for: `credit`, `settle`, then `end` with the files of the summary or `end quietly`. */
  events: string[];
}

export interface FakeSessionOptions {
  revision?: number;
  /** Message of the error for icons that the build may not have. */
  missing?: string;
}

export interface FakeManifest {
  build: ManifestBuild;
  complete: boolean;
  icons: FoundUsage[];
}

/** What a session is asked to credit. */
export function idsOf(icons: Iterable<string> | CreditedIcons): Iterable<string> {
  return 'ids' in icons ? icons.ids : icons;
}

/** Artwork by which an icon is found again in any output. No part of a smaller number's artwork. */
export function artworkOf(id: number | string): string {
  return `ARTWORK-${id}-END`;
}

/** Ids whose artwork is in a text, however it is encoded there. */
export function drawnIn(text: string): number[] {
  const ids = [...text.matchAll(/ARTWORK-(\d+)-END/g)].map(([, id]) => Number(id));
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** The pipeline without catalog, caches and svg: canonical ids and modules are shaped like the real ones. */
export function createFakeSession({ revision = 1, missing }: FakeSessionOptions = {}): FakeSession {
  const importers = new Map<string, string | undefined>();
  const loaded = new Set<string>();
  const calls: string[] = [];
  const summaries: (readonly string[])[] = [];
  const events: string[] = [];

  function credits(ids: Iterable<string>): { id: number }[] {
    const unique = new Set([...ids].map((id) => request(id).id));
    return [...unique].toSorted((a, b) => a - b).map((id) => ({ id }));
  }
  function slotText(ids: Iterable<string>, complete: boolean): string {
    return encodeURIComponent(JSON.stringify({ credits: credits(ids), complete }));
  }
  function creditsModule(text: string): string {
    return `const payload = /* @__PURE__ */ JSON.parse(/* @__PURE__ */ decodeURIComponent("${text}"));\nexport default payload.credits;\nexport const complete = payload.complete;\n`;
  }

  return {
    calls,
    summaries,
    events,
    fingerprint: `fake-${revision}`,
    configure({ root = '' }) {
      calls.push('configure');
      return root;
    },
    begin: () => void calls.push('begin'),
    missing: () =>
      missing === undefined
        ? undefined
        : new IconCatalogError('LOCK_MISSING', { message: missing }),
    isSplittable: () => false,
    resolvedOptions: () => resolveOptions({}, { root: process.cwd(), env: {} }),
    expect: async () => undefined,
    usualDefaultId: () => undefined,
    cachedValue: () => undefined,
    expectFiles: () => undefined,
    expectFolder: async () => undefined,
    emptied: () => undefined,
    present: async (usages) => ({ ids: [...new Set(usages.map(({ id }) => id))], brought: [] }),
    config: {
      options: {},
      files: [],
      refresh: async () => false,
      check() {},
    },
    lock: {
      files: [],
      hash: async () => '',
      refresh() {},
    },
    resolve(specifier, importer) {
      if (specifier === 'icon:credits') return specifier;
      const { canonical } = request(specifier, importer);
      if (!importers.has(canonical)) importers.set(canonical, importer);
      return canonical;
    },
    async load(id) {
      if (!loaded.has(id)) calls.push('load');
      loaded.add(id);
      const wanted = request(id);
      if (wanted.id === MISSING_ICON) {
        throw new IconCatalogError('CATALOG_NOT_FOUND', {
          message: 'There is no icon 404.',
          importer: importers.get(id),
        });
      }
      return moduleOf(wanted, revision);
    },
    creditsCode: async (icons, complete) => creditsModule(slotText(idsOf(icons), complete)),
    async image(specifier) {
      const wanted = { ...request(specifier), as: 'url' } as const;
      const { source, fileName, contentType } = moduleOf(wanted, revision) as AssetModule;
      const [url, data] = [toCanonical(wanted), toCanonical({ ...wanted, as: 'data' })];
      const dataUri = `data:image/svg+xml,${encodeURIComponent(String(source))}`;
      const form = specifier.includes('url') ? 'url' : 'auto';
      return { ids: { url, data }, form, asset: { fileName, source, contentType }, dataUri };
    },
    drawing: () => Promise.reject(new Error('no drawings here')),
    pendingCreditsCode: () => creditsModule(CREDITS_SLOT),
    creditsText: async (icons) => slotText(idsOf(icons), true),
    async sprite(all) {
      const ids = new Set([...all].filter((id) => request(id).as === 'sprite').map(toIconId));
      const source = [...ids].map((id) => artworkOf(request(id).id)).join();
      return ids.size === 0 ? undefined : { fileName: 'sprite.svg', source, ids, symbols: ids };
    },
    checkSpriteOrigin: () => undefined,
    spritesForServers: () => [],
    contribute: () => undefined,
    attributionNames: () => [],
    async attributionFiles(usages, build, { complete = true } = {}) {
      events.push('credit');
      const icons = usages.toSorted((a, b) => (a.id + a.file < b.id + b.file ? -1 : 1));
      const manifest: FakeManifest = { build, complete, icons };
      return [{ fileName: 'icon-attribution.json', source: Buffer.from(JSON.stringify(manifest)) }];
    },
    async end(files = [], { quiet = false } = {}) {
      calls.push('end');
      events.push(quiet ? 'end quietly' : `end ${files.join()}`);
      loaded.clear();
      if (!quiet) summaries.push(files);
    },
    declare: async () => undefined,
    async settle({ isWritten = true } = {}) {
      if (isWritten) events.push('settle');
      return [];
    },
    close: async () => void calls.push('close'),
  };
}

function request(specifier: string, importer?: string): IconRequest {
  return parseRequest(
    toIconId(specifier),
    { aliases: {}, framework: undefined, defaults: {} },
    importer,
  );
}

function moduleOf({ id, as, color, filetype }: IconRequest, revision: number): SessionModule {
  const svg = `<svg fill="${color}"><path d="${artworkOf(id)} r${revision}"/></svg>`;
  const exports = `export const credit = /* @__PURE__ */ JSON.parse('{"credit":${id}}');\nexport const icon = /* @__PURE__ */ JSON.parse('{"icon":${id}}');\n`;
  if (as !== 'url' && as !== 'sprite') {
    const value = as === 'data' ? `data:image/svg+xml,${encodeURIComponent(svg)}` : svg;
    return { kind: 'code', code: `export default ${JSON.stringify(value)};\n${exports}` };
  }
  const bytes = new Uint8Array([137, 80, 78, 71, 255, 0, id % 256]);
  return {
    kind: 'asset',
    fileName: `star-${id}.${filetype}`,
    source: filetype === 'png' ? bytes : svg,
    contentType: filetype === 'png' ? 'image/png' : 'image/svg+xml',
    ...(as === 'sprite' && { symbol: { id: `icon-${id}` } }),
    code: (url) => `export default ${url};\n${exports}`,
  };
}
