import { useId } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Hatch, PairLegend } from '../../components/chart/column-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { useCategoryColor } from '../../components/transaction/category-chip.tsx';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { dayIn } from '../../lib/days.ts';
import { inCurrency, rowsBehind, type RowSearch } from '../../lib/rows-behind.ts';
import { FigureLink } from '../../components/figure-link.tsx';
import { sameDays, stretchInWords, type Stretch } from './same-days.ts';
import { keepFiguresOf, ofMember, type ChartProps } from './view.ts';

type Summary = OutputOf<typeof summarizeTransactions>;

/** Categories with a line of their own; the others are one line. */
const SHOWN = 8;

/** What was spent in each category this month, beside the same days of last month. */
export function Categories({ overview, currency, userId }: ChartProps) {
  const { now, before } = sameDays(dayIn(overview.timezone, overview.as_of));
  const [ofNow, ofBefore] = [useSpent(userId, now), useSpent(userId, before)];
  const both = { data: ofNow.data && ofBefore.data && ([ofNow.data, ofBefore.data] as const) };
  const query = { ...both, error: ofNow.error ?? ofBefore.error, refetch: () => [ofNow.refetch(), ofBefore.refetch()] };
  return (
    <Section title="Spent by category">
      <Loaded query={query} lines={9}>
        {(answers) => (
          <CategoryTable
            lines={linesOf(answers, currency)}
            totals={answers.map((answer) => totalOf(answer, currency))}
            currency={currency}
            stretches={[now, before]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function useSpent(userId: string | undefined, stretch: Stretch) {
  return useApiQuery(
    summarizeTransactions,
    { query: { ...ofMember(userId), group_by: 'category_primary', spending_only: 'true', ...stretch } },
    { placeholderData: keepFiguresOf(userId) },
  );
}

/** A sum of one of the two stretches, and its rows. */
interface Sum {
  cents: bigint;
  search: RowSearch | undefined;
}

interface Line {
  key: string;
  name: string;
  /** This month, and last month. */
  sums: readonly [Sum, Sum];
}

function onlyIn({ totals, filters }: Summary, currency: string | null): RowSearch | undefined {
  const all = totals.map(({ iso_currency_code: code }) => code);
  const only = inCurrency(currency, all);
  return only && rowsBehind(filters, only);
}

function totalOf(answer: Summary, currency: string | null): Sum {
  const total = answer.totals.find(({ iso_currency_code: code }) => code === currency);
  return { cents: centsOf(total?.money_out ?? '0.00'), search: onlyIn(answer, currency) };
}

/** The largest first; what has no category is never among the others, whose list could not have both. */
function linesOf(answers: readonly [Summary, Summary], currency: string | null): Line[] {
  const names = new Map(
    answers.flatMap(({ summary }) =>
      summary
        .filter(({ iso_currency_code: code }) => code === currency)
        .map(({ category_id: id, category_name: name }) => [id ?? '', name ?? 'No category'] as const),
    ),
  );
  const lineOf = (ids: readonly string[]): readonly [Sum, Sum] => {
    const [one, other] = answers.map((answer) => sumOf(answer, currency, ids)) as [Sum, Sum];
    return [one, other];
  };
  const all = [...names].map(([key, name]): Line => ({ key, name, sums: lineOf([key]) }));
  const sorted = all.sort(
    (a, b) => compare(b.sums[0].cents, a.sums[0].cents) || compare(b.sums[1].cents, a.sums[1].cents),
  );
  const rest = sorted.slice(SHOWN).filter(({ key }) => key !== '');
  if (rest.length < 2) return sorted;
  const ids = rest.map(({ key }) => key);
  const others = { key: 'rest', name: `${rest.length} others`, sums: lineOf(ids) };
  return [...sorted.slice(0, SHOWN), ...sorted.slice(SHOWN).filter(({ key }) => key === ''), others];
}

function sumOf(answer: Summary, currency: string | null, ids: readonly string[]): Sum {
  const rows = answer.summary.filter(
    ({ category_id: id, iso_currency_code: code }) => code === currency && ids.includes(id ?? ''),
  );
  const behind = ids.length > LIMITS.listFilterValues ? undefined : onlyIn(answer, currency);
  const category = ids[0] === '' ? { category_kind: 'none' } : { category_id: ids.join(',') };
  return {
    cents: rows.reduce((sum, { money_out: amount }) => sum + centsOf(amount), 0n),
    search: behind && { ...behind, ...category },
  };
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

interface CategoryTableProps {
  lines: readonly Line[];
  totals: readonly Sum[];
  currency: string | null;
  stretches: readonly [Stretch, Stretch];
}

/** The figures are the chart: a table whose rows have bars. */
function CategoryTable({ lines, totals, currency, stretches }: CategoryTableProps) {
  const [now, before] = stretches.map(stretchInWords) as [string, string];
  if (lines.length === 0) {
    return (
      <p className="text-muted">
        Nothing that counts was spent in {now} or {before}.
      </p>
    );
  }
  const widest = Math.max(...lines.flatMap(({ sums }) => sums.map(({ cents }) => heightOf(amountOf(cents)))));
  const figure = (sum: Sum | undefined) =>
    sum && <FigureLink amount={amountOf(sum.cents)} currency={currency} search={sum.search} />;
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        {figure(totals[0])} in {now}, {figure(totals[1])} in {before}. Transfer categories are not counted.
      </p>
      <PairLegend first={now} second={before} />
      <table className="mt-3 w-full border-collapse text-left">
        <caption className="sr-only">
          Spent by category in {now} and {before}
        </caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Category</th>
            <th scope="col">{now}</th>
            <th scope="col">{before}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, name, sums }) => (
            <tr key={key} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-2 first:border-t-0">
              <th scope="row" className="min-w-0 font-medium break-words">
                <bdi>{name}</bdi>
              </th>
              <td className="text-right font-medium">{figure(sums[0])}</td>
              <td className="col-span-2 grid grid-cols-[1fr_auto] items-center gap-x-4 text-sm text-muted">
                <Bars category={key} shares={sums.map(({ cents }) => heightOf(amountOf(cents)) / widest)} />
                {figure(sums[1])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Bars({ category, shares: [now = 0, before = 0] }: { category: string; shares: readonly number[] }) {
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
