const HEADER = 4;

/** A message on a pipe: its length in bytes (32 bits, big-endian), then itself. */
export function toFrame(message: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(message);
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(bytes.length);
  return Buffer.concat([header, bytes]);
}

/** Takes pieces as a pipe delivers them and calls back with each whole message. */
export function createFrameReader(
  onMessage: (message: Uint8Array) => void,
): (piece: Uint8Array) => void {
  let held = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    while (held.length >= HEADER && held.length >= HEADER + held.readUInt32BE(0)) {
      const end = HEADER + held.readUInt32BE(0);
      onMessage(held.subarray(HEADER, end));
      held = held.subarray(end);
    }
  };
}
