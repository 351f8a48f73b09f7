import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Figure } from '../../components/chart/figure.tsx';
import { LineChart, type LinePoint } from '../../components/chart/line-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatCompact, formatMoney, Money, moneyColumn } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { addDays, addMonths, dayIn, daysBetween, inWords } from '../../lib/days.ts';
import { keepFiguresOf, ofMember, useView, type Overview, type Period } from './view.ts';

type History = OutputOf<typeof getOverviewHistory>;
type Point = History['series'][number]['points'][number];

const PERIOD_OPTIONS: readonly { value: Period; label: string; title: string }[] = [
  { value: '1m', label: '1 M', title: '1 month' },
  { value: '3m', label: '3 M', title: '3 months' },
  { value: '12m', label: '1 Y', title: '12 months' },
  { value: 'all', label: 'All', title: 'everything' },
];
const MONTHS: Readonly<Record<Exclude<Period, 'all'>, number>> = { '1m': 1, '3m': 3, '12m': 12 };
/** The longest range that the history takes. */
const LONGEST_DAYS = 3_659;

export function NetWorth({ overview, currency }: { overview: Overview; currency: string | null }) {
  const [{ user_id: userId, period = '12m' }, change] = useView();
  const today = dayIn(overview.timezone, overview.as_of);
  const history = useApiQuery(
    getOverviewHistory,
    { query: { ...ofMember(userId), date_from: startOf(period, today, overview), date_to: today } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return (
    <Section
      title="Net worth"
      actions={
        <Segmented
          label="Period"
          options={PERIOD_OPTIONS}
          value={period}
          onChange={(next) => change({ period: next === '12m' ? undefined : next })}
        />
      }
    >
      <Loaded query={history} lines={8}>
        {({ series }) => {
          const line = series.find(({ iso_currency_code: code }) => code === currency);
          if (!line) return <p className="text-muted">There are no balances in this currency for this period.</p>;
          const first = line.points[0]?.date ?? '';
          // A new period begins with its newest point.
          return <WorthChart key={`${first} ${line.points.length}`} points={line.points} currency={currency} />;
        }}
      </Loaded>
    </Section>
  );
}

function startOf(period: Period, today: string, { period: { earliest_date: earliest } }: Overview): string {
  if (period !== 'all') return addMonths(today, -MONTHS[period]);
  const longest = addDays(today, -LONGEST_DAYS);
  const first = earliest === null || earliest > today ? addMonths(today, -12) : addDays(earliest, -1);
  return first < longest ? longest : first;
}

function WorthChart({ points, currency }: { points: readonly Point[]; currency: string | null }) {
  const [active, setActive] = useState(points.length - 1);
  const point = points[active] ?? points.at(-1);
  if (!point) return null;
  const days = daysBetween(points[0]?.date ?? '', points.at(-1)?.date ?? '');
  return (
    <Figure
      summary={<Summary points={points} currency={currency} />}
      table={<WorthTable points={points} currency={currency} />}
    >
      <Readout point={point} currency={currency} />
      <LineChart
        label="Net worth by day"
        points={points.map((one): LinePoint => ({
          date: one.date,
          value: heightOf(one.net),
          isDerived: one.derived,
          label: labelOf(one.date, days),
          text: `${inWords(one.date)}: ${formatMoney(one.net, currency)}${one.derived ? ', calculated' : ''}`,
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

function Readout({ point, currency }: { point: Point; currency: string | null }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
      <p className="font-serif text-2xl font-semibold tracking-tight">
        <Money amount={point.net} currency={currency} kind="balance" />
      </p>
      <p className="text-sm text-muted">
        {inWords(point.date)}
        {point.derived ? ', calculated' : ''}
        {point.liabilities !== '0.00' && (
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

function Summary({ points, currency }: { points: readonly Point[]; currency: string | null }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const change = centsOf(last.net) - centsOf(first.net);
  const word = change > 0n ? 'grew by' : 'fell by';
  const size = amountOf(change < 0n ? -change : change);
  return (
    <>
      From {inWords(first.date)} to {inWords(last.date)}, net worth{' '}
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

function WorthTable({ points, currency }: { points: readonly Point[]; currency: string | null }) {
  return (
    <DataTable
      caption="Net worth over time"
      columns={[
        { title: 'Day', cell: ({ date }) => inWords(date), isRowHeader: true },
        moneyColumn<Point>('Owned', currency, ({ assets }) => assets),
        moneyColumn<Point>('Owed', currency, ({ liabilities }) => liabilities),
        moneyColumn<Point>('Net', currency, ({ net }) => net),
        { title: 'Source', cell: ({ derived }) => (derived ? 'Calculated' : 'Reported') },
      ]}
      rows={points.toReversed()}
      keyOf={({ date }) => date}
      empty={null}
    />
  );
}
