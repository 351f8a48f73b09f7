import type { CallOf } from '../../../src/contract/operation.ts';
import { restricts } from '../../../src/features/transactions/filters.contract.ts';
import type { bulkUpdateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { startFrom } from '../../components/rule/rule-start.ts';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import type { RuleStart } from '../../lib/new-rule.ts';
import { createStore } from '../../lib/store.ts';
import { bodyFilterOf, type Filters } from './filters.ts';
import type { GridState } from './grid-store.ts';
import type { Total } from './months.ts';

export type Changes = NonNullable<CallOf<typeof bulkUpdateTransactions>['body']>['changes'];

/** What can be done to many rows at once. */
export const BULK_ACTIONS = {
  category: 'Category',
  tags: 'Tags',
  flag: 'Flag',
  'looked-at': 'Looked at',
  counterparty: 'Counterparty',
  series: 'Series',
  member: 'Member',
  note: 'Comment',
  rules: 'Category by rules again',
  delete: 'Delete',
} as const;
export type BulkAction = keyof typeof BULK_ACTIONS;

/** What is asked for with everything that is ticked. */
export const askedOfBulk = createStore<BulkAction | null>(null);

/** What the API is told which rows are meant: the ticked ones, or the filter itself. */
export function selectorOf({ selected, isEverything }: GridState, filters: Filters) {
  if (!isEverything) return { transaction_ids: [...selected.keys()] };
  const filter = bodyFilterOf(filters);
  return restricts(filter) ? { filter } : { all: true as const };
}

/** The rule that finds rows like those that are ticked. */
export function startOf({ selected, isEverything }: GridState): RuleStart | undefined {
  return isEverything ? undefined : startFrom(selected.values());
}

export function whyNoRule(state: GridState): string | undefined {
  if (startOf(state)) return undefined;
  return state.isEverything ? 'Tick the rows that a rule should find.' : 'They have too little in common for one rule.';
}

/** What ticked rows add up to, per currency: those that count, as in every other total. */
export function totalsOf(rows: Iterable<TransactionRecord>): { totals: Total[]; left: number } {
  const sums = new Map<string | null, { out: bigint; into: bigint }>();
  let left = 0;
  for (const { amount = '0.00', iso_currency_code: code = null, pending, excluded_from_totals: excluded } of rows) {
    if (pending === true || excluded != null) {
      left++;
      continue;
    }
    const sum = sums.get(code) ?? { out: 0n, into: 0n };
    const cents = centsOf(amount);
    if (cents > 0n) sum.out += cents;
    else sum.into -= cents;
    sums.set(code, sum);
  }
  const totals = [...sums].map(([code, { out, into }]) => ({
    iso_currency_code: code,
    total_amount: amountOf(out - into),
    money_out: amountOf(out),
    money_in: amountOf(into),
  }));
  return { totals, left };
}
