import { Logger } from '@farmfe/core';

/** Says nothing, and throws where Farm's own would end the process. */
export class TestLogger extends Logger {
  override info(): void {}
  override warn(): void {}
  override error(message: string | Error): void {
    throw new Error(String(message));
  }
}
