import type { Chunk, Compilation, Compiler } from 'webpack';
import { CREDITS_SLOT } from '../session-types.ts';
import { fillSlot } from './fill-slot.ts';

/** Writes the credits into the scripts that hold `icon:credits`. Before minifiers run, so that these see the real text. */
export function fillCredits(
  compilation: Compilation,
  {
    chunks,
    text,
    slot = CREDITS_SLOT,
  }: {
    chunks: Iterable<Chunk>;
    text: string;
    /** What stands there. */
    slot?: string;
  },
): void {
  const files = new Set<string>();
  for (const chunk of chunks) for (const file of chunk.files) files.add(file);
  fillSlot(compilation, { files, slot, text });
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
