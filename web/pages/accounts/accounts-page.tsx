import { useNavigate } from '@tanstack/react-router';
import { Landmark, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { z } from 'zod';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ImportButton } from '../../components/import/import-button.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { PageLink, usePageSearch } from '../../lib/page-link.tsx';
import { AccountGroups, GROUPINGS, type Grouping } from './account-groups.tsx';
import { counts, isDisconnected, nameOf, sumsOf, type Account } from './account-words.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';

const Search = z.object({ by: z.enum(['type', 'member', 'bank']), disconnected: z.string() });

/** Every account with its balance, and whether that adds up. */
export default function AccountsPage() {
  const accounts = useApiQuery(listAccounts, { query: { include_disconnected: 'true' } });
  const [isNew, setNew] = useState(false);
  const right = useReasonAgainst('full_access');
  const add = (
    <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setNew(true)}>
      New account
    </Button>
  );
  const isEmpty = accounts.data?.length === 0;
  return (
    <>
      <PageHeader title="Accounts" actions={isEmpty ? undefined : add} />
      <Loaded query={accounts} lines={8}>
        {(all) => (all.length === 0 ? <NoAccounts add={add} /> : <Accounts all={all} />)}
      </Loaded>
      {isNew && <NewAccountDialog onClose={() => setNew(false)} />}
    </>
  );
}

function NoAccounts({ add }: { add: ReactNode }) {
  return (
    <EmptyState
      icon={Landmark}
      title="No accounts yet"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <PageLink to="/connections/new" className={buttonClass('primary')}>
            Connect a bank
          </PageLink>
          <ImportButton />
          {add}
        </div>
      }
    >
      Connect a bank, import a file from one, or add an account that you keep by hand, such as a wallet.
    </EmptyState>
  );
}

function Accounts({ all }: { all: readonly Account[] }) {
  const { by = 'type', disconnected } = usePageSearch(Search);
  const navigate = useNavigate();
  const change = (search: { by?: Grouping; disconnected?: string | undefined }): void => {
    const next = {
      ...(by === 'type' ? {} : { by }),
      ...(disconnected === undefined ? {} : { disconnected }),
      ...search,
    };
    const kept = Object.fromEntries(
      Object.entries(next).filter(([, value]) => value !== undefined && value !== 'type'),
    );
    void navigate({ to: '/accounts', search: kept, replace: true } as unknown as Parameters<typeof navigate>[0]);
  };
  const gone = all.filter(isDisconnected);
  const areShown = disconnected === 'true';
  const shown = areShown ? all : all.filter((account) => !isDisconnected(account));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <Sums accounts={all} />
        <Segmented label="Group by" options={GROUPINGS} value={by} onChange={(next) => change({ by: next })} />
      </div>
      <AccountGroups accounts={shown} by={by} />
      {gone.length > 0 && (
        <p className="mt-4">
          <Button look="quiet" onClick={() => change({ disconnected: areShown ? undefined : 'true' })}>
            {areShown ? 'Hide' : 'Show'} {counted(gone.length, 'disconnected account')}
          </Button>
        </p>
      )}
    </>
  );
}

/** So many accounts are named. */
const NAMED = 3;

/** Per currency what is owned and owed, and what is left out of it. */
function Sums({ accounts }: { accounts: readonly Account[] }) {
  const left = accounts.filter((account) => !counts(account) && !isDisconnected(account));
  return (
    <div className="min-w-0">
      <ul className="flex flex-wrap gap-x-10 gap-y-2">
        {sumsOf(accounts).map(({ currency, owned, owed, net }) => (
          <li key={currency}>
            <p className="font-serif text-3xl font-semibold tracking-tight">
              <Money amount={net} currency={currency} kind="balance" />
            </p>
            {owed !== '0.00' && (
              <p className="text-sm text-muted">
                <Money amount={owned} currency={currency} kind="balance" /> owned,{' '}
                <Money amount={owed} currency={currency} kind="balance" /> owed
              </p>
            )}
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <p className="mt-1 text-sm text-muted">
          Not in these sums:{' '}
          {left.length > NAMED ? counted(left.length, 'account') : left.map((account) => nameOf(account)).join(', ')}.
        </p>
      )}
    </div>
  );
}
