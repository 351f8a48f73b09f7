import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { touchedRows } from '../touched-rows.ts';
import { settleAttribution } from './attribution.ts';
import { selectMatchesById, selectMatchesOfRows } from './stored-matches.queries.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';

/** Ends the live matches of rows that this write deleted, as part of it (contract 50.1.3, 50.1.4). */
export async function endMatches(tx: WriteTx): Promise<void> {
  const rows = touchedRows(tx);
  if (!rows) return;
  const matched = [...(await selectMatchesById(tx, [...rows.matches])).values()].flatMap(rowsOfMatch);
  await endMatchesOf(tx, [...rows.deleted.keys(), ...matched], (id) => rows.deleted.get(id) ?? true);
}

/**
 * Ends the live matches of those of these rows that are deleted. A row that became another one by a merge leaves what
 * people decided about it to that one.
 */
async function endMatchesOf(
  tx: WriteTx,
  transactionIds: readonly string[],
  isRevertible: (id: string) => boolean = () => true,
): Promise<void> {
  const deleted = await selectDeleted(tx, transactionIds);
  if (deleted.size === 0) return;
  const matches = await selectMatchesOfRows(tx, deleted.keys());
  const primaryIds = matches.map(({ primary_transaction_id: id }) => id);
  const moving = matches.filter((match) => match.confidence !== 'auto' && survivorsOf(match, deleted).isMoving);
  const moved = await moveMatches(tx, moving, deleted);
  const ended = matches.filter((match) => match.confidence !== 'rejected' && !moved.has(match.id));
  const isFinal = (match: MatchRow): boolean => !rowsOfMatch(match).every(isRevertible);
  await transactionMatches.removeMany(
    tx,
    ended.filter((match) => !isFinal(match)),
  );
  await transactionMatches.removeMany(tx, ended.filter(isFinal), { revertible: false });
  const survivors = [...deleted.values()].filter((id) => id !== null);
  await settleAttribution(tx, [...primaryIds, ...survivors]);
}

function rowsOfMatch(match: MatchRow): [string, string] {
  return [match.primary_transaction_id, match.dependent_transaction_id];
}

/** Deleted rows among these, with the one that each was merged into. */
async function selectDeleted(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; survivor: string | null }>`
    select id, case when deleted_cause = 'merged' then merged_into_id end as survivor from transactions
    where deleted_at is not null and ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}

/** The rows of a match once its deleted rows have become others. */
function survivorsOf(match: MatchRow, deleted: ReadonlyMap<string, string | null>) {
  const [primary, dependent] = rowsOfMatch(match).map((id) => deleted.get(id) ?? id) as [string, string];
  return {
    primary,
    dependent,
    isMoving: primary !== match.primary_transaction_id || dependent !== match.dependent_transaction_id,
  };
}

/** Gives decided matches to the rows that took theirs in, unless those are deleted or in a decided match. Answers which. */
async function moveMatches(
  tx: WriteTx,
  matches: readonly MatchRow[],
  deleted: ReadonlyMap<string, string | null>,
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  for (const match of matches) {
    const { primary, dependent } = survivorsOf(match, deleted);
    const others = (await selectMatchesOfRows(tx, [primary, dependent])).filter(({ id }) => id !== match.id);
    const isPair = (other: MatchRow): boolean =>
      other.primary_transaction_id === primary && other.dependent_transaction_id === dependent;
    const isLive = match.confidence === 'confirmed';
    const isTaken = others.some(
      (other) => other.confidence !== 'auto' && (isPair(other) || (isLive && other.confidence === 'confirmed')),
    );
    if (isTaken || (await selectDeleted(tx, [primary, dependent])).size > 0) continue;
    await transactionMatches.removeMany(
      tx,
      others.filter((other) => other.confidence === 'auto' && (isLive || isPair(other))),
    );
    await transactionMatches.change(tx, match, {
      primary_transaction_id: primary,
      dependent_transaction_id: dependent,
    });
    moved.add(match.id);
  }
  return moved;
}
