import { Plus } from 'lucide-react';
import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { AddTransactionDialog } from '../../components/transaction/add-transaction-dialog.tsx';
import { listOf, type View } from './filters.ts';

export function AddButton({ view }: { view: View }) {
  const [isOpen, open] = useState(false);
  const accounts = listOf(view.filters.account_id);
  const account = accounts.length === 1 ? accounts[0] : undefined;
  return (
    <>
      <Button icon={Plus} look="primary" disabledReason={useReasonAgainst('full_access')} onClick={() => open(true)}>
        Add
      </Button>
      {isOpen && <AddTransactionDialog title="Add a transaction" account={account} onClose={() => open(false)} />}
    </>
  );
}
