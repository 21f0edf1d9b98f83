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
  // 2000::/3 is all that is given out; 2001:db8::/32 is for examples.
  return first >= 0x2000 && first <= 0x3fff && !(first === 0x2001 && second === 0xdb8);
}
