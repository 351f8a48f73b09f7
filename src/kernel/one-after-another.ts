/** Steps that run one at a time, in order. */
export interface StepQueue {
  /** Starts a step once the one before it is done. Rejects if that failed. */
  next(step: () => Promise<void>): Promise<void>;
  /** What was made while a step ran. If both fail, the step is the reason. */
  unlessFailed<T>(made: Promise<T>): Promise<T>;
  /** Resolves when the last step is done. */
  settled(): Promise<void>;
}

/**
 * Steps that the caller does not wait for: while a database server stores some rows, the next ones are made ready. No
 * step starts after one that failed, and a failure that nobody is waiting for yet is kept for whoever asks next.
 */
export function oneAfterAnother(): StepQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    async next(step) {
      await last;
      last = step();
      last.catch(() => undefined);
    },
    unlessFailed: (made) =>
      made.catch(async (error: unknown) => {
        await last;
        throw error;
      }),
    settled: () => last,
  };
}
