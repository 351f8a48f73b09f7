import { History, Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { OutputOf } from '../../src/contract/operation.ts';
import { listChangeSets, revertChangeSet } from '../../src/features/change-sets/change-sets.contract.ts';
import { useApiQuery, useApiWrite } from '../api/queries.ts';
import { useReasonAgainst } from '../api/session.ts';
import { ErrorBanner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Instant } from '../components/instant.tsx';
import { Loaded } from '../components/skeleton.tsx';
import { Status } from '../components/status.tsx';
import { counted } from '../lib/numbers.ts';

type ChangeSet = OutputOf<typeof listChangeSets>['change_sets'][number];
type Result = OutputOf<typeof revertChangeSet>;

const SHOWN = '20';
/** Everything that was not brought by a bank. */
const SOURCES = 'edit,rule,import,link,proposal,revert,system';

export default function RecentChangeList() {
  const query = useApiQuery(listChangeSets, { query: { source: SOURCES, limit: SHOWN } });
  return (
    <Loaded query={query} lines={8}>
      {({ change_sets: sets }) =>
        sets.length === 0 ? (
          <EmptyState icon={History} title="Nothing has changed yet">
            What people, rules, agents and imports change appears here, with the way back.
          </EmptyState>
        ) : (
          <ul className="-my-3 divide-y divide-line">
            {sets.map((set) => (
              <li key={set.id} className="py-3">
                <RecentChange set={set} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

const UNDONE = { applied: undefined, partly_reverted: 'Partly undone', reverted: 'Undone' } as const;

function RecentChange({ set }: { set: ChangeSet }) {
  const right = useReasonAgainst('full_access');
  const [rehearsed, setRehearsed] = useState<Result>();
  const rehearse = useApiWrite(revertChangeSet, { refreshes: [], onSuccess: setRehearsed });
  const undo = useApiWrite(revertChangeSet, { undo: 'Undone.', onSuccess: () => setRehearsed(undefined) });
  const undone = UNDONE[set.status];
  const error = undo.error ?? rehearse.error;
  const send = (body: { dry_run?: boolean; on_conflict: 'refuse' | 'skip' }): void => {
    const { mutate } = body.dry_run === true ? rehearse : undo;
    mutate({ params: { id: set.id }, body });
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-48 flex-1">
          <p className="font-medium wrap-anywhere">{set.summary}</p>
          <p className="text-sm text-muted">
            <bdi>{set.actor_name}</bdi> · <Instant at={set.created_at} />
          </p>
        </div>
        {undone !== undefined && <Status>{undone}</Status>}
        {set.revertible && !rehearsed && (
          <Button
            icon={Undo2}
            aria-label={`Undo: ${set.summary}`}
            disabledReason={right}
            busy={undo.isPending || rehearse.isPending}
            onClick={() => send(rowsOf(set) > 1 ? { dry_run: true, on_conflict: 'skip' } : { on_conflict: 'refuse' })}
          >
            Undo
          </Button>
        )}
      </div>
      {error !== null && <ErrorBanner error={error} />}
      {rehearsed && (
        <Rehearsed
          result={rehearsed}
          busy={undo.isPending}
          onUndo={() => send({ on_conflict: rehearsed.skipped_count > 0 ? 'skip' : 'refuse' })}
          onCancel={() => setRehearsed(undefined)}
        />
      )}
    </>
  );
}

function rowsOf({ created_count: created, updated_count: updated, deleted_count: deleted }: ChangeSet): number {
  return created + updated + deleted;
}

interface RehearsedProps {
  result: Result;
  busy: boolean;
  onUndo: () => void;
  onCancel: () => void;
}

/** What the undo would do, before it does. */
function Rehearsed({ result, busy, onUndo, onCancel }: RehearsedProps) {
  const { reverted_count: reverted, skipped_count: skipped, message } = result;
  return (
    <div role="group" aria-label="Before it is undone" className="mt-3 rounded-card bg-sunken p-4">
      <p>
        {counted(reverted, 'change')} would be undone.
        {skipped > 0 &&
          ` ${counted(skipped, 'record')} changed since, and would stay as ${skipped === 1 ? 'it is' : 'they are'}.`}
      </p>
      {message !== null && <p className="mt-1 text-muted">{message}</p>}
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={onCancel} autoFocus>
          Cancel
        </Button>
        <Button
          look="primary"
          busy={busy}
          disabledReason={reverted === 0 ? 'Everything has changed since.' : undefined}
          onClick={onUndo}
        >
          Undo {counted(reverted, 'change')}
        </Button>
      </div>
    </div>
  );
}
