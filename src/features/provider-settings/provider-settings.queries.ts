import type { ProviderSettingsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export type ProviderName = 'plaid' | 'teller';
/** What is stored about a provider, apart from which one it is. */
export type StoredSettings = Omit<ProviderSettingsTable, 'id' | 'updated_at'>;

export const NOTHING: StoredSettings = {
  environment: null,
  webhook_url: null,
  client_id: null,
  secret: null,
  application_id: null,
  certificate: null,
  private_key: null,
  webhook_secret: null,
};

export async function findSettings(tx: ReadTx, provider: ProviderName): Promise<StoredSettings> {
  const row = await tx.q.selectFrom('provider_settings').selectAll().where('id', '=', provider).executeTakeFirst();
  if (!row) return NOTHING;
  const { id: _provider, updated_at: _at, ...stored } = row;
  return stored;
}

export async function storeSettings(tx: BareWriteTx, provider: ProviderName, stored: StoredSettings): Promise<void> {
  const values = { ...stored, updated_at: tx.now };
  await tx.q
    .insertInto('provider_settings')
    .values({ id: provider, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}
