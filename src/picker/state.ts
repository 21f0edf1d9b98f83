import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIconCatalogError } from '../errors.ts';
import type { WrittenFile } from '../project/add-icons.ts';
import type { SourcePlace } from '../project/references.ts';
import type { Costs, PickerError } from './api.ts';

/** The folder below a server's base that belongs to the picker. */
export const MOUNT = '/__icon-catalog/';

/** An error that the page gets as it is. Its message holds no secret and no signed address. */
export class PickerRefusal extends Error {
  readonly status: number;
  readonly body: PickerError['error'];
  constructor(status: number, body: PickerError['error']) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** Signed calls that a session may make before it asks. */
const BUDGET = 40;
/** Milliseconds after which the address of a thumbnail is not used: the catalog lets it die within the hour. */
const ADDRESS_LIFE = 55 * 60 * 1000;

/**
 * What a process remembers of its picker: the token that its page must send, and what all tabs share. It survives a
 * restart of the dev server within the process, as a change of the bundler's configuration brings one.
 */
export interface PickerState {
  readonly token: string;
  /** True for the token of this process; takes the same time for all others. */
  isToken(given: string): boolean;
  /** Signs the names of thumbnails: only answers to the page give them. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
  /**
   * To be called before each signed call.
   * @throws PickerRefusal if the budget of the session is spent; the error that has stopped all calls
   */
  meter(): void;
  /** Notes an error after which no call is made any more: a spent quota, a refused key. */
  noteFailure(error: unknown): void;
  /** The page was loaded again: calls that an error stopped are tried again. */
  resume(): void;
  allowMore(): object;
  readonly calls: number;
  costs(calls: number, left: number | undefined): Costs;
  /** Remembers the addresses of thumbnails, which appear in no answer. */
  noteAddress(id: string, address: string): void;
  addressOf(id: string): string | undefined;
  /** The number of a place in the sources; the same for the same place. */
  numberOf(place: SourcePlace): number;
  place(use: number): SourcePlace | undefined;
  /** Files of writes that can be reversed. */
  readonly undos: Map<string, { files: readonly WrittenFile[] }>;
  /** Answers of the last writes, by the names that the page gave them. */
  readonly answered: Map<string, object>;
  /** The last write; the next one waits for it. */
  writing: Promise<unknown>;
  /** The address that the terminal shows. A server that starts again shows the same one only once. */
  shown: string | undefined;
  /** Hashes of the configuration as this session has read and written it, without a change by others between. */
  written: string[];
}

export function createPickerState({
  budget = BUDGET,
  now = Date.now,
}: { budget?: number | undefined; now?: () => number } = {}): PickerState {
  const token = randomBytes(24).toString('base64url');
  const secret = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  const sign = (text: string): string => digest(`thumbnail ${text}`).toString('hex').slice(0, 32);
  const addresses = new Map<string, { address: string; at: number }>();
  const places: SourcePlace[] = [];
  const numbers = new Map<string, number>();
  let calls = 0;
  let allowed = budget;
  let stopped: { error: unknown; shown: NonNullable<Costs['stopped']> } | undefined;

  return {
    token,
    isToken: (given) => timingSafeEqual(digest(given), digest(token)),
    sign,
    isSigned: (text, signature) => timingSafeEqual(digest(signature), digest(sign(text))),
    meter() {
      if (stopped !== undefined) throw stopped.error;
      if (calls >= allowed) {
        throw new PickerRefusal(402, {
          code: 'BUDGET',
          message: `${calls} calls were made in this session, which are as many as it may make without asking.`,
          remedy: `Allow ${budget} more.`,
        });
      }
      calls += 1;
    },
    noteFailure(error) {
      if (!isIconCatalogError(error)) return;
      const { code, reason, renewsAt, path } = error;
      const isStop = code === 'CATALOG_USAGE_LIMIT' || code === 'CATALOG_UNAUTHORIZED';
      if (!isStop || path !== undefined) return;
      const renews = renewsAt && { renewsAt: renewsAt.toISOString() };
      stopped ??= { error, shown: { code, message: reason, ...renews } };
    },
    resume() {
      stopped = undefined;
    },
    allowMore() {
      allowed = calls + budget;
      return {};
    },
    get calls() {
      return calls;
    },
    costs: (made, left) => ({
      calls: made,
      session: calls,
      budget: allowed,
      ...(left !== undefined && { left }),
      ...(stopped && { stopped: stopped.shown }),
    }),
    noteAddress: (id, address) => void addresses.set(id, { address, at: now() }),
    addressOf(id) {
      const known = addresses.get(id);
      return known !== undefined && now() - known.at < ADDRESS_LIFE ? known.address : undefined;
    },
    numberOf({ file, line, column }) {
      const key = `${file}:${line}:${column}`;
      const known = numbers.get(key) ?? places.push({ file, line, column }) - 1;
      numbers.set(key, known);
      return known;
    },
    place: (use) => places[use],
    undos: new Map(),
    answered: new Map(),
    writing: Promise.resolve(),
    shown: undefined,
    written: [],
  };
}
