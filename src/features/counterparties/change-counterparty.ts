import type { CounterpartiesTable } from '../../db/schema.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { nameColumns } from './counterparty-names.ts';
import { updateCounterpartyRow } from './counterparties.queries.ts';
import type { CounterpartyFields } from './counterparties.table.ts';

/** Changes these fields of a counterparty and records those that differ. Answers the row as it is then. */
export async function changeCounterparty(
  tx: WriteTx,
  row: CounterpartiesTable,
  wanted: Partial<CounterpartyFields>,
): Promise<CounterpartiesTable> {
  const changed = difference({ ...row }, wanted);
  if (!changed) return row;
  const after = changed.after as Partial<CounterpartyFields>;
  const set = {
    ...after,
    ...(after.name === undefined ? {} : await nameColumns(tx, after.name)),
    updated_at: tx.now,
  };
  await updateCounterpartyRow(tx, row.id, set);
  tx.journal.record({
    entityType: 'counterparty',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    revertible: true,
  });
  return { ...row, ...set };
}
