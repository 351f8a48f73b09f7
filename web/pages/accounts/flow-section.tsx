import type { OutputOf } from '../../../src/contract/operation.ts';
import { summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { FlowChart, type MonthFlow } from '../../components/chart/flow-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { lastDayOf } from '../../lib/days.ts';
import { counts, type Detail } from './account-words.tsx';
import { useRecentMonths, WHOLE_ACCOUNT } from './recent-months.ts';

type SummaryRow = OutputOf<typeof summarizeTransactions>['summary'][number];

/** What came in and went out of the account in each month: transfers too, for they change its balance. */
export function FlowSection({ account }: { account: Detail }) {
  const recent = useRecentMonths();
  const query = { account_id: [account.id], ...WHOLE_ACCOUNT, group_by: 'month', ...recent?.dates };
  const summary = useApiQuery(summarizeTransactions, { query }, { enabled: recent !== undefined });
  return (
    <Section title="Money in and out">
      <Loaded query={summary} lines={8}>
        {({ summary: rows, totals }) =>
          totals.length === 0 ? (
            <p className="text-muted">Nothing came in or went out in the last twelve months.</p>
          ) : (
            totals.map(({ iso_currency_code: currency }) => (
              <FlowChart
                key={currency}
                months={flowsOf(rows, currency, recent?.months ?? [])}
                currency={currency}
                note={noteOf(account)}
                searchOf={(month, way) => searchOf(account, month, way, currency)}
              />
            ))
          )
        }
      </Loaded>
    </Section>
  );
}

/** What is counted and what is not; of an account that no total counts, that too. */
function noteOf(account: Detail): string {
  const own = 'Transfers are counted, pending transactions are not.';
  return counts(account) || account.connection_status === 'disconnected'
    ? own
    : `${own} No total of the household has it.`;
}

function flowsOf(rows: readonly SummaryRow[], currency: string | null, months: readonly string[]): MonthFlow[] {
  return months.map((month) => {
    const row = rows.find(({ period, iso_currency_code: code }) => period === month && code === currency);
    return { month, moneyIn: row?.money_in ?? '0.00', moneyOut: row?.money_out ?? '0.00' };
  });
}

/** Exactly the rows that a figure is made of. */
function searchOf(account: Detail, month: string, way: 'in' | 'out', currency: string | null): Record<string, string> {
  return {
    account_id: account.id,
    ...WHOLE_ACCOUNT,
    date_from: `${month}-01`,
    date_to: lastDayOf(month),
    pending: 'false',
    ...(way === 'in' ? { amount_max: '-0.01' } : { amount_min: '0.01' }),
    ...(currency === null ? {} : { iso_currency_code: currency }),
  };
}
