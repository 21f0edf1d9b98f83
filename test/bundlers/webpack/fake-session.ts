import { relative } from 'node:path';
import { createFakeSession as createBase, idsOf } from '../../build/fake-session.ts';
import { IconCatalogError } from '../../../src/errors.ts';
import {
  CREDITS_ID,
  CREDITS_SLOT,
  type FoundUsage,
  type SessionHost,
} from '../../../src/build/session-types.ts';
import type { ManifestBuild } from '../../../src/types.ts';
import type { Session } from '../../../src/build/session-interface.ts';

export interface FakeCatalog {
  /** Changes what is built, as an option of the plugin would. */
  fingerprint?: string;
  /** Error of every load. */
  outage?: IconCatalogError | undefined;
  /** Ids that a licence policy refuses. */
  refused?: string[];
  fileName?: string;
}

export interface FakeSession extends Session {
  /** The catalog can be changed between the rebuilds of a watch mode. */
  catalog: FakeCatalog;
  host: SessionHost;
  resolved: { specifier: string; importer: string | undefined }[];
  loaded: string[];
  events: string[];
  manifests: { usages: FoundUsage[]; build: ManifestBuild; complete: boolean }[];
}

/**
 * The fake session for compilers that build again: every icon is its own canonical id, drawn as a path that names it, and
 * the catalog can change between two builds.
 */
export function createFakeSession(catalog: FakeCatalog = {}): FakeSession {
  function refuse(ids: string[]): void {
    const refused = ids.find((id) => catalog.refused?.includes(id));
    if (refused === undefined) return;
    throw new IconCatalogError('LICENSE_REFUSED', { message: `${refused} may not be shipped.` });
  }

  const importers = new Map<string, string>();
  const session: FakeSession = {
    ...createBase(),
    catalog,
    host: {},
    resolved: [],
    loaded: [],
    events: [],
    manifests: [],
    fingerprint: catalog.fingerprint ?? 'f1',
    configure(host) {
      session.host = host;
      return host.root ?? '';
    },
    begin: () => void session.events.push('begin'),
    resolve(specifier, importer) {
      session.resolved.push({ specifier, importer });
      if (specifier === CREDITS_ID) return specifier;
      const match = /^icon:(\d+)(?:\?(?:as=)?(url|svg|sprite)(&.*)?)?$/.exec(specifier);
      if (match === null) {
        throw new IconCatalogError('SPECIFIER_INVALID', {
          message: `"${specifier}" is no icon.`,
          importer,
        });
      }
      const id = `icon:${match[1]}?as=${match[2] ?? 'svg'}`;
      if (importer !== undefined && !importers.has(id)) importers.set(id, importer);
      return id;
    },
    async load(id, { placeholder = false } = {}) {
      session.loaded.push(id);
      const { outage } = session.catalog;
      if (outage !== undefined && placeholder) {
        session.host.log?.warn(outage.message);
        return { kind: 'code', placeholder: true, code: iconCode('"<svg placeholder/>"', id) };
      }
      if (outage !== undefined) throw outage.withImporter(importers.get(id));
      const svg = drawing(id, session.fingerprint);
      if (id.endsWith('as=sprite')) {
        return {
          kind: 'asset',
          fileName: 'one.svg',
          source: svg,
          contentType: 'image/svg+xml',
          symbol: { id: `icon-${numberOf(id)}` },
          code: (url) => iconCode(`"use ".concat(${url}, "#icon-${numberOf(id)}")`, id),
        };
      }
      if (!id.endsWith('as=url')) return { kind: 'code', code: iconCode(JSON.stringify(svg), id) };
      return {
        kind: 'asset',
        fileName: session.catalog.fileName ?? `star-${numberOf(id)}.svg`,
        source: svg,
        contentType: 'image/svg+xml',
        code: (url) => iconCode(url, id),
      };
    },
    creditsCode: async (icons) => `export default ${JSON.stringify([...idsOf(icons)])}`,
    pendingCreditsCode: () => `export default JSON.parse('${CREDITS_SLOT}')`,
    async creditsText(icons) {
      const ids = [...idsOf(icons)];
      refuse(ids);
      return `[${ids
        .map(numberOf)
        .toSorted((a, b) => a - b)
        .join()}]`;
    },
    async sprite(all) {
      const ids = [...new Set(all)].filter((id) => id.endsWith('as=sprite')).toSorted();
      if (ids.length === 0) return undefined;
      const source = ids.map((id) => drawing(id, session.fingerprint)).join('');
      return { fileName: 'sprite.svg', source, ids: new Set(ids), symbols: new Set(ids) };
    },
    async attributionFiles(usages, build, { complete = true } = {}) {
      if (session.catalog.outage !== undefined && usages.length > 0) throw session.catalog.outage;
      session.manifests.push({ usages: [...usages], build, complete });
      refuse(usages.map(({ id }) => id));
      return [{ fileName: 'icon-attribution.json', source: Buffer.from(JSON.stringify(usages)) }];
    },
    async end(files = [], { quiet = false } = {}) {
      const names = files.map((file) => relative(session.host.root ?? '', file));
      session.events.push(`end ${names.join()}${quiet ? ' quiet' : ''}`);
    },
    async close() {
      session.events.push('close');
    },
  };
  return session;
}

/** What the artwork of an icon looks like in the output. */
export function drawing(id: string, fingerprint = 'f1'): string {
  return `<svg><path d="M${numberOf(id)} ${fingerprint} z"/></svg>`;
}

function iconCode(value: string, id: string): string {
  return `export default ${value};
export const credit = { line: "credit of ${numberOf(id)}" };
export const icon = { id: "${numberOf(id)}" };`;
}

function numberOf(id: string): number {
  return Number(/^icon:(\d+)/.exec(id)?.[1]);
}
