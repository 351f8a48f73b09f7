import type { WriteTx } from '../../journal/write.ts';
import { journalOf } from '../../journal/journal-of.ts';
import { findSettings, NOTHING, storeSettings, type ProviderName } from './provider-settings.queries.ts';

const PROVIDERS: readonly ProviderName[] = ['plaid', 'teller'];

/** Clears every secret of the providers, whose key is lost. Returns how many. */
export async function forgetProviderSecrets(tx: WriteTx): Promise<number> {
  let count = 0;
  for (const provider of PROVIDERS) {
    const stored = await findSettings(tx, provider);
    const { environment, webhook_url, ...secrets } = stored;
    const set = Object.entries(secrets).flatMap(([column, record]) => (record === null ? [] : [column]));
    if (set.length === 0) continue;
    await storeSettings(tx, provider, { ...NOTHING, environment, webhook_url });
    const fields = (value: 'set' | null): Record<string, 'set' | null> =>
      Object.fromEntries(set.map((column) => [`${provider}.${column}`, value]));
    const changed = { before: fields('set'), after: fields(null) };
    journalOf('setting').changed(tx, { id: null, short_id: null }, changed, { revertible: false });
    count += set.length;
  }
  return count;
}
