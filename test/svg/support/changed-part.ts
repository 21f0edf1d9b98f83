/**
 * In a page of a browser: of each pair of drawings the part of the pixels in which a channel differs by more than
 * rounding, 1 if the browser refuses to draw one of them. It uses nothing from outside, so that it can be sent there as text.
 */
export async function changedPart({
  pairs,
  size,
}: {
  pairs: readonly (readonly [before: string, after: string])[];
  size: number;
}): Promise<number[]> {
  const draw = async (svg: string): Promise<Uint8ClampedArray | undefined> => {
    const image = new Image(size, size);
    // Firefox draws no image without a size of its own.
    const sized = svg.replace(/^<((?:\w+:)?svg)([^>]*)>/, (tag, name, attributes: string) =>
      attributes.includes(' viewBox=')
        ? `<${name}${attributes.replaceAll(/ (?:width|height)="[^"]*"/g, '')} width="${size}" height="${size}">`
        : tag,
    );
    image.src = `data:image/svg+xml,${encodeURIComponent(sized)}`;
    const isDrawn = await image.decode().then(
      () => true,
      () => false,
    );
    if (!isDrawn) return undefined;
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The browser draws nothing.');
    context.drawImage(image, 0, 0, size, size);
    return context.getImageData(0, 0, size, size).data;
  };
  const parts: number[] = [];
  for (const pair of pairs) {
    const [before, after] = await Promise.all(pair.map(draw));
    if (before === undefined || after === undefined) {
      parts.push(1);
      continue;
    }
    let different = 0;
    for (let at = 0; at < before.length; at += 4)
      if (
        [0, 1, 2, 3].some(
          (channel) => Math.abs((before[at + channel] ?? 0) - (after[at + channel] ?? 0)) > 24,
        )
      )
        different += 1;
    parts.push(different / size ** 2);
  }
  return parts;
}