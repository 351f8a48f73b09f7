/**
 * Money is integer hundredths of its currency from parse to print; a float never holds an amount.
 * One amount fits a safe integer; sums may not, so totals travel as bigint.
 */
export type Cents = number;

/** The range of NUMERIC(12,2): ±9,999,999,999.99. */
export const MAX_CENTS = 999_999_999_999;

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/;

/**
 * Reads a plain decimal: optional minus, digits, at most two decimals.
 * Returns undefined for anything else (exponents, `Inf`, a third decimal) and beyond the range.
 */
export function parseCents(value: string | number): Cents | undefined {
  const text = typeof value === 'number' ? plainDecimal(value) : value;
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const units = Number(match[2]);
  const cents = units * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  if (cents > MAX_CENTS) return undefined;
  return match[1] === '-' && cents !== 0 ? -cents : cents;
}

/** The shortest text of a JSON number; its decimals are those the sender wrote. */
function plainDecimal(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

/** Hundredths as a decimal string with exactly two digits: -50 → "-0.50". */
export function formatCents(cents: Cents | bigint): string {
  const negative = cents < 0;
  const digits = String(negative ? -cents : cents).padStart(3, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** total / count rounded half away from zero to whole hundredths (10.5.5). */
export function averageCents(total: bigint, count: bigint): bigint {
  const magnitude = total < 0n ? -total : total;
  const rounded = (2n * magnitude + count) / (2n * count);
  return total < 0n ? -rounded : rounded;
}

/** How much a change is of the amount before, in percent with one decimal, half away from zero; null of nothing. */
export function percentText(change: Cents | bigint, before: Cents | bigint): string | null {
  const base = BigInt(before);
  if (base === 0n) return null;
  const tenths = averageCents(BigInt(change) * 1000n, base < 0n ? -base : base);
  const digits = String(tenths < 0n ? -tenths : tenths).padStart(2, '0');
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`;
}
