/** Why nothing was taken back, and what to send. Of the conflicts, `workedOnCount` are rows that people worked on. */
export function sayConflict(conflictCount: number, workedOnCount: number): string {
  const otherCount = conflictCount - workedOnCount;
  const have = otherCount === 1 ? 'has' : 'have';
  if (workedOnCount === 0) {
    const entities = otherCount === 1 ? 'entity' : 'entities';
    return `${otherCount} ${entities} ${have} changed since, so nothing was taken back. Look at the details, or send on_conflict "skip" to leave them.`;
  }
  const others = otherCount === 0 ? '' : ` ${otherCount} more ${have} changed since; either choice leaves them.`;
  return `Nothing was taken back. ${sayWork(workedOnCount)}${others}`;
}

/** How many rows of an import hold work that nobody should lose unasked, and what can be chosen for them. */
export function sayWork(workedOnCount: number): string {
  const [rows, them] =
    workedOnCount === 1
      ? ['1 row has work of people on it', 'it']
      : [`${workedOnCount} rows have work of people on them`, 'them'];
  return `${rows}, such as a category, a tag or a comment. Send on_conflict "skip" to leave ${them} and take back the rest, or "force" to take ${them} out too: the work stays on ${them} and returns when the revert is undone.`;
}
