/** `YYYY-MM-DD HH:MM:SS.ffffff`, UTC: `generated_at` of v2. The clock knows milliseconds; the rest is zero. */
export function stampMicroseconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 23).replace('T', ' ')}000`;
}

/** `YYYY-MM-DD HH:MM:SS`, UTC: dates of v1 collections. */
export function stampSeconds(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DD`, UTC: `date_uploaded` of v1 icons. */
export function stampDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
