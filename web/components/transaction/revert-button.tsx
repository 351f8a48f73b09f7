import { Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { revertChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { api, ApiError, messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { counted } from '../../lib/numbers.ts';
import { IconButton } from '../button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { showToast } from '../toast-store.ts';

type Revert = OutputOf<typeof revertChangeSet>;

interface RevertButtonProps {
  /** The change set. */
  id: string;
  /** What it did, in words. */
  what: string;
  reason: string | undefined;
}

/** Undoes the change behind an entry: at once where it is this one row, and after a look at it where there are more. */
export function RevertButton({ id, what, reason }: RevertButtonProps) {
  const [asked, setAsked] = useState<Revert | 'conflict'>();
  const [isBusy, setBusy] = useState(false);
  const revert = useApiWrite(revertChangeSet, { undo: 'Undone' });
  const undo = (onConflict: 'refuse' | 'skip') =>
    revert.mutateAsync({ params: { id }, body: { on_conflict: onConflict } });

  async function look(): Promise<void> {
    setBusy(true);
    try {
      const planned = await api.call(revertChangeSet, { params: { id }, body: { dry_run: true } });
      if (planned.reverted_count === 1 && planned.skipped_count === 0) await undo('refuse');
      else setAsked(planned);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'REVERT_CONFLICT') setAsked('conflict');
      else showToast(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <IconButton
        icon={Undo2}
        label={`Undo: ${what}`}
        busy={isBusy}
        disabledReason={reason}
        onClick={() => void look()}
      />
      <ConfirmDialog
        open={asked !== undefined}
        title="Undo this change?"
        action={asked === 'conflict' ? 'Undo the rest' : 'Undo'}
        onConfirm={() => undo(asked === 'conflict' ? 'skip' : 'refuse')}
        onClose={() => setAsked(undefined)}
      >
        {asked === 'conflict' && (
          <p>Something it changed has been changed again since. That stays as it is now; the rest can be undone.</p>
        )}
        {asked !== undefined && asked !== 'conflict' && <Planned plan={asked} />}
      </ConfirmDialog>
    </>
  );
}

function Planned({ plan: { reverted_count: count, skipped_count: skipped, message } }: { plan: Revert }) {
  return (
    <>
      <p>It was part of a larger change: undoing it changes {counted(count, 'record')}.</p>
      {skipped > 0 && <p>{counted(skipped, 'record')} cannot be undone and stay as they are.</p>}
      {message !== null && <p>{message}</p>}
    </>
  );
}
