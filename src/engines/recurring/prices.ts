import type { DateOnly } from '../../kernel/dates.ts';
import type { Cents } from '../../kernel/money.ts';
import { CADENCES, type Member, type Rhythm } from './rhythm.ts';

/** A price of a series and the day from which it was paid (contract 10.11). Amounts are absolute. */
export interface PriceStep {
  from: DateOnly;
  cents: Cents;
  currency: string | null;
  /** Whether it was paid more than once, or cannot be expected to be yet. */
  confirmed: boolean;
  transactionId: string;
  /** Against the price before. */
  before: Cents | null;
  yearlyEffectCents: Cents | null;
}

/** The prices of a series with fixed amounts, oldest first. A single odd charge is none. */
export function priceSteps({ amountKind, cadence, occurrences }: Rhythm): PriceStep[] {
  if (amountKind !== 'fixed') return [];
  const isRare = cadence === 'half_yearly' || cadence === 'yearly';
  const runs = runsOf(occurrences);
  const lasting = runs.filter((run, index) => isRare || run.length > 1 || index === runs.length - 1);
  const steps: PriceStep[] = [];
  for (const run of lasting) {
    const [{ id, date, cents, currency }] = run as [Member];
    const previous = steps.at(-1);
    const amount = Math.abs(cents);
    const isConfirmed = isRare || run.length > 1;
    if (previous?.cents === amount) continue;
    const before = previous?.cents ?? null;
    const effect = before === null || cadence === null ? null : (amount - before) * CADENCES[cadence].perYear;
    const found = { from: date, cents: amount, currency, confirmed: isConfirmed, transactionId: id };
    steps.push({ ...found, before, yearlyEffectCents: effect });
  }
  return steps;
}

/** Payments of one amount in a row. */
function runsOf(occurrences: readonly Member[]): Member[][] {
  const runs: Member[][] = [];
  for (const one of occurrences) {
    const run = runs.at(-1);
    if (run?.[0]?.cents === one.cents) run.push(one);
    else runs.push([one]);
  }
  return runs;
}
