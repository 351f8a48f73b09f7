import { useState } from 'react';

import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Figure } from '../../components/chart/figure.tsx';
import { RunningChart, RunningLegend, type RunningPoint } from '../../components/chart/running-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatCompact, formatMoney } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { dayIn, inWords, monthOf } from '../../lib/days.ts';
import { usePrivacy } from '../../lib/privacy.ts';
import { inCurrency, rowsBehind, type RowSearch } from '../../lib/rows-behind.ts';
import { FigureLink } from '../../components/figure-link.tsx';
import { daysOf, sameDays } from './same-days.ts';
import { keepFiguresOf, ofMember, type ChartProps } from './view.ts';

/** What was spent up to each day of this month and of last month, as two lines. */
export default function Running({ overview, currency, userId }: ChartProps) {
  const today = dayIn(overview.timezone, overview.as_of);
  const { now, before } = sameDays(today);
  const range = { date_from: before.date_from, date_to: today };
  const summary = useApiQuery(
    summarizeTransactions,
    { query: { ...ofMember(userId), group_by: 'day', spending_only: 'true', ...range } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return (
    <Section title="Spent so far, against last month">
      <Loaded query={summary} lines={8}>
        {({ summary: rows, totals, filters }) => {
          const spent = new Map(
            rows
              .filter(({ iso_currency_code: code }) => code === currency)
              .map(({ period, money_out: amount }) => [String(period), centsOf(amount)]),
          );
          const only = inCurrency(
            currency,
            totals.map(({ iso_currency_code: code }) => code),
          );
          const behind = only && rowsBehind(filters, only);
          const [ofNow, ofBefore] = [runningOf(now.date_from, today, spent), runningOf(before.date_from, '', spent)];
          return <Lines key={today} now={ofNow} before={ofBefore} behind={behind} currency={currency} />;
        }}
      </Loaded>
    </Section>
  );
}

interface Point {
  day: string;
  amount: string;
}

/** The sum up to each day of a month, until `last`, or to its end. */
function runningOf(first: string, last: string, spent: ReadonlyMap<string, bigint>): Point[] {
  let sum = 0n;
  return daysOf(monthOf(first))
    .filter((day) => last === '' || day <= last)
    .map((day) => {
      sum += spent.get(day) ?? 0n;
      return { day, amount: amountOf(sum) };
    });
}

interface LinesProps {
  now: readonly Point[];
  before: readonly Point[];
  behind: RowSearch | undefined;
  currency: string | null;
}

interface DayRow {
  day: number;
  now: Point | undefined;
  before: Point | undefined;
}

function Lines({ now, before, behind, currency }: LinesProps) {
  usePrivacy();
  const [active, setActive] = useState(now.length - 1);
  const rows = Array.from({ length: Math.max(now.length, before.length) }, (_, index): DayRow => {
    return { day: index + 1, now: now[index], before: before[index] };
  });
  const [lastNow, sameBefore] = [now.at(-1), before[now.length - 1] ?? before.at(-1)];
  const figure = (point: Point | undefined) =>
    point && (
      <FigureLink
        amount={point.amount}
        currency={currency}
        search={behind && { ...behind, date_from: `${monthOf(point.day)}-01`, date_to: point.day }}
      />
    );
  if (!lastNow || !sameBefore) return null;
  if (rows.every((row) => isNothing(row.now) && isNothing(row.before))) {
    return (
      <p className="text-muted">
        Nothing that counts was spent in {titleOf(now)} or {titleOf(before)}.
      </p>
    );
  }
  const chosen = rows[active] ?? rows[0];
  return (
    <Figure
      summary={
        <>
          {figure(lastNow)} by {inWords(lastNow.day, 'dayOfYear')}, {figure(sameBefore)} by{' '}
          {inWords(sameBefore.day, 'dayOfYear')}. Transfer categories are not counted.
        </>
      }
      table={<RunningTable rows={rows} figure={figure} titles={[titleOf(now), titleOf(before)]} />}
    >
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-muted">{chosen && <Readout row={chosen} figure={figure} />}</p>
        <RunningLegend first={titleOf(now)} second={titleOf(before)} />
      </div>
      <RunningChart
        label="Spent up to each day of the month"
        points={rows.map((row) => pointOf(row, currency))}
        formatTick={(value) => formatCompact(value, currency)}
        active={active}
        onActive={setActive}
      />
    </Figure>
  );
}

type FigureOf = (point: Point | undefined) => React.ReactNode;

function Readout({ row: { now, before }, figure }: { row: DayRow; figure: FigureOf }) {
  return [now, before].map(
    (point, index) =>
      point && (
        <span key={point.day}>
          {index > 0 && now && ', '}
          {inWords(point.day, 'dayOfYear')}: {figure(point)}
        </span>
      ),
  );
}

function pointOf({ day, now, before }: DayRow, currency: string | null): RunningPoint {
  const said = [now, before].flatMap((point) =>
    point ? [`${inWords(point.day, 'dayOfYear')}: ${formatMoney(point.amount, currency)}`] : [],
  );
  const values = [now && heightOf(now.amount), before && heightOf(before.amount)] as const;
  return { label: String(day), text: said.join(', '), values };
}

function isNothing(point: Point | undefined): boolean {
  return point === undefined || point.amount === '0.00';
}

function titleOf([first]: readonly Point[]): string {
  return inWords(first?.day ?? '', 'monthName');
}

interface RunningTableProps {
  rows: readonly DayRow[];
  figure: FigureOf;
  titles: readonly [string, string];
}

function RunningTable({ rows, figure, titles: [now, before] }: RunningTableProps) {
  return (
    <DataTable
      caption="Spent up to each day of the month"
      columns={[
        { title: 'Day', cell: ({ day }) => day, isRowHeader: true },
        { title: now, align: 'end', cell: ({ now: point }) => figure(point) ?? '–' },
        { title: before, align: 'end', cell: ({ before: point }) => figure(point) ?? '–' },
      ]}
      rows={rows}
      keyOf={({ day }) => String(day)}
      empty={null}
    />
  );
}
