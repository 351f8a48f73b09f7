import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { loadSubjects, statusOf, toSuggestion, type SuggestionRecord } from './suggestion-record.ts';
import * as contract from './suggestions.contract.ts';
import { findSuggestion, resolveSuggestions, selectOpen, separate, type SuggestionRow } from './suggestions.queries.ts';

export const getSuggestion = handleRead(contract.getSuggestion, async ({ tx }, { params }) =>
  recordOf(tx, await getRow(tx, params.id)),
);

export const dismissSuggestion = handleWrite(
  contract.dismissSuggestion,
  'suggestion.dismiss',
  async ({ tx }, { params, body }) => {
    const row = await getRow(tx, params.id);
    const { status } = await recordOf(tx, row);
    if (status !== 'open') throw notOpen(status);
    const rows = body.alike ? [row, ...(await selectAlike(tx, row))] : [row];
    await separate(tx, rows.flatMap(pairsOf));
    await resolveSuggestions(
      tx,
      rows.map(({ id }) => ({ id, status: 'dismissed', resolved_at: tx.now })),
    );
    return recordOf(tx, await getRow(tx, row.id));
  },
);

/** @throws NOT_FOUND */
export async function getRow(tx: ReadTx, anyId: string): Promise<SuggestionRow> {
  const row = await findSuggestion(tx, anyId);
  if (!row) throw notFound('suggestion');
  return row;
}

export async function recordOf(tx: ReadTx, row: SuggestionRow): Promise<SuggestionRecord> {
  return toSuggestion(row, await loadSubjects(tx, [row]));
}

/** Every other open suggestion of the same kind and account that has one candidate, the oldest first. */
export async function selectAlike(tx: ReadTx, row: SuggestionRow): Promise<SuggestionRow[]> {
  const open = await selectOpen(tx, { kinds: [row.kind], accountId: row.account_id });
  const subjects = await loadSubjects(tx, open);
  return open
    .filter(
      (one) =>
        one.id !== row.id && one.candidates.length + one.accounts.length === 1 && statusOf(one, subjects) === 'open',
    )
    .reverse();
}

export function notOpen(status: SuggestionRecord['status']): AppError {
  const why = {
    open: 'is open',
    accepted: 'has already been accepted',
    dismissed: 'has already been dismissed',
    obsolete: 'is obsolete: what it is about was deleted or merged',
  }[status];
  return new AppError('INVALID_STATE', `The suggestion ${why}.`);
}

function pairsOf(row: SuggestionRow): (readonly [string, string])[] {
  const { transaction_id: id, account_id: accountId } = row;
  if (id === null) return row.accounts.map((one) => [accountId, one.account_id] as const);
  return row.candidates.map((one) => [id, one.transaction_id] as const);
}
