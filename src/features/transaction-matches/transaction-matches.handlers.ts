import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { settleAttribution } from './attribution.ts';
import { getMatchRecord } from './match-records.queries.ts';
import { findRows } from './matched-rows.queries.ts';
import { reconcileAround } from './reconcile.ts';
import { selectMatchesOfRows } from './stored-matches.queries.ts';
import * as contract from './transaction-matches.contract.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';

export const confirmMatch = handleWrite(
  contract.confirmMatch,
  'transaction_match.confirm',
  async ({ tx }, { params }) => {
    const match = await getMatch(tx, params.id);
    if (match.confidence === 'rejected') await refuseTaken(tx, match);
    if (match.confidence !== 'confirmed') {
      const rows = { primary: match.primary_transaction_id, dependent: match.dependent_transaction_id };
      await makeConfirmed(tx, rows, () => transactionMatches.change(tx, match, { confidence: 'confirmed' }));
      tx.journal.summarise('Confirmed that two transactions are the same purchase');
    }
    return getMatchRecord(tx, match.id);
  },
);

export const rejectMatch = handleWrite(contract.rejectMatch, 'transaction_match.reject', async ({ tx }, { params }) => {
  const match = await getMatch(tx, params.id);
  if (match.confidence !== 'rejected') {
    await transactionMatches.change(tx, match, { confidence: 'rejected' });
    await settleAttribution(tx, [match.primary_transaction_id]);
    await reconcileAround(tx, [match]);
    tx.journal.summarise('Rejected the match of two transactions');
  }
  return getMatchRecord(tx, match.id);
});

async function getMatch(tx: WriteTx, anyId: string): Promise<MatchRow> {
  const match = await transactionMatches.find(tx, anyId);
  if (!match) throw notFound('transaction match');
  return match;
}

/** @throws CONFLICT if a row of a rejected pair is not free (50.1.4) */
async function refuseTaken(tx: WriteTx, match: MatchRow): Promise<void> {
  const ids = [match.primary_transaction_id, match.dependent_transaction_id];
  const rows = await findRows(tx, ids);
  if (ids.some((id) => rows.get(id)?.deletedAt !== null)) {
    throw new AppError('CONFLICT', 'One of the two transactions is deleted. Restore it first.');
  }
  if (ids.some((id) => rows.get(id)?.isPending)) {
    throw new AppError('CONFLICT', 'One of the two transactions is pending. Confirm the match once it is posted.');
  }
  if ((await confirmedElsewhere(tx, ids)).length > 0) throw takenByAnother();
}

/** Confirmed matches that hold one of these rows. */
export async function confirmedElsewhere(tx: WriteTx, ids: readonly string[]): Promise<MatchRow[]> {
  return (await selectMatchesOfRows(tx, ids)).filter(({ confidence }) => confidence === 'confirmed');
}

export function takenByAnother(): AppError {
  return new AppError(
    'CONFLICT',
    'One of the two transactions is in a confirmed match with another one. Reject that match first.',
  );
}

/** Makes a pair the confirmed one of its rows: `auto` matches of either row give way and find other partners. */
export async function makeConfirmed(
  tx: WriteTx,
  { primary, dependent }: { primary: string; dependent: string },
  confirm: () => Promise<MatchRow>,
): Promise<MatchRow> {
  const isPair = (match: MatchRow): boolean =>
    match.primary_transaction_id === primary && match.dependent_transaction_id === dependent;
  const others = (await selectMatchesOfRows(tx, [primary, dependent])).filter(
    (match) => match.confidence === 'auto' && !isPair(match),
  );
  await transactionMatches.removeMany(tx, others);
  const match = await confirm();
  const touched = [match, ...others];
  const primaryIds = touched.map(({ primary_transaction_id: id }) => id);
  await settleAttribution(tx, primaryIds);
  await reconcileAround(tx, touched);
  return match;
}
