import { z } from 'zod';

import { Code, CurrencyCode, DateOnly, Id, Money } from '../../../contract/common.ts';
import { doubledPayments, type Doubled, type Payment } from '../../../engines/recurring/doubled.ts';
import { addMonths, todayIn, type DateOnly as Day } from '../../../kernel/dates.ts';
import { formatCents } from '../../../kernel/money.ts';
import { householdZone } from '../../config/index.ts';
import type { ReadContext } from '../../handler.ts';
import { toPrice } from '../../series/index.ts';
import { SeriesType } from '../../series/series.contract.ts';
import { readFilters, resolveFilters, selectAccountFacts, transactionsById } from '../../transactions/index.ts';
import { compactTransaction, ListedTransaction } from '../parts/compact-transaction.ts';
import { seriesOfHousehold, YearlyTotal, yearlyTotals, type HouseholdSeries } from '../parts/series-of-household.ts';
import { textOrList } from '../parts/transaction-filters.ts';
import { defineReadTool } from '../tool.ts';

const MONTHS = 12;

const seriesFields = {
  series_id: Id,
  name: z.string(),
  type: SeriesType,
  account_id: Id.nullable(),
};
const PriceChange = z.object({
  ...seriesFields,
  date: DateOnly,
  old_amount: Money,
  new_amount: Money,
  iso_currency_code: CurrencyCode.nullable(),
  change: Money,
  percent: Code.nullable(),
  yearly_effect: Money.nullable(),
  confirmed: z.boolean(),
  transaction_id: Id,
});
const Missing = z.object({
  ...seriesFields,
  last_date: DateOnly,
  last_amount: Money,
  iso_currency_code: CurrencyCode.nullable(),
  expected_date: DateOnly.nullable(),
  yearly_cost: Money.nullable(),
});
const Twice = z.object({
  ...seriesFields,
  other_series_id: Id.nullable(),
  amount: Money,
  iso_currency_code: CurrencyCode.nullable(),
  transactions: z.array(ListedTransaction),
});

export const auditBills = defineReadTool({
  name: 'audit_bills',
  title: 'Check recurring bills',
  description:
    'What to know about subscriptions, bills and loans since a day (default: 12 months ago): price_changes, dearest for a year first ' +
    '(confirmed false: seen once); late: the next payment has not come; ended: no longer paid; doubled: possibly charged twice, with ' +
    'both rows. Only rows that are in a series are looked at. direction: out (default), in or any.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    since: DateOnly.optional(),
    direction: z.enum(['out', 'in', 'any']).default('out'),
    user_id: textOrList,
    account_id: textOrList,
  },
  output: {
    price_changes: z.array(PriceChange),
    late: z.array(Missing),
    ended: z.array(Missing),
    doubled: z.array(Twice),
    yearly_totals: z.array(YearlyTotal),
  },
  operations: ['listSeries', 'listSeriesPrices'],
  examples: [{ arguments: {}, says: 'What became dearer, what was not paid, and what was charged twice?' }],
  run: async (context, { since: given, direction, ...accounts }) => {
    const { tx, instance } = context;
    const since = given ?? addMonths(todayIn(await householdZone(tx), instance.clock), -MONTHS);
    const isWanted = await ownedBy(context, accounts);
    const all = (await seriesOfHousehold(context)).filter(
      (one) => (direction === 'any' || one.reading.rhythm.direction === direction) && isWanted(one),
    );
    const missing = all.filter(({ reading }) => reading.status !== 'active').sort(byExpectedDate);
    const ended = missing.filter((one) => one.reading.status === 'ended' && (missedDate(one) ?? '') >= since);
    return {
      price_changes: all
        .flatMap((one) => priceChanges(one, since))
        .sort(byEffect)
        .map(({ shown }) => shown),
      late: missing.filter(({ reading }) => reading.status === 'late').map(missingOf),
      ended: ended.map(missingOf),
      doubled: await doubledOf(context, all, since),
      yearly_totals: yearlyTotals(all),
    };
  },
});

