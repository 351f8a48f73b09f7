import type { WriteTx } from '../../journal/write.ts';
import { AppError, invalidParameter } from '../../kernel/errors.ts';
import { mergeTransactions } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { acceptSameAccount } from './accept-same-account.ts';
import { isDeletedBySomebody, isInAccountOf, loadSubjects, statusOf, type Subjects } from './suggestion-record.ts';
import { acceptSuggestion as operation } from './suggestions.contract.ts';
import { getRow, notOpen, recordOf, selectAlike } from './suggestions.handlers.ts';
import { resolveSuggestions, type SuggestionRow } from './suggestions.queries.ts';

export const acceptSuggestion = handleWrite(operation, 'suggestion.accept', async ({ tx }, { params, body }) => {
  const row = await getRow(tx, params.id);
  const subjects = await loadSubjects(tx, [row]);
  const chosen = {
    transaction_id: chosenOf('transaction_id', body.transaction_id, row, subjects.transactions),
    account_id: chosenOf('account_id', body.account_id, row, subjects.accounts),
  };
  if (row.status === 'accepted') throw notOpen('accepted');
  if (chosen.transaction_id !== null) {
    refuseDeleted(row, chosen.transaction_id, subjects);
    // Of a dismissed one too, a transaction may have been merged since.
    if (statusOf({ ...row, status: 'open' }, subjects) === 'obsolete') throw notOpen('obsolete');
    refuseElsewhere(row, chosen.transaction_id, subjects);
    await acceptTransactions(tx, row, chosen.transaction_id, body.alike);
  } else if (chosen.account_id !== null) {
    if (statusOf(row, subjects) === 'obsolete') throw notOpen('obsolete');
    await acceptSameAccount(tx, row.account_id, chosen.account_id);
    await resolveSuggestions(tx, [{ id: row.id, ...acceptance(tx), accepted_account_id: chosen.account_id }]);
  }
  return recordOf(tx, await getRow(tx, row.id));
});

/** The candidate that the caller means; null if the suggestion has none of this kind. @throws INVALID_PARAMETER */
function chosenOf(
  field: 'transaction_id' | 'account_id',
  given: string | undefined,
  row: SuggestionRow,
  known: ReadonlyMap<string, { id: string; short_id: string }>,
): string | null {
  const candidates =
    field === 'transaction_id'
      ? row.candidates.map((one) => one.transaction_id)
      : row.accounts.map((one) => one.account_id);
  if (given === undefined) {
    if (candidates.length < 2) return candidates[0] ?? null;
    throw invalidParameter(
      field,
      `${field}: the suggestion has ${candidates.length} candidates. Send the one you mean.`,
    );
  }
  const found = candidates.find((id) => id === given || known.get(id)?.short_id === given);
  if (found === undefined) throw invalidParameter(field, `${field}: this is not a candidate of this suggestion.`);
  return found;
}

/** @throws CONFLICT */
function refuseDeleted(row: SuggestionRow, candidateId: string, { transactions }: Subjects): void {
  for (const id of [row.transaction_id as string, candidateId]) {
    const transaction = transactions.get(id);
    if (transaction && isDeletedBySomebody(transaction)) {
      throw new AppError(
        'CONFLICT',
        `Someone deleted the transaction ${transaction.short_id}. Restore it first, or dismiss the suggestion.`,
      );
    }
    if (transaction?.deleted_cause === 'merged' && id === candidateId && row.candidates.length > 1) {
      throw new AppError(
        'CONFLICT',
        `The transaction ${transaction.short_id} was merged into another one. Choose another candidate.`,
      );
    }
  }
}

/** @throws CONFLICT */
function refuseElsewhere(row: SuggestionRow, candidateId: string, subjects: Subjects): void {
  if (isInAccountOf(candidateId, row.transaction_id, subjects)) return;
  const candidate = subjects.transactions.get(candidateId)?.short_id;
  const message = `The transaction ${candidate} is in another account. Choose another candidate.`;
  throw new AppError('CONFLICT', message);
}

async function acceptTransactions(
  tx: WriteTx,
  row: SuggestionRow,
  candidateId: string,
  isAlike: boolean,
): Promise<void> {
  const accepted = [{ row, candidateId }];
  const used = new Set([row.transaction_id as string, candidateId]);
  // Two that name the same transaction are left open: nobody has said which of them it is.
  for (const one of isAlike ? await selectAlike(tx, row) : []) {
    const ids = [one.transaction_id as string, one.candidates[0]?.transaction_id as string] as const;
    if (ids.some((id) => used.has(id))) continue;
    for (const id of ids) used.add(id);
    accepted.push({ row: one, candidateId: ids[1] });
  }
  await mergeTransactions(
    tx,
    accepted.map((one) => ({ newer: one.row.transaction_id as string, survivor: one.candidateId })),
  );
  await resolveSuggestions(
    tx,
    accepted.map(({ row: { id }, candidateId: survivor }) => ({
      id,
      ...acceptance(tx),
      accepted_transaction_id: survivor,
    })),
  );
  const count = accepted.length;
  tx.journal.summarise(
    count === 1 ? 'Merged two transactions into one' : `Merged two transactions into one, ${count} times`,
  );
}

function acceptance(tx: WriteTx) {
  return { status: 'accepted', change_set_id: tx.journal.changeSetId, resolved_at: tx.now } as const;
}
