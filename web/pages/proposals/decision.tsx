import { useState } from 'react';

import { approveProposal, rejectProposal } from '../../../src/features/proposals/proposals.contract.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { showToast } from '../../components/toast-store.ts';
import { usePageKeys } from '../../layout/page-keys.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import type { Plan } from './use-plan.ts';

interface DecisionProps {
  plan: Plan;
  /** Sequences of what is left out. */
  left: readonly number[];
  onReload: () => void;
}

/** Approving what is ticked, or rejecting the plan. Both ask first. */
export function Decision({ plan, left, onReload }: DecisionProps) {
  const [asked, ask] = useState<'approve' | 'reject' | null>(null);
  const right = useReasonAgainst('full_access');
  const conflicts = plan.changes.filter((one) => one.conflict !== null && !left.includes(one.sequence)).length;
  const ticked = plan.changes.length - left.length;
  const nothing = ticked - conflicts <= 0 ? 'Nothing that can be applied is ticked.' : undefined;
  const unable = right ?? nothing;
  usePageKeys({
    a: () => unable === undefined && ask('approve'),
    r: () => right === undefined && ask('reject'),
  });
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap gap-3 border-t border-line bg-surface p-4 max-lg:bottom-14">
      <Button look="primary" disabledReason={unable} onClick={() => ask('approve')}>
        {conflicts === 0
          ? `Approve ${counted(ticked, 'change')}`
          : `Approve ${counted(ticked - conflicts, 'change')} of ${inDigits(ticked)}`}
      </Button>
      <Button disabledReason={right} onClick={() => ask('reject')}>
        Reject
      </Button>
      <ApproveDialog
        plan={plan}
        left={left}
        conflicts={conflicts}
        open={asked === 'approve'}
        onReload={onReload}
        onClose={() => ask(null)}
      />
      <RejectDialog plan={plan} open={asked === 'reject'} onReload={onReload} onClose={() => ask(null)} />
    </div>
  );
}

interface DialogProps {
  plan: Plan;
  open: boolean;
  onClose: () => void;
}

function ApproveDialog({
  plan,
  left,
  conflicts,
  open,
  onReload,
  onClose,
}: DialogProps & DecisionProps & { conflicts: number }) {
  const [note, setNote] = useState('');
  const approve = useApiWrite(approveProposal, { undo: (done) => `${counted(done.applied_count, 'change')} written` });
  const applied = plan.changes.length - left.length - conflicts;

  async function confirm(): Promise<void> {
    try {
      await approve.mutateAsync({
        params: { id: plan.id },
        body: {
          exclude: [...left],
          fingerprint: plan.fingerprint,
          on_conflict: conflicts > 0 ? 'skip' : 'refuse',
          note: note.trim() === '' ? null : note.trim(),
        },
      });
    } catch (error) {
      if (isAbout(error, 'PROPOSAL_CONFLICT') || isAbout(error, 'PROPOSAL_CHANGED')) onReload();
      tellIfDecided(error, onReload);
      throw error;
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title={`Approve ${counted(applied, 'change')}?`}
      action="Approve"
      destructive={false}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        They become your own edits, in one change set that you can undo.
        {left.length > 0 && ` ${counted(left.length, 'change')} that you did not tick are left out.`}
        {conflicts > 0 && ` ${counted(conflicts, 'change')} that are out of date are left out.`}
      </p>
      <Note note={note} onChange={setNote} />
    </ConfirmDialog>
  );
}

function RejectDialog({ plan, open, onReload, onClose }: DialogProps & Pick<DecisionProps, 'onReload'>) {
  const [note, setNote] = useState('');
  const reject = useApiWrite(rejectProposal, { onSuccess: () => showToast('Rejected. Nothing was changed.') });

  async function confirm(): Promise<void> {
    try {
      await reject.mutateAsync({ params: { id: plan.id }, body: { note: note.trim() === '' ? null : note.trim() } });
    } catch (error) {
      tellIfDecided(error, onReload);
      throw error;
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title="Reject this plan?"
      action="Reject"
      destructive={false}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>Nothing changes. The agent does not propose the same changes again for 90 days.</p>
      <Note note={note} onChange={setNote} />
    </ConfirmDialog>
  );
}

function Note({ note, onChange }: { note: string; onChange: (text: string) => void }) {
  return (
    <label className="mt-4 block text-ink">
      <span className="mb-1 block font-medium">Note (optional)</span>
      <textarea
        className="field target"
        rows={2}
        maxLength={2_000}
        value={note}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** Somebody else was first: the page shows what they decided. The dialog goes with its buttons, so a toast says why. */
function tellIfDecided(error: unknown, onReload: () => void): void {
  if (!isAbout(error, 'PROPOSAL_NOT_OPEN')) return;
  showToast(messageOf(error));
  onReload();
}

function isAbout(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.body.error.code === code;
}
