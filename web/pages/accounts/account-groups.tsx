import { DataTable, type Column, type RowGroup } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Money } from '../../components/money.tsx';
import { LANGUAGE } from '../../lib/language.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import {
  aboutBank,
  Balance,
  ConnectionState,
  Marks,
  nameOf,
  ProofMark,
  sumsOf,
  TYPE_ORDER,
  typeName,
  type Account,
} from './account-words.tsx';

export type Grouping = 'type' | 'member' | 'bank';

export const GROUPINGS: readonly { value: Grouping; label: string }[] = [
  { value: 'type', label: 'Type' },
  { value: 'member', label: 'Member' },
  { value: 'bank', label: 'Bank' },
];

export function AccountGroups({ accounts, by }: { accounts: readonly Account[]; by: Grouping }) {
  return (
    <DataTable
      caption={`Accounts by ${by}`}
      columns={columnsFor(accounts)}
      groups={groupsOf(accounts, by)}
      keyOf={(account) => account.id}
      empty={<p className="text-muted">All accounts are disconnected.</p>}
    />
  );
}

/** Columns that no account fills are left out. */
function columnsFor(accounts: readonly Account[]): Column<Account>[] {
  const has = (field: 'balance_available' | 'balance_limit'): boolean =>
    accounts.some((account) => typeof account[field] === 'string');
  return [
    { title: 'Account', isRowHeader: true, cell: (account) => <Name account={account} /> },
    { title: 'Owner', cell: ({ owner_user_name: owner }) => (owner ? <bdi>{owner}</bdi> : null) },
    {
      title: 'As of',
      cell: ({ balance_updated_at: at }) =>
        typeof at === 'string' ? (
          <span className="text-sm text-muted">
            <Instant at={at} />
          </span>
        ) : null,
    },
    ...(has('balance_limit') ? [moneyOf('Limit', 'balance_limit')] : []),
    ...(has('balance_available') ? [moneyOf('Available', 'balance_available')] : []),
    {
      title: 'Balance',
      align: 'end',
      cell: (account) => (
        <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5 font-medium">
          <ProofMark account={account} />
          <Balance account={account} />
        </span>
      ),
    },
  ];
}

function moneyOf(title: string, field: 'balance_available' | 'balance_limit'): Column<Account> {
  return {
    title,
    align: 'end',
    cell: (account) =>
      typeof account[field] === 'string' ? (
        <span className="text-muted">
          <Balance account={account} of={field} />
        </span>
      ) : null,
  };
}

function Name({ account }: { account: Account }) {
  const below = aboutBank(account);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <PageLink to="/accounts/{id}" params={{ id: account.short_id }} className={LINK}>
          <bdi>{nameOf(account)}</bdi>
        </PageLink>
        <Marks account={account} />
        <ConnectionState account={account} />
      </span>
      {below.length > 0 && <span className="block text-sm font-normal text-muted">{below.join(' · ')}</span>}
    </>
  );
}

function groupsOf(accounts: readonly Account[], by: Grouping): RowGroup<Account>[] {
  const keyOf = {
    type: (account: Account) => account.type ?? 'other',
    member: (account: Account) => account.owner_user_name ?? '',
    bank: (account: Account) => account.institution_name ?? '',
  }[by];
  const groups = [...Map.groupBy(accounts, keyOf)];
  if (by === 'type') groups.sort(([a], [b]) => placeOf(a) - placeOf(b));
  else groups.sort(([a], [b]) => a.localeCompare(b, LANGUAGE));
  return groups.map(([key, rows]) => ({ key, title: titleOf(key, by), end: <GroupSums accounts={rows} />, rows }));
}

function placeOf(type: string): number {
  const place = TYPE_ORDER.indexOf(type);
  return place === -1 ? TYPE_ORDER.length : place;
}

function titleOf(key: string, by: Grouping): string {
  if (by === 'type') return typeName(key, 'many');
  if (key !== '') return key;
  return by === 'member' ? 'Nobody’s' : 'Without a bank';
}

/** One line per currency; what a group owes is said. */
function GroupSums({ accounts }: { accounts: readonly Account[] }) {
  return sumsOf(accounts).map(({ currency, owned, owed, net }) => (
    <span key={currency} className="block">
      {owned === '0.00' && owed !== '0.00' ? (
        <>
          <span className="font-normal text-muted">owed </span>
          <Money amount={owed} currency={currency} kind="balance" />
        </>
      ) : (
        <Money amount={net} currency={currency} kind="balance" />
      )}
    </span>
  ));
}
