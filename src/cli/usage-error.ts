/** The command was written wrongly: exit code 2. The message is a whole sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The words of the command whose help has the answer, where they are not those that were found. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}
