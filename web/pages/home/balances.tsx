import { useQueries } from '@tanstack/react-query';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { queryOptions } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Awaited } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { balancesInOrder, currencyName, type Overview } from './view.ts';

const REFRESH_MS = 60_000;

type Balance = Overview['balances'][number];

/** What is owned and owed, one figure per currency; below, the same for each member. */
export function Balances({ overview, userId }: { overview: Overview; userId: string | undefined }) {
  const { members } = overview;
  const balances = balancesInOrder(overview);
  if (balances.length === 0) {
    return (
      <Section title="Balances">
        <p className="text-muted">
          {userId === undefined ? 'No account has a balance yet.' : 'This member has no account with a balance.'} Import
          a file that contains balances, or set an account’s balance by hand.
        </p>
      </Section>
    );
  }
  return (
    <Section title="Balances">
      <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
        {balances.map((balance) => (
          <CurrencyBalance key={balance.iso_currency_code} balance={balance} />
        ))}
      </ul>
      {userId === undefined && members.length > 1 && <MemberBalances overview={overview} />}
    </Section>
  );
}

function CurrencyBalance({ balance }: { balance: Balance }) {
  const { iso_currency_code: currency, assets, liabilities, net, account_count: count } = balance;
  const hasDebts = liabilities !== '0.00';
  return (
    <li>
      <p className="text-sm font-semibold text-muted">{currencyName(currency)}</p>
      <p className="font-serif text-3xl font-semibold tracking-tight wrap-anywhere *:whitespace-normal">
        <Money amount={net} currency={currency} kind="balance" />
      </p>
      <p className="mt-1 text-sm text-muted">
        {hasDebts && (
          <>
            <Money amount={assets} currency={currency} kind="balance" /> owned,{' '}
            <Money amount={liabilities} currency={currency} kind="balance" /> owed,{' '}
          </>
        )}
        {counted(count, 'account')}
      </p>
    </li>
  );
}

interface MemberRow {
  id: string;
  name: string;
  balances: readonly Balance[];
}

function MemberBalances({ overview }: { overview: Overview }) {
  const answers = useQueries({
    queries: overview.members.map(({ user_id }) => ({
      ...queryOptions(getOverview, { query: { user_id } }),
      refetchInterval: REFRESH_MS,
    })),
  });
  if (answers.some(({ isPending }) => isPending)) return <Awaited />;
  if (answers.some(({ data }) => data === undefined)) return null;
  const rows = overview.members
    .map(({ user_id: id, name }, index): MemberRow => ({ id, name, balances: answers[index]?.data?.balances ?? [] }))
    .filter(({ balances }) => balances.length > 0);
  const columns: Column<MemberRow>[] = [
    { title: 'Member', cell: ({ name }) => <bdi>{name}</bdi>, isRowHeader: true },
    ...balancesInOrder(overview).map(({ iso_currency_code: currency }) =>
      moneyColumn<MemberRow>(
        currencyName(currency),
        currency,
        ({ balances }) => balances.find((balance) => balance.iso_currency_code === currency)?.net,
      ),
    ),
  ];
  return (
    <div className="mt-6 border-t border-line pt-4">
      <h3 className="mb-1 font-semibold">By member</h3>
      <DataTable
        caption="Net worth by member and currency"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={null}
      />
    </div>
  );
}
