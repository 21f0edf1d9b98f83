/** An answer that is not 200. The message is for the caller: it holds no secret and no expected signature. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  toResponse(): Response {
    return Response.json({ message: this.message }, { status: this.status, headers: this.headers });
  }
}

export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} was not found.`);
}
