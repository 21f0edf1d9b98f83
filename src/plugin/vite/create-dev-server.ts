import type { ServerResponse } from 'node:http';
import type { ViteDevServer } from 'vite';
import type { DevDialect } from '../rollup/rollup-types.ts';
import type { FoundUsage, Session, SessionModule } from '../session-types.ts';
import { devEnvironments } from './dev-environments.ts';

type AssetModule = Extract<SessionModule, { kind: 'asset' }>;

/** Icons that a dev server has given an address, by what stands behind its base. */
export type DevFiles = Map<string, AssetModule>;

const PREFIX = '@icon-catalog/';
const ATTRIBUTION = /\.(json|html|md|txt)$/;
const TYPES: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Serves emitted icons from memory, and the attribution files of what was asked for so far, marked incomplete.
 *
 * @param ports.placed ids of the icons that style sheets and pages hold
 * @param ports.files of other servers as well, where one renders the pages and another is the one that browsers ask
 */
export function createDevServer(
  session: Session,
  server: ViteDevServer,
  {
    imported,
    placed,
    files,
  }: {
    imported: DevDialect['imported'];
    placed: () => readonly string[];
    files: DevFiles;
  },
): DevDialect {
  const placeholders = new Set<string>();
  const { base } = server.config;
  const { origin = '' } = server.config.server;

  /** Vite keeps what `load` gave: a reload of the page would show the placeholder for ever. */
  function forgetPlaceholders(): void {
    for (const { moduleGraph } of devEnvironments(server)) {
      for (const id of placeholders) {
        const module = moduleGraph.getModuleById(id);
        if (module) moduleGraph.invalidateModule(module);
      }
    }
    placeholders.clear();
  }

  const requested = (): string[] => [...new Set([...placed(), ...inScripts()])];
  const inScripts = (): string[] =>
    devEnvironments(server).flatMap(({ moduleGraph }) =>
      [...moduleGraph.idToModuleMap.keys()].filter((id) => /^icon:\d/.test(id)),
    );

  async function attributionFile(name: string): Promise<string | undefined> {
    const usages = requested().map((id): FoundUsage => ({ id, file: 'dev', kind: 'inline-js' }));
    const build = {
      id: 'dev',
      bundler: 'vite',
      consumer: 'client',
      precision: 'requested',
    } as const;
    const written = await session.attributionFiles(usages, build, { complete: false });
    return written.find(({ fileName }) => fileName === name)?.source;
  }

  server.middlewares.use((request, response, next) => {
    if (request.headers.accept?.includes('text/html') === true) forgetPlaceholders();
    const path = new URL(request.url ?? '/', 'http://dev').pathname;
    const name = decodeURI(path.startsWith(base) ? path.slice(base.length) : path.slice(1));
    const file = files.get(name);
    if (file !== undefined) return send(response, file.contentType, file.source);
    const type = TYPES[ATTRIBUTION.exec(name)?.[1] ?? ''];
    if (type === undefined) return next();
    attributionFile(name).then(
      (source) => (source === undefined ? next() : send(response, type, source)),
      next,
    );
  });

  return {
    serve(module) {
      // Two colours of an icon have one file name: numbered, as the browser must not mix them up.
      const known = [...files].find(
        ([, { source, fileName }]) => source === module.source && fileName === module.fileName,
      );
      const name = known?.[0] ?? `${PREFIX}${files.size}/${module.fileName}`;
      files.set(name, module);
      return JSON.stringify(`${origin}${base}${name}`);
    },
    requested,
    imported,
    loadAgain: (id) => void placeholders.add(id),
  };
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  // Strangers' drawings: even a sanitised one gets no rights when it is opened by itself.
  if (type.startsWith('image/svg'))
    response.setHeader('Content-Security-Policy', "script-src 'none'; sandbox");
  response.end(body);
}
