import { bookkeep } from '../../../src/journal/write.ts';
import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

const onOwn =
  (format = 'webhook') =>
  async (app: TestApp) => {
    const body = { name: 'Phone', format, url: 'https://home.example/hook' };
    const { json } = await app.request('POST', '/api/v1/notification-channels', { body });
    return { params: { id: json.short_id } };
  };

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getNotificationChannel: onOwn('ntfy'),
  updateNotificationChannel: onOwn('ntfy'),
  deleteNotificationChannel: onOwn(),
  rotateNotificationSecret: onOwn(),
  // A refused address is tried without a network.
  testNotificationChannel: async (app) => {
    const settings = { body: { allow_private_networks: true } };
    await app.request('PATCH', '/api/v1/settings/notifications', settings);
    const body = { name: 'Here', format: 'webhook', url: 'http://127.0.0.1:9/' };
    const { json } = await app.request('POST', '/api/v1/notification-channels', { body });
    await app.request('PATCH', '/api/v1/settings/notifications', { body: { allow_private_networks: false } });
    return { params: { id: json.short_id } };
  },
  // After its twin PUT, the example changes nothing.
  updateNotificationSettings: async () => ({ body: { delivery_retention_days: 60 } }),
  retryNotificationDelivery: async (app) => {
    const { params } = await onOwn()(app);
    const id = await bookkeep(app.app.instance.database, async (tx) => {
      const channel = await tx.q
        .selectFrom('notification_channels')
        .select('id')
        .where('short_id', '=', params.id)
        .executeTakeFirstOrThrow();
      const delivery = {
        id: tx.ids.uuid(),
        short_id: tx.ids.shortId(),
        channel_id: channel.id,
        event: 'sync.failed',
        occurrence_id: 'sync.failed:1',
        priority: 'warning',
        title: 'First Platypus Bank does not sync',
        data: '{}',
        status: 'failed',
        attempts: 6,
        created_at: tx.now,
        finished_at: tx.now,
      };
      await tx.q.insertInto('notification_deliveries').values(delivery).execute();
      return delivery.id;
    });
    return { params: { id } };
  },
};
