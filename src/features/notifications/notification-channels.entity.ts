import { IDS, STAMPS, flag, json, recorded, secret } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { WriteTx } from '../../journal/write.ts';

/** Where messages of the household go (contract 50.4.2). Its changes cannot be reverted: they hold secrets. */
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

/** Clears the secrets of every channel, whose key is lost, and disables them. Returns how many there are. */
export async function forgetChannelSecrets(tx: WriteTx): Promise<number> {
  const rows = await tx.q.selectFrom('notification_channels').selectAll().where('url', 'is not', null).execute();
  const patch = { url: null, secret: null, token: null, is_enabled: 0 as const };
  await notificationChannels.changeMany(
    tx,
    rows.map((row) => ({ row, patch })),
  );
  return rows.length;
}
