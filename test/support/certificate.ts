import { createSign, generateKeyPairSync } from 'node:crypto';

/** DER (ITU-T X.690): a tag, a length, and bytes or further values. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), body]);
  const length = size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (part: Uint8Array): Buffer => der(0x04, part);
const bits = (part: Uint8Array): Buffer => der(0x03, Buffer.from([0]), part);
const number = (value: number): Buffer => der(0x02, Buffer.from([value]));

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const ALTERNATIVE_NAMES = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');

/** A certificate of `localhost` and 127.0.0.1 that signs itself (RFC 5280), and its key, both in PEM. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('unplugin-icon-catalog tests')))),
  );
  const day = (text: string): Buffer => der(0x17, Buffer.from(`${text}0101000000Z`.slice(2)));
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const signed = sequence(
    der(0xa0, number(2)),
    number(1),
    ECDSA_SHA256,
    name,
    sequence(day('2020'), day('2049')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(ALTERNATIVE_NAMES, octets(names)),
        sequence(BASIC_CONSTRAINTS, octets(isAuthority)),
      ),
    ),
  );
  const signature = createSign('sha256').update(signed).sign(privateKey);
  const base64 = sequence(signed, ECDSA_SHA256, bits(signature)).toString('base64');
  const lines = base64.replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
