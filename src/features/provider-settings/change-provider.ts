import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { openSecret, sealSecret } from '../secret-records.ts';
import { findSettings, storeSettings, type ProviderName, type StoredSettings } from './provider-settings.queries.ts';
import type { SecretColumn } from './providers-in-force.ts';

/** New values of stored settings: null clears, undefined keeps. */
export type Patch = { readonly [C in keyof StoredSettings]?: string | null | undefined };

type JournalValue = string | null;

/** @throws PROVIDER_FROM_ENV if a variable sets one of these fields */
export function refuseFromEnvironment(provider: string, patch: Patch, set: readonly (keyof StoredSettings)[]): void {
  const field = set.find((one) => patch[one] !== undefined);
  if (field === undefined) return;
  throw new AppError(
    'PROVIDER_FROM_ENV',
    `${field}: environment variables set this for ${provider}. Change or remove the variables and restart the server.`,
  );
}

/** Stores what differs, and records which fields were set or cleared. `check` judges the result before it is stored. */
export async function changeProvider(
  tx: WriteTx,
  instance: Instance,
  provider: ProviderName,
  patch: Patch,
  check: (merged: StoredSettings) => void,
): Promise<void> {
  const before = await findSettings(tx, provider);
  const merged: StoredSettings = { ...before };
  const fields: { before: Record<string, JournalValue>; after: Record<string, JournalValue> } = {
    before: {},
    after: {},
  };

  function note(column: keyof StoredSettings, was: JournalValue, is: JournalValue): void {
    fields.before[`${provider}.${column}`] = was;
    fields.after[`${provider}.${column}`] = is;
  }

  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const column = name as keyof StoredSettings;
    if (column === 'environment' || column === 'webhook_url') {
      const [was, is] = [inEffect(column, before[column]), inEffect(column, value)];
      if (was === is) continue;
      merged[column] = value;
      note(column, was, is);
    } else if (!isSame(instance, provider, column, before[column], value)) {
      const cell = { table: 'provider_settings', rowId: provider, column } as const;
      merged[column] = value === null ? null : await sealSecret(tx, instance, cell, value);
      note(column, before[column] === null ? null : 'set', value === null ? null : 'set');
    }
  }
  check(merged);
  if (Object.keys(fields.after).length === 0) return;
  await storeSettings(tx, provider, merged);
  journalOf('setting').changed(tx, { id: null, short_id: null }, fields, { revertible: false });
  tx.journal.summarise(`Changed the settings of ${provider === 'plaid' ? 'Plaid' : 'Teller'}`);
}

const CREDENTIALS = {
  plaid: ['client_id', 'secret'],
  teller: ['application_id', 'certificate', 'private_key', 'webhook_secret'],
} as const satisfies Record<ProviderName, readonly SecretColumn[]>;

/** Removes the stored credentials of a provider. Answers whether there were any. @throws PROVIDER_FROM_ENV */
export async function removeCredentials(tx: WriteTx, instance: Instance, provider: ProviderName): Promise<boolean> {
  if (instance.config.providers[provider].credentials !== null) {
    throw new AppError(
      'PROVIDER_FROM_ENV',
      'Environment variables set the credentials of this provider. Remove the variables and restart the server.',
    );
  }
  const stored = await findSettings(tx, provider);
  const columns = CREDENTIALS[provider];
  await changeProvider(
    tx,
    instance,
    provider,
    Object.fromEntries(columns.map((column) => [column, null])),
    () => undefined,
  );
  return columns.some((column) => stored[column] !== null);
}

function inEffect(column: 'environment' | 'webhook_url', stored: string | null): string | null {
  return column === 'environment' ? (stored ?? 'sandbox') : stored;
}

function isSame(
  instance: Instance,
  provider: ProviderName,
  column: SecretColumn,
  record: Uint8Array | null,
  value: string | null,
): boolean {
  if (record === null || value === null) return record === value;
  return openSecret(instance, { table: 'provider_settings', rowId: provider, column }, record) === value;
}

/** @throws VALIDATION_ERROR naming the one that is missing */
export function requireBoth(
  [first, second]: readonly [string, string],
  [hasFirst, hasSecond]: readonly [boolean, boolean],
): void {
  if (hasFirst === hasSecond) return;
  const missing = hasFirst ? second : first;
  throw validationError(missing, `${first} and ${second} must be set together, or cleared together.`);
}
