import type { Compilation } from 'webpack';

/** Writes a text in place of a slot, as a replacement in the source, so that source maps keep their places. */
export function fillSlot(
  compilation: Compilation,
  { files, slot, text }: { files: Iterable<string>; slot: string; text: string },
): void {
  const { RawSource, ReplaceSource } = compilation.compiler.webpack.sources;
  for (const file of files) {
    const source = compilation.getAsset(file)?.source;
    const content = source?.source();
    if (source === undefined || typeof content !== 'string') continue;
    const filled = new ReplaceSource(source);
    let found = false;
    for (const start of placesOf(slot, content)) {
      filled.replace(start, start + slot.length - 1, text);
      found = true;
    }
    if (!found) continue;
    const whole = filled.source();
    // webpack's sources disagree with themselves where its own CSS took modules out of a script, and minifiers read
    // the other answer.
    const isSound = filled.sourceAndMap().source === whole;
    compilation.updateAsset(file, isSound ? filled : new RawSource(whole));
  }
}

function* placesOf(slot: string, content: string): Generator<number> {
  for (
    let start = content.indexOf(slot);
    start !== -1;
    start = content.indexOf(slot, start + slot.length)
  ) {
    yield start;
  }
}
