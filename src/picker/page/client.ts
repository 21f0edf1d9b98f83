import type { Costs, Opened, PickerError, Questions } from '../api.ts';

/** Calls of the handler. The token comes from the address once and stays in this tab. */

const TOKEN = 'icon-catalog:token';
const base = new URL('.', document.baseURI);

/** An answer that is no success, or none at all (`GONE`). */
export class Failure extends Error {
  override readonly name = 'Failure';

  readonly detail: PickerError['error'];
  readonly costs: Costs | undefined;

  constructor(detail: PickerError['error'], costs?: Costs) {
    super(detail.message);
    this.detail = detail;
    this.costs = costs;
  }
}

/**
 * Keeps the token of `#t=…` and takes it out of the address and of the history.
 * @returns false: the address has none
 */
export function keepToken(): boolean {
  const isTaken = takeToken(location.hash);
  if (isTaken) history.replaceState(history.state, '', location.pathname + location.search);
  return isTaken;
}

/**
 * Keeps the token of an address.
 * @returns false: it has none
 */
export function takeToken(address: string): boolean {
  const token = new URLSearchParams(address.trim().split('#')[1]).get('t');
  if (token === null) return false;
  sessionStorage.setItem(TOKEN, token);
  return true;
}

const OPENED: Opened = { opened: true };

const GONE = {
  code: 'GONE',
  message: 'The dev server does not answer.',
  remedy: 'Start it again; this page connects by itself.',
};

/** The page has had an answer since it was loaded. */
let isAnswered = false;

export async function post<Name extends keyof Questions>(
  name: Name,
  body: Questions[Name][0],
  signal?: AbortSignal,
): Promise<Questions[Name][1]> {
  let response: Response;
  let answer: Questions[Name][1];
  try {
    response = await fetch(new URL(`api/${name}`, base), {
      method: 'POST',
      headers: {
        // A header takes no other letters: what was pasted is refused by the server, as each wrong token is.
        authorization: `Bearer ${encodeURIComponent(sessionStorage.getItem(TOKEN) ?? '')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...body, ...(!isAnswered && OPENED) }),
      ...(signal && { signal }),
    });
    answer = (await response.json()) as Questions[Name][1];
    isAnswered = true;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Failure(GONE);
  }
  if (response.ok) return answer;
  const { error, costs } = answer as Partial<PickerError>;
  throw new Failure(
    error ?? {
      code: String(response.status),
      message: `The dev server answered ${response.status}.`,
    },
    costs,
  );
}

/** Absolute, because a style sheet resolves addresses against itself. */
export function thumbAddress(thumb: string): string {
  const url = new URL(thumb, base);
  return url.origin === base.origin ? url.href : '';
}
