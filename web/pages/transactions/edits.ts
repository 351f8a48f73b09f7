import type { CallOf } from '../../../src/contract/operation.ts';
import { listAnnotations } from '../../../src/features/annotations/annotations.contract.ts';
import { listComments } from '../../../src/features/comments/comments.contract.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { updateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { api, messageOf } from '../../api/client.ts';
import { askAgain, keyOf, refresh } from '../../api/queries.ts';
import { undoAll } from '../../api/undo.ts';
import { showToast, showUndo, takeOffered } from '../../components/toast-store.ts';
import { nameOf, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { randomId } from '../../lib/random-id.ts';
import { createStore } from '../../lib/store.ts';
import { findRow, patchRow, readRowAgain } from './row-cache.ts';

type Operation = NonNullable<CallOf<typeof updateTransactions>['body']>['operations'][number];

/** A change of one field of a row by hand. */
export interface Edit {
  field: 'category' | 'counterparty' | 'tags' | 'flag' | 'comment';
  /** What is sent. */
  changes: Omit<Operation, 'transaction_id' | 'expected_updated_at'>;
  /** What the row shows until the server has answered. */
  shown: Partial<TransactionRecord>;
  /** What was done, for the toast: "Category: Groceries". */
  words: string;
}

/** A field that was changed here and elsewhere at once: the person chooses. */
export interface Conflict {
  row: TransactionRecord;
  edit: Edit;
  id: string;
}

export const conflict = createStore<Conflict | null>(null);
/** The last row whose category a person has corrected here: what a rule could learn from. */
export const corrected = createStore<TransactionRecord | null>(null);
/** How the last edit ended, for the ear: whatever the toasts say, and however many there are. */
export const outcome = createStore<{ text: string; isFailure: boolean }>({ text: '', isFailure: false });
/** Fields changed since the list was read by which it is filtered: rows may no longer belong to it. */
export const editedFields = createStore<ReadonlySet<string>>(new Set());

/** Writes of a row wait for each other, since each says what it has seen. */
const waiting = new Map<string, { edits: Edit[]; last: Promise<void> }>();

/** Shows a change at once, and takes it back if it cannot be saved. */
export function editRow(row: TransactionRecord, edit: Edit): Promise<void> {
  const before = findRow(row.id) ?? row;
  const queue = waiting.get(row.id) ?? { edits: [], last: Promise.resolve() };
  waiting.set(row.id, queue);
  queue.edits.push(edit);
  patchRow(row.id, edit.shown);
  queue.last = queue.last.then(() => save(before, edit, queue.edits));
  return queue.last;
}

async function save(before: TransactionRecord, edit: Edit, queue: Edit[]): Promise<void> {
  try {
    await send(before, edit, findRow(before.id)?.updated_at ?? before.updated_at);
  } catch (error) {
    patchRow(before.id, takenBack(before, edit));
    fail(`${nameOf(before)}: ${messageOf(error)} Nothing was changed.`);
  }
  queue.shift();
  for (const next of queue) patchRow(before.id, next.shown);
  if (queue.length === 0) waiting.delete(before.id);
}

async function send(before: TransactionRecord, edit: Edit, seen: string | undefined): Promise<void> {
  const operation = { transaction_id: before.id, ...edit.changes, ...expecting(seen) } as Operation;
  const body = { operations: [operation], on_error: 'continue' as const };
  const { value, changeSetId } = await api.send(updateTransactions, { body }, { idempotencyKey: randomId() });
  // Rows that are being read may be those of before.
  askAgain({ queryKey: keyOf(listTransactions) });
  const failure = value.results[0]?.error;
  const now = await readRowAgain(before.id);
  if (failure?.code === 'PRECONDITION_FAILED') return meet(before, now, edit);
  if (failure) {
    fail(`${nameOf(before)}: ${failure.message}`);
    return;
  }
  if (changeSetId === null) return;
  editedFields.set(new Set([...editedFields.get(), edit.field]));
  if (edit.field === 'category') corrected.set(now);
  showUndo(`${nameOf(now)}: ${edit.words}`, changeSetId);
  outcome.set({ text: `Saved: ${nameOf(now)}, ${edit.words}`, isFailure: false });
  await refresh([getOverview, listAnnotations, listComments, ...(edit.field === 'tags' ? [listTags] : [])]);
}

function fail(text: string): void {
  showToast(text);
  outcome.set({ text: `Not saved: ${text}`, isFailure: true });
}

function expecting(seen: string | undefined): object {
  return seen === undefined ? {} : { expected_updated_at: seen };
}

/** What was changed elsewhere in another field is taken over; in the same field, the person decides. */
async function meet(before: TransactionRecord, now: TransactionRecord, edit: Edit): Promise<void> {
  if (isAdded(edit) || JSON.stringify(valueOf(before, edit)) === JSON.stringify(valueOf(now, edit))) {
    patchRow(now.id, edit.shown);
    return send(now, edit, now.updated_at);
  }
  conflict.set({ row: now, edit, id: now.id });
}

/** Comments and tags are added and taken away one by one, so nothing of others is overwritten. */
function isAdded({ field }: Edit): boolean {
  return field === 'comment' || field === 'tags';
}

function valueOf(row: TransactionRecord, { field }: Edit): unknown {
  if (field === 'category') return row.category_id;
  return field === 'counterparty' ? row.counterparty_id : row.flagged_at !== null;
}

/** The person has seen what somebody else wrote, and wants their own value all the same. */
export async function overwrite({ row, edit }: Conflict): Promise<void> {
  conflict.set(null);
  await editRow(row, edit);
}

function takenBack(before: TransactionRecord, { shown }: Edit): Partial<TransactionRecord> {
  const names = Object.keys(shown) as (keyof TransactionRecord)[];
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

/** Undoes what was done here last, and then what was done before that. */
export async function undoLast(): Promise<void> {
  const changeSetIds = takeOffered();
  if (changeSetIds === undefined) {
    showToast('Nothing was changed here that could be undone.');
    return;
  }
  try {
    await undoAll(changeSetIds);
    showToast('Undone.');
    await refresh();
  } catch (error) {
    showToast(messageOf(error));
  }
}
