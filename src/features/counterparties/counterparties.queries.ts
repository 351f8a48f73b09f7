import type { CounterpartiesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** By name without regard to case, then id. */
export async function selectCounterparties(
  tx: ReadTx,
  { withMerged }: { withMerged: boolean },
): Promise<CounterpartiesTable[]> {
  const all = tx.q.selectFrom('counterparties').selectAll().orderBy('name_folded').orderBy('id');
  return (withMerged ? all : all.where('canonical_counterparty_id', 'is', null)).execute();
}

/** The counterparty with this UUID or short_id, merged or not. */
export async function findCounterparty(tx: ReadTx, anyId: string): Promise<CounterpartiesTable | undefined> {
  const query = tx.q.selectFrom('counterparties').selectAll();
  if (isUuid(anyId)) return query.where('id', '=', anyId).executeTakeFirst();
  if (isShortId(anyId)) return query.where('short_id', '=', anyId).executeTakeFirst();
  return undefined;
}

export async function findByFoldedName(tx: ReadTx, folded: string): Promise<CounterpartiesTable | undefined> {
  return tx.q.selectFrom('counterparties').selectAll().where('name_folded', '=', folded).executeTakeFirst();
}

/** Those that were merged into the counterparty with this UUID. */
export async function selectMergedInto(tx: ReadTx, id: string): Promise<CounterpartiesTable[]> {
  return tx.q
    .selectFrom('counterparties')
    .selectAll()
    .where('canonical_counterparty_id', '=', id)
    .orderBy('id')
    .execute();
}

export async function insertCounterparty(tx: BareWriteTx, row: CounterpartiesTable): Promise<void> {
  await tx.q.insertInto('counterparties').values(row).execute();
}

export async function updateCounterpartyRow(
  tx: BareWriteTx,
  id: string,
  set: Partial<CounterpartiesTable>,
): Promise<void> {
  await tx.q.updateTable('counterparties').set(set).where('id', '=', id).execute();
}

export async function deleteCounterpartyRow(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('counterparties').where('id', '=', id).execute();
}
