import { shortIdsFor } from '../../db/short-ids.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { Pair } from '../../engines/links/match-rows.ts';
import { matchedOn } from './plan-matches.ts';
import type { MatchRow } from './transaction-matches.entity.ts';

/** Stores very many matches at once; what few writes do goes through the entity. */

const journal = journalOf('transaction_match');

const COLUMNS = [
  'id',
  'short_id',
  'account_link_id',
  'primary_transaction_id',
  'dependent_transaction_id',
  'confidence',
  'matched_on',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof MatchRow)[];

/** Stores and records rows that have their ids, such as those of matches that come back. */
export async function insertMatches(tx: WriteTx, rows: readonly MatchRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertMany(
    'transaction_matches',
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
  for (const row of rows) {
    journal.created(tx, row, { ...row, matched_on: JSON.parse(row.matched_on) as unknown });
  }
}

/** Stores what a link pairs. */
export async function insertPairs(tx: WriteTx, linkId: string, pairs: readonly Pair[]): Promise<MatchRow[]> {
  const shortIds = await shortIdsFor(tx, 'transaction_matches', pairs.length);
  const rows = pairs.map((pair, index) => ({
    id: tx.ids.uuid(),
    short_id: shortIds[index] as string,
    account_link_id: linkId,
    primary_transaction_id: pair.primary.id,
    dependent_transaction_id: pair.dependent.id,
    confidence: 'auto',
    matched_on: JSON.stringify(matchedOn(pair)),
    created_at: tx.now,
    updated_at: tx.now,
  }));
  await insertMatches(tx, rows);
  return rows;
}
