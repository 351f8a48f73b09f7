import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../test/harness/bank-connection.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { addAccount, addMember, type Made } from '../../../test/harness/ledger.ts';
import { resetSimulators, useSimulators } from '../../../test/harness/simulators.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { failWaitingEvents, pickUpEvents, settleEvents, webhookHealth } from './index.ts';

/** The instant of the vectors of contract 35.10. */
const START = '2025-10-09T08:53:20.000Z';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const PLAID_VECTOR = {
  body: `{
  "environment": "sandbox",
  "historical_update_complete": true,
  "initial_update_complete": true,
  "item_id": "item-sim-1",
  "webhook_code": "SYNC_UPDATES_AVAILABLE",
  "webhook_type": "TRANSACTIONS"
}`,
  hash: '8ae95e5cd24e481594b8f26e99cfc7270a78b10fc30b968ba96ee62ac5dc5d9d',
  headers: {
    'plaid-verification':
      'eyJhbGciOiJFUzI1NiIsImtpZCI6IjZjNTUxNmUxLTkyZGMtNDc5ZS1hOGZmLTVhNTE5OTJlMDAwMSIsInR5cCI6IkpXVCJ9.' +
      'eyJpYXQiOjE3NjAwMDAwMDAsInJlcXVlc3RfYm9keV9zaGEyNTYiOiI4YWU5NWU1Y2QyNGU0ODE1OTRiOGYyNmU5OWNmYzcyNzBhNzhiMTBmYzMwYjk2OGJhOTZlZTYyYWM1ZGM1ZDlkIn0.' +
      'pqhEwa0qebNAzevMKsX9HeBsv-0GaQMGSytgijd_OBZlZRx0aPkhnlder97c_8NFo7K_DSbBWAN52PCeqC1A2w',
  },
};
const TELLER_VECTOR = {
  body:
    '{"id":"wh_sim_1","payload":{"enrollment_id":"enr_sim_1","reason":"disconnected.credentials_invalid"},' +
    '"timestamp":"2025-10-09T08:53:20Z","type":"enrollment.disconnected"}',
  current: '941febf481b4952933b4ea176ce6a7592d34ba112003f60aeb2174d1e2df86fd',
  previous: '94baa21096a99d94cbd49ff11ffbaa5dc8a32f4365e32cd3b16cc5e312643dd3',
};

