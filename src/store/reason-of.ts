/** What codes of the system mean to who did not look them up. */
const MEANINGS: Partial<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'not permitted',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the user has no space left',
  EFBIG: 'the file would be too large',
  ENOENT: 'its folder is missing and cannot be made',
  EEXIST: 'a file lies where a folder should be',
  ENOTDIR: 'a file lies where a folder should be',
  EISDIR: 'a folder lies where a file should be',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was ended',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
};

/** Why a file, or a server, could not be had: the code, and what it means. Messages of others hold paths and addresses. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? explainCode(code) : 'unknown reason';
}

/** `ENOSPC, the disk is full`; a code that is not known stands alone. */
export function explainCode(code: string): string {
  const meaning = MEANINGS[code];
  return meaning === undefined ? code : `${code}, ${meaning}`;
}
