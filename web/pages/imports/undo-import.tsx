import { Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { revertImport } from '../../../src/features/imports/imports.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { counted } from '../../lib/numbers.ts';
import type { Import } from './import-page.tsx';
import { OPTION } from '../../components/option-look.ts';

type Result = OutputOf<typeof revertImport>;

/** Takes an import back: what that would do is shown first. */
export function UndoImport({ one }: { one: Import }) {
  const right = useReasonAgainst('full_access');
  const [rehearsed, setRehearsed] = useState<Result>();
  const rehearse = useApiWrite(revertImport, { refreshes: [], onSuccess: setRehearsed });
  const done = one.status === 'reverted' ? 'It has been undone already.' : undefined;
  const nothing = one.change_set_id === null && one.counts.added + one.counts.updated === 0;
  const reason = right ?? done;
  return (
    <div>
      <Button
        icon={Undo2}
        busy={rehearse.isPending}
        disabledReason={reason}
        onClick={() => rehearse.mutate({ params: { id: one.id }, body: { dry_run: true, on_conflict: 'skip' } })}
      >
        Undo import
      </Button>
      {rehearse.error !== null && (
        <div className="mt-3 max-w-sm">
          {nothing ? (
            <p role="alert">It changed nothing, so there is nothing to undo.</p>
          ) : (
            <ErrorBanner error={rehearse.error} />
          )}
        </div>
      )}
      {rehearsed && <UndoDialog one={one} plan={rehearsed} onClose={() => setRehearsed(undefined)} />}
    </div>
  );
}

type Choice = 'leave' | 'skip' | 'force';

interface UndoDialogProps {
  one: Import;
  plan: Result;
  onClose: () => void;
}

function UndoDialog({ one, plan, onClose }: UndoDialogProps) {
  const { worked_on_count: worked } = plan;
  const [choice, choose] = useState<Choice>(worked > 0 ? 'leave' : 'skip');
  const undo = useApiWrite(revertImport, { undo: 'Import undone.', onSuccess: onClose });
  const count = choice === 'force' ? plan.deleted_count + worked : plan.deleted_count;
  return (
    <Dialog open title="Undo this import?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (choice === 'leave') onClose();
          else if (!undo.isPending) {
            const how = choice === 'force' ? 'force' : worked + changedSince(plan) > 0 ? 'skip' : 'refuse';
            undo.mutate({ params: { id: one.id }, body: { on_conflict: how } });
          }
        }}
      >
        {undo.error !== null && <ErrorBanner error={undo.error} />}
        <Planned one={one} plan={plan} />
        {worked > 0 && <WorkedOn worked={worked} choice={choice} onChoose={choose} />}
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button onClick={onClose} data-autofocus={worked === 0 || undefined}>
            Cancel
          </Button>
          {choice !== 'leave' && (
            <Button type="submit" look="danger" busy={undo.isPending}>
              {count > 0 ? `Delete ${counted(count, 'transaction')}` : 'Undo import'}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** What changed since, beside rows that people have worked on: it stays. What can never be undone is no conflict. */
function changedSince({ skipped, worked_on_count: worked }: Result): number {
  return Math.max(0, skipped.filter(({ reason }) => reason !== 'not_revertible').length - worked);
}

/** What the dry run has found. */
function Planned({ one, plan }: { one: Import; plan: Result }) {
  const { deleted_count: deleted, restored_count: restored, kept_count: kept } = plan;
  const others = changedSince(plan);
  const made = one.accounts.filter(({ created }) => created).length;
  return (
    <ul className="list-disc space-y-1 pl-5">
      <li>
        {counted(deleted, 'transaction')} that it brought {deleted === 1 ? 'is' : 'are'} deleted. Importing the file
        again brings {deleted === 1 ? 'it' : 'them'} back.
      </li>
      {restored > 0 && (
        <li>
          {counted(restored, 'transaction')} that it changed{' '}
          {restored === 1 ? 'becomes what it was' : 'become what they were'}.
        </li>
      )}
      {kept > 0 && (
        <li>
          {counted(kept, 'transaction')} that another import or a bank delivers too {kept === 1 ? 'stays' : 'stay'}.
        </li>
      )}
      {others > 0 && <li>{counted(others, 'change')} that somebody has changed again since stays as it is now.</li>}
      {made > 0 && (
        <li>{made === 1 ? 'The account that it added stays.' : `The ${made} accounts that it added stay.`}</li>
      )}
    </ul>
  );
}

interface WorkedOnProps {
  worked: number;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

function WorkedOn({ worked, choice, onChoose }: WorkedOnProps) {
  const rows = counted(worked, 'transaction');
  const it = worked === 1 ? 'it' : 'them';
  const options: readonly [Choice, string, string][] = [
    ['leave', 'Leave everything as it is', 'Nothing is undone.'],
    [
      'skip',
      `Undo the rest and keep ${worked === 1 ? 'that one' : 'those'}`,
      `${rows} with work on ${it} ${worked === 1 ? 'stays as it is' : 'stay as they are'}.`,
    ],
    [
      'force',
      'Undo all of it',
      `${rows} with work on ${it} ${worked === 1 ? 'is' : 'are'} deleted too. Undoing this brings ${it} back with the work.`,
    ],
  ];
  return (
    <fieldset className="mt-4">
      <legend className="mb-2 font-medium">
        Somebody has worked on {rows} of it since: a category, a tag, a comment. What about {it}?
      </legend>
      {options.map(([value, label, hint]) => (
        <label key={value} className={`${OPTION} flex gap-3`}>
          <input
            type="radio"
            name="choice"
            value={value}
            checked={choice === value}
            data-may-be-lost
            onChange={() => onChoose(value)}
            className="mt-0.5 size-5 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{label}</span>
            <span className="block text-sm text-muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
