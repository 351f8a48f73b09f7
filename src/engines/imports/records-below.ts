import { OUTCOME } from './chosen-interpretation.ts';
import { openRecords, type Table } from './table.ts';

const READ_RECORDS = 30;

/** The records after the last row (36.5.4): totals, balances and the account's number, as some banks print them there. */
export function recordsBelow(table: Table, outcomes: Uint8Array): string[][] {
  let first = outcomes.length;
  while (first > 0 && outcomes[first - 1] === OUTCOME.notARow) first -= 1;
  const below: string[][] = [];
  if (first === outcomes.length) return below;
  const reader = openRecords(table);
  for (let row = 0; row < outcomes.length && below.length < READ_RECORDS && reader.next();) {
    if (reader.isBlank()) continue;
    if (row >= first) below.push(reader.cells());
    row += 1;
  }
  return below;
}
