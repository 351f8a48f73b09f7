/** Model money: US dollars on the wire, integer millionths ("micros") inside (contract 60). It never meets ledger money. */

const MICROS = 1_000_000;

export function microsOf(dollars: number): number {
  return Math.round(dollars * MICROS);
}

export function dollarsOf(micros: number): number {
  return micros / MICROS;
}

/** Whether a number of dollars has at most six decimals. */
export function isWholeMicros(dollars: number): boolean {
  return dollarsOf(microsOf(dollars)) === dollars;
}
