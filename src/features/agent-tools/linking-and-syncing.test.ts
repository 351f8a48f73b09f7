import { expect, test } from 'vitest';

import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { holdVisits, logsOf, syncAll } from '../../../test/harness/syncs/bank-visits.ts';
import { daily, openCardAndCopy } from '../../../test/harness/ledgers/card-and-copy.ts';
import { addAccount, addMember, addTransactions } from '../../../test/harness/ledger.ts';
import { addRows } from '../../../test/harness/ledgers/linked-accounts.ts';
import { openSyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { listTools } from './listed-tools.ts';

const FIXED = {
  trigger_sync: [['connection_id'], undefined],
  create_account_link: [
    ['primary_account_id', 'dependent_account_id', 'match_strategy', 'match_tolerance_days'],
    ['primary_account_id', 'dependent_account_id'],
  ],
  delete_account_link: [['link_id'], ['link_id']],
  reconcile_account_link: [['link_id'], ['link_id']],
} as const;

test('the four tools that the specification fixes take exactly what it says', () => {
  const listed = new Map(listTools('full_access', []).map((tool) => [tool.name, tool.inputSchema]));
  for (const [name, [properties, required]] of Object.entries(FIXED)) {
    const schema = listed.get(name);
    expect([name, Object.keys(schema?.['properties'] as object), schema?.['required']]).toEqual([
      name,
      properties,
      required,
    ]);
  }
});

forEachDatabase((database) => {
  test('account links are made, matched, reviewed and deleted', async () => {
    const app = await database.open();
    const ask = (name: string, input: Readonly<Record<string, unknown>>) => askTool(app, name, input);
    const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
    const totals = async () =>
      (await get('/transactions/count?excluded_accounts=exclude&dependent_accounts=exclude')).count;
    const [ada, ben] = [await addMember(app, 'Ada'), await addMember(app, 'Ben')];
    const [card, copy] = [await addAccount(app, ada), await addAccount(app, ben)];
    const rows = ['CORNER MARKET', 'CINEMA'].flatMap((name, index) =>
      [card, copy].map((account) => ({ account, date: `2026-01-0${index + 1}`, amount_cents: 1_000 + index, name })),
    );
    await addTransactions(app, [...rows, { account: copy, date: '2026-01-02', amount_cents: 5, name: 'ONLY HERE' }]);
    const pair = { primary_account_id: card.short_id, dependent_account_id: copy.id };

    expect(await refusalOf(ask('create_account_link', { ...pair, reason: 'x' }))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const unknown = { ...pair, primary_account_id: 'zzzzzzzz' };
    expect(await refusalOf(ask('create_account_link', unknown))).toMatchObject({ code: 'INVALID_PARAMETER' });
    for (const bad of [{ dependent_account_id: card.id }, { match_strategy: 'name' }, { match_tolerance_days: 15 }]) {
      expect(await refusalOf(ask('create_account_link', { ...pair, ...bad }))).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
    const counts = { matched_count: 2, unmatched_primary_count: 0, unmatched_dependent_count: 1 };
    const made = await ask('create_account_link', pair);
    expect(made).toEqual({
      link: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        primary_account_id: card.id,
        dependent_account_id: copy.id,
        match_strategy: 'date_amount_name',
        match_tolerance_days: 0,
        created_at: expect.any(String) as string,
      },
      reconciliation: counts,
    });
    const [set] = (await get('/change-sets?limit=1')).change_sets;
    expect(set).toMatchObject({ action: 'account_link.create', surface: 'mcp', actor_name: 'Test' });
    expect(await totals()).toBe(2);
    expect(await refusalOf(ask('create_account_link', pair))).toMatchObject({ code: 'CONFLICT' });
    const { id: link } = made.link;
    expect(await ask('reconcile_account_link', { link_id: link })).toEqual(counts);
    expect(await ask('reconcile_account_link', { link_id: link })).toEqual(counts);

    const { matches } = await ask('list_account_links', { link_id: link });
    const rejected = await ask('review_match', { match_id: matches[0].id, decision: 'reject' });
    expect(rejected.match).toMatchObject({ id: matches[0].id, confidence: 'rejected' });
    const confirmed = await ask('review_match', { match_id: matches[1].id, decision: 'confirm', reason: 'same shop' });
    expect(confirmed.match.confidence).toBe('confirmed');
    const [reviewed] = (await get('/change-sets?limit=1')).change_sets;
    expect(reviewed).toMatchObject({ action: 'transaction_match.confirm', reason: 'same shop' });

    expect(await ask('delete_account_link', { link_id: link })).toEqual({ status: 'deleted' });
    expect(await totals()).toBe(5);
    expect(await ask('list_account_links', {})).toMatchObject({ account_links: [] });
    for (const name of ['delete_account_link', 'reconcile_account_link']) {
      expect(await refusalOf(ask(name, { link_id: link }))).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('create_account_link refuses accounts that are no copies of each other, and all rows still count', async () => {
    const { app, card, copy, summary } = await openCardAndCopy(database);
    await addRows(app, card, daily('2026-01-01', 30));
    await addRows(app, copy, daily('2026-01-01', 30, { cents: 500_000, name: 'Savings' }));
    const before = await summary();
    const pair = { primary_account_id: card.short_id, dependent_account_id: copy.short_id };
    const refused = await refusalOf(askTool(app, 'create_account_link', pair));
    expect(refused.code).toBe('CONFLICT');
    expect(refused.message).toMatch(/Of 30 transactions.*nothing was changed/);
    expect(await summary()).toEqual(before);
    expect((await askTool(app, 'list_account_links', {})).account_links).toEqual([]);
  });

  test('trigger_sync answers before the sync ends, and leaves it to a server where none runs', async () => {
    const home = await openSyncedHousehold(database);
    const { app } = home;
    const visits = holdVisits(home.plaid);
    const bank = await home.connect();
    const answer = await askTool(app, 'trigger_sync', { connection_id: bank.short_id });
    expect(answer.syncs).toEqual([
      { connection_id: bank.id, sync_log_id: expect.any(String) as string, status: 'started', reason: null },
    ]);
    await visits.arrive(1);
    expect(await logsOf(app, bank)).toMatchObject([{ status: 'in_progress', trigger: 'manual' }]);
    visits.open();
    await syncAll(app);

    app.app.instance.syncs().leaveToServer();
    const later = await askTool(app, 'trigger_sync', {});
    expect(later.syncs).toMatchObject([{ connection_id: bank.id, status: 'queued', sync_log_id: null }]);
    expect(later.message).toContain('start when the Homeledger server starts');
    expect(await logsOf(app, bank)).toHaveLength(1);
  });
});
