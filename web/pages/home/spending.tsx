import { useId } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Hatch, PairLegend } from '../../components/chart/column-chart.tsx';
import { formatMoney, Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { useCategoryColor } from '../../components/transaction/category-chip.tsx';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { addMonths, dayIn, inWords, monthOf } from '../../lib/days.ts';
import { keepFiguresOf, ofMember, type Overview } from './view.ts';
import { usePrivacy } from '../../lib/privacy.ts';

type SummaryRow = OutputOf<typeof summarizeTransactions>['summary'][number];

/** Categories with a line of their own; the others are one line. */
const SHOWN = 8;

interface SpendingProps {
  overview: Overview;
  currency: string | null;
  userId: string | undefined;
}

/** What was spent in each category this month, beside last month. */
export function Spending({ overview, currency, userId }: SpendingProps) {
  const today = dayIn(overview.timezone, overview.as_of);
  const [thisMonth, lastMonth] = [monthOf(today), monthOf(addMonths(today, -1))];
  const query = {
    group_by: 'category_primary,month',
    spending_only: 'true',
    date_from: `${lastMonth}-01`,
    date_to: today,
  };
  const summary = useApiQuery(
    summarizeTransactions,
    { query: { ...ofMember(userId), ...query } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return (
    <Section title="Spending this month">
      <Loaded query={summary} lines={9}>
        {({ summary: rows }) => (
          <SpendingTable
            lines={linesOf(rows, currency, [thisMonth, lastMonth])}
            currency={currency}
            months={[thisMonth, lastMonth]}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface Line {
  key: string;
  name: string;
  now: bigint;
  before: bigint;
}

function linesOf(rows: readonly SummaryRow[], currency: string | null, [now, before]: [string, string]): Line[] {
  const lines = new Map<string, Line>();
  for (const row of rows) {
    if (row.iso_currency_code !== currency) continue;
    const key = row.category_id ?? '';
    const line = lines.get(key) ?? { key, name: row.category_name ?? 'No category', now: 0n, before: 0n };
    lines.set(key, line);
    if (row.period === now) line.now += centsOf(row.money_out);
    if (row.period === before) line.before += centsOf(row.money_out);
  }
  const sorted = [...lines.values()].sort((a, b) => compare(b.now, a.now) || compare(b.before, a.before));
  const rest = sorted.slice(SHOWN);
  return rest.length < 2
    ? sorted
    : [...sorted.slice(0, SHOWN), { ...totalOf(rest), key: 'rest', name: `${rest.length} others` }];
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function totalOf(lines: readonly Line[]): Pick<Line, 'now' | 'before'> {
  return {
    now: lines.reduce((sum, line) => sum + line.now, 0n),
    before: lines.reduce((sum, line) => sum + line.before, 0n),
  };
}

interface SpendingTableProps {
  lines: readonly Line[];
  currency: string | null;
  months: [string, string];
}

/** The figures are the chart: a table whose rows have bars. */
function SpendingTable({ lines, currency, months }: SpendingTableProps) {
  usePrivacy();
  const [now, before] = months.map((month) => inWords(month, 'monthName')) as [string, string];
  if (lines.length === 0)
    return (
      <p className="text-muted">
        Nothing was spent in {before} or {now} yet.
      </p>
    );
  const total = totalOf(lines);
  const widest = Math.max(...lines.flatMap((line) => [heightOf(amountOf(line.now)), heightOf(amountOf(line.before))]));
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        {formatMoney(amountOf(total.now), currency)} in {now} so far, {formatMoney(amountOf(total.before), currency)} in
        all of {before}. Transfers are not counted.
      </p>
      <PairLegend first={now} second={before} />
      <table className="mt-3 w-full border-collapse text-left">
        <caption className="sr-only">
          Spending by category in {now} and {before}
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Category</th>
            <th scope="col">{now}</th>
            <th scope="col">{before}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-2 first:border-t-0">
              <th scope="row" className="min-w-0 font-medium break-words">
                {line.name}
              </th>
              <td className="text-right font-medium">
                <Money amount={amountOf(line.now)} currency={currency} kind="balance" />
              </td>
              <td className="col-span-2 grid grid-cols-[1fr_auto] items-center gap-x-4 text-sm text-muted">
                <Bars
                  category={line.key}
                  now={heightOf(amountOf(line.now)) / widest}
                  before={heightOf(amountOf(line.before)) / widest}
                />
                <Money amount={amountOf(line.before)} currency={currency} kind="balance" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Bars({ category, now, before }: { category: string; now: number; before: number }) {
  const hatch = useId();
  const color = useCategoryColor(category);
  return (
    <svg aria-hidden width="100%" height="16" className="block" {...color}>
      <Hatch id={hatch} />
      <rect x="0" y="1" width={`${100 * now}%`} height="7" rx="2" className="fill-of-category" />
      <rect x="0" y="10" width={`${100 * before}%`} height="5" rx="2" fill={`url(#${hatch})`} />
    </svg>
  );
}
