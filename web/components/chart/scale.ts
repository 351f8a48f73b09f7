/** Where values are on an axis, and the round ones that are written beside it. */
export interface Scale {
  ticks: readonly number[];
  /** The part of the axis below a value, from 0 to 1. */
  at: (value: number) => number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** An axis that holds all values and begins and ends with a round one. */
export function roundScale(values: readonly number[], { fromZero = false, about = 4 } = {}): Scale {
  const [lowest, highest] = extent(fromZero ? [0, ...values] : values);
  const step = roundStep((highest - lowest) / about);
  const [first, last] = [Math.floor(lowest / step), Math.ceil(highest / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const [bottom, top] = [first * step, last * step];
  return { ticks, at: (value) => (value - bottom) / (top - bottom) };
}

/** The lowest and highest value, a little apart even if all are equal. */
function extent(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  if (lowest < highest) return [lowest, highest];
  const around = Math.abs(lowest) / 10 || 1;
  return [lowest - around, highest + around];
}

function roundStep(least: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  return magnitude * (STEPS.find((step) => step * magnitude >= least) as number);
}

/** Which of `count` labels to write so that each has enough room: always the last one, the others at equal distances. */
export function labelled(count: number, width: number, room: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil((count * room) / Math.max(width, 1)));
  return new Set(
    Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0),
  );
}
