import { useState } from 'react';

import { getOverview, getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { getAccountBalances } from '../../../src/features/accounts/accounts.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BalanceChart, PERIOD_OPTIONS, startOf, type Period } from '../../components/chart/balance-chart.tsx';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { dayIn } from '../../lib/days.ts';
import { isOwed, type Detail } from './account-words.tsx';

/** The balance over time: what was reported, and what is calculated in between. */
export function BalanceSection({ account }: { account: Detail }) {
  const [period, setPeriod] = useState<Period>('12m');
  return (
    <Section
      title="Balance"
      actions={<Segmented label="Period" options={PERIOD_OPTIONS} value={period} onChange={setPeriod} />}
    >
      <History account={account} period={period} />
    </Section>
  );
}

function History({ account, period }: { account: Detail; period: Period }) {
  const overview = useApiQuery(getOverview, {});
  const first = useFirstDay(account);
  const range = overview.data && first.data !== undefined ? rangeOf(period, overview.data, first.data) : undefined;
  const query = { account_id: [account.id], ...range };
  const history = useApiQuery(
    getOverviewHistory,
    { query },
    { enabled: range !== undefined, placeholderData: (earlier) => earlier },
  );
  const side = isOwed(account) ? 'liabilities' : 'assets';
  const error = overview.error ?? first.error ?? history.error;
  return (
    <Loaded query={{ ...history, error }} lines={9}>
      {({ series }) =>
        series.length === 0 ? (
          <p className="text-muted">There is no balance to draw yet.</p>
        ) : (
          series.map(({ iso_currency_code: currency, points }) => (
            <BalanceChart
              key={`${currency} ${points[0]?.date} ${points.length}`}
              points={points}
              currency={currency}
              title={side === 'assets' ? 'Balance' : 'Amount owed'}
              side={side}
            />
          ))
        )
      }
    </Loaded>
  );
}

interface Known {
  as_of: string;
  timezone: string;
}

/** Nothing is known of the days before the account's first one, so the chart does not begin before it. */
function rangeOf(period: Period, { as_of: asOf, timezone }: Known, first: string | null) {
  const today = dayIn(timezone, asOf);
  const wanted = startOf(period, today, first);
  const from = first !== null && first > wanted ? first : wanted;
  return { date_from: from > today ? today : from, date_to: today };
}

/** The day of the first balance or transaction; null without any. */
function useFirstDay(account: Detail): { data: string | null | undefined; error: Error | null } {
  const balances = useApiQuery(getAccountBalances, { params: { id: account.id } });
  const query = { account_id: [account.id], order: 'asc' as const, limit: '1', fields: 'date' };
  const oldest = useApiQuery(listTransactions, { query });
  const error = balances.error ?? oldest.error;
  if (!balances.data || !oldest.data) return { data: undefined, error };
  const days = [balances.data.balances[0]?.date, oldest.data.transactions[0]?.date];
  return { data: days.filter((day) => day !== undefined).sort()[0] ?? null, error };
}
