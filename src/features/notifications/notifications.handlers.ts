import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { base62Of32Bytes } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { AppError, notFound, unknownId } from '../../kernel/errors.ts';
import { handleRead, handleWrite, Reply, type Instance } from '../handler.ts';
import { addChannel, changeChannel, requireReachable } from './change-channel.ts';
import * as channels from './notification-channels.contract.ts';
import {
  getChannelRow,
  notificationChannels,
  sealSecrets,
  secretsSet,
  toChannel,
} from './notification-channels.entity.ts';
import {
  findDelivery,
  isChannelKnown,
  selectDeliveries,
  selectLastAttempts,
  toDelivery,
} from './deliveries.queries.ts';
import { notificationSettings } from './notification-settings.ts';
import * as contract from './notifications.contract.ts';
import { cancelDeliveriesTo } from './raise.ts';

export const listNotificationChannels = handleRead(channels.listNotificationChannels, async ({ tx }) => {
  const rows = await tx.q.selectFrom('notification_channels').selectAll().orderBy('name').orderBy('id').execute();
  const last = await selectLastAttempts(tx);
  return rows.map((row) => toChannel(row, last.get(row.id)));
});

export const getNotificationChannel = handleRead(channels.getNotificationChannel, async ({ tx }, { params }) =>
  show(tx, await getChannelRow(tx, params.id)),
);

export const createNotificationChannel = handleWrite(
  channels.createNotificationChannel,
  'notification_channel.create',
  async ({ tx, instance }, { body }) => {
    const secret = body.format === 'webhook' ? (body.secret ?? newSecret(instance)) : null;
    const row = await addChannel(tx, instance, body, secret);
    tx.journal.summarise(`Created the notification channel ${row.name}`);
    const record = { ...toChannel(row, undefined), ...(secret === null ? {} : { secret }) };
    return new Reply(record, { headers: { location: `/api/v1/notification-channels/${row.id}` } });
  },
  { prepare: async ({ instance }, { body }) => requireReachable(instance, body.url) },
);

export const updateNotificationChannel = handleWrite(
  channels.updateNotificationChannel,
  'notification_channel.update',
  async ({ tx, instance }, { params, body }) => {
    const row = await changeChannel(tx, instance, await getChannelRow(tx, params.id), body);
    tx.journal.summarise(`Changed the notification channel ${row.name}`);
    return show(tx, row);
  },
  {
    async prepare({ instance }, { params, body }) {
      await instance.database.read((tx) => getChannelRow(tx, params.id));
      await requireReachable(instance, body.url);
    },
  },
);

export const deleteNotificationChannel = handleWrite(
  channels.deleteNotificationChannel,
  'notification_channel.delete',
  async ({ tx }, { params }) => {
    const row = await getChannelRow(tx, params.id);
    await cancelDeliveriesTo(tx, row.id);
    await notificationChannels.remove(tx, row, { fields: { before: secretsSet(row) } });
    tx.journal.summarise(`Deleted the notification channel ${row.name}`);
    return null;
  },
);

export const rotateNotificationSecret = handleWrite(
  channels.rotateNotificationSecret,
  'notification_channel.update',
  async ({ tx, instance }, { params }) => {
    const row = await getChannelRow(tx, params.id);
    if (row.format !== 'webhook') {
      throw new AppError('CONFLICT', `Only a webhook has a signing secret; this channel is ${row.format}.`);
    }
    const secret = newSecret(instance);
    const fields = { before: { secret: row.secret === null ? null : 'set' }, after: { secret: 'set' } };
    await notificationChannels.change(tx, row, await sealSecrets(tx, instance, row.id, { secret }), { fields });
    tx.journal.summarise(`Replaced the signing secret of the notification channel ${row.name}`);
    return { secret };
  },
);

export const listNotificationDeliveries = handleRead(
  contract.listNotificationDeliveries,
  async ({ tx }, { query: { channel_id: anyId, status, event, limit } }) => {
    const channelId = anyId === undefined ? undefined : await resolveChannel(tx, anyId);
    const rows = await selectDeliveries(tx, { channelId, statuses: status, events: event, limit });
    return rows.map(toDelivery);
  },
);

export const retryNotificationDelivery = handleWrite(
  contract.retryNotificationDelivery,
  'notification_delivery.retry',
  async ({ tx, instance }, { params }) => {
    const row = await findDelivery(tx, params.id);
    if (!row) throw notFound('notification');
    if (row.status !== 'failed') {
      throw new AppError('CONFLICT', `Only a failed message can be sent again; this one is ${row.status}.`);
    }
    const channel = await notificationChannels.find(tx, row.channel_id);
    if (channel?.is_enabled !== 1) {
      const state = channel ? 'disabled. Enable it first.' : 'deleted.';
      throw new AppError('CONFLICT', `The channel of this message is ${state}`);
    }
    const patch = { status: 'pending', attempts: 0, next_attempt_at: tx.now, finished_at: null };
    await tx.q.updateTable('notification_deliveries').set(patch).where('id', '=', row.id).execute();
    tx.afterCommit(() => instance.notifications().wake());
    return toDelivery({ ...row, ...patch });
  },
);

export const getNotificationSettings = handleRead(contract.getNotificationSettings, async ({ tx }) =>
  notificationSettings.read(tx),
);

export const replaceNotificationSettings = handleWrite(
  contract.replaceNotificationSettings,
  'setting.update',
  async ({ tx }, { body }) => notificationSettings.change(tx, body),
);

export const updateNotificationSettings = handleWrite(
  contract.updateNotificationSettings,
  'setting.update',
  async ({ tx }, { body }) => notificationSettings.change(tx, body),
);

async function show(tx: ReadTx, row: NotificationChannelsTable): Promise<ReturnType<typeof toChannel>> {
  return toChannel(row, (await selectLastAttempts(tx, row.id)).get(row.id));
}

function newSecret({ random }: Instance): string {
  return base62Of32Bytes(random.bytes(LIMITS.tokenBytes));
}

/** A deleted channel is still known as long as its deliveries are kept. @throws INVALID_PARAMETER */
async function resolveChannel(tx: ReadTx, anyId: string): Promise<string> {
  const row = await notificationChannels.find(tx, anyId);
  if (row) return row.id;
  if (await isChannelKnown(tx, anyId)) return anyId;
  throw unknownId('channel_id', 'notification channel', anyId);
}
