import { beforeEach, expect, test } from 'vitest';

import { logsOf, syncAll } from '../../../test/harness/syncs/bank-visits.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { webhookBench } from '../../../test/harness/banks/webhooks.ts';
import { DAY_MS } from '../../kernel/dates.ts';

/** Longer than any test: the bank answers when the test has its faults cleared. */
const UNTIL_CLEARED_MS = 600_000;
const TEN_MINUTES_MS = 600_000;

/** From the webhook to the end of the sync that it asked for. */
forEachDatabase((database) => {
  const bench = webhookBench(database);
  const { simulators, sendPlaid, itemWebhook, plaidItem, events } = bench;
  const update = (itemId: string, extra: Record<string, unknown> = {}) => sendPlaid({ item_id: itemId, extra });

  /** Connections of earlier tests can be due, too, so it waits until the sync of this one has begun. */
  async function startSlowSync(itemId: string, id: string): Promise<void> {
    simulators.plaid.control.addFault({ path: '/transactions/sync', item: itemId, delay_ms: UNTIL_CLEARED_MS });
    await update(itemId);
    await bench.app.app.instance.syncs().look();
    await eventually(async () => expect((await logsOf(bench.app)).map(({ connection_id: one }) => one)).toContain(id));
  }

  // On a busy machine an event would be answered with 503 and stored only later, during what the test does next.
  beforeEach(() => setLimit('webhookAnswerMs', 60_000));

  const letBankAnswer = () => simulators.plaid.control.clearFaults();

  test('a webhook brings what it announced, and names the sync that did', async () => {
    const { itemId, id } = await plaidItem();
    simulators.plaid.control.changeTransactions(itemId, { added: [{ name: 'Coffee' }] });
    await update(itemId);
    await syncAll(bench.app);
    const [log] = (await logsOf(bench.app)).filter((one) => one.connection_id === id);
    expect(log).toMatchObject({ status: 'success', trigger: 'webhook', added_count: 1 });
    expect(await events()).toEqual([
      expect.objectContaining({ status: 'processed', sync_log_id: log?.id, error_message: null }),
    ]);
  });

  test('a sync that fails is the error of the webhook', async () => {
    const { itemId, id } = await plaidItem();
    simulators.plaid.control.changeItem(itemId, { error: 'ITEM_NOT_FOUND' });
    await update(itemId);
    await syncAll(bench.app);
    const connection = await bench.connection(id);
    expect(connection).toMatchObject({ status: 'error', error_code: 'ITEM_NOT_FOUND' });
    expect(await events()).toMatchObject([{ status: 'error', error_message: connection?.['error_message'] }]);
  });

  test('a webhook during a sync is served by the next one', async () => {
    const { itemId, id } = await plaidItem();
    await startSlowSync(itemId, id);
    await update(itemId, { initial_update_complete: false });
    letBankAnswer();
    await syncAll(bench.app);
    const logs = (await logsOf(bench.app)).filter((one) => one.connection_id === id);
    expect(logs.map(({ status }) => status)).toEqual(['success', 'success']);
    const found = await events();
    expect(found.map(({ status }) => status)).toEqual(['processed', 'processed']);
    expect(new Set(found.map(({ sync_log_id: one }) => one))).toEqual(new Set(logs.map((one) => one.id)));
  });

  test('a webhook whose sync will not run, because the login is lost, says so', async () => {
    const { itemId, id } = await plaidItem();
    simulators.plaid.control.changeItem(itemId, { error: 'ITEM_LOGIN_REQUIRED' });
    await startSlowSync(itemId, id);
    await update(itemId, { initial_update_complete: false });
    letBankAnswer();
    await syncAll(bench.app);
    expect(await bench.connection(id)).toMatchObject({ status: 'pending_reauth' });
    const [dropped, failed] = await events();
    expect([failed.status, dropped.status]).toEqual(['error', 'error']);
    expect(dropped.error_message).toBe(
      'The sync was dropped: the connection was disconnected, or the bank wants you to sign in again.',
    );
    expect(failed.error_message).toContain('wants you to sign in again');
    await itemWebhook(itemId, 'LOGIN_REPAIRED');
    simulators.plaid.control.changeItem(itemId, { error: null });
    await syncAll(bench.app);
    expect(await bench.connection(id)).toMatchObject({ status: 'active', error_code: null });
  });

  test('a webhook whose sync will not run, because someone has paused the connection, says so', async () => {
    const { itemId, id } = await plaidItem();
    await startSlowSync(itemId, id);
    await update(itemId, { initial_update_complete: false });
    await bench.app.request('POST', `/api/v1/connections/${id}/paused`, { body: { paused: true } });
    letBankAnswer();
    await syncAll(bench.app);
    expect(await events()).toMatchObject([
      { status: 'error', error_message: 'The sync was dropped: the connection is paused.' },
      { status: 'processed', error_message: null },
    ]);
  });

  test('a second update, announced by the same bytes during the sync of the first, is fetched within ten minutes', async () => {
    const due = new Date(bench.clock.now() + DAY_MS).toISOString();
    const { itemId, id } = await plaidItem({ next_sync_at: due });
    await startSlowSync(itemId, id);
    expect((await update(itemId)).json).toEqual({ status: 'ok', duplicate: true });
    letBankAnswer();
    await syncAll(bench.app);
    bench.pass(TEN_MINUTES_MS);
    await syncAll(bench.app);
    const logs = (await logsOf(bench.app)).filter((one) => one.connection_id === id);
    expect(logs.map(({ status, trigger }) => [status, trigger])).toEqual([
      ['success', 'webhook'],
      ['success', 'cron'],
    ]);
    // After that, the usual interval applies.
    const next = Date.parse(String((await bench.connection(id))?.['next_sync_at']));
    expect(next).toBeGreaterThan(bench.clock.now() + TEN_MINUTES_MS);
  });

  test('a second update, announced during a sync that outlasts the ten minutes, is fetched right after it', async () => {
    const due = new Date(bench.clock.now() + DAY_MS).toISOString();
    const { itemId, id } = await plaidItem({ next_sync_at: due });
    await startSlowSync(itemId, id);
    bench.pass(TEN_MINUTES_MS - 60_000);
    expect((await update(itemId)).json).toEqual({ status: 'ok', duplicate: true });
    bench.pass(120_000);
    letBankAnswer();
    await bench.app.app.instance.syncs().settled();
    await syncAll(bench.app);
    const logs = (await logsOf(bench.app)).filter((one) => one.connection_id === id);
    expect(logs.map(({ status, trigger }) => [status, trigger])).toEqual([
      ['success', 'webhook'],
      ['success', 'cron'],
    ]);
  });

  test('an announced end of the consent is not forgotten by a sync whose item has none, until someone signs in again', async () => {
    const { itemId, id } = await plaidItem();
    const connection = async () => (await bench.app.request('GET', `/api/v1/connections/${id}/status`)).json;
    const announce = async (): Promise<string> => {
      const ends = new Date(bench.clock.now() + 10 * DAY_MS).toISOString();
      await itemWebhook(itemId, 'PENDING_EXPIRATION', { consent_expiration_time: ends });
      return ends;
    };
    const sync = async () => {
      await bench.app.request('POST', `/api/v1/connections/${id}/sync`);
      await syncAll(bench.app);
    };
    const ends = await announce();
    await sync();
    expect(await connection()).toMatchObject({ status: 'active', consent_expires_at: ends });
    expect((await connection()).attention).toMatchObject([{ code: 'consent_expiring' }]);
    await bench.app.request('POST', `/api/v1/connections/${id}/reauth-complete`);
    await syncAll(bench.app);
    expect(await connection()).toMatchObject({ consent_expires_at: null, attention: [] });
    bench.pass(DAY_MS);
    await announce();
    await sync();
    bench.pass(10 * DAY_MS);
    await bench.app.app.instance.syncs().look();
    expect(await connection()).toMatchObject({ status: 'pending_reauth', error_code: 'CONSENT_EXPIRED' });
  });
});
