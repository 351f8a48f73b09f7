import type { DateOrder } from '../cells/date-cells.ts';
import type { GroupProof } from '../proof/file-proof.ts';
import { combinations, provingInterpretations } from './interpretations.ts';
import type { Interpretation, InterpretationContext, OpenDimensions } from './interpretations.ts';

/**
 * Of the other interpretations under which the balances add up, the one nearest to the chosen one. Both fee modes are
 * tried if there is a fee column, even if the fee mode is settled.
 */
export function alternativeInterpretation(
  context: InterpretationContext,
  chosen: Interpretation,
  open: Omit<OpenDimensions, 'feeModes'>,
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
    if (provingInterpretations(context, [interpretation], addUp).length > 0) return interpretation;
  return null;
}

/** To advise takes less than to decide: one step from balance to balance is enough. */
function addUp(groups: readonly GroupProof[]): boolean {
  return groups.every(({ chain }) => chain.breaks === 0) && groups.some(({ chain }) => chain.movingLinks > 0);
}

/** The request parameters that would select the other interpretation. */
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
