import { useState } from 'react';

import { addDays, addMonths, daysBetween, inWords } from '../../lib/days.ts';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { DataTable, type Column } from '../data-table.tsx';
import { formatCompact, formatMoney, Money, moneyColumn } from '../money.tsx';
import { Figure } from './figure.tsx';
import { LineChart, type LinePoint } from './line-chart.tsx';
import { usePrivacy } from '../../lib/privacy.ts';

/** A balance on a day, as the history of balances gives it. */
export interface BalancePoint {
  date: string;
  assets: string;
  liabilities: string;
  net: string;
  derived: boolean;
}

export type Period = '1m' | '3m' | '12m' | 'all';

export const PERIOD_OPTIONS: readonly { value: Period; label: string; title: string }[] = [
  { value: '1m', label: '1 M', title: '1 month' },
  { value: '3m', label: '3 M', title: '3 months' },
  { value: '12m', label: '1 Y', title: '12 months' },
  { value: 'all', label: 'All', title: 'everything' },
];
const MONTHS: Readonly<Record<Exclude<Period, 'all'>, number>> = { '1m': 1, '3m': 3, '12m': 12 };
/** The longest range that the history takes. */
const LONGEST_DAYS = 3_659;

/** The first day of a period that ends today; `earliest`: the first day with a transaction. */
export function startOf(period: Period, today: string, earliest: string | null): string {
  if (period !== 'all') return addMonths(today, -MONTHS[period]);
  const longest = addDays(today, -LONGEST_DAYS);
  const first = earliest === null || earliest > today ? addMonths(today, -12) : addDays(earliest, -1);
  return first < longest ? longest : first;
}

type Side = 'assets' | 'liabilities' | 'net';

interface BalanceChartProps {
  points: readonly BalancePoint[];
  currency: string | null;
  /** What the line is, as it begins a heading: "Net worth". */
  title: string;
  /** Which of the figures; `net` also says what is owned and owed. */
  side?: Side;
}

/** A balance over time, with what is calculated told apart from what was reported. */
export function BalanceChart(props: BalanceChartProps) {
  usePrivacy();
  const { points, currency, title, side = 'net' } = props;
  const [active, setActive] = useState(points.length - 1);
  const point = points[active] ?? points.at(-1);
  if (!point) return null;
  const days = daysBetween(points[0]?.date ?? '', points.at(-1)?.date ?? '');
  return (
    <Figure summary={<Summary {...props} />} table={<BalanceTable {...props} />}>
      <Readout point={point} currency={currency} side={side} />
      <LineChart
        label={`${title} by day`}
        points={points.map((one): LinePoint => ({
          date: one.date,
          value: heightOf(one[side]),
          isDerived: one.derived,
          label: labelOf(one.date, days),
          text: `${inWords(one.date)}: ${formatMoney(one[side], currency)}${one.derived ? ', calculated' : ''}`,
        }))}
        formatTick={(value) => formatCompact(value, currency)}
        active={active}
        onActive={setActive}
      />
      {points.some(({ derived }) => derived) && (
        <p className="mt-2 flex items-center gap-2 text-sm text-muted">
          <svg aria-hidden width="28" height="4" className="shrink-0">
            <line x1="0" x2="28" y1="2" y2="2" className="stroke-accent stroke-2" strokeDasharray="5 4" />
          </svg>
          Dashed: calculated from the nearest known balance and the transactions in between.
        </p>
      )}
    </Figure>
  );
}

/** Days on a short axis, months on one of up to two years, and months with their year on a longer one. */
function labelOf(day: string, days: number): string {
  if (days <= 92) return inWords(day, 'dayOfYear');
  return inWords(day, days <= 731 ? 'shortMonth' : 'shortMonthOfYear');
}

function Readout({ point, currency, side }: { point: BalancePoint; currency: string | null; side: Side }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
      <p className="font-serif text-2xl font-semibold tracking-tight">
        <Money amount={point[side]} currency={currency} kind="balance" />
      </p>
      <p className="text-sm text-muted">
        {inWords(point.date)}
        {point.derived ? ', calculated' : ''}
        {side === 'net' && point.liabilities !== '0.00' && (
          <>
            {': '}
            <Money amount={point.assets} currency={currency} kind="balance" /> owned,{' '}
            <Money amount={point.liabilities} currency={currency} kind="balance" /> owed
          </>
        )}
      </p>
    </div>
  );
}

function Summary({ points, currency, title, side = 'net' }: BalanceChartProps) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const change = centsOf(last[side]) - centsOf(first[side]);
  const word = change > 0n ? 'grew by' : 'fell by';
  const size = amountOf(change < 0n ? -change : change);
  return (
    <>
      From {inWords(first.date)} to {inWords(last.date)}, {title.toLowerCase()}{' '}
      {change === 0n ? (
        'stayed the same.'
      ) : (
        <>
          {word} <Money amount={size} currency={currency} kind="balance" />.
        </>
      )}
    </>
  );
}

function BalanceTable({ points, currency, title, side = 'net' }: BalanceChartProps) {
  const figures: Column<BalancePoint>[] =
    side === 'net'
      ? [
          moneyColumn<BalancePoint>('Owned', currency, ({ assets }) => assets),
          moneyColumn<BalancePoint>('Owed', currency, ({ liabilities }) => liabilities),
          moneyColumn<BalancePoint>('Net', currency, ({ net }) => net),
        ]
      : [moneyColumn<BalancePoint>(title, currency, (point) => point[side])];
  return (
    <DataTable
      caption={`${title} over time`}
      columns={[
        { title: 'Day', cell: ({ date }) => inWords(date), isRowHeader: true },
        ...figures,
        { title: 'Source', cell: ({ derived }) => (derived ? 'Calculated' : 'Reported') },
      ]}
      rows={points.toReversed()}
      keyOf={({ date }) => date}
      empty={null}
    />
  );
}
