/** The command was written wrongly: exit code 2. The message is a whole sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
