import { useId, useMemo, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { Button } from '../button.tsx';
import { nounOf } from './change-set-words.ts';
import { groupChanges, type ChangeGroup } from './group-changes.ts';
import { RecordName } from './record-name.tsx';
import { fieldInWords, StepInWords, Values } from './value-name.tsx';
import { Money } from '../money.tsx';
import { TransactionRow, type TransactionRecord } from '../transaction/transaction-row.tsx';
import { inDigits } from '../../lib/numbers.ts';

type Change = OutputOf<typeof getChangeSet>['changes'][number];

const SHOWN_AT_FIRST = 50;

/** Every record that a change set touched, together where the same happened to them. */
export function ChangesOfSet({ changes }: { changes: readonly Change[] }) {
  const groups = useMemo(() => groupChanges(changes), [changes]);
  if (groups.length === 0) return <p className="text-muted">It changed no record that the history keeps.</p>;
  return groups.map((group) => <Group key={group.key} group={group} />);
}

function Group({ group }: { group: ChangeGroup<Change> }) {
  const [isWhole, showAll] = useState(false);
  const id = useId();
  const { changes, entityType, totals } = group;
  const shown = isWhole ? changes : changes.slice(0, SHOWN_AT_FIRST);
  return (
    <section aria-labelledby={id} className="mt-6 first:mt-0">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line-strong pb-2">
        <h3 id={id} className="min-w-0 font-semibold wrap-anywhere">
          <Title group={group} />
          <span className="block text-sm font-normal text-muted">
            {inDigits(changes.length)} {nounOf(entityType, changes.length)}
          </span>
        </h3>
        <div className="ml-auto text-right text-sm">
          {totals.map(({ iso_currency_code: currency, total_amount: amount }) => (
            <span key={currency ?? ''} className="block">
              <Money amount={amount} currency={currency} />
            </span>
          ))}
        </div>
      </header>
      <ul className="divide-y divide-line">
        {shown.map((change) => (
          <li key={change.sequence} className="py-2 wrap-anywhere">
            <Row change={change} />
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button look="quiet" onClick={() => showAll(true)}>
          Show all {inDigits(changes.length)}
        </Button>
      )}
    </section>
  );
}

function Title({ group: { steps, entityType, changes } }: { group: ChangeGroup<Change> }) {
  const [first] = steps;
  if (first?.kind === 'create') return 'Added';
  if (first?.kind === 'delete') return 'Removed';
  if (entityType !== 'transaction' || steps.length === 0) {
    const fields = steps.map(({ field }) => fieldInWords(field)).join(', ');
    return fields === '' ? 'Changed' : `Changed: ${fields}`;
  }
  return steps.map((step) => (
    <span key={step.field} className="block">
      <StepInWords step={step} currency={changes[0]?.iso_currency_code ?? null} isPast />
    </span>
  ));
}

function Row({ change }: { change: Change }) {
  const { entity_type: type, label, reverted_by_change_set_id: undoneBy, redacted } = change;
  const note = undoneBy === null ? undefined : 'undone';
  if (change.transaction_id !== null && change.amount !== null && change.date !== null) {
    return (
      <>
        <TransactionRow transaction={recordOf(change)} withDate {...(note === undefined ? {} : { note })} />
        {type !== 'transaction' && <Values change={change} isPast />}
        {redacted.length > 0 && <p className="text-sm text-muted">Its text is deleted, and shown nowhere.</p>}
      </>
    );
  }
  return (
    <>
      {type !== 'setting' && (
        <span className="font-medium">
          <RecordName
            type={type}
            id={change.operation === 'delete' ? null : change.entity_id}
            known={label ?? undefined}
          />
        </span>
      )}
      {note !== undefined && <span className="text-sm text-muted"> · {note}</span>}
      <Values change={change} isPast />
    </>
  );
}

/** A change says less of its transaction than the transaction itself. */
function recordOf({ transaction_id: id, label, amount, date, iso_currency_code }: Change): TransactionRecord {
  const known = { id: id ?? '', short_id: id ?? '', name: label ?? '', iso_currency_code };
  return { ...known, ...(amount === null ? {} : { amount }), ...(date === null ? {} : { date }) };
}
