import { useEffect, useRef, useState } from 'react';

import type { CallOf } from '../../../../src/contract/operation.ts';
import { previewRule } from '../../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../../api/queries.ts';
import { ErrorBanner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import type { Progress } from '../../../components/transaction/rule-run.ts';
import { counted, inDigits } from '../../../lib/numbers.ts';
import { skippedInWords } from './preview.tsx';
import type { Preview } from './use-rule-preview.ts';
import type { Values } from './values.ts';

interface ApplyDialogProps {
  open: boolean;
  values: Values;
  progress: Progress | null;
  onConfirm: (overwritesManual: boolean) => Promise<void>;
  onClose: () => void;
}

/** Says first what the rule would change, then saves it and changes exactly that. */
export function ApplyDialog({ open, onClose, ...rest }: ApplyDialogProps) {
  return (
    <Dialog open={open} title="Save and apply" onClose={onClose}>
      <Asked {...rest} onClose={onClose} />
    </Dialog>
  );
}

type Body = NonNullable<CallOf<typeof previewRule>['body']>;

function Asked({ values, progress, onConfirm, onClose }: Omit<ApplyDialogProps, 'open'>) {
  const [overwrites, setOverwrites] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { condition, actions, priority, stop, overwrite_manual: always } = values;
  const rule = { condition, actions, priority, stop, overwrite_manual: always || overwrites } as Body;
  const planned = useApiQuery(
    previewRule,
    { body: { ...rule, sample_size: 1 } },
    { staleTime: 0, gcTime: 0, retry: false, placeholderData: (before) => before },
  );
  const isKnown = planned.data !== undefined && !planned.isPlaceholderData;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
  }, []);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm(overwrites);
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isKnown && !isBusy) void confirm();
      }}
    >
      {planned.error !== null && <ErrorBanner error={planned.error} onRetry={planned.refetch} />}
      {planned.data ? (
        <Outcome found={planned.data} isOld={planned.isPlaceholderData} actions={actions} />
      ) : (
        <p className="text-muted">Counting what would change.</p>
      )}
      {!always && <OverwriteBox checked={overwrites} isBusy={isBusy} onChange={setOverwrites} />}
      {progress !== null && <Running progress={progress} />}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          ref={button}
          busy={isBusy}
          disabledReason={isKnown ? undefined : 'It is not counted yet.'}
        >
          {isKnown ? `Save and change ${amount(planned.data)}` : 'Save and apply'}
        </Button>
      </div>
    </form>
  );
}

function OverwriteBox({
  checked,
  isBusy,
  onChange,
}: {
  checked: boolean;
  isBusy: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="mt-4 flex items-center gap-3">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-accent"
        checked={checked}
        disabled={isBusy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      Also overwrite what people chose
    </label>
  );
}

function amount({ change_count: changes, truncated }: Preview): string {
  if (truncated) return `at least ${inDigits(changes)}`;
  return changes === 0 ? 'nothing' : inDigits(changes);
}

function Outcome({ found, isOld, actions }: { found: Preview; isOld: boolean; actions: Values['actions'] }) {
  const { match_count: matches, change_count: changes, skipped_count: skipped, total_scanned: all, truncated } = found;
  return (
    <div role="status" aria-busy={isOld}>
      <p>
        {truncated ? 'At least ' : ''}
        {inDigits(changes)} of {counted(matches, 'transaction that matches', 'transactions that match')} will change.
      </p>
      {skipped > 0 && <p className="text-muted">{skippedInWords(skipped, actions)}</p>}
      {truncated && (
        <p className="text-muted">
          Counted in the newest {inDigits(all)}. The rule runs over all of them, however long that takes.
        </p>
      )}
    </div>
  );
}

function Running({ progress: { done, total } }: { progress: Progress }) {
  return (
    <div className="mt-4">
      <progress className="progress" value={done} max={total ?? undefined} aria-label="How far the rule is" />
      <p role="status" className="text-sm text-muted tabular-nums">
        {total === null ? 'It is waiting for its turn.' : `${inDigits(done)} of ${inDigits(total)} looked at`}
      </p>
    </div>
  );
}
