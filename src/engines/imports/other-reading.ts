import type { DateOrder } from './date-cells.ts';
import type { SignConvention } from './analysis.ts';
import type { DecimalSeparator } from './numbers.ts';
import { combinations, provingReadings } from './readings.ts';
import type { Reading, ReadingContext } from './readings.ts';

/** Another reading under which the balances chain, nearest to the chosen one first. */
export function otherProvingReading(
  context: ReadingContext,
  chosen: Reading,
  open: {
    orders: readonly DateOrder[];
    decimals: readonly DecimalSeparator[];
    signs: readonly SignConvention[];
    feeModes: readonly Reading['feeMode'][];
  },
): Reading | null {
  const feeModes = context.facts.amounts[0]?.fee.length ? (['separate', 'included'] as const) : [chosen.feeMode];
  const distance = (reading: Reading): number =>
    Number(reading.order !== chosen.order) +
    Number(reading.decimal !== chosen.decimal) +
    Number(reading.sign !== chosen.sign) +
    Number(reading.feeMode !== chosen.feeMode);
  const others = combinations({ ...open, feeModes })
    .filter((reading) => distance(reading) > 0)
    .sort((a, b) => distance(a) - distance(b));
  for (const reading of others) if (provingReadings(context, [reading]).length > 0) return reading;
  return null;
}

/** The parameters that make the one reading of the other. */
export function differences(
  other: Reading,
  chosen: Reading,
  formatFor: (order: DateOrder) => string,
): { parameter: string; value: string }[] {
  const out: { parameter: string; value: string }[] = [];
  if (other.sign !== chosen.sign) out.push({ parameter: 'sign', value: other.sign });
  if (other.decimal !== chosen.decimal) out.push({ parameter: 'decimal_separator', value: other.decimal });
  if (other.order !== chosen.order) out.push({ parameter: 'date_format', value: formatFor(other.order) });
  if (other.feeMode !== chosen.feeMode) out.push({ parameter: 'fee_mode', value: other.feeMode });
  return out;
}