/** Whether the newest payment of a series is of these accounts, and of these members. @throws INVALID_PARAMETER */
async function ownedBy(
  { tx }: ReadContext,
  accounts: Readonly<Record<string, unknown>>,
): Promise<(one: HouseholdSeries) => boolean> {
  const { accountIds, owner } = await resolveFilters(tx, readFilters(accounts), 'include');
  return ({ reading: { rhythm } }) => {
    const { accountId = '', attributedUserId = null } = rhythm.last ?? {};
    if (accountIds && !accountIds.includes(accountId)) return false;
    if (!owner) return true;
    return attributedUserId === null ? owner.accountIds.includes(accountId) : owner.userIds.includes(attributedUserId);
  };
}

function fieldsOf({ id, name, type, reading }: HouseholdSeries): Record<string, unknown> {
  return { series_id: id, name, type, account_id: reading.rhythm.last?.accountId ?? null };
}

interface Change {
  effect: number | null;
  date: Day;
  shown: object;
}

function priceChanges(one: HouseholdSeries, since: Day): Change[] {
  return one.reading.steps.flatMap((step) => {
    if (step.before === null || step.from < since) return [];
    const { from: date, amount, ...price } = toPrice(step);
    const amounts = { date, old_amount: formatCents(step.before), new_amount: amount };
    return [{ effect: step.yearlyEffectCents, date, shown: { ...fieldsOf(one), ...amounts, ...price } }];
  });
}

/** The largest rise first; those whose effect is not known last. */
function byEffect(a: Change, b: Change): number {
  if (a.effect !== b.effect) return a.effect === null ? 1 : b.effect === null ? -1 : b.effect - a.effect;
  return a.date < b.date ? 1 : a.date > b.date ? -1 : 0;
}

/** The first payment that did not come; without a rhythm, the last that did. */
function missedDate({ reading: { rhythm } }: HouseholdSeries): Day | null {
  return rhythm.nextExpectedDate ?? rhythm.last?.date ?? null;
}

function byExpectedDate(a: HouseholdSeries, b: HouseholdSeries): number {
  return (missedDate(a) ?? '') < (missedDate(b) ?? '') ? -1 : 1;
}

function missingOf(one: HouseholdSeries): object {
  const { last, nextExpectedDate, yearlyCents } = one.reading.rhythm;
  return {
    ...fieldsOf(one),
    last_date: last?.date ?? null,
    last_amount: last && formatCents(last.cents),
    iso_currency_code: last?.currency ?? null,
    expected_date: nextExpectedDate,
    yearly_cost: yearlyCents === null ? null : formatCents(yearlyCents),
  };
}

/** Newest first. Copies of a shared card are no second charge. */
async function doubledOf({ tx }: ReadContext, all: readonly HouseholdSeries[], since: Day): Promise<object[]> {
  const facts = await selectAccountFacts(tx);
  const copies = new Set(facts.filter((account) => account.is_dependent_linked === 1).map(({ id }) => id));
  const payments = all.flatMap(({ reading: { rhythm } }) =>
    rhythm.occurrences
      .filter(({ accountId }) => !copies.has(accountId))
      .map((one): Payment => ({ ...one, typicalIntervalDays: rhythm.typicalIntervalDays })),
  );
  const pairs = doubledPayments(payments).filter(({ later }) => later.date >= since);
  pairs.sort((a, b) => (a.later.date === b.later.date ? 0 : a.later.date < b.later.date ? 1 : -1));
  const rows = await transactionsById(
    tx,
    pairs.flatMap(({ earlier, later }) => [earlier.id, later.id]),
  );
  const series = new Map(all.map((one) => [one.id, one]));
  return pairs.map(({ earlier, later }: Doubled<Payment>) => ({
    ...fieldsOf(series.get(later.seriesId) as HouseholdSeries),
    other_series_id: earlier.seriesId === later.seriesId ? null : earlier.seriesId,
    amount: formatCents(Math.abs(later.cents)),
    iso_currency_code: later.currency,
    transactions: [earlier, later].map(({ id }) => compactTransaction(rows.get(id) as Record<string, unknown>)),
  }));
}
