import { useNavigate } from '@tanstack/react-router';

import { deleteAccount } from '../../../src/features/accounts/accounts-by-hand.contract.ts';
import { countTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { refresh, useApiQuery, useApiWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { nameOf, type Detail } from './account-words.tsx';

/** Says what goes with the account before it goes. */
export function DeleteAccountDialog({ account, onClose }: { account: Detail; onClose: () => void }) {
  const navigate = useNavigate();
  const rows = useApiQuery(countTransactions, { query: { account_id: [account.id] } });
  const remove = useApiWrite(deleteAccount, { undo: 'Account deleted', refreshes: [] });
  const count = rows.data?.count;
  return (
    <ConfirmDialog
      open
      title={`Delete ${nameOf(account)}?`}
      action={count === undefined || count === 0 ? 'Delete' : `Delete it with ${counted(count, 'transaction')}`}
      onConfirm={async () => {
        const query = { delete_transactions: count === 0 ? 'false' : 'true' };
        await remove.mutateAsync({ params: { id: account.id }, query });
        await navigate({ to: '/accounts' });
        // Not before: the page of the account would ask for what is gone.
        await refresh();
      }}
      onClose={onClose}
    >
      <Loaded query={rows} lines={1}>
        {({ count: found }) => <p>{goesWith(found)} Its balances go too. Undo brings everything back.</p>}
      </Loaded>
    </ConfirmDialog>
  );
}

function goesWith(count: number): string {
  if (count === 0) return 'It has no transactions.';
  return count === 1 ? 'Its one transaction goes with it.' : `Its ${counted(count, 'transaction')} go with it.`;
}
