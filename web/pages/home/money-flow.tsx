import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { ColumnChart, PairLegend } from '../../components/chart/column-chart.tsx';
import { Figure } from '../../components/chart/figure.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatCompact, formatMoney, Money, moneyColumn } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { addMonths, dayIn, inWords, monthOf } from '../../lib/days.ts';
import { keepFiguresOf, ofMember, type Overview } from './view.ts';

type SummaryRow = OutputOf<typeof summarizeTransactions>['summary'][number];

const MONTHS = 12;

interface MoneyFlowProps {
  overview: Overview;
  currency: string | null;
  userId: string | undefined;
}

/** The last twelve months by kind of category; its totals name the currencies that moved. */
export function useFlows({ timezone, as_of: asOf }: Overview, userId: string | undefined) {
  const today = dayIn(timezone, asOf);
  const months = Array.from({ length: MONTHS }, (_, index) => monthOf(addMonths(today, index + 1 - MONTHS)));
  const summary = useApiQuery(
    summarizeTransactions,
    { query: { ...ofMember(userId), group_by: 'kind,month', date_from: `${months[0]}-01`, date_to: today } },
    { placeholderData: keepFiguresOf(userId) },
  );
  return { months, summary };
}

/** What came in and went out in each of the last twelve months, without what only moved between accounts. */
export function MoneyFlow({ overview, currency, userId }: MoneyFlowProps) {
  const { months, summary } = useFlows(overview, userId);
  return (
    <Section title="Money in and out">
      <Loaded query={summary} lines={8}>
        {({ summary: rows }) => <Flows months={flowsOf(rows, currency, months)} currency={currency} />}
      </Loaded>
    </Section>
  );
}

interface MonthFlow {
  month: string;
  moneyIn: string;
  moneyOut: string;
}

function flowsOf(rows: readonly SummaryRow[], currency: string | null, months: readonly string[]): MonthFlow[] {
  const counted = rows.filter((row) => row.iso_currency_code === currency && row.category_kind !== 'transfer');
  return months.map((month) => {
    const own = counted.filter(({ period }) => period === month);
    const sum = (field: 'money_in' | 'money_out'): string =>
      amountOf(own.reduce((total, row) => total + centsOf(row[field]), 0n));
    return { month, moneyIn: sum('money_in'), moneyOut: sum('money_out') };
  });
}

function Flows({ months, currency }: { months: readonly MonthFlow[]; currency: string | null }) {
  if (months.every(({ moneyIn, moneyOut }) => moneyIn === '0.00' && moneyOut === '0.00')) {
    return (
      <p className="text-muted">Nothing came in or went out in the last twelve months. Transfers are not counted.</p>
    );
  }
  return <FlowChart months={months} currency={currency} />;
}

function FlowChart({ months, currency }: { months: readonly MonthFlow[]; currency: string | null }) {
  const [active, setActive] = useState(months.length - 1);
  const chosen = months[active];
  if (!chosen) return null;
  return (
    <Figure
      summary={<Summary months={months} currency={currency} />}
      table={<FlowTable months={months} currency={currency} />}
    >
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p>
          <span className="font-semibold">{inWords(chosen.month, 'month')}</span>
          <span className="text-muted">
            : <Money amount={chosen.moneyIn} currency={currency} kind="balance" /> in,{' '}
            <Money amount={chosen.moneyOut} currency={currency} kind="balance" /> out
          </span>
        </p>
        <PairLegend first="In" second="Out" />
      </div>
      <ColumnChart
        label="Money in and out by month"
        pairs={months.map(({ month, moneyIn, moneyOut }) => ({
          label: inWords(month, 'shortMonth'),
          text: `${inWords(month, 'month')}: ${formatMoney(moneyIn, currency)} in, ${formatMoney(moneyOut, currency)} out`,
          values: [heightOf(moneyIn), heightOf(moneyOut)],
        }))}
        formatTick={(value) => formatCompact(value, currency)}
        active={active}
        onActive={setActive}
      />
    </Figure>
  );
}

/** Of full months only, because the current one has just begun. */
function Summary({ months, currency }: { months: readonly MonthFlow[]; currency: string | null }) {
  const full = months.slice(0, -1).filter(({ moneyIn, moneyOut }) => moneyIn !== '0.00' || moneyOut !== '0.00');
  if (full.length === 0)
    return <>Nothing came in or went out in the months before this one. Transfers are not counted.</>;
  const average = (field: 'moneyIn' | 'moneyOut'): string =>
    amountOf(full.reduce((sum, month) => sum + centsOf(month[field]), 0n) / BigInt(full.length));
  return (
    <>
      {full.length === 1 ? 'In the one full month' : `In ${full.length} full months, on average`}{' '}
      <Money amount={average('moneyIn')} currency={currency} kind="balance" /> came in and{' '}
      <Money amount={average('moneyOut')} currency={currency} kind="balance" /> went out. Transfers are not counted.
    </>
  );
}

function FlowTable({ months, currency }: { months: readonly MonthFlow[]; currency: string | null }) {
  return (
    <DataTable
      caption="Money in and out by month"
      columns={[
        { title: 'Month', cell: ({ month }) => inWords(month, 'month'), isRowHeader: true },
        moneyColumn<MonthFlow>('In', currency, ({ moneyIn }) => moneyIn),
        moneyColumn<MonthFlow>('Out', currency, ({ moneyOut }) => moneyOut),
      ]}
      rows={months.toReversed()}
      keyOf={({ month }) => month}
      empty={null}
    />
  );
}
