import type { ReadTx } from '../../../db/unit-of-work.ts';
import { KeyIndex } from '../../../engines/matching/key-index.ts';
import { numbered } from '../../../kernel/sequence.ts';
import { listedLines } from './evidence.queries.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { PlannedAccount, PlannedRow } from './plan.ts';
import type { RowList } from './row-list.ts';

/**
 * Notes for each line of a file that was imported before which ledger row it was then (36.7.4). `candidates` are those
 * that the lines of the account are matched with; their places are noted, counted from 1.
 */
export async function noteKnownLines(
  tx: ReadTx,
  importId: string,
  rows: RowList<PlannedRow>,
  account: PlannedAccount,
  candidates: RowList<LedgerRow>,
): Promise<void> {
  const index = new KeyIndex(candidates.length);
  for (const [place, { id }] of numbered(candidates)) index.add(id, place);
  let at = 0;
  for await (const { line, part, transactionId } of listedLines(tx, importId)) {
    let row = rows.at(at);
    while (row && (row.line < line || (row.line === line && row.part < part))) row = rows.at((at += 1));
    if (!row || row.line !== line || row.part !== part || row.account !== account) continue;
    for (const place of index.placesOf(transactionId)) {
      if (candidates.at(place)?.id === transactionId) row.knownPlace = place + 1;
    }
  }
}
