import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { ViteDevServer } from 'vite';
import type { DevDialect } from '../rollup/types.ts';
import type { FoundUsage, SessionModule } from '../../build/session-types.ts';
import { devEnvironments, invalidateModules } from './environments.ts';
import { pathOf, type DevRequests } from './dev-requests.ts';
import type { Session } from '../../build/session-interface.ts';
import { toIconId } from '../../request/key.ts';

type AssetModule = Extract<SessionModule, { kind: 'asset' }>;

/** Icons that a dev server has given an address, by what stands behind its base. */
export type DevFiles = Map<string, AssetModule>;

const PREFIX = '@icon-catalog/';
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
 * @param ports.loaded ids of the icons that are made: to credit another one would cost a call
 * @param ports.files of other servers as well, where one renders the pages and another is the one that browsers ask
 */
export function createDevServer(
  session: Session,
  server: ViteDevServer,
  {
    requests,
    imported,
    placed,
    loaded,
    files,
  }: {
    requests: Pick<DevRequests, 'sender' | 'refuse'>;
    imported: DevDialect['imported'];
    placed: () => readonly string[];
    loaded: ReadonlySet<string>;
    files: DevFiles;
  },
): DevDialect {
  const placeholders = new Set<string>();
  const { base } = server.config;
  const { origin = '' } = server.config.server;

  const requested = (): string[] => [...new Set([...placed(), ...inScripts().map(toIconId)])];
  // Vite keeps no module graph of what it bundles for its dev server.
  const inScripts = (): string[] =>
    server.config.experimental.bundledDev
      ? [...loaded]
      : devEnvironments(server).flatMap(({ moduleGraph }) =>
          [...moduleGraph.idToModuleMap.keys()].filter((id) => loaded.has(id)),
        );

  server.middlewares.use((request, response, next) => {
    const sender = requests.sender() ?? 'project';
    // Vite keeps what `load` gave: a reload of the page would show the placeholder for ever.
    if (sender === 'project' && request.headers.accept?.includes('text/html') === true)
      invalidateModules(server, placeholders);
    const path = pathOf(request.url);
    if (path === undefined) return next();
    const name = path.startsWith(base) ? path.slice(base.length) : path.slice(1);
    const file = files.get(name);
    // Pages that another server renders show icons as plain images, which no page can read.
    if (file !== undefined)
      return sender === 'rebound'
        ? requests.refuse(request, response)
        : send(response, file.contentType, file.source);
    if (!session.attributionNames().includes(name)) return next();
    if (sender !== 'project') return requests.refuse(request, response);
    const type = TYPES[extname(name).slice(1)] ?? 'text/plain; charset=utf-8';
    attributionFile(name, requested(), session).then(
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

/** Credits of these icons, as one of the attribution files. */
async function attributionFile(
  name: string,
  ids: readonly string[],
  session: Session,
): Promise<Buffer | undefined> {
  const usages = ids.map((id): FoundUsage => ({ id, file: 'dev', kind: 'inline-js' }));
  const build = { id: 'dev', bundler: 'vite', consumer: 'client', precision: 'requested' } as const;
  const written = await session.attributionFiles(usages, build, { complete: false });
  return written.find(({ fileName }) => fileName === name)?.source;
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Drawings are untrusted: even a sanitised one gets no rights when it is opened by itself.
  if (type.startsWith('image/svg'))
    response.setHeader('Content-Security-Policy', "script-src 'none'; sandbox");
  response.end(body);
}
