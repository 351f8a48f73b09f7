import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { getOverview, getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { listTransactions, summarizeTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { AttentionList } from './attention.tsx';
import { Balances } from './balances.tsx';
import { EmptyHome } from './empty-home.tsx';
import { MoneyFlow, useFlows } from './money-flow.tsx';
import { NetWorth } from './net-worth.tsx';
import { NewestImports, NewestRuns, NewestTransactions } from './newest.tsx';
import { Spending } from './spending.tsx';
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

/** The overview is asked for every minute. If it has changed, the rest of the page is old as well. */
function useRefreshWith(overview: Overview | undefined, userId: string | undefined): void {
  const state = overview && JSON.stringify({ ...overview, as_of: userId });
  const known = useRef<{ userId: string | undefined; state: string | undefined }>({ userId, state });
  useEffect(() => {
    if (state === undefined) return;
    const isChanged = known.current.state !== undefined && known.current.state !== state;
    if (isChanged && known.current.userId === userId) {
      void refresh([getOverviewHistory, summarizeTransactions, listTransactions, listImports, listAccounts]);
    }
    known.current = { userId, state };
  }, [state, userId]);
}

function Home({ overview }: { overview: Overview }) {
  const [{ user_id: userId }] = useView();
  const { currency } = useCurrency(overview);
  const isEmpty = overview.counts.transactions === 0 && overview.counts.accounts === 0;
  return (
    <>
      <AttentionList attention={overview.attention} />
      {isEmpty && userId === undefined ? (
        <EmptyHome />
      ) : (
        <>
          <Balances overview={overview} userId={userId} />
          {overview.balances.length > 0 && <NetWorth overview={overview} currency={currency} />}
          <div className="grid gap-x-6 xl:grid-cols-2 [&>*]:min-w-0">
            <Spending overview={overview} currency={currency} userId={userId} />
            <div>
              <MoneyFlow overview={overview} currency={currency} userId={userId} />
              <NewestImports userId={userId} />
              <NewestRuns />
            </div>
          </div>
          <NewestTransactions userId={userId} />
        </>
      )}
    </>
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
