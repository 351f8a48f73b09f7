import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** Counterparties by name, ignoring case, then by id. */
export async function selectCounterparties(
  tx: ReadTx,
  { withMerged }: { withMerged: boolean },
): Promise<CounterpartiesTable[]> {
  const all = tx.q.selectFrom('counterparties').selectAll().orderBy('name_folded').orderBy('id');
  return (withMerged ? all : all.where('canonical_counterparty_id', 'is', null)).execute();
}

export async function findByFoldedName(tx: ReadTx, folded: string): Promise<CounterpartiesTable | undefined> {
  return tx.q.selectFrom('counterparties').selectAll().where('name_folded', '=', folded).executeTakeFirst();
}

/** Counterparties that were merged into this one, by id. */
export async function selectMergedInto(tx: ReadTx, id: string): Promise<CounterpartiesTable[]> {
  return tx.q
    .selectFrom('counterparties')
    .selectAll()
    .where('canonical_counterparty_id', '=', id)
    .orderBy('id')
    .execute();
}