const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  const simulators = useSimulators();
  const clock = fixedClock(START);
  let app: TestApp;
  let ana: Made;
  let count = 0;
  beforeAll(async () => {
    app = await database.open({ env: { ...simulators.env }, clock });
    ana = await addMember(app, 'Ana');
  });
  beforeEach(() => resetSimulators(simulators, new Date(clock.now()).toISOString()));
  afterEach(async () => {
    clock.advance(2 * DAY_MS);
    await bookkeep(app.app.instance.database, async (tx) => {
      for (const table of ['webhook_events', 'webhook_counters', 'sync_turns'] as const) {
        await tx.q.deleteFrom(table).execute();
      }
    });
  });

  const post = (
    provider: string,
    sent: { body: string | Buffer; headers: Record<string, string> },
    from = '127.0.0.1',
  ) => app.request('POST', `/webhooks/${provider}`, { key: null, from, body: sent.body, headers: sent.headers });
  const events = async () => (await app.request('GET', '/api/v1/webhook-events')).json.webhook_events;
  const connection = async (id: string) =>
    (
      await rowsOf<Record<string, unknown>>(app.app.instance.database, `select * from connections where id = '${id}'`)
    )[0];
  const requests = () => rowsOf(app.app.instance.database, 'select * from sync_turns where requested_at is not null');
  const health = () => app.app.instance.database.read((tx) => webhookHealth(tx, new Date(clock.now()).toISOString()));
  const settled = (connectionId: string, syncLogId: string, error: string | null) =>
    bookkeep(app.app.instance.database, (tx) => settleEvents(tx, { connectionId, syncLogId, error }));

  /** An item of the simulator with its connection. */
  async function plaidItem(columns: Parameters<typeof addBankConnection>[2] = {}) {
    count += 1;
    const { item_id: itemId } = simulators.plaid.control.addItem({ item_id: `item-${count}` });
    return { itemId, ...(await addBankConnection(app, ana, { itemId, ...columns })) };
  }

  type Webhook = Parameters<typeof simulators.plaid.control.signWebhook>[0];
  const sendPlaid = (webhook: Webhook) => post('plaid', simulators.plaid.control.signWebhook(webhook));
  const itemWebhook = (itemId: string, code: string, extra: Record<string, unknown> = {}) =>
    sendPlaid({ item_id: itemId, webhook_type: 'ITEM', webhook_code: code, extra });

  describe('signatures', () => {
    test('the vectors are accepted, within their time and without a byte changed', async () => {
      const headers = { 'content-type': 'text/plain', ...PLAID_VECTOR.headers };
      const signature = (v1: string) => ({ 'teller-signature': `t=1760000000,v1=${v1}` });
      clock.set(START);
      simulators.plaid.control.setClock({ now: START });
      const made = await addBankConnection(app, ana, { itemId: 'item-sim-1' });
      await addBankConnection(app, ana, { itemId: 'enr_sim_1', provider: 'teller' });
      expect((await post('plaid', { body: PLAID_VECTOR.body, headers })).json).toEqual({ status: 'ok' });
      expect((await events())[0]).toMatchObject({
        provider: 'plaid',
        event_type: 'sync_available',
        connection_id: made.id,
        raw_payload_hash: PLAID_VECTOR.hash,
        status: 'received',
        delivery_count: 1,
      });
      expect(codeOf(await post('plaid', { body: `${PLAID_VECTOR.body} `, headers }))).toEqual([
        401,
        'INVALID_SIGNATURE',
      ]);
      const { body, current, previous } = TELLER_VECTOR;
      expect((await post('teller', { body, headers: signature(current) })).json).toEqual({ status: 'ok' });
      const again = await post('teller', { body, headers: signature(previous.toUpperCase()) });
      expect([again.status, again.json]).toEqual([200, { status: 'ok', duplicate: true }]);
      expect((await events()).length).toBe(2);
    });

    test('whatever is not signed by Plaid is 401, counted, and leaves no event', async () => {
      const { itemId } = await plaidItem();
      const now = clock.now();
      const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
      const { control } = simulators.plaid;
      // Of a key that the service has not met: what it met is known for a day.
      control.rotateKeys();
      const refused = [
        { tamper: 'expired_key' },
        { tamper: 'no_header' },
        { tamper: 'wrong_body_hash' },
        { tamper: 'wrong_key' },
        { tamper: 'unknown_kid' },
        { tamper: 'alg_hs256' },
        { tamper: 'alg_none' },
        { at: at(-301) },
        { at: at(61) },
      ] as const;
      for (const how of refused) {
        const answer = await post('plaid', control.signWebhook({ item_id: itemId, ...how }));
        expect([how, ...codeOf(answer)]).toEqual([how, 401, 'INVALID_SIGNATURE']);
      }
      const garbled = { body: '{}', headers: { 'plaid-verification': 'a.b.c' } };
      expect(codeOf(await post('plaid', garbled))).toEqual([401, 'INVALID_SIGNATURE']);
      await eventually(async () =>
        expect((await health()).plaid).toEqual({
          last_received_at: null,
          rejected_count: refused.length + 1,
          last_rejected_at: at(0),
          last_rejected_reason: 'signature',
        }),
      );
      expect(await events()).toEqual([]);
      expect((await post('plaid', control.signWebhook({ item_id: itemId, at: at(-299) }))).status).toBe(200);
      expect((await post('plaid', control.signWebhook({ item_id: itemId, at: at(-400) }))).status).toBe(401);
      await eventually(async () =>
        expect((await health()).plaid).toMatchObject({ last_received_at: at(0), last_rejected_reason: 'clock' }),
      );
    });

    test('one of Teller’s signatures must be right, and not older than three minutes', async () => {
      const { control } = simulators.teller;
      const now = clock.now();
      const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
      const sign = (how: object) => control.signWebhook({ type: 'webhook.test', payload: {}, ...how });
      for (const how of [
        { tamper: 'no_header' },
        { tamper: 'wrong_secret' },
        { tamper: 'wrong_body' },
        { at: at(-181) },
        { at: at(181) },
      ]) {
        expect([how, ...codeOf(await post('teller', sign(how)))]).toEqual([how, 401, 'INVALID_SIGNATURE']);
      }
      for (const how of [{ tamper: 'second_signature' }, { at: at(-179) }, { at: at(179) }]) {
        expect([how, (await post('teller', sign(how))).status]).toEqual([how, 200]);
      }
      expect(
        (await events()).map((one: { event_type: string; status: string }) => [one.event_type, one.status]),
      ).toEqual(Array.from({ length: 3 }, () => ['test', 'processed']));
    });

    test('other paths, methods and large bodies are refused; a key that cannot be fetched is a reason to send again', async () => {
      expect(codeOf(await post('csv', { body: '{}', headers: {} }))).toEqual([404, 'NOT_FOUND']);
      const wrong = await app.request('GET', '/webhooks/plaid', { key: null });
      expect([...codeOf(wrong), wrong.headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST, OPTIONS']);
      const large = Buffer.alloc(1_048_577);
      expect(codeOf(await post('teller', { body: large, headers: {} }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      const { itemId } = await plaidItem();
      simulators.plaid.control.rotateKeys();
      const signed = simulators.plaid.control.signWebhook({ item_id: itemId });
      const id = simulators.plaid.control.addFault({
        path: '/webhook_verification_key/get',
        times: 99,
        delay_ms: 5_000,
      });
      expect(id).toBeDefined();
      const busy = await post('plaid', signed);
      expect([...codeOf(busy), busy.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '30']);
      simulators.plaid.control.clearFaults();
    });

    test('a flood of forgeries is limited, and writes next to nothing', async () => {
      const forged = { body: '{"webhook_type":"TRANSACTIONS"}', headers: { 'plaid-verification': 'x.y.z' } };
      const answers = await Promise.all(Array.from({ length: 230 }, () => post('plaid', forged, '203.0.113.9')));
      const limited = answers.filter(({ status }) => status === 429);
      expect([answers.filter(({ status }) => status === 401).length, limited.length]).toEqual([200, 30]);
      expect(limited[0]?.headers['retry-after']).toBe('1');
      await eventually(async () => expect((await health()).plaid.rejected_count).toBe(200));
      const rows = await rowsOf(app.app.instance.database, 'select * from webhook_counters');
      expect([rows.length, await events()]).toEqual([1, []]);
    });
  });

  describe('what a webhook means', () => {
    test('new transactions ask for a sync, whose end is that of the event', async () => {
      const { itemId, id } = await plaidItem();
      expect((await sendPlaid({ item_id: itemId })).status).toBe(200);
      expect(await requests()).toEqual([expect.objectContaining({ connection_id: id, requested_trigger: 'webhook' })]);
      const log = app.app.instance.ids.uuid();
      clock.advance(11 * MINUTE_MS);
      simulators.plaid.control.setClock({ advance_seconds: 660 });
      expect((await sendPlaid({ item_id: itemId })).json).toEqual({ status: 'ok' });
      const statuses = async () => (await events()).map((one: { status: string }) => one.status);
      await settled(id, log, null);
      // The second came after that sync had begun.
      expect(await statuses()).toEqual(['received', 'processed']);
      await settled(id, app.app.instance.ids.uuid(), 'The bank cannot be reached.');
      expect((await events())[0]).toMatchObject({ status: 'error', error_message: 'The bank cannot be reached.' });
      expect((await events())[1]).toMatchObject({ sync_log_id: log, processed_at: expect.any(String) });
    });

    test('a paused or disconnected connection stays as it is', async () => {
      const paused = await plaidItem({ paused: 1 });
      const gone = await plaidItem({ status: 'disconnected' });
      await sendPlaid({ item_id: paused.itemId });
      for (const code of [
        'LOGIN_REPAIRED',
        'NEW_ACCOUNTS_AVAILABLE',
        'PENDING_EXPIRATION',
        'USER_PERMISSION_REVOKED',
      ]) {
        const before = await connection(gone.id);
        expect((await itemWebhook(gone.itemId, code)).status).toBe(200);
        expect(await connection(gone.id)).toEqual(before);
      }
      await sendPlaid({ item_id: gone.itemId });
      expect(await requests()).toEqual([]);
      expect(new Set((await events()).map((one: { status: string }) => one.status))).toEqual(new Set(['processed']));
    });

    test('a lost login breaks the connection once, however often it is delivered; a repaired one mends it', async () => {
      const { itemId, id } = await plaidItem();
      const error = { error_code: 'ITEM_LOGIN_REQUIRED', error_type: 'ITEM_ERROR', error_message: 'x' };
      const sent = () => itemWebhook(itemId, 'ERROR', { error });
      await sent();
      expect(await connection(id)).toMatchObject({ status: 'pending_reauth', error_code: 'ITEM_LOGIN_REQUIRED' });
      await itemWebhook(itemId, 'LOGIN_REPAIRED');
      expect(await connection(id)).toMatchObject({ status: 'active', error_code: null });
      expect(await requests()).toEqual([expect.objectContaining({ connection_id: id, requested_trigger: 'webhook' })]);
      clock.advance(DAY_MS - MINUTE_MS);
      simulators.plaid.control.setClock({ advance_seconds: 86_340 });
      expect((await sent()).json).toEqual({ status: 'ok', duplicate: true });
      expect(await connection(id)).toMatchObject({ status: 'active' });
      const [, broken] = await events();
      expect(broken).toMatchObject({ event_type: 'connection_error', delivery_count: 2, status: 'processed' });
      clock.advance(2 * MINUTE_MS);
      simulators.plaid.control.setClock({ advance_seconds: 120 });
      await sent();
      expect(await connection(id)).toMatchObject({ status: 'pending_reauth' });
    });

    test('errors, consent and accounts change what they are about', async () => {
      const down = await plaidItem();
      await itemWebhook(down.itemId, 'ERROR', { error: { error_code: 'ITEM_NOT_FOUND', error_type: 'ITEM_ERROR' } });
      expect(await connection(down.id)).toMatchObject({ status: 'error', error_code: 'ITEM_NOT_FOUND' });
      await itemWebhook(down.itemId, 'USER_PERMISSION_REVOKED', { error: null });
      expect(await connection(down.id)).toMatchObject({
        status: 'pending_reauth',
        error_code: 'USER_PERMISSION_REVOKED',
      });
      const ending = await plaidItem();
      const stated = new Date(clock.now() + 10 * DAY_MS).toISOString();
      await itemWebhook(ending.itemId, 'PENDING_EXPIRATION', { consent_expiration_time: stated });
      expect(await connection(ending.id)).toMatchObject({
        status: 'active',
        consent_expires_at: stated,
        consent_guessed_at: null,
      });
      const moving = await plaidItem();
      await itemWebhook(moving.itemId, 'PENDING_DISCONNECT', { reason: 'INSTITUTION_MIGRATION' });
      expect(await connection(moving.id)).toMatchObject({
        status: 'active',
        consent_expires_at: new Date(clock.now() + 7 * DAY_MS).toISOString(),
        consent_guessed_at: new Date(clock.now()).toISOString(),
      });
      await itemWebhook(moving.itemId, 'NEW_ACCOUNTS_AVAILABLE', { error: null });
      expect(await connection(moving.id)).toMatchObject({ new_accounts_at: new Date(clock.now()).toISOString() });
      expect(await requests()).toEqual([]);
    });

    test('what says nothing is noted, and what belongs to nobody is an error', async () => {
      const { itemId, id } = await plaidItem();
      const before = await connection(id);
      await sendPlaid({ item_id: itemId, webhook_code: 'DEFAULT_UPDATE', extra: { new_transactions: 3 } });
      await itemWebhook(itemId, 'USER_ACCOUNT_REVOKED', { account_id: 'acc-sim-1' });
      expect(await connection(id)).toEqual(before);
      const { item_id: strange } = simulators.plaid.control.addItem({ item_id: 'item-of-nobody' });
      await sendPlaid({ item_id: strange });
      const found = (await events()).map((one: Record<string, unknown>) => [
        one['event_type'],
        one['status'],
        one['connection_id'],
      ]);
      expect(found).toEqual([
        ['sync_available', 'error', null],
        ['account_revoked', 'processed', id],
        ['unknown', 'processed', id],
      ]);
    });

    test('a webhook of Teller without an enrollment is matched by its accounts', async () => {
      const made = await addBankConnection(app, ana, { provider: 'teller', itemId: `enr_${(count += 1)}` });
      const account = await addAccount(app, ana);
      await bookkeep(app.app.instance.database, (tx) =>
        tx.q
          .insertInto('account_feeds')
          .values({
            account_id: account.id,
            connection_id: made.id,
            external_account_id: 'acc_sim_77',
            first_synced_at: tx.now,
            state: 'open',
          } as never)
          .execute(),
      );
      const signed = simulators.teller.control.signWebhook({
        type: 'transactions.processed',
        payload: { transactions: [{ id: 'txn_1', account_id: 'acc_sim_77' }] },
      });
      expect((await post('teller', signed)).status).toBe(200);
      expect((await events())[0]).toMatchObject({
        event_type: 'sync_available',
        connection_id: made.id,
        status: 'received',
      });
    });
  });

  describe('duplicates', () => {
    test('the same webhook five times at once is one event and one request', async () => {
      const { itemId, id } = await plaidItem();
      const signed = simulators.plaid.control.signWebhook({ item_id: itemId });
      const answers = await Promise.all(Array.from({ length: 5 }, () => post('plaid', signed)));
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(await events()).toEqual([expect.objectContaining({ delivery_count: 5, connection_id: id })]);
      expect((await requests()).length).toBe(1);
    });

    test('a second update inside the window is fetched at its end, if the sync of the first has begun', async () => {
      const far = new Date(clock.now() + DAY_MS).toISOString();
      const { itemId, id } = await plaidItem();
      await app.write('test.due', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        await tx.q.updateTable('connections').set({ next_sync_at: far }).where('id', '=', id).execute();
      });
      const endOfWindow = new Date(clock.now() + 10 * MINUTE_MS).toISOString();
      await sendPlaid({ item_id: itemId });
      await sendPlaid({ item_id: itemId });
      expect(await connection(id)).toMatchObject({ next_sync_at: far });
      await bookkeep(app.app.instance.database, (tx) =>
        tx.q.updateTable('sync_turns').set({ requested_at: null }).execute(),
      );
      await sendPlaid({ item_id: itemId });
      expect(await connection(id)).toMatchObject({ next_sync_at: endOfWindow });
      expect((await events()).length).toBe(1);
    });
  });

  describe('events that wait', () => {
    test('end when their request is dropped, but for those that a running sync serves', async () => {
      const { itemId, id } = await plaidItem();
      await sendPlaid({ item_id: itemId });
      const running = app.app.instance.ids.uuid();
      await bookkeep(app.app.instance.database, (tx) =>
        tx.q.updateTable('sync_turns').set({ sync_log_id: running, requested_at: null }).execute(),
      );
      clock.advance(11 * MINUTE_MS);
      simulators.plaid.control.setClock({ advance_seconds: 660 });
      await sendPlaid({ item_id: itemId });
      await bookkeep(app.app.instance.database, (tx) => failWaitingEvents(tx, id, 'It was dropped.'));
      expect((await events()).map((one: { status: string }) => one.status)).toEqual(['error', 'received']);
    });

    test('and are taken up again after a crash', async () => {
      const asked: string[] = [];
      const pickUp = () =>
        bookkeep(app.app.instance.database, (tx) => pickUpEvents(tx, async (one) => asked.push(one)));
      const [lost, rightly] = [await plaidItem(), await plaidItem()];
      await sendPlaid({ item_id: lost.itemId });
      await sendPlaid({ item_id: rightly.itemId });
      await bookkeep(app.app.instance.database, (tx) =>
        tx.q.updateTable('sync_turns').set({ requested_at: null }).where('connection_id', '=', lost.id).execute(),
      );
      await pickUp();
      expect(asked).toEqual([lost.id]);
      const log = app.app.instance.ids.uuid();
      await bookkeep(app.app.instance.database, (tx) =>
        tx.q
          .insertInto('sync_logs')
          .values({
            id: log,
            short_id: `Wh${String(count).padStart(6, '0')}`,
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
      const empty = await app.request('GET', '/api/v1/webhook-events');
      expect(empty.json).toEqual({ webhook_events: [], total: 0, page: 1, page_size: 50, total_pages: 0 });
      const { itemId, id, short_id } = await plaidItem();
      for (const code of ['LOGIN_REPAIRED', 'NEW_ACCOUNTS_AVAILABLE', 'WEBHOOK_UPDATE_ACKNOWLEDGED']) {
        clock.advance(1_000);
        await itemWebhook(itemId, code);
      }
      const list = async (query: Record<string, string>) =>
        (await app.request('GET', '/api/v1/webhook-events', { query })).json;
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
          const answer = await app.request('GET', '/api/v1/webhook-events', { query: { [name]: value } });
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
        (await app.request('POST', `/api/v1/webhook-events/${event.id}/replay`)).json;
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
