import type { ReactNode } from 'react';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Instant } from '../../components/instant.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import {
  Balance,
  ConnectionState,
  counts,
  isOwed,
  Marks,
  nameOf,
  ProofMark,
  sumsOf,
  type Account,
} from '../accounts/account-words.tsx';
import { balancesInOrder, currencyName, keepFiguresOf, ofMember, type Overview } from './view.ts';

/** What is owned and owed, per currency; then each account with its balance, how old that is and whether it adds up. */
export function Accounts({ overview, userId }: { overview: Overview; userId: string | undefined }) {
  const accounts = useApiQuery(listAccounts, { query: ofMember(userId) }, { placeholderData: keepFiguresOf(userId) });
  return (
    <Section
      title="Accounts"
      actions={
        <PageLink to="/accounts" className={LINK}>
          All accounts
        </PageLink>
      }
    >
      <NetWorthNow overview={overview} />
      <Loaded query={accounts} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-muted">
              {userId === undefined ? 'There is no account yet.' : 'This member has no account.'}
            </p>
          ) : (
            groupsOf(all).map(({ title, accounts: ofGroup }) => <Group key={title} title={title} accounts={ofGroup} />)
          )
        }
      </Loaded>
    </Section>
  );
}

function NetWorthNow({ overview }: { overview: Overview }) {
  return (
    <ul className="mb-4 flex flex-wrap gap-x-10 gap-y-3 empty:hidden">
      {balancesInOrder(overview).map(({ iso_currency_code: currency, net }) => (
        <li key={currency} className="min-w-0">
          <p className="text-sm text-muted">{currencyName(currency)}</p>
          <p className="font-serif text-3xl font-semibold tracking-tight wrap-anywhere **:whitespace-normal">
            <PageLink to="/accounts" className="hover:underline">
              <Money amount={net} currency={currency} kind="balance" />
            </PageLink>
          </p>
        </li>
      ))}
    </ul>
  );
}

interface AccountGroup {
  title: string;
  accounts: readonly Account[];
}

/** What totals leave out stands apart, so that each group adds up. */
function groupsOf(accounts: readonly Account[]): AccountGroup[] {
  const counted = accounts.filter(counts);
  return [
    { title: 'Owned', accounts: counted.filter((account) => !isOwed(account)) },
    { title: 'Owed', accounts: counted.filter(isOwed) },
    { title: 'Not in totals', accounts: accounts.filter((account) => !counts(account)) },
  ].filter((group) => group.accounts.length > 0);
}

function Group({ title, accounts }: AccountGroup) {
  return (
    <section aria-label={title} className="mt-4 first:mt-0">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-1 text-sm font-semibold text-muted">
        {title}
        <span className="text-right">
          {sumsOf(accounts).map(({ currency, owned, owed }) => (
            <span key={currency} className="block">
              <Money amount={owned === '0.00' ? owed : owned} currency={currency} kind="balance" />
            </span>
          ))}
        </span>
      </h3>
      <ul className="divide-y divide-line">
        {accounts.map((account) => (
          <li key={account.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <AccountName account={account} />
            <span className="ml-auto inline-flex flex-wrap items-center justify-end gap-x-1.5 font-medium">
              <ProofMark account={account} />
              <Balance account={account} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AccountName({ account }: { account: Account }): ReactNode {
  const { balance_updated_at: at, owner_user_name: owner } = account;
  return (
    <span className="min-w-0 flex-1 basis-40">
      <span className="flex flex-wrap items-center gap-x-2">
        <PageLink to="/accounts/{id}" params={{ id: account.short_id }} className="font-medium hover:underline">
          <bdi className="wrap-anywhere">{nameOf(account)}</bdi>
        </PageLink>
        <Marks account={account} />
        <ConnectionState account={account} />
      </span>
      <span className="block text-xs wrap-anywhere text-muted">
        {owner && <bdi>{owner}</bdi>}
        {typeof at === 'string' && (
          <>
            {owner && ' · '}
            <Instant at={at} />
          </>
        )}
      </span>
    </span>
  );
}
