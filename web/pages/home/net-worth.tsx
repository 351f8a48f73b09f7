import { getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BalanceChart, PERIOD_OPTIONS, startOf } from '../../components/chart/balance-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { dayIn } from '../../lib/days.ts';
import { keepFiguresOf, ofMember, useView, type ChartProps } from './view.ts';

export default function NetWorth({ overview, currency }: ChartProps) {
  const [{ user_id: userId, period = '12m' }, change] = useView();
  const today = dayIn(overview.timezone, overview.as_of);
  const from = startOf(period, today, overview.period.earliest_date);
  const history = useApiQuery(
    getOverviewHistory,
    { query: { ...ofMember(userId), date_from: from, date_to: today } },
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
          const key = `${first} ${line.points.length}`;
          return <BalanceChart key={key} points={line.points} currency={currency} title="Net worth" />;
        }}
      </Loaded>
    </Section>
  );
}
