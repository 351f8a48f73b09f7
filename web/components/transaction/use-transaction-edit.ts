import { useRef, useState } from 'react';

import type { CallOf } from '../../../src/contract/operation.ts';
import { updateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { messageOf } from '../../api/client.ts';
import { queryClient, queryOptions, refresh, useApiWrite } from '../../api/queries.ts';
import type { TransactionRecord } from './transaction-row.tsx';

type Operation = NonNullable<CallOf<typeof updateTransactions>['body']>['operations'][number];

/** A change of one field by hand. */
export interface Edit {
  /** Where its outcome is shown: "category", "metadata.invoice". */
  field: string;
  /** What is sent. */
  changes: Omit<Operation, 'transaction_id' | 'expected_updated_at'>;
  /** The record as it will be. */
  shown: (record: TransactionRecord) => TransactionRecord;
  /** What two edits at once would be about. */
  valueOf: (record: TransactionRecord) => unknown;
  /** For the toast: "Category: Groceries". */
  words: string;
}

/** The same field was changed elsewhere meanwhile: nothing is overwritten until the person has seen both values. */
interface Conflict {
  edit: Edit;
  theirs: TransactionRecord;
}

export interface Editing {
  /** With what is being saved. */
  record: TransactionRecord;
  edit: (edit: Edit) => void;
  conflict: Conflict | null;
  /** Overwrites what was changed elsewhere, or leaves it. */
  settle: (isMine: boolean) => void;
  failure: { field: string; message: string } | null;
}

/** Several at once could only mean that the row changes all the time. */
const TRIES = 3;

/** How a transaction is read for the drawer; deleted ones, too. */
export function readOf(id: string) {
  return queryOptions(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
}

/**
 * Edits of single fields: shown at once, sent one after the other with what was seen, taken back where they fail. What was
 * changed elsewhere in other fields stays, and the edit is sent again with it.
 */
export function useTransactionEdit(read: TransactionRecord, id: string): Editing {
  const [pending, setPending] = useState<readonly Edit[]>([]);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [failure, setFailure] = useState<Editing['failure']>(null);
  const words = useRef('');
  const write = useApiWrite(updateTransactions, { refreshes: [getTransaction], undo: () => words.current });
  const last = useRef(Promise.resolve());

  async function save(edit: Edit, seen: unknown): Promise<void> {
    for (let tried = 0; tried < TRIES; tried++) {
      const known = await queryClient.ensureQueryData(readOf(id));
      words.current = edit.words;
      const operation = { transaction_id: id, ...edit.changes, expected_updated_at: known.updated_at } as Operation;
      const { results } = await write.mutateAsync({ body: { operations: [operation], on_error: 'continue' } });
      const error = results[0]?.error ?? null;
      if (error === null) return;
      if (error.code !== 'PRECONDITION_FAILED') {
        setFailure({ field: edit.field, message: error.message });
        return;
      }
      const theirs = await queryClient.fetchQuery({ ...readOf(id), staleTime: 0 });
      if (isSame(edit.valueOf(theirs), edit.valueOf(edit.shown(theirs)))) return;
      if (!isSame(edit.valueOf(theirs), seen)) {
        setConflict({ edit, theirs });
        return;
      }
    }
    setFailure({ field: edit.field, message: 'It was changed elsewhere again and again. Try once more.' });
  }

  function start(edit: Edit, seen: unknown): void {
    setFailure(null);
    setConflict(null);
    setPending((all) => [...all, edit]);
    const end = (): void => setPending((all) => all.filter((other) => other !== edit));
    last.current = last.current
      .then(() => save(edit, seen))
      .catch((error: unknown) => setFailure({ field: edit.field, message: messageOf(error) }))
      .then(end)
      // The lists behind the drawer; the next edit need not wait for them.
      .then(() => void refresh());
  }

  const record = pending.reduce((shown, edit) => edit.shown(shown), read);
  return {
    record,
    edit: (edit) => start(edit, edit.valueOf(record)),
    conflict,
    settle: (isMine) => {
      if (isMine && conflict) start(conflict.edit, conflict.edit.valueOf(conflict.theirs));
      else setConflict(null);
    },
    failure,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
