export const NS = 'xmlns="http://www.w3.org/2000/svg"';
export const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
export const HTML = 'http://www.w3.org/1999/xhtml';
export const RUN = 'alert(1)';
export const FETCH = 'https://evil.example/x';
/** Something that is drawn, so that a file is not refused for being empty. */
export const SHAPE = '<path d="M2 2h9v9z"/>';
export const AREA = '<rect width="24" height="24"/>';

/** By name; text is UTF-8. */
export type Family = Record<string, string | Uint8Array>;

export function file(body: string, attributes = 'viewBox="0 0 24 24"'): string {
  return `<svg ${NS} ${XLINK} ${attributes}>${body}</svg>`;
}

export function many(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

/** Every payload in every place. */
export function cross(
  name: string,
  payloads: readonly string[],
  places: Record<string, (payload: string) => string>,
): Family {
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, put]) =>
      payloads.map((payload, index) => [`${name} ${place} ${index}`, put(payload)]),
    ),
  );
}