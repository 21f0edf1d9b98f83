import { expect } from 'vitest';
import type { Answer, Target } from './target.ts';

export type Fields = Record<string, unknown>;

/** The fields of an object; fails the test for anything else. */
export function fieldsOf(value: unknown): Fields {
  expect(value).toBeTypeOf('object');
  expect(Array.isArray(value) || value === null).toBe(false);
  return value as Fields;
}

export function listOf(value: unknown): Fields[] {
  expect(Array.isArray(value)).toBe(true);
  return (value as unknown[]).map(fieldsOf);
}

/** The fields of a successful JSON answer. */
export function read({ status, headers, text, body }: Answer): Fields {
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  return fieldsOf(body);
}

export async function get(target: Target, path: string): Promise<Fields> {
  return read(await target.ask(path));
}

export async function statusOf(target: Target, path: string): Promise<number> {
  return (await target.ask(path)).status;
}

/** Refused in whatever way a service says that a parameter is wrong: the interface does not show which. */
export function expectRefusal({ status }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
}

export const MICROSECONDS: RegExp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;
export const SECONDS: RegExp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;
export const HTTP_DATE: RegExp = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

export function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('hex') === '89504e470d0a1a0a';
}

/** Width and height in a PNG's first chunk. */
export function sizeOfPng(bytes: Uint8Array): [number, number] {
  expect(isPng(bytes)).toBe(true);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [view.getUint32(16), view.getUint32(20)];
}

export async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}
