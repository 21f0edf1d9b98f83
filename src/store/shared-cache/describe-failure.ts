import { explainCode } from '../reason-of.ts';

/** An answer of an S3-compatible service that is neither a success nor a miss. */
export class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Full, forbidden or not to be written, as the file system says it. */
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EFBIG']);
/** First word of a Redis error: `OOM command not allowed …`. */
const REDIS_WORD = /^[A-Z]{3,20}\b/;

/** True where a write was understood and turned down, so that reading may go on. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof HttpFailure) return error.status >= 400 && error.status < 500;
  if (!(error instanceof Error)) return false;
  return isRedisReply(error) || REFUSED.has(String(codeOf(error)));
}

/** Why, in a few words. Messages of others are not repeated: they hold addresses. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof HttpFailure || error.message.startsWith('no answer within'))
    return error.message;
  if (isRedisReply(error)) {
    const word = REDIS_WORD.exec(error.message)?.[0];
    if (word !== undefined) return MEANINGS[word] ?? word;
  }
  const code = codeOf(error);
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return explainCode(code);
  if (error.cause !== undefined) return describeFailure(error.cause);
  return /connection is closed/i.test(error.message) ? 'the connection was closed' : 'it failed';
}

const MEANINGS: Partial<Record<string, string>> = {
  OOM: 'it is full (OOM)',
  NOAUTH: 'it asks for a password (NOAUTH)',
  WRONGPASS: 'it does not know the user or password (WRONGPASS)',
  NOPERM: 'the user may not do this (NOPERM)',
  READONLY: 'it is a replica that takes no writes (READONLY)',
};

function isRedisReply(error: Error): boolean {
  return error.name === 'ReplyError';
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
