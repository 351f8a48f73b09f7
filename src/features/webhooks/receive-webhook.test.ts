import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../test/harness/banks/bank-connection.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { addAccount } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { VECTOR_TIME, webhookBench } from '../../../test/harness/banks/webhooks.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/dates.ts';
import { settleEvents, webhookHealth } from './index.ts';

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
  const bench = webhookBench(database);
  const { clock, simulators, post, sendPlaid, itemWebhook, plaidItem, events, requests, connection } = bench;
  const health = () =>
    bench.app.app.instance.database.read((tx) => webhookHealth(tx, new Date(clock.now()).toISOString()));
  const settled = (connectionId: string, syncLogId: string, error: string | null) =>
    bench.bookkeep((tx) => settleEvents(tx, { connectionId, syncLogId, error }));

  describe('signatures', () => {
    test('the vectors are accepted, within their time and without a byte changed', async () => {
      const headers = { 'content-type': 'text/plain', ...PLAID_VECTOR.headers };
      const signature = (v1: string) => ({ 'teller-signature': `t=1760000000,v1=${v1}` });
      clock.set(VECTOR_TIME);
      simulators.plaid.control.setClock({ now: VECTOR_TIME });
      const made = await addBankConnection(bench.app, bench.ana, { itemId: 'item-sim-1' });
      await addBankConnection(bench.app, bench.ana, { itemId: 'enr_sim_1', provider: 'teller' });
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
      for (const named of [{ 'content-type': ';;;' }, { 'content-type': 'x' }, { 'content-encoding': 'gzip' }]) {
        const odd = await post('teller', { body, headers: { ...signature(current), ...named } });
        expect([odd.status, odd.json]).toEqual([200, { status: 'ok', duplicate: true }]);
      }
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
      const wrong = await bench.app.request('GET', '/webhooks/plaid', { key: null });
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
      await eventually(async () => expect(await events()).toHaveLength(1));
    });

    test('a flood of forgeries is limited, and writes next to nothing', async () => {
      const forged = { body: '{"webhook_type":"TRANSACTIONS"}', headers: { 'plaid-verification': 'x.y.z' } };
      const send = () => post('plaid', forged, '203.0.113.9');
      const answers: Answer[] = [];
      // Ten at once: a slow machine answers more of them too late, and with 503.
      while (answers.length < 230) answers.push(...(await Promise.all(Array.from({ length: 10 }, send))));
      const limited = answers.filter(({ status }) => status === 429);
      expect([answers.filter(({ status }) => status === 401).length, limited.length]).toEqual([200, 30]);
      expect(limited[0]?.headers['retry-after']).toBe('1');
      await eventually(async () => expect((await health()).plaid.rejected_count).toBe(200));
      const rows = await rowsOf(bench.app.app.instance.database, 'select * from webhook_counters');
      expect([rows.length, await events()]).toEqual([1, []]);
    });
  });

  describe('what a webhook means', () => {
    test('new transactions ask for a sync, whose end is that of the event', async () => {
      const { itemId, id } = await plaidItem();
      expect((await sendPlaid({ item_id: itemId })).status).toBe(200);
      expect(await requests()).toEqual([expect.objectContaining({ connection_id: id, requested_trigger: 'webhook' })]);
      const log = bench.app.app.instance.ids.uuid();
      bench.pass(11 * MINUTE_MS);
      expect((await sendPlaid({ item_id: itemId })).json).toEqual({ status: 'ok' });
      const statuses = async () => (await events()).map((one: { status: string }) => one.status);
      await settled(id, log, null);
      // The second came after that sync had begun.
      expect(await statuses()).toEqual(['received', 'processed']);
      await settled(id, bench.app.app.instance.ids.uuid(), 'The bank cannot be reached.');
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
      bench.pass(DAY_MS - MINUTE_MS);
      expect((await sent()).json).toEqual({ status: 'ok', duplicate: true });
      expect(await connection(id)).toMatchObject({ status: 'active' });
      const [, broken] = await events();
      expect(broken).toMatchObject({ event_type: 'connection_error', delivery_count: 2, status: 'processed' });
      bench.pass(2 * MINUTE_MS);
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

    test('a body that is no object is kept as an error', async () => {
      const seconds = Math.floor(clock.now() / 1_000);
      for (const body of ['[]', '"x"', 'not JSON', '']) {
        const v1 = createHmac('sha256', 'whsec_sim_current').update(`${seconds}.${body}`).digest('hex');
        const answer = await post('teller', { body, headers: { 'teller-signature': `t=${seconds},v1=${v1}` } });
        expect([body, answer.status]).toEqual([body, 200]);
      }
      const found = await events();
      expect(found.length).toBe(4);
      for (const one of found) {
        expect(one).toMatchObject({
          event_type: 'unknown',
          status: 'error',
          error_message: 'The body was not a JSON object.',
        });
      }
    });

    test('a webhook of Teller without an enrollment is matched by its accounts', async () => {
      const made = await addBankConnection(bench.app, bench.ana, { provider: 'teller', itemId: 'enr_by_account' });
      const account = await addAccount(bench.app, bench.ana);
      await bench.bookkeep((tx) =>
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
      await bench.app.write('test.due', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        await tx.q.updateTable('connections').set({ next_sync_at: far }).where('id', '=', id).execute();
      });
      const endOfWindow = new Date(clock.now() + 10 * MINUTE_MS).toISOString();
      await sendPlaid({ item_id: itemId });
      await sendPlaid({ item_id: itemId });
      expect(await connection(id)).toMatchObject({ next_sync_at: far });
      await bench.bookkeep((tx) => tx.q.updateTable('sync_turns').set({ requested_at: null }).execute());
      await sendPlaid({ item_id: itemId });
      expect(await connection(id)).toMatchObject({ next_sync_at: endOfWindow });
      expect((await events()).length).toBe(1);
      // The provider asked for a longer pause.
      const pause = new Date(clock.now() + 2 * 60 * MINUTE_MS).toISOString();
      await bench.bookkeep((tx) => tx.q.updateTable('sync_turns').set({ not_before: pause }).execute());
      await bench.app.write('test.due', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        await tx.q.updateTable('connections').set({ next_sync_at: far }).where('id', '=', id).execute();
      });
      await sendPlaid({ item_id: itemId });
      expect(await connection(id)).toMatchObject({ next_sync_at: pause });
    });
  });
});
