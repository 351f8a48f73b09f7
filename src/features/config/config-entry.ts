import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { Config } from '../../kernel/config.ts';
import { machineTimeZone } from '../../kernel/dates.ts';
import { notFound } from '../../kernel/errors.ts';
import { findConfigKey, type ConfigKey, type ConfigName } from './config-keys.ts';
import type { ConfigEntry } from './config.contract.ts';
import { findStored, remove, store } from './config.queries.ts';

/** Settings that no variable can set, so that the database alone decides. */
type StoredName = Exclude<ConfigName, 'public_base_url'>;

/** @throws NOT_FOUND */
export function getConfigKey(key: string): ConfigKey {
  const found = findConfigKey(key);
  if (!found) throw notFound('setting');
  return found;
}

/** The entry of a setting: environment beats stored value beats default. */
export function toEntry(known: ConfigKey, stored: string | null, config: Config): z.output<typeof ConfigEntry> {
  const { key, type, description } = known;
  const [byVariable, byDefault] = [known.fromEnvironment?.(config) ?? null, known.byDefault()];
  const source = byVariable !== null ? 'env' : stored !== null ? 'db' : 'default';
  return { key, value: byVariable ?? stored ?? byDefault, default: byDefault, type, source, description };
}

/** The value in effect. */
export async function configValue(tx: ReadTx, key: StoredName): Promise<string | null> {
  return (await findStored(tx, key)) ?? getConfigKey(key).byDefault();
}

/** The time zone of the household: that of its days, schedules and quiet hours. */
export async function householdZone(tx: ReadTx): Promise<string> {
  return (await configValue(tx, 'instance.timezone')) ?? machineTimeZone();
}

/** Stores a canonical value, or none for the default. Settings have no ids, and cannot be reverted (contract 10.13.1). */
export async function changeConfig(tx: WriteTx, key: ConfigName, value: string | null): Promise<void> {
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
