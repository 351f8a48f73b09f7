import { keepPreviousData } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { getOverview, getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { listReports } from '../../../src/features/reports/reports.contract.ts';
import { listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import {
  countTransactions,
  listTransactions,
  summarizeTransactions,
} from '../../../src/features/transactions/transactions.contract.ts';
import { listRuns } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { Accounts } from './accounts.tsx';
import { AttentionList } from './attention.tsx';
import { Categories } from './categories.tsx';
import { EmptyHome } from './empty-home.tsx';
import { HomeActions } from './home-actions.tsx';
import { Month, useFlows } from './month.tsx';
import { NewestTransactions, NewestWork } from './newest.tsx';
import { currenciesOf, currencyName, NO_CURRENCY, ofMember, useView, type Overview } from './view.ts';

const REFRESH_MS = 60_000;

export default function HomePage() {
  const [{ user_id: userId }, change] = useView();
  const overview = useApiQuery(
    getOverview,
    { query: ofMember(userId) },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  useRefreshWith(overview.isPlaceholderData ? undefined : overview.data, userId);
  return (
    <>
      <PageHeader title="Home" actions={overview.data && <Choosers overview={overview.data} />} />
      <Loaded query={overview} lines={8}>
        {(data) => (
          <div aria-busy={overview.isPlaceholderData} className={overview.isPlaceholderData ? 'opacity-60' : ''}>
            <Home overview={data} />
          </div>
        )}
      </Loaded>
      {overview.error !== null && userId !== undefined && (
        <Button onClick={() => change({ user_id: undefined })}>Show everyone</Button>
      )}
    </>
  );
}

const SHOWN = [
  getOverviewHistory,
  summarizeTransactions,
  countTransactions,
  listTransactions,
  listImports,
  listAccounts,
  listSyncLogs,
  listRuns,
  listReports,
];

/** The overview is asked for every minute. If it has changed, the rest of the page is old as well. */
function useRefreshWith(overview: Overview | undefined, userId: string | undefined): void {
  const state = overview && JSON.stringify({ ...overview, as_of: userId });
  const known = useRef<{ userId: string | undefined; state: string | undefined }>({ userId, state });
  useEffect(() => {
    if (state === undefined) return;
    const isChanged = known.current.state !== undefined && known.current.state !== state;
    if (isChanged && known.current.userId === userId) {
      void refresh(SHOWN);
    }
    known.current = { userId, state };
  }, [state, userId]);
}

function Home({ overview }: { overview: Overview }) {
  const [{ user_id: userId }] = useView();
  const { currency } = useCurrency(overview);
  const about = { overview, currency, userId };
  const isEmpty = overview.counts.transactions === 0 && overview.counts.accounts === 0;
  if (isEmpty && userId === undefined) {
    return (
      <>
        <AttentionList attention={overview.attention} />
        <EmptyHome />
      </>
    );
  }
  return (
    <>
      {/* On a small screen, what needs a person comes first. */}
      <div className="flex flex-col max-sm:flex-col-reverse">
        <Month overview={overview} userId={userId} />
        <AttentionList attention={overview.attention} />
      </div>
      <div className="grid items-start gap-x-6 xl:grid-cols-[2fr_3fr] [&>*]:min-w-0">
        <div>
          <Accounts overview={overview} userId={userId} />
          <Categories {...about} />
        </div>
        <div>
          <Later chart={<Running {...about} />} />
          {overview.balances.length > 0 && <Later chart={<NetWorth {...about} />} />}
          <Later chart={<MoneyFlow {...about} />} />
        </div>
      </div>
      <NewestTransactions userId={userId} />
      <NewestWork userId={userId} />
    </>
  );
}

/** The charts come after what can be read without them. */
const Running = lazy(() => import('./running.tsx'));
const NetWorth = lazy(() => import('./net-worth.tsx'));
const MoneyFlow = lazy(() => import('./money-flow.tsx'));

/** About as tall as a chart, so that little moves when it comes. */
function Later({ chart }: { chart: ReactNode }) {
  return (
    <Suspense
      fallback={
        <div className="mb-6 min-h-106 rounded-card border border-line bg-surface p-4 sm:p-6">
          <Skeleton lines={8} />
        </div>
      }
    >
      {chart}
    </Suspense>
  );
}

/** The currency of the charts: the one in the address if there is something in it, otherwise the first. */
function useCurrency(overview: Overview): { currencies: readonly (string | null)[]; currency: string | null } {
  const [view] = useView();
  const currencies = currenciesOf(overview, useFlows(overview, view.user_id).summary.data?.totals ?? []);
  const chosen = currencies.find((code) => (code ?? NO_CURRENCY) === view.currency);
  return { currencies, currency: chosen === undefined ? (currencies[0] ?? null) : chosen };
}

function Choosers({ overview }: { overview: Overview }) {
  const [{ user_id: userId }, change] = useView();
  const { currencies, currency } = useCurrency(overview);
  return (
    <>
      <MemberChooser overview={overview} chosen={userId} onChange={(id) => change({ user_id: id })} />
      {currencies.length > 1 && (
        <Segmented
          label="Currency of the charts"
          options={currencies.map((code) => ({ value: code ?? NO_CURRENCY, label: currencyName(code) }))}
          value={currency ?? NO_CURRENCY}
          onChange={(code) => change({ currency: code })}
        />
      )}
      {overview.counts.accounts > 0 && <HomeActions />}
    </>
  );
}

interface MemberChooserProps {
  overview: Overview;
  chosen: string | undefined;
  onChange: (userId: string | undefined) => void;
}

function MemberChooser({ overview, chosen, onChange }: MemberChooserProps) {
  if (overview.members.length < 2 && chosen === undefined) return null;
  return (
    <label>
      <span className="sr-only">Whose money</span>
      <select
        className="field target min-w-40 pr-8"
        value={chosen ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">Everyone</option>
        {overview.members.map(({ user_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
