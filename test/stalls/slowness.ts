/** Processor time of the work below on the machine that the bounds are for, with nothing else running. */
const USUAL_MS = 10;
const TIMES = 5;
const STEPS = 60_000;
const TEXTS = 5_000;

/**
 * How much slower than usual the machine is right now, 1 at least. Programs that share its caches slow it down, and
 * that is no fault of what is measured.
 */
export function slowness(): number {
  const least = Math.min(...Array.from({ length: TIMES }, work));
  return Math.max(1, least / USUAL_MS);
}

function work(): number {
  const start = process.threadCpuUsage();
  const lengths = new Map<string, number>();
  for (let i = 0; i < STEPS; i++) {
    const text = `text ${i % TEXTS}`;
    lengths.set(text, (lengths.get(text) ?? 0) + text.length);
  }
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
