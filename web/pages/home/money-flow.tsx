import type { OutputOf } from '../../../src/contract/operation.ts';
import type { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { FlowChart, type MonthFlow } from '../../components/chart/flow-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { lastDayOf, monthOf } from '../../lib/days.ts';
import { CAME_IN, inCurrency, isCounted, rowsBehind, SPENT } from '../../lib/rows-behind.ts';
import { useFlows } from './month.tsx';
import type { ChartProps } from './view.ts';

type SummaryRow = OutputOf<typeof summarizeTransactions>['summary'][number];

const NOTE = 'What is in a transfer category, pending, or in an account that is left out of totals is not counted.';

/** What came in and went out in each of the last twelve months. */
export default function MoneyFlow({ overview, currency, userId }: ChartProps) {
  const { today, months, summary } = useFlows(overview, userId);
  return (
    <Section title="Money in and out">
      <Loaded query={summary} lines={8}>
        {({ summary: rows, totals, filters }) => {
          const only = inCurrency(
            currency,
            totals.map(({ iso_currency_code: code }) => code),
          );
          const searchOf = (month: string, way: 'in' | 'out') => ({
            ...rowsBehind(filters, {
              date_from: `${month}-01`,
              date_to: month === monthOf(today) ? today : lastDayOf(month),
            }),
            ...(way === 'in' ? CAME_IN : SPENT),
            ...only,
          });
          const flows = flowsOf(rows, currency, months);
          if (flows.every(({ moneyIn, moneyOut }) => moneyIn === '0.00' && moneyOut === '0.00')) {
            return (
              <p className="text-muted">Nothing that counts came in or went out in the last twelve months. {NOTE}</p>
            );
          }
          return <FlowChart months={flows} currency={currency} note={NOTE} {...(only ? { searchOf } : {})} />;
        }}
      </Loaded>
    </Section>
  );
}

function flowsOf(rows: readonly SummaryRow[], currency: string | null, months: readonly string[]): MonthFlow[] {
  const counted = rows.filter((row) => row.iso_currency_code === currency && isCounted(row));
  return months.map((month) => {
    const own = counted.filter(({ period }) => period === month);
    const sum = (field: 'money_in' | 'money_out'): string =>
      amountOf(own.reduce((total, row) => total + centsOf(row[field]), 0n));
    return { month, moneyIn: sum('money_in'), moneyOut: sum('money_out') };
  });
}
