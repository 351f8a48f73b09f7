import { Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { revertChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { ApiError } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { counted } from '../../lib/numbers.ts';
import { PageLink, LINK } from '../../lib/page-link.tsx';
import { ErrorBanner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { nounOf, sizeOf, STAYS_WORDS, type ChangeSet, type Reverted } from './change-set-words.ts';
import { RecordName } from './record-name.tsx';

type OnConflict = 'refuse' | 'skip' | 'force';

interface Undo {
  /** Absent where nothing can be undone. */
  button: ReactNode;
  /** What the undo would do, what it did not, or why it failed. */
  panel: ReactNode;
}

/** What is known of a record by its id, to name those that stay. */
export type NamesOfRecords = ReadonlyMap<string, string>;
const NO_NAMES: NamesOfRecords = new Map();

/**
 * Undoes a change set: at once where it is a single record that nobody has touched since, and otherwise after showing
 * what would be undone and what would stay.
 */
export function useUndo(set: ChangeSet, names = NO_NAMES): Undo {
  const right = useReasonAgainst('full_access');
  const [rehearsed, setRehearsed] = useState<Reverted>();
  const [done, setDone] = useState<Reverted>();
  const rehearse = useApiWrite(revertChangeSet, { refreshes: [], onSuccess: setRehearsed });
  const undo = useApiWrite(revertChangeSet, {
    undo: 'Undone.',
    onSuccess: (result) => {
      setRehearsed(undefined);
      setDone(result);
    },
  });
  const params = { id: set.id };
  const look = (): void => rehearse.mutate({ params, body: { dry_run: true, on_conflict: 'skip' } });
  const send = (how: OnConflict): void =>
    undo.mutate(
      { params, body: { on_conflict: how } },
      { onError: (error) => isConflict(error) && how === 'refuse' && look() },
    );
  const error = isConflict(undo.error) ? rehearse.error : (undo.error ?? rehearse.error);
  const button = set.revertible && !rehearsed && (
    <Button
      icon={Undo2}
      aria-label={`Undo: ${set.summary}`}
      disabledReason={right}
      busy={undo.isPending || rehearse.isPending}
      onClick={() => (sizeOf(set) > 1 ? look() : send('refuse'))}
    >
      Undo
    </Button>
  );
  const panel = (
    <>
      {error !== null && <ErrorBanner error={error} />}
      {rehearsed && (
        <Rehearsed
          set={set}
          result={rehearsed}
          names={names}
          busy={undo.isPending}
          onUndo={send}
          onCancel={() => setRehearsed(undefined)}
        />
      )}
      {done && done.skipped_count > 0 && !rehearsed && (
        <div role="status" className="mt-3 rounded-card bg-sunken p-4">
          <p>
            {counted(done.reverted_count, 'change')} undone. {stayingInWords(done)}
          </p>
          <Staying result={done} names={names} />
        </div>
      )}
    </>
  );
  return { button, panel };
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'REVERT_CONFLICT';
}

interface RehearsedProps {
  set: ChangeSet;
  result: Reverted;
  names: NamesOfRecords;
  busy: boolean;
  onUndo: (how: OnConflict) => void;
  onCancel: () => void;
}

/** What the undo would do, before it does. */
function Rehearsed({ set, result, names, busy, onUndo, onCancel }: RehearsedProps) {
  const { reverted_count: reverted, skipped_count: skipped, worked_on_count: workedOn } = result;
  return (
    <div role="group" aria-label="Before it is undone" className="mt-3 rounded-card bg-sunken p-4">
      <p>
        {counted(reverted, 'change')} would be undone. {skipped > 0 && stayingInWords(result, 'would stay')}
      </p>
      <Staying result={result} names={names} />
      {workedOn > 0 && (
        <p className="mt-1 text-muted">
          People or agents have worked on {counted(workedOn, 'transaction')}: a category, a tag or a comment.{' '}
          {workedOn === 1 ? 'It stays' : 'They stay'}, unless you undo all of it. Undoing that undo brings{' '}
          {workedOn === 1 ? 'it' : 'them'} back with the work.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={onCancel} autoFocus>
          Cancel
        </Button>
        <Button
          look="primary"
          busy={busy}
          disabledReason={reverted === 0 ? 'Everything has changed since.' : undefined}
          onClick={() => onUndo(skipped > 0 ? 'skip' : 'refuse')}
        >
          Undo {counted(reverted, 'change')}
        </Button>
        {set.source === 'import' && workedOn > 0 && (
          <Button look="danger" busy={busy} onClick={() => onUndo('force')}>
            Undo all of it, {counted(workedOn, 'transaction')} with work on {workedOn === 1 ? 'it' : 'them'}
          </Button>
        )}
      </div>
    </div>
  );
}

function stayingInWords({ skipped_count: count }: Reverted, verb = count === 1 ? 'stays' : 'stay'): string {
  return `${counted(count, 'record')} ${verb} as ${count === 1 ? 'it is' : 'they are'}.`;
}

const SHOWN = 10;

/** Which records stay, and why. */
function Staying({ result: { skipped, skipped_count: count }, names }: { result: Reverted; names: NamesOfRecords }) {
  const [isWhole, showAll] = useState(false);
  if (skipped.length === 0) return null;
  const shown = isWhole ? skipped : skipped.slice(0, SHOWN);
  return (
    <>
      <ul aria-label="What stays as it is" className="mt-2 divide-y divide-line text-sm">
        {shown.map((one) => (
          <li key={`${one.entity_type} ${one.entity_id}`} className="py-1.5 wrap-anywhere">
            <span className="font-medium">
              <RecordName type={one.entity_type} id={one.entity_id} known={names.get(one.entity_id ?? '')} />
            </span>{' '}
            <span className="text-muted">({nounOf(one.entity_type)})</span>: {STAYS_WORDS[one.reason]}{' '}
            {one.change_set_id !== null && (
              <PageLink to="/history/{id}" params={{ id: one.change_set_id }} className={LINK}>
                What changed it
              </PageLink>
            )}
          </li>
        ))}
      </ul>
      {shown.length < skipped.length && (
        <Button look="quiet" onClick={() => showAll(true)}>
          Show all {counted(skipped.length, 'record')}
        </Button>
      )}
      {isWhole && count > skipped.length && (
        <p className="text-sm text-muted">{counted(count - skipped.length, 'more is', 'more are')} not listed.</p>
      )}
    </>
  );
}
