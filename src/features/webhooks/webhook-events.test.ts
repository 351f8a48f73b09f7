import { describe, expect, test } from 'vitest';

import { shortIdFor } from '../../db/short-ids.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { webhookBench } from '../../../test/harness/banks/webhooks.ts';
import { MINUTE_MS } from '../../kernel/dates.ts';
import { failWaitingEvents, pickUpEvents } from './index.ts';

const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  const bench = webhookBench(database);
  const { clock, simulators, sendPlaid, itemWebhook, plaidItem, events, requests } = bench;

  describe('events that wait', () => {
    test('end when their request is dropped, but for those that a running sync serves', async () => {
      const { itemId, id } = await plaidItem();
      await sendPlaid({ item_id: itemId });
      const running = bench.app.app.instance.ids.uuid();
      await bench.bookkeep((tx) =>
        tx.q.updateTable('sync_turns').set({ sync_log_id: running, requested_at: null }).execute(),
      );
      bench.pass(11 * MINUTE_MS);
      await sendPlaid({ item_id: itemId });
      await bench.bookkeep((tx) => failWaitingEvents(tx, id, 'It was dropped.'));
      expect((await events()).map((one: { status: string }) => one.status)).toEqual(['error', 'received']);
    });

    test('and are taken up again after a crash', async () => {
      const asked: string[] = [];
      const pickUp = () => bench.bookkeep((tx) => pickUpEvents(tx, async (one) => asked.push(one)));
      const [lost, rightly] = [await plaidItem(), await plaidItem()];
      await sendPlaid({ item_id: lost.itemId });
      await sendPlaid({ item_id: rightly.itemId });
      await bench.bookkeep((tx) =>
        tx.q.updateTable('sync_turns').set({ requested_at: null }).where('connection_id', '=', lost.id).execute(),
      );
      await pickUp();
      expect(asked).toEqual([lost.id]);
      const log = bench.app.app.instance.ids.uuid();
      await bench.bookkeep(async (tx) =>
        tx.q
          .insertInto('sync_logs')
          .values({
            id: log,
            short_id: await shortIdFor(tx, 'sync_logs'),
            connection_id: lost.id,
            provider: 'plaid',
            institution_name: null,
            status: 'success',
            trigger: 'webhook',
            started_at: tx.now,
            finished_at: tx.now,
            duration_ms: 1,
            error_code: null,
            error_message: null,
            warning_message: null,
            provider_error: null,
            change_set_id: null,
            fencing_token: 'x',
          })
          .execute(),
      );
      await pickUp();
      expect(asked).toEqual([lost.id]);
      const found = (await events()).map((one: Record<string, unknown>) => [one['connection_id'], one['status']]);
      expect(found).toEqual([
        [rightly.id, 'received'],
        [lost.id, 'processed'],
      ]);
    });
  });

  describe('the list', () => {
    test('comes in pages, by filters, without payloads', async () => {
      const empty = await bench.app.request('GET', '/api/v1/webhook-events');
      expect(empty.json).toEqual({ webhook_events: [], total: 0, page: 1, page_size: 50, total_pages: 0 });
      const { itemId, id, short_id } = await plaidItem();
      for (const code of ['LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE', 'WEBHOOK_UPDATE_ACKNOWLEDGED']) {
        clock.advance(1_000);
        await itemWebhook(itemId, code);
      }
      const list = async (query: Record<string, string>) =>
        (await bench.app.request('GET', '/api/v1/webhook-events', { query })).json;
      const first = await list({ limit: '2' });
      expect(first).toMatchObject({ total: 3, page: 1, page_size: 2, total_pages: 2 });
      expect(first.webhook_events.map((one: { event_type: string }) => one.event_type)).toEqual([
        'unknown',
        'new_accounts',
      ]);
      expect((await list({ limit: '2', page: '2' })).webhook_events.length).toBe(1);
      expect((await list({ page: '9' })).webhook_events).toEqual([]);
      expect((await list({ connection_id: short_id, event_type: 'new_accounts' })).total).toBe(1);
      expect((await list({ provider: 'teller' })).total).toBe(0);
      expect((await list({ status: 'processed' })).total).toBe(3);
      expect(JSON.stringify(first)).not.toContain(itemId);
      const bad = {
        limit: ['0', '201', 'x'],
        page: ['0', '1.5'],
        provider: ['csv'],
        status: ['done'],
        connection_id: ['zzzzzzzz'],
      };
      for (const [name, values] of Object.entries(bad)) {
        for (const value of values) {
          const answer = await bench.app.request('GET', '/api/v1/webhook-events', { query: { [name]: value } });
          expect([name, value, ...codeOf(answer)]).toEqual([name, value, 400, 'INVALID_PARAMETER']);
        }
      }
      expect(id).toBeDefined();
    });

    test('an event can be replayed, if there is something to sync', async () => {
      const { itemId, id } = await plaidItem();
      await itemWebhook(itemId, 'NEW_ACCOUNTS_AVAILABLE');
      simulators.plaid.control.addItem({ item_id: 'item-strange' });
      await sendPlaid({ item_id: 'item-strange' });
      const [strange, known] = await events();
      const replay = async (event: { id: string }) =>
        (await bench.app.request('POST', `/api/v1/webhook-events/${event.id}/replay`)).json;
      expect(await replay(known)).toEqual({
        webhook_event_id: known.id,
        connection_id: id,
        triggered: true,
        message: 'A sync was requested.',
      });
      expect(await replay(known)).toMatchObject({ triggered: true });
      expect(await requests()).toEqual([expect.objectContaining({ connection_id: id, requested_trigger: 'manual' })]);
      expect(await replay(strange)).toMatchObject({ connection_id: null, triggered: false });
      expect((await events())[1]).toEqual(known);
    });
  });
});
