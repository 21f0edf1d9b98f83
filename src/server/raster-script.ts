/** First byte of an answer: what follows is a PNG file. */
export const DRAWN = 0;
/** The renderer refused the markup. */
export const REFUSED = 1;
/** The renderer could not be loaded. */
export const UNLOADABLE = 2;

/**
 * The program of the child that draws. Frames in: the path of the renderer, then drawings; frames out: one answer for
 * each drawing. It is text, handed over with `-e`, because bundled code has no file of its own to start; it asks for
 * nothing but built-in modules, so that Node.js (CommonJS or not) and Bun run it as it stands.
 *
 * Drawing happens on a thread of the pool: the main thread stays awake and ends the process, whatever the renderer is
 * busy with, as soon as the pipe from the parent closes. An ordinary exit would wait for that thread.
 */
export const RASTER_SCRIPT: string = `
const { createRequire } = process.getBuiltinModule('node:module');
const end = () => process.kill(process.pid, 'SIGKILL');
let renderer;
let held = Buffer.alloc(0);

function answer(kind, png = Buffer.alloc(0)) {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(1 + png.length);
  header[4] = kind;
  process.stdout.write(Buffer.concat([header, png]));
}

async function draw(svg) {
  let renderAsync;
  try {
    ({ renderAsync } = createRequire(renderer)(renderer));
  } catch {
    return answer(${UNLOADABLE});
  }
  try {
    const image = await renderAsync(svg, { font: { loadSystemFonts: false }, logLevel: 'off' });
    answer(${DRAWN}, image.asPng());
  } catch {
    answer(${REFUSED});
  }
}

process.stdin.on('data', (piece) => {
  held = Buffer.concat([held, piece]);
  while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
    const size = 4 + held.readUInt32BE(0);
    const message = held.subarray(4, size).toString();
    held = held.subarray(size);
    if (renderer === undefined) renderer = message;
    else draw(message);
  }
});
process.stdin.on('end', end).on('error', end);
process.stdout.on('error', end);
`;
