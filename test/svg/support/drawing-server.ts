import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withCreditComment } from '../../../src/emit/svg-text.ts';
import { toJsLiteral } from '../../../src/emit/module-code.ts';
import { credit } from '../../emit/sample.ts';

export interface DrawingServer {
  url: string;
  /** Paths that were asked for and are not ours. */
  strays: string[];
  close(): Promise<void>;
}

/**
 * Serves one page with every drawing in it, parsed with the document and as the string of a module in a script, and each
 * drawing as the file that `as=url` emits.
 */
export async function serveDrawings(drawings: readonly string[]): Promise<DrawingServer> {
  const strays: string[] = [];
  const inline = drawings.map((svg) => `<div>${svg}</div>`).join('\n');
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>drawings</title><script>var modules = [${drawings.map(toJsLiteral).join(',\n')}];</script><body>${inline}</body>`;
  const server: Server = createServer((request, response) => {
    const index = /^\/drawing\/(\d+)\.svg$/.exec(request.url ?? '')?.[1];
    const drawing = index === undefined ? undefined : drawings[Number(index)];
    if (drawing !== undefined)
      response
        .setHeader('content-type', 'image/svg+xml; charset=utf-8')
        .end(withCreditComment(drawing, credit));
    else if (request.url === '/')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    else {
      strays.push(request.url ?? '');
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strays,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}