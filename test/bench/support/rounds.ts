/** Runs every variant once a round, in turn, so that what else the machine does falls on all of them alike. */
export async function inRounds<Variant extends string, Result>(
  variants: readonly Variant[],
  rounds: number,
  measure: (variant: Variant) => Promise<Result>,
): Promise<Record<Variant, Result[]>> {
  const results = Object.fromEntries(variants.map((variant) => [variant, []])) as unknown as Record<
    Variant,
    Result[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    // Each round begins with another one, so that none always follows the same neighbour.
    for (let step = 0; step < variants.length; step += 1) {
      const variant = variants[(round + step) % variants.length]!;
      results[variant].push(await measure(variant));
    }
  }
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Median of the ratios within each round: what slows down a round slows down both. */
export function medianRatio(values: readonly number[], floor: readonly number[]): number {
  return median(values.map((value, round) => value / (floor[round] ?? Number.NaN)));
}

/**
 * Ratio of the quickest rounds: what else a machine did made none of them quicker, so this one says what the work takes
 * where medians say what the machine was like.
 */
export function quickestRatio(values: readonly number[], floor: readonly number[]): number {
  return Math.min(...values) / Math.min(...floor);
}
