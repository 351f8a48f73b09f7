import { expect } from 'vitest';

const MOST_MS = 2_000;

/** Runs what must not take long, whatever it is given. Time of the processor counts: other programs may be busy. */
export function expectAtOnce(run: () => void): void {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(MOST_MS);
}
