import { beforeAll, describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../../test/harness/banks/bank-connection.ts';
import { addAccount, addMember, type Made } from '../../../../test/harness/ledger.ts';
import { alter } from '../../../../test/harness/syncs/bank-visits.ts';
import { addSyncLog } from '../../../../test/harness/syncs/sync-logs.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  const get = async (app: TestApp, path: string, query: Record<string, string> = {}) =>
    app.request('GET', `/api/v1/sync/${path}`, { query });

  describe('sync logs', () => {
    let app: TestApp;
    let [plaid, teller]: Made[] = [];
    beforeAll(async () => {
      app = await database.open();
      const ana = await addMember(app, 'Ana');
      [plaid, teller] = [await addBankConnection(app, ana), await addBankConnection(app, ana, { provider: 'teller' })];
      const times = (minute: number) => ({
        started_at: `2026-04-25T06:0${minute}:00.000Z`,
        finished_at: `2026-04-25T06:0${minute}:02.000Z`,
      });
      const failed = { status: 'error', error_code: 'TIMEOUT', error_message: 'It took too long.', duration_ms: 4_000 };
      await addSyncLog(app, plaid, { ...times(1), trigger: 'initial', added_count: 5, unchanged_count: 1 });
      await addSyncLog(app, plaid, { ...times(2), modified_count: 2, removed_count: 1, warning_count: 3 });
      await addSyncLog(app, teller, { ...times(3), provider: 'teller', ...failed });
      await addSyncLog(app, plaid, { ...times(4), status: 'in_progress', finished_at: null, duration_ms: null });
    });

    const listed = async (query: Record<string, string> = {}): Promise<string[]> =>
      ((await get(app, 'logs', query)).json.sync_logs as { started_at: string }[]).map((log) =>
        log.started_at.slice(14, 16),
      );

    test('are listed newest first, and can be filtered', async () => {
      expect(await listed()).toEqual(['04', '03', '02', '01']);
      for (const [query, minutes] of [
        [{ connection_id: plaid?.short_id }, ['04', '02', '01']],
        [{ connection_id: teller?.id, status: 'error' }, ['03']],
        [{ provider: 'teller' }, ['03']],
        [{ trigger: 'initial' }, ['01']],
        [{ status: 'success', from: '2026-04-25T06:02:00Z' }, ['02']],
        [{ from: '2026-04-25T06:02:00Z', to: '2026-04-25T06:04:00Z' }, ['03', '02']],
      ] as const) {
        expect(await listed(query as Record<string, string>)).toEqual(minutes);
      }
    });

    test('are paged through, each once, while new ones begin', async () => {
      const first = (await get(app, 'logs', { limit: '3' })).json;
      expect(first).toMatchObject({ has_more: true, limit: 3, total: 4 });
      const newest = await addSyncLog(app, teller as Made, { provider: 'teller' });
      const second = (await get(app, 'logs', { limit: '3', cursor: first.next_cursor })).json;
      expect(second).toMatchObject({ has_more: false, next_cursor: '', total: 5 });
      const ids = [...first.sync_logs, ...second.sync_logs].map(({ id }: { id: string }) => id);
      expect([new Set(ids).size, ids.includes(newest.id)]).toEqual([4, false]);
      await app.write('test.remove', (tx) => tx.q.deleteFrom('sync_logs').where('id', '=', newest.id).execute());
    });

    test('refuse what no filter can mean', async () => {
      for (const query of [
        { connection_id: 'nonsense' },
        { limit: '0' },
        { limit: '501' },
        { status: 'done' },
        { provider: 'bank' },
        { trigger: 'x' },
        { from: 'yesterday' },
        { from: '2026-04-25T06:04:00Z', to: '2026-04-25T06:04:00Z' },
      ]) {
        const refused = await get(app, 'logs', query);
        expect([query, refused.status, refused.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
        if ('limit' in query) continue;
        expect((await get(app, 'stats', query as Record<string, string>)).status).toBe(400);
      }
      expect((await get(app, 'logs', { cursor: 'x' })).json.error.code).toBe('INVALID_CURSOR');
    });

    test('say of a rule that is gone that it was deleted', async () => {
      const action = { type: 'add_tag', tag_slug: 'seen' };
      const rule = (await app.request('POST', '/api/v1/rules', { body: { name: 'Coffee', actions: [action] } })).json;
      const hit = { rule_id: rule.id, rule_name: 'Coffee', count: 3 };
      const started_at = '2026-04-25T07:00:00.000Z';
      const rule_hits = JSON.stringify([hit]);
      const log = await addSyncLog(app, teller as Made, { started_at, rule_hits, total_rule_hits: 3 });
      const shown = async () => [
        (await get(app, 'logs', { limit: '1' })).json.sync_logs[0].rule_hits,
        (await get(app, `logs/${log.id}`)).json.rule_hits,
        (await app.request('GET', `/api/v1/connections/${teller?.id}/status`)).json.last_sync_log.rule_hits,
      ];
      expect(await shown()).toEqual([[hit], [hit], [hit]]);
      const gone = await app.request('DELETE', `/api/v1/rules/${rule.id}`);
      const nameless = { ...hit, rule_name: 'Deleted rule' };
      expect(await shown()).toEqual([[nameless], [nameless], [nameless]]);
      await app.request('POST', `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}/revert`);
      expect(await shown()).toEqual([[hit], [hit], [hit]]);
      await app.write('test.remove', (tx) => tx.q.deleteFrom('sync_logs').where('id', '=', log.id).execute());
    });

    test('are the same by UUID and by short_id, with what was seen of each account', async () => {
      const account = {
        account_id: '0198c2a0-9999-7000-8000-000000000001',
        account_name: 'Checking',
        iso_currency_code: 'EUR',
        added_count: 1,
        modified_count: 0,
        removed_count: 0,
        unchanged_count: 0,
        skipped_count: 1,
        balance_reported: true,
        balance_check: { status: 'differs', difference: '12.30', since: '2026-04-24T00:00:00.000Z' },
      };
      const warning = {
        code: 'row_skipped',
        message: 'A row was skipped.',
        account_id: null,
        external_id: 'r1',
        count: 1,
      };
      const said = { code: 'X', type: 'T', message: 'M', request_id: 'r', http_status: 500 };
      const log = await addSyncLog(app, plaid as Made, {
        started_at: '2026-01-01T00:00:00.000Z',
        is_full: 1,
        accounts: JSON.stringify([account, { ...account, iso_currency_code: null }]),
        warnings: JSON.stringify([warning]),
        provider_error: JSON.stringify(said),
      });
      const byId = (await get(app, `logs/${log.id}`)).json;
      expect(byId).toMatchObject({
        accounts: [account, { ...account, iso_currency_code: null }],
        warnings: [warning],
        provider_error: said,
        is_full: true,
        change_set_id: null,
        institution_name: 'First Platypus Bank',
      });
      expect((await get(app, `logs/${log.short_id}`)).json).toEqual(byId);
      expect((await get(app, 'logs/nonsense')).status).toBe(404);
      await app.write('test.remove', (tx) => tx.q.deleteFrom('sync_logs').where('id', '=', log.id).execute());
    });

    test('add up; one that runs does not lower the rate', async () => {
      expect((await get(app, 'stats')).json).toEqual({
        total_syncs: 4,
        success_count: 2,
        error_count: 1,
        in_progress_count: 1,
        warning_count: 1,
        success_rate: 66.7,
        avg_duration_ms: 2_000,
        total_added: 5,
        total_modified: 2,
        total_removed: 1,
        total_unchanged: 1,
        total_skipped: 0,
      });
      const none = (await get(app, 'stats', { trigger: 'webhook' })).json;
      expect(none).toMatchObject({ total_syncs: 0, success_rate: null, avg_duration_ms: null, total_added: 0 });
    });
  });

  describe('the health of syncs', () => {
    test('is that of the last day, and nothing at all is healthy', async () => {
      const app = await database.open();
      const health = async () => (await get(app, 'health')).json;
      const nothing = { last_received_at: null, rejected_count: 0, last_rejected_at: null, last_rejected_reason: null };
      expect(await health()).toEqual({
        overall_health: 'healthy',
        last_sync_time: null,
        last_sync_status: null,
        recent_sync_count: 0,
        recent_success_count: 0,
        recent_error_count: 0,
        recent_success_rate: null,
        running_count: 0,
        queued_count: 0,
        connection_errors: 0,
        next_sync_time: null,
        scheduler: { running: false, interval_seconds: 43_200, concurrency: 4 },
        attention: [],
        webhooks: { plaid: nothing, teller: nothing },
      });
      await app.app.instance.syncs().beat();
      expect((await health()).scheduler.running).toBe(true);
      app.clock.advance(120_001);
      expect((await health()).scheduler.running).toBe(false);

      const bank = await addBankConnection(app, await addMember(app, 'Ana'));
      await alter(app, bank, { next_sync_at: '2026-04-26T18:00:00.000Z' });
      const at = (time: string) => ({ started_at: time, finished_at: time });
      await addSyncLog(app, bank, at('2026-04-26T01:00:00.000Z'));
      expect(await health()).toMatchObject({ overall_health: 'healthy', recent_success_rate: 100 });
      await addSyncLog(app, bank, { ...at('2026-04-26T02:00:00.000Z'), status: 'error' });
      expect(await health()).toMatchObject({
        overall_health: 'degraded',
        recent_success_rate: 50,
        last_sync_status: 'error',
        last_sync_time: '2026-04-26T02:00:00.000Z',
        next_sync_time: '2026-04-26T18:00:00.000Z',
      });
      await addSyncLog(app, bank, { ...at('2026-04-26T03:00:00.000Z'), status: 'error' });
      expect(await health()).toMatchObject({ overall_health: 'unhealthy', recent_sync_count: 3 });

      // A day later nothing has finished, and the connection is two intervals behind.
      app.clock.advance(2 * 86_400_000);
      expect(await health()).toMatchObject({
        overall_health: 'degraded',
        recent_sync_count: 0,
        recent_success_rate: null,
      });
      await alter(app, bank, { last_sync_at: '2026-04-28T05:00:00.000Z' });
      expect(await health()).toMatchObject({ overall_health: 'healthy' });
      await alter(app, bank, { status: 'pending_reauth' });
      expect(await health()).toMatchObject({ overall_health: 'degraded', connection_errors: 1 });
    });

    test('names what needs a person, once per code, in the order of its urgency', async () => {
      const app = await database.open();
      const ana = await addMember(app, 'Ana');
      const { connection, ...account } = await addAccount(app, ana);
      const { account: excluded } = { account: await addAccount(app, ana, { excluded: true }) };
      const codes = async () => {
        const { attention } = (await get(app, 'health')).json as {
          attention: { code: string; connection_id: string }[];
        };
        return attention.filter(({ connection_id: id }) => id === connection.id).map(({ code }) => code);
      };
      await alter(app, connection, { provider: 'plaid', status: 'error', last_sync_at: '2026-04-25T04:59:59.000Z' });
      await alter(app, connection, {
        consent_expires_at: '2026-05-10T05:59:59.999Z',
        new_accounts_at: '2026-04-26T00:00:00.000Z',
      });
      const feed = {
        connection_id: connection.id,
        first_synced_at: '2026-01-01T00:00:00.000Z',
        last_open_at: '2026-04-01T00:00:00.000Z',
      };
      await app.write('test.feeds', async (tx) => {
        const made = { ...feed, external_account_id: 'a', position: null, wide_read_at: null, anchor: null };
        for (const id of [account.id, excluded.id]) {
          await tx.q
            .insertInto('account_feeds')
            .values({ ...made, account_id: id, state: 'missing' })
            .execute();
        }
        await tx.q
          .insertInto('sync_suggestions')
          .values({
            id: tx.ids.uuid(),
            short_id: 'Sg7Hn2Qw',
            kind: 'same_account',
            status: 'open',
            connection_id: connection.id,
            account_id: account.id,
            candidates: '[]',
            accounts: JSON.stringify([{ account_id: excluded.id, pair_count: 9, overlap_count: 9 }]),
            created_at: tx.now,
          })
          .execute();
      });
      const all = [
        'connection_error',
        'provider_not_configured',
        'consent_expiring',
        'sync_stale',
        'new_accounts_available',
        'account_missing',
        'suggestions_open',
      ];
      expect(await codes()).toEqual(all);
      const overview = (await app.request('GET', '/api/v1/overview')).json.attention as {
        code: string;
        severity: string;
      }[];
      expect(overview.map(({ code, severity }) => [severity, code])).toEqual(
        expect.arrayContaining([
          ['critical', 'connection_error'],
          ['warning', 'account_missing'],
          ['info', 'suggestions_open'],
        ]),
      );
      await alter(app, connection, { paused: 1 });
      expect(await codes()).toEqual(all.filter((code) => code !== 'sync_stale'));
      await alter(app, connection, { status: 'pending_reauth' });
      expect(await codes()).toEqual(['reauth_required', 'provider_not_configured', ...all.slice(4)]);
      app.clock.set('2026-05-01T00:00:00.001Z');
      expect(await codes()).not.toContain('account_missing');
      await alter(app, connection, { status: 'disconnected' });
      expect(await codes()).toEqual([]);
    });

    test('of each provider counts what is connected', async () => {
      const app = await database.open();
      const ana = await addMember(app, 'Ana');
      await addAccount(app, ana);
      const [one, gone] = [await addBankConnection(app, ana), await addBankConnection(app, ana)];
      await alter(app, one, { status: 'error' });
      await alter(app, gone, { status: 'disconnected' });
      await addSyncLog(app, one, { status: 'error', error_message: 'It failed.' });
      const quiet = { last_sync_status: null, last_sync_time: null, last_sync_error: null };
      expect((await get(app, 'health/providers')).json.providers).toMatchObject({
        plaid: {
          provider: 'plaid',
          configured: false,
          connection_count: 1,
          account_count: 0,
          status_counts: { active: 0, error: 1, pending_reauth: 0 },
          last_sync_status: 'error',
          last_sync_error: 'It failed.',
        },
        teller: { connection_count: 0, ...quiet },
        csv: { configured: true, connection_count: 1, account_count: 1, status_counts: { active: 1 }, ...quiet },
      });
    });
  });
});
