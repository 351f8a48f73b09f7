import { shortIdFor } from '../../db/short-ids.ts';
import { bookkeep } from '../../journal/write.ts';
import { elapsedSince, startTimer } from '../../kernel/clock.ts';
import { handleBackground, type Instance } from '../handler.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { Message } from './build-request.ts';
import { testNotificationChannel as operation } from './notification-channels.contract.ts';
import { getChannelRow } from './notification-channels.entity.ts';
import type { AttemptResult } from './attempt-delivery.ts';

/** One attempt, now (contract 50.4.2). It is listed among the deliveries once it is over. */
export const testNotificationChannel = handleBackground(operation, async ({ instance }, { params }) => {
  const channel = await instance.database.read((tx) => getChannelRow(tx, params.id));
  const message = await testMessage(instance);
  const began = startTimer();
  const result = await attemptDelivery(
    instance,
    channel,
    channel.is_body_included === 1 ? message : { ...message, body: null },
    new AbortController().signal,
  );
  const durationMs = Math.round(elapsedSince(began));
  await store(instance, channel.id, message, result);
  return {
    ok: result.kind === 'delivered',
    status_code: result.statusCode,
    detail: detailOf(result),
    duration_ms: durationMs,
    delivery_id: message.id,
  };
});

async function testMessage({ ids, settings }: Instance): Promise<Message> {
  return {
    id: ids.uuid(),
    event: 'test',
    priority: 'info',
    title: 'Homeledger: test message',
    body: 'This channel works.',
    data: {},
    url: await settings.baseUrl(),
  };
}

function detailOf(result: AttemptResult): string | null {
  return result.kind === 'failed' ? result.detail : null;
}

async function store(
  { database }: Instance,
  channelId: string,
  { id, event, priority, title, data }: Message,
  result: AttemptResult,
): Promise<void> {
  await bookkeep(database, async (tx) => {
    await tx.q
      .insertInto('notification_deliveries')
      .values({
        id,
        short_id: await shortIdFor(tx, 'notification_deliveries'),
        channel_id: channelId,
        event,
        occurrence_id: `test:${id}`,
        subject_type: null,
        subject_id: null,
        priority,
        title,
        body: null,
        data: JSON.stringify(data),
        status: result.kind,
        attempts: 1,
        next_attempt_at: null,
        attempted_at: tx.now,
        claimed_by: null,
        status_code: result.statusCode,
        detail: detailOf(result),
        created_at: tx.now,
        finished_at: tx.now,
      })
      .execute();
  });
}
