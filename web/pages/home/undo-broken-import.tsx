import { Undo2 } from 'lucide-react';
import { useState } from 'react';

import { listImports, revertImport } from '../../../src/features/imports/imports.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { inDigits } from '../../lib/numbers.ts';

/** Undoes the newest import of an account, after saying what that deletes. */
export function UndoBrokenImport({ accountId }: { accountId: string }) {
  const [isAsking, ask] = useState(false);
  const newest = useApiQuery(listImports, { query: { account_id: accountId, status: 'completed', limit: '1' } });
  const revert = useApiWrite(revertImport, { undo: 'The import is undone.' });
  const reason = useReasonAgainst('full_access');
  const [found] = newest.data?.imports ?? [];
  if (!found) return null;
  const { id, file_name: file, counts } = found;
  return (
    <>
      <Button icon={Undo2} disabledReason={reason} onClick={() => ask(true)}>
        Undo the import
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={file === null ? 'Undo the import?' : `Undo the import of ${file}?`}
        action="Undo"
        onConfirm={() => revert.mutateAsync({ params: { id }, body: {} })}
        onClose={() => ask(false)}
      >
        {counts.added === 1 ? 'The transaction' : `The ${inDigits(counts.added)} transactions`} it added will be
        deleted. If you have changed any of them since, nothing is undone and you are told which. You can import the
        file again.
      </ConfirmDialog>
    </>
  );
}
