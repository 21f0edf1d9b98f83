import { Agent } from 'undici';
import { afterEach, expect, it, vi } from 'vitest';

const AGENT = 'undici/lib/dispatcher/agent.js';

afterEach(() => {
  vi.doUnmock(AGENT);
  vi.resetModules();
});

it('takes the two parts that calls need where this version keeps them', async () => {
  const index = vi.fn(() => ({}));
  vi.doMock('undici', index);
  const { loadUndici } = await import('../../src/catalog/undici-wire.ts');
  const undici = await loadUndici();
  vi.doUnmock('undici');
  expect(undici.Agent).toBe(Agent);
  expect(undici.request).toBeTypeOf('function');
  expect(index).not.toHaveBeenCalled();
});

it('loads a version whole that keeps the parts elsewhere', async () => {
  vi.doMock(AGENT, () => {
    throw Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
  });
  const { loadUndici } = await import('../../src/catalog/undici-wire.ts');
  const undici = await loadUndici();
  expect(undici.Agent).toBe(Agent);
  expect(undici.request).toBe(Agent.prototype.request);
});
