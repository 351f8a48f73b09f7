import { Link2, Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { getAccountDetail } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { AddTransactionDialog } from '../../components/transaction/add-transaction-dialog.tsx';
import { PageLink, usePageParams } from '../../lib/page-link.tsx';
import { AccountFacts } from './account-facts.tsx';
import { aboutBank, isByHand, nameOf, typeName, type Detail } from './account-words.tsx';
import { BalanceSection } from './balance-section.tsx';
import { FlowSection } from './flow-section.tsx';
import { ImportsOfAccount, LinksOfAccount } from './account-sources.tsx';
import { NewestOfAccount } from './newest-of-account.tsx';
import { ReportedBalances } from './reported-balances.tsx';
import { SpentOn } from './spent-on.tsx';

// Forms come after the figures.
const AccountSettings = lazy(async () => ({ default: (await import('./account-settings.tsx')).AccountSettings }));
const DeleteAccountDialog = lazy(async () => ({ default: (await import('./delete-account.tsx')).DeleteAccountDialog }));

/** One account: its balance over time, what moved, where it comes from, and what can be changed about it. */
export default function AccountPage() {
  const { id = '' } = usePageParams();
  const account = useApiQuery(getAccountDetail, { params: { id } });
  return (
    <>
      <BackLink to="/accounts">Accounts</BackLink>
      {account.data === undefined && <PageHeader title="Account" />}
      <Loaded query={account} lines={8}>
        {(found) => <OpenAccount account={found} />}
      </Loaded>
    </>
  );
}

function OpenAccount({ account }: { account: Detail }) {
  return (
    <>
      <PageHeader title={nameOf(account)} lead={leadOf(account)} actions={<Actions account={account} />} />
      <AccountFacts account={account} />
      <div className="grid gap-x-6 xl:grid-cols-[3fr_2fr] [&>*]:min-w-0">
        <div>
          <BalanceSection account={account} />
          <NewestOfAccount account={account} />
        </div>
        <div>
          <FlowSection account={account} />
          <SpentOn account={account} />
          <ReportedBalances account={account} />
          <LinksOfAccount account={account} />
        </div>
      </div>
      <ImportsOfAccount account={account} />
      <Suspense fallback={<Skeleton lines={6} />}>
        <AccountSettings account={account} />
      </Suspense>
    </>
  );
}

/** What it is, at which bank, and whose. */
function leadOf(account: Detail): string {
  const kind = account.subtype ?? typeName(account.type);
  const words = [kind.charAt(0).toUpperCase() + kind.slice(1), ...aboutBank(account), account.owner_user_name];
  return words.filter((part) => part !== null).join(' · ');
}

function Actions({ account }: { account: Detail }) {
  const right = useReasonAgainst('full_access');
  const [open, setOpen] = useState<'add' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const { connection_short_id: connection } = account;
  if (!isByHand(account)) {
    if (connection === null) return null;
    return (
      <PageLink to="/connections/{id}" params={{ id: connection }} className={buttonClass()}>
        <Link2 aria-hidden size={18} className="shrink-0" />
        Open the connection
      </PageLink>
    );
  }
  return (
    <>
      <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setOpen('add')}>
        Add a transaction
      </Button>
      <Button icon={Trash2} disabledReason={right} onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'add' && (
        <AddTransactionDialog
          isFixed
          title={`Add a transaction to ${nameOf(account)}`}
          account={account.id}
          onClose={close}
        />
      )}
      <Suspense>{open === 'delete' && <DeleteAccountDialog account={account} onClose={close} />}</Suspense>
    </>
  );
}
