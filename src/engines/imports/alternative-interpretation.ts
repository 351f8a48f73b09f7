import type { DateOrder } from './date-cells.ts';
import type { SignConvention } from './analysis.ts';
import type { DecimalSeparator } from './numbers.ts';
import { combinations, provingInterpretations } from './interpretations.ts';
import type { Interpretation, InterpretationContext } from './interpretations.ts';

/** The interpretation nearest to the chosen one under which the balances chain. */
export function alternativeInterpretation(
  context: InterpretationContext,
  chosen: Interpretation,
  open: {
    orders: readonly DateOrder[];
    decimals: readonly DecimalSeparator[];
    signs: readonly SignConvention[];
    feeModes: readonly Interpretation['feeMode'][];
  },
): Interpretation | null {
  const feeModes = context.parsed.amounts[0]?.fee.length ? (['separate', 'included'] as const) : [chosen.feeMode];
  const distance = (interpretation: Interpretation): number =>
    Number(interpretation.order !== chosen.order) +
    Number(interpretation.decimal !== chosen.decimal) +
    Number(interpretation.sign !== chosen.sign) +
    Number(interpretation.feeMode !== chosen.feeMode);
  const others = combinations({ ...open, feeModes })
    .filter((interpretation) => distance(interpretation) > 0)
    .sort((a, b) => distance(a) - distance(b));
  for (const interpretation of others)
    if (provingInterpretations(context, [interpretation]).length > 0) return interpretation;
  return null;
}

/** The parameters that turn the chosen interpretation into the other. */
export function differences(
  other: Interpretation,
  chosen: Interpretation,
  formatFor: (order: DateOrder) => string,
): { parameter: string; value: string }[] {
  const out: { parameter: string; value: string }[] = [];
  if (other.sign !== chosen.sign) out.push({ parameter: 'sign', value: other.sign });
  if (other.decimal !== chosen.decimal) out.push({ parameter: 'decimal_separator', value: other.decimal });
  if (other.order !== chosen.order) out.push({ parameter: 'date_format', value: formatFor(other.order) });
  if (other.feeMode !== chosen.feeMode) out.push({ parameter: 'fee_mode', value: other.feeMode });
  return out;
}
