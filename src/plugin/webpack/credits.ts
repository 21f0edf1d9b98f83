import type { Chunk, Compilation, Compiler } from 'webpack';
import { CREDITS_SLOT } from '../session-types.ts';

/**
 * Writes the credits into the scripts that hold `icon:credits`. Before minifiers run, so that these see the real
 * text, and as a replacement in the source, so that source maps keep their places.
 */
export function fillCredits(
  compilation: Compilation,
  { chunks, text }: { chunks: Iterable<Chunk>; text: string },
): void {
  const { ReplaceSource } = compilation.compiler.webpack.sources;
  const files = new Set<string>();
  for (const chunk of chunks) for (const file of chunk.files) files.add(file);
  for (const file of files) {
    const source = compilation.getAsset(file)?.source;
    const content = source?.source();
    if (source === undefined || typeof content !== 'string') continue;
    const filled = new ReplaceSource(source);
    let found = false;
    for (const start of placesOfSlot(content)) {
      filled.replace(start, start + CREDITS_SLOT.length - 1, text);
      found = true;
    }
    if (found) compilation.updateAsset(file, filled);
  }
}

/**
 * Makes the names of the scripts that hold the credits follow their text. The hash of a chunk is made of its
 * modules, where the text is still open; only `realContentHash` would notice that an icon was added elsewhere.
 */
export function hashCredits(
  compiler: Compiler,
  compilation: Compilation,
  credits: () => { chunks: Set<Chunk>; text: string } | undefined,
): void {
  const hooks =
    compiler.webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(compilation);
  hooks.chunkHash.tap('unplugin-icon-catalog', (chunk, hash) => {
    const known = credits();
    if (known?.chunks.has(chunk) === true) hash.update(known.text);
  });
}

function* placesOfSlot(content: string): Generator<number> {
  for (
    let start = content.indexOf(CREDITS_SLOT);
    start !== -1;
    start = content.indexOf(CREDITS_SLOT, start + CREDITS_SLOT.length)
  ) {
    yield start;
  }
}
