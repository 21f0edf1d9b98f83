import { expect } from 'vitest';
import { conformance, embedded } from './support/conformance.ts';
import { NO_ID, WORD } from './support/target.ts';

conformance({
  'Errors: 200': async (target) => {
    const { status, headers, body } = await target.ask('/v2/icon?limit=1');
    expect([status, typeof body]).toEqual([200, 'object']);
    expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  },

  'Errors: 401': {
    'on the wire': async (target) => {
      const { status } = await target.ask('/v2/icon?limit=1', { transport: 'none' });
      expect([401, 403]).toContain(status);
    },
    'in the client': async (target) => {
      const client = target.clientOf({ key: 'nobody-has-this', secret: 'another-secret' });
      await expect(client.usage()).rejects.toMatchObject({
        code: expect.stringMatching(/^CATALOG_(?:UNAUTHORIZED|FORBIDDEN)$/),
      });
    },
    'with a description in the body': embedded(async (target) => {
      const answer = await target.ask('/v2/icon?limit=1', { transport: 'none' });
      expect([answer.status, answer.body]).toEqual([401, { message: expect.any(String) }]);
    }),
  },

  'Errors: 404': {
    'on the wire': async (target) => {
      expect((await target.ask(`/v2/icon/${NO_ID}`)).status).toBe(404);
      expect((await target.ask(`/v2/collection/${NO_ID}`)).status).toBe(404);
      expect((await target.ask(`/v2/icon/${NO_ID}/download`)).status).toBe(404);
    },
    'in the client': async (target) => {
      await expect(target.client.icon(NO_ID)).rejects.toMatchObject({
        code: 'CATALOG_NOT_FOUND',
        status: 404,
      });
    },
    'with a description in the body': embedded(async (target) => {
      for (const path of [
        `/v2/icon/${NO_ID}`,
        '/nowhere',
        '/collection/none',
        '/user/none/uploads',
      ]) {
        const { status, body } = await target.ask(path);
        expect([path, status, body]).toEqual([path, 404, { message: expect.any(String) }]);
      }
    }),
  },

  'Errors: 429': embedded(async (target) => {
    const credentials = target.embedded.limited.monthly;
    const path = `/v2/icon?query=${WORD}&limit=1`;
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++)
      statuses.push((await target.ask(path, { credentials })).status);
    expect(statuses).toEqual([200, 200, 429]);
    await expect(target.clientOf(credentials).usage()).rejects.toMatchObject({
      code: 'CATALOG_USAGE_LIMIT',
      status: 429,
    });
  }),

  'What the service does 7: every answer is JSON': async (target) => {
    const good = ['/v2/client/usage', '/v2/icon?limit=1', '/v2/collection?limit=1'];
    const bad = [`/v2/icon/${NO_ID}`, '/v2/icon?styles=none', '/v2/nothing'];
    for (const path of [...good, ...bad]) {
      const { status, body, headers } = await target.ask(path);
      expect([path, status === 200]).toEqual([path, good.includes(path)]);
      // The form of error answers is not shown; ours are JSON, too.
      if (status !== 200 && !target.embedded) continue;
      expect([path, typeof body]).toEqual([path, 'object']);
      expect(headers.get('content-type')).toMatch(/json/);
    }
  },
});
