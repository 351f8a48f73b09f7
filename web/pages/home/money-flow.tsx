import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { FlowChart, type MonthFlow } from '../../components/chart/flow-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { addMonths, dayIn, monthOf } from '../../lib/days.ts';
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
  return <FlowChart months={months} currency={currency} note="Transfers are not counted." />;
}
