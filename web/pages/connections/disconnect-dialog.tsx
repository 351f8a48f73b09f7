import { useState } from 'react';

import { deleteConnection } from '../../../src/features/connections/connections.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Switch } from '../../components/choice-fields.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { bankName, type ConnectionState } from './connection-words.ts';

/** Ends a connection. What is deleted with it comes back by an undo. */
export function DisconnectDialog({ connection, onClose }: { connection: ConnectionState; onClose: () => void }) {
  const [deletesRows, setDeletesRows] = useState(false);
  const name = bankName(connection);
  const remove = useApiWrite(deleteConnection, {
    undo: deletesRows ? 'Disconnected. The deleted transactions can be restored' : 'Disconnected',
  });
  const query = deletesRows ? { delete_transactions: 'true' } : {};
  return (
    <ConfirmDialog
      open
      title={`Disconnect ${name}?`}
      action="Disconnect"
      typeToConfirm={name}
      onConfirm={() => remove.mutateAsync({ params: { id: connection.id }, query })}
      onClose={onClose}
    >
      <p>
        {name} will send nothing more, and access to it ends at the provider. Its {accountsInWords(connection)} and all
        history are kept. If you connect {name} again, it continues from there.
      </p>
      <div className="mt-4">
        <Switch
          label="Delete its transactions too"
          hint={
            deletesRows
              ? 'What the bank delivered disappears from all lists and totals. You can restore it from the history, or by connecting the bank again. What came from files or was entered by hand is kept.'
              : 'Off: nothing is deleted.'
          }
          checked={deletesRows}
          onChange={setDeletesRows}
        />
      </div>
    </ConfirmDialog>
  );
}

function accountsInWords({ account_count: count }: ConnectionState): string {
  return count === 1 ? 'account' : `${count} accounts`;
}
