import type { Schema } from './schema.ts';

/**
 * Every column with encrypted records (contract 20.15): what a rotation of the key re-encrypts, and what is given up
 * with a lost key. Its rows have the column `id`.
 */
export const ENCRYPTED_COLUMNS = {
  connections: ['credentials'],
  pending_links: ['credentials'],
  provider_settings: ['client_id', 'secret', 'application_id', 'certificate', 'private_key', 'webhook_secret'],
  notification_channels: ['url', 'secret', 'token'],
  instance_secrets: ['secret'],
} as const satisfies { readonly [T in keyof Schema]?: readonly (keyof Schema[T])[] };

export type EncryptedTable = keyof typeof ENCRYPTED_COLUMNS;
export type EncryptedColumn<T extends EncryptedTable> = (typeof ENCRYPTED_COLUMNS)[T][number];

/** What a record is bound to, so that it cannot be read from another row or column. */
export function recordPlace<T extends EncryptedTable>(table: T, rowId: string, column: EncryptedColumn<T>): string {
  return `${table}:${rowId}:${column}`;
}
