import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import type { Editing } from './use-transaction-edit.ts';
import type { TransactionRecord } from './transaction-row.tsx';

interface FieldRowProps {
  /** What edits of it call themselves. */
  field: string;
  title: string;
  editing: Editing;
  /** Its value in words, for both sides of a conflict. */
  inWords: (record: TransactionRecord) => string;
  /** Beside the value, such as a button that resets it. */
  aside?: ReactNode;
  /** Below the value: who decided it. */
  note?: ReactNode;
  children: ReactNode;
}

/** A field with its value, who decided it, and what came of its last edit. */
export function FieldRow({ field, title, editing, inWords, aside, note, children }: FieldRowProps) {
  const { failure, conflict, settle } = editing;
  return (
    <div className="grid gap-x-4 py-1 sm:grid-cols-[8rem_1fr]">
      <dt className="pt-1.5 text-sm text-muted sm:leading-6">{title}</dt>
      <dd className="min-w-0">
        <div className="flex min-w-0 items-center gap-2">
          {children}
          {aside}
        </div>
        {note !== undefined && note !== false && (
          <div className="pb-1 text-sm text-muted wrap-anywhere empty:hidden">{note}</div>
        )}
        <p role="alert" className="flex items-start gap-1.5 text-sm font-medium text-danger empty:hidden">
          {failure?.field === field && (
            <>
              <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
              {failure.message}
            </>
          )}
        </p>
        {conflict?.edit.field === field && (
          <BothValues
            theirs={inWords(conflict.theirs)}
            mine={inWords(conflict.edit.shown(conflict.theirs))}
            settle={settle}
          />
        )}
      </dd>
    </div>
  );
}

function BothValues({ theirs, mine, settle }: { theirs: string; mine: string; settle: Editing['settle'] }) {
  return (
    <Banner
      tone="warning"
      title="It was changed elsewhere meanwhile"
      actions={
        <>
          <Button onClick={() => settle(false)}>Keep “{theirs}”</Button>
          <Button look="primary" onClick={() => settle(true)}>
            Use “{mine}”
          </Button>
        </>
      }
    >
      <p>
        It is now <strong>{theirs}</strong>. You chose <strong>{mine}</strong>, which is not saved.
      </p>
    </Banner>
  );
}
