/** When it is over, however it ended: whoever needs the outcome asks again, and hears of the error then. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
