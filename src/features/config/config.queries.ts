import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function selectStored(tx: ReadTx): Promise<Map<string, string>> {
  const rows = await tx.q.selectFrom('config_entries').select(['key', 'value']).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

export async function findStored(tx: ReadTx, key: string): Promise<string | null> {
  const row = await tx.q.selectFrom('config_entries').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function store(tx: BareWriteTx, key: string, value: string): Promise<void> {
  await tx.q
    .insertInto('config_entries')
    .values({ key, value, updated_at: tx.now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: tx.now }))
    .execute();
}

export async function remove(tx: BareWriteTx, key: string): Promise<void> {
  await tx.q.deleteFrom('config_entries').where('key', '=', key).execute();
}
