/** Days of rows or statements in the order of the file: day numbers or ISO dates. */
type Days = ArrayLike<number> | ArrayLike<string>;

/** How often a day is earlier than the one before it in the file, and how often later. */
export function dayStepsOf(days: Days): { falls: number; rises: number } {
  let falls = 0;
  let rises = 0;
  for (let i = 1; i < days.length; i++) {
    const day = days[i] as number | string;
    const previous = days[i - 1] as number | string;
    if (day < previous) falls++;
    else if (day > previous) rises++;
  }
  return { falls, rises };
}

/** Whether a file lists the newest rows first (36.6.2): days fall more often than they rise. */
export function isNewestFirst(days: Days): boolean {
  const { falls, rises } = dayStepsOf(days);
  return falls > rises;
}
