import { expect } from 'vitest';
import { conformance, embedded } from './support/conformance.ts';
import { freshNonce } from './support/sign.ts';
import { WORD, type AskOptions, type Target } from './support/target.ts';

const PATH = '/v2/client/usage';

async function statusWith(target: Target, options: AskOptions, path = PATH): Promise<number> {
  return (await target.ask(path, options)).status;
}

conformance({
  'Authentication 1: every request is signed': {
    'an unsigned request is refused, at every endpoint': async (target) => {
      const paths = ['/v2/icon/1', '/v2/icon', '/v2/collection', '/v2/icon/autocomplete?query=a'];
      for (const path of [PATH, '/v2/client/blacklist', ...paths])
        expect([401, 403]).toContain(await statusWith(target, { transport: 'none' }, path));
    },
    'a signature with another secret is refused': async (target) => {
      const { key } = target.embedded?.take('paid') ?? { key: 'unknown-key' };
      const credentials = { key, secret: 'another-secret' };
      expect([401, 403]).toContain(await statusWith(target, { credentials }));
    },
    'an unknown key is refused': async (target) => {
      const credentials = { key: 'nobody-has-this', secret: 'another-secret' };
      expect([401, 403]).toContain(await statusWith(target, { credentials }));
    },
  },

  'Authentication 2: no access token': {
    'a request without one passes': async (target) => {
      expect(await statusWith(target, {})).toBe(200);
    },
    'one with a token is refused': embedded(async (target) => {
      const changes = { oauth_token: 'a-token' };
      expect(await statusWith(target, { changes })).toBe(401);
    }),
  },

  'Authentication 3: a nonce has at least 8 characters': async (target) => {
    const nonce = freshNonce();
    expect(await statusWith(target, { nonce: nonce.slice(0, 8) })).toBe(200);
    expect([400, 401, 403]).toContain(await statusWith(target, { nonce: nonce.slice(0, 7) }));
    expect([400, 401, 403]).toContain(await statusWith(target, { changes: { oauth_nonce: '' } }));
  },

  'Authentication 4: key and secret stay confidential': embedded(async (target) => {
    const credentials = target.embedded.take('paid');
    const texts: string[] = [];
    for (const path of [PATH, `/v2/icon?query=${WORD}`, '/v2/icon/1', '/nothing', '/oauth/usage']) {
      texts.push((await target.ask(path, { credentials })).text);
      texts.push((await target.ask(path, { credentials, nonce: 'short' })).text);
      texts.push((await target.ask(path, { credentials, timestamp: 1 })).text);
    }
    for (const text of texts) {
      expect(text).not.toContain(credentials.secret);
      expect(text).not.toContain(credentials.key);
    }
  }),

  'Authentication 6: signature method and transport': {
    'HMAC-SHA1 in the Authorization header': async (target) => {
      expect(await statusWith(target, { transport: 'header' })).toBe(200);
    },
    'HMAC-SHA1 in the query': embedded(async (target) => {
      expect(await statusWith(target, { transport: 'query' })).toBe(200);
      const search = `/v2/icon?query=${encodeURIComponent('arrow left & right')}&limit=1`;
      expect(await statusWith(target, { transport: 'query' }, search)).toBe(200);
    }),
    'oauth_version may be left out': embedded(async (target) => {
      expect(await statusWith(target, { changes: { oauth_version: undefined } })).toBe(200);
    }),
    'other methods are refused': embedded(async (target) => {
      for (const oauth_signature_method of ['PLAINTEXT', 'HMAC-SHA256', 'RSA-SHA1', 'hmac-sha1'])
        expect(await statusWith(target, { changes: { oauth_signature_method } })).toBe(401);
    }),
  },
});
