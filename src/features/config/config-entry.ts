import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { findConfigKey, type ConfigKey } from './config-keys.ts';
import type { ConfigEntry } from './config.contract.ts';
import { findStored, remove, store } from './config.queries.ts';

/** @throws NOT_FOUND */
export function getConfigKey(key: string): ConfigKey {
  const found = findConfigKey(key);
  if (!found) throw notFound('The setting was');
  return found;
}

export function toEntry(known: ConfigKey, stored: string | null): z.output<typeof ConfigEntry> {
  const { key, type, description } = known;
  const byDefault = known.byDefault();
  const source = stored === null ? 'default' : 'db';
  return { key, value: stored ?? byDefault, default: byDefault, type, source, description };
}

/** The value in effect. */
export async function configValue(tx: ReadTx, key: 'default_currency' | 'instance.timezone'): Promise<string | null> {
  return (await findStored(tx, key)) ?? getConfigKey(key).byDefault();
}

/** Stores a canonical value, or none for the default. Settings have no ids, and cannot be reverted (contract 10.13.1). */
export async function changeConfig(tx: WriteTx, key: string, value: string | null): Promise<void> {
  const before = await findStored(tx, key);
  if (before === value) return;
  if (value === null) await remove(tx, key);
  else await store(tx, key, value);
  const field = `config.${key}`;
  const fields = { before: { [field]: before }, after: { [field]: value } };
  journalOf('setting').changed(tx, { id: null, short_id: null }, fields, { revertible: false });
}

/** The first currency that a file names becomes that of the household (contract 20.13). Later ones change nothing. */
export async function adoptCurrency(tx: WriteTx, code: string): Promise<void> {
  const known = getConfigKey('default_currency').read(code);
  if (known === undefined || (await findStored(tx, 'default_currency')) !== null) return;
  await changeConfig(tx, 'default_currency', known);
}
