/** Days of rows or statements as their file lists them: day numbers or ISO dates. */
type Days = ArrayLike<number> | ArrayLike<string>;

/** How many neighbouring days fall and how many rise from the earlier in the file to the later. */
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

/** Whether a file runs from new to old (36.6.2): more neighbours fall than rise. With as many of both it does not. */
export function isNewestFirst(days: Days): boolean {
  const { falls, rises } = dayStepsOf(days);
  return falls > rises;
}
