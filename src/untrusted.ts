/*
 * Values and texts from outside: what they are, and what of them is used. Nothing here needs Node.js, as credits are drawn in
 * browsers, too.
 */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined` for a text that is not JSON. Editors of Windows may have put a byte order mark before it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}

/** Names that never leave a network: RFC 6761, RFC 6762, RFC 8375, and what routers and companies use. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|home\.arpa|corp|private)$/;

/**
 * Whether everybody can reach a host: false for loopback, private, link-local and reserved addresses, for names without a dot and
 * for names of local networks. Nothing is looked up.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return isPublicV6(host.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return isPublicV4(host.split('.').map(Number));
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** The name in a Host header or an authority, without port and brackets; `undefined` for what is none. */
export function hostName(host: string): string | undefined {
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : undefined;
}

/**
 * True for this machine's own names and for IP addresses. Any other name may belong to a website, which can have it lead
 * here once its page is open (DNS rebinding).
 *
 * @param name as `hostName` gives it
 */
export function isUnboundName(name: string): boolean {
  const isAddress = name.includes(':') || /^\d+(?:\.\d+){3}$/.test(name);
  return isAddress || name === 'localhost' || name.endsWith('.localhost');
}

/** RFC 6890 and the registries that follow it. */
function isPublicV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127;
  if (a === 169) return b !== 254;
  if (a === 172) return b < 16 || b > 31;
  if (a === 192) return b !== 168 && !(b === 0 && (c === 0 || c === 2));
  if (a === 198) return b !== 18 && b !== 19 && !(b === 51 && c === 100);
  return !(a === 203 && b === 0 && c === 113);
}

function isPublicV6(address: string): boolean {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
  const [first = 0, second = 0] = groups;
  const [high = 0, low = 0] = groups.slice(6);
  const v4 = [high >> 8, high & 255, low >> 8, low & 255];
  // IPv4 inside: mapped, and translated by NAT64.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return isPublicV4(v4);
  if (first === 0x64 && second === 0xff9b) return isPublicV4(v4);
  // 6to4 (RFC 3056) has its IPv4 address at the front.
  if (first === 0x2002) return isPublicV4([second >> 8, second & 255, (groups[2] ?? 0) >> 8]);
  // 2000::/3 is all that is given out; in it, 2001:db8::/32 is for examples and 2001::/32 is Teredo, which hides an IPv4 address.
  return first >= 0x2000 && first <= 0x3fff && !(first === 0x2001 && [0, 0xdb8].includes(second));
}

// Embedding, override and isolate controls, marks and the byte order mark: one of them in an untrusted name could turn round the words after it.
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
// Line separators and controls of both ranges count as white space.
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// ASCII, Latin letters and typographic marks: nothing has to be removed from them, and nearly every text has only these.
const HARMLESS = /^[\x21-\x7e\u00c0-\u024f‘’“”–—…]+(?: [\x21-\x7e\u00c0-\u024f‘’“”–—…]+)*$/;

/** An untrusted text as one line of plain text: no break, no control, no direction mark. May be empty. */
export function toPlainLine(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    .replace(BIDI_CONTROLS, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(BREAKS, ' ')
    .trim();
}

/** The same for a text that stands inside a sentence: right-to-left words are isolated, so that they do not reorder it. */
export function toIsolatedLine(text: string): string {
  if (HARMLESS.test(text)) return text;
  const line = toPlainLine(text);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** Ends before a bracket that the address did not open. */
const ADDRESS = /https?:\/\/(?:[^\s<>"'“”‘’()]|\([^\s<>"'“”‘’()]*\))+/gi;

/** A text in parts, every second one of which is a web address that everybody can reach. */
export function splitAddresses(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    // The full stop is the sentence's own.
    const address = found.replace(/[.,;:!?]+$/, '');
    if (!URL.canParse(address) || !isPublicHost(new URL(address).hostname)) continue;
    parts.push(text.slice(end, index), address);
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}

/** Order of UTF-16 code units: the same on every machine and in every locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Characters that an HTML document may not hold, lone surrogates and the carriage return (which parsers rewrite) included.
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]|\p{Surrogate}/gu;
const SPECIAL = /[&<>"'`]/g;
const HARMLESS_HTML = /^[\w .,:;/()‘’“”–—…\u00c0-\u024f-]*$/;

/** An untrusted text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  if (HARMLESS_HTML.test(text)) return text;
  return toHtmlText(text).replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}

/** An untrusted text as a document can hold it. The caller must escape it. */
export function toHtmlText(text: string): string {
  return HARMLESS_HTML.test(text) ? text : text.replace(FORBIDDEN, '\ufffd');
}

/** Texts that are remembered of each kind. */
const MANY = 200;

/** Keeps what a pure function makes of a text: records of thousands of icons repeat a few texts and addresses. */
export function remember<Value>(make: (text: string) => Value): (text: string) => Value {
  const memory = new Map<string, Value>();
  return (text) => {
    const known = memory.get(text);
    if (known !== undefined || memory.has(text)) return known as Value;
    const made = make(text);
    if (memory.size >= MANY) memory.clear();
    memory.set(text, made);
    return made;
  };
}
