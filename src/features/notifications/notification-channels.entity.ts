import type { z } from 'zod';

import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { IDS, STAMPS, flag, json, recorded, secret } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Instance } from '../handler.ts';
import { openSecret, sealSecret } from '../secret-records.ts';
import type { Target } from './build-request.ts';
import type { LastAttempt } from './deliveries.queries.ts';
import type { NotificationChannel } from './notification-channels.contract.ts';
import type { Format } from './notification-events.contract.ts';
import { cancelDeliveriesTo } from './raise.ts';

/** A destination for notifications (contract 50.4.2). Changes cannot be reverted because they contain secrets. */
export const notificationChannels = defineEntity('notification_channels', {
  type: 'notification_channel',
  columns: {
    ...IDS,
    name: recorded,
    format: recorded,
    url: secret,
    url_masked: recorded,
    secret,
    token: secret,
    events: json,
    min_priority: recorded,
    is_body_included: flag('include_body'),
    quiet_hours_start: recorded,
    quiet_hours_end: recorded,
    is_enabled: flag('enabled'),
    ...STAMPS,
  },
});

/** @throws NOT_FOUND */
export async function getChannelRow(tx: ReadTx, anyId: string): Promise<NotificationChannelsTable> {
  const row = await notificationChannels.find(tx, anyId);
  if (!row) throw notFound('notification channel');
  return row;
}

export function toChannel(
  row: NotificationChannelsTable,
  last: LastAttempt | undefined,
): z.output<typeof NotificationChannel> {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    format: row.format as Format,
    url_masked: row.url_masked,
    events: JSON.parse(row.events) as z.output<typeof NotificationChannel>['events'],
    min_priority: row.min_priority as z.output<typeof NotificationChannel>['min_priority'],
    include_body: row.is_body_included === 1,
    quiet_hours_start: row.quiet_hours_start,
    quiet_hours_end: row.quiet_hours_end,
    enabled: row.is_enabled === 1,
    has_secret: row.secret !== null,
    has_token: row.token !== null,
    last_delivery: last
      ? {
          status: last.status as 'delivered',
          at: last.attempted_at,
          status_code: last.status_code,
          detail: last.detail,
        }
      : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

type SecretColumn = 'url' | 'secret' | 'token';
type SecretValues = { readonly [C in SecretColumn]?: string | null | undefined };

/** Secrets as they are stored with their channel; undefined stays undefined, null null. */
export async function sealSecrets(
  tx: WriteTx,
  instance: Instance,
  rowId: string,
  values: SecretValues,
): Promise<{ [C in SecretColumn]?: Uint8Array | null }> {
  const sealed: { [C in SecretColumn]?: Uint8Array | null } = {};
  for (const column of ['url', 'secret', 'token'] as const) {
    const value = values[column];
    if (value === undefined) continue;
    const cell = { table: 'notification_channels', rowId, column } as const;
    sealed[column] = value === null ? null : await sealSecret(tx, instance, cell, value);
  }
  return sealed;
}

/** Where the messages of a channel go; undefined if a secret cannot be decrypted. */
export function openTarget(instance: Instance, row: NotificationChannelsTable): Target | undefined {
  const open = (column: SecretColumn): string | null | undefined => {
    const record = row[column];
    return record === null
      ? null
      : openSecret(instance, { table: 'notification_channels', rowId: row.id, column }, record);
  };
  const [url, signingSecret, token] = [open('url'), open('secret'), open('token')];
  if (url === undefined || url === null || signingSecret === undefined || token === undefined) return undefined;
  return { format: row.format as Format, url, secret: signingSecret, token };
}

/** What the journal shows of the secrets. */
export function secretsSet({
  url,
  secret: signingSecret,
  token,
}: Pick<NotificationChannelsTable, SecretColumn>): Record<SecretColumn, 'set' | null> {
  const shown = (record: Uint8Array | null): 'set' | null => (record === null ? null : 'set');
  return { url: shown(url), secret: shown(signingSecret), token: shown(token) };
}

/** Scheme and host: the rest of an address is often a secret by itself. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** Clears the secrets of every channel after the key was lost, and disables the channels. Returns how many there are. */
export async function forgetChannelSecrets(tx: WriteTx): Promise<number> {
  const rows = await tx.q.selectFrom('notification_channels').selectAll().where('url', 'is not', null).execute();
  const patch = { url: null, secret: null, token: null, is_enabled: 0 as const };
  await notificationChannels.changeMany(
    tx,
    rows.map((row) => ({ row, patch })),
  );
  for (const { id } of rows) await cancelDeliveriesTo(tx, id);
  return rows.length;
}
