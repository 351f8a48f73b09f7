import { useState } from 'react';

import { amountOf, centsOf, heightOf } from '../../lib/amounts.ts';
import { inWords } from '../../lib/days.ts';
import { FIGURE_LINK, PageLink } from '../../lib/page-link.tsx';
import { DataTable } from '../data-table.tsx';
import { formatCompact, formatMoney, Money } from '../money.tsx';
import { ColumnChart, PairLegend } from './column-chart.tsx';
import { Figure } from './figure.tsx';
import { usePrivacy } from '../../lib/privacy.ts';

export interface MonthFlow {
  /** `YYYY-MM` */
  month: string;
  moneyIn: string;
  moneyOut: string;
}

interface FlowChartProps {
  months: readonly MonthFlow[];
  currency: string | null;
  /** What is left out: "Transfers are not counted." */
  note: string;
  /** The filters of the list that shows exactly the rows behind a figure. */
  searchOf?: (month: string, way: Way) => Readonly<Record<string, string>>;
}

type Way = 'in' | 'out';

/** What came in and went out in each month. */
export function FlowChart(props: FlowChartProps) {
  usePrivacy();
  const { months, currency } = props;
  const [active, setActive] = useState(months.length - 1);
  const chosen = months[active];
  if (!chosen) return null;
  return (
    <Figure summary={<Summary {...props} />} table={<FlowTable {...props} />}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p>
          <span className="font-semibold">{inWords(chosen.month, 'month')}</span>
          <span className="text-muted">
            : <Amount {...props} flow={chosen} way="in" /> in, <Amount {...props} flow={chosen} way="out" /> out
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
function Summary({ months, currency, note }: FlowChartProps) {
  const full = months.slice(0, -1).filter(({ moneyIn, moneyOut }) => moneyIn !== '0.00' || moneyOut !== '0.00');
  if (full.length === 0) return <>Nothing came in or went out in the months before this one. {note}</>;
  const average = (field: 'moneyIn' | 'moneyOut'): string =>
    amountOf(full.reduce((sum, month) => sum + centsOf(month[field]), 0n) / BigInt(full.length));
  return (
    <>
      {full.length === 1 ? 'In the one full month' : `In ${full.length} full months, on average`}{' '}
      <Money amount={average('moneyIn')} currency={currency} kind="balance" /> came in and{' '}
      <Money amount={average('moneyOut')} currency={currency} kind="balance" /> went out. {note}
    </>
  );
}

function Amount({ flow, way, currency, searchOf }: FlowChartProps & { flow: MonthFlow; way: Way }) {
  const amount = way === 'in' ? flow.moneyIn : flow.moneyOut;
  const figure = <Money amount={amount} currency={currency} kind="balance" />;
  if (!searchOf || amount === '0.00') return figure;
  return (
    <PageLink to="/transactions" search={searchOf(flow.month, way)} className={FIGURE_LINK}>
      {figure}
    </PageLink>
  );
}

function FlowTable(props: FlowChartProps) {
  return (
    <DataTable
      caption="Money in and out by month"
      columns={[
        { title: 'Month', cell: ({ month }) => inWords(month, 'month'), isRowHeader: true },
        { title: 'In', align: 'end', cell: (flow) => <Amount {...props} flow={flow} way="in" /> },
        { title: 'Out', align: 'end', cell: (flow) => <Amount {...props} flow={flow} way="out" /> },
      ]}
      rows={props.months.toReversed()}
      keyOf={({ month }) => month}
      empty={null}
    />
  );
}
