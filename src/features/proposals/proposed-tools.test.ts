import { expect, test } from 'vitest';

import { COFFEE, household, locksOf, record } from '../../../test/harness/ledgers/batches.ts';
import { openLinkedAccounts } from '../../../test/harness/ledgers/linked-accounts.ts';
import type { Made } from '../../../test/harness/ledger.ts';
import { propose, type Proposed } from '../../../test/harness/agents/proposals.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { applyRules } from '../agent-tools/tools/apply-rules.ts';
import { createAccountLink } from '../agent-tools/tools/create-account-link.ts';
import { deleteAccountLink } from '../agent-tools/tools/delete-account-link.ts';
import { updateTransactions } from '../agent-tools/tools/update-transactions.ts';
import { updateCategory } from '../categories/categories.contract.ts';
import { expireProposals } from './index.ts';

forEachDatabase((database) => {
  const agentOf = async (app: TestApp): Promise<string> =>
    (await app.newKey({ name: 'Reviewer', actor_type: 'agent' })).key;
  const approve = (app: TestApp, id: string): Promise<Answer> =>
    app.request('POST', `/api/v1/proposals/${id}/approve`, { body: {} });

  test('a link of accounts is proposed with its matches, approved, proposed to go, and gone', async () => {
    const linked = await openLinkedAccounts(database);
    const { app, card, copy, link } = linked;
    const key = await agentOf(app);
    await linked.call('DELETE', `/account-links/${link.id}`);
    const [bought] = await linked.primary(['2026-04-02', 1_250, 'Grocer'], ['2026-04-03', 990, 'Fuel']);
    await linked.dependent(['2026-04-02', 1_250, 'Grocer']);
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    const made = await propose(app, createAccountLink.operation, { key, body });
    expect(made).toMatchObject({ proposed: true, reconciliation: { matched_count: 1 } });
    expect(made).not.toHaveProperty('change_set_id');
    expect(await rowsOf(app.app.instance.database, 'select 1 as n from account_links')).toEqual([]);
    const shown = (await app.request('GET', `/api/v1/proposals/${made.proposal_id}`)).json;
    expect(shown.conflict_count).toBe(0);
    expect(shown.counts).toMatchObject({ account_link: 1, transaction_match: 1, transaction: 1 });
    const done = await approve(app, made.proposal_id);
    expect([done.status, done.json.skipped_count], done.text).toEqual([200, 0]);
    expect(await linked.attributed(bought)).not.toBeNull();
    expect(await locksOf(app, { id: bought } as Made)).toEqual([]);
    const kept = await rowsOf(app.app.instance.database, 'select 1 as n from transaction_matches');
    expect(kept).toHaveLength(1);
    const gone = await propose(app, deleteAccountLink.operation, { key, body: { link_id: made.link.id } });
    expect(await linked.attributed(bought)).not.toBeNull();
    expect((await approve(app, gone.proposal_id)).status).toBe(200);
    expect(await linked.attributed(bought)).toBeNull();
    expect(await rowsOf(app.app.instance.database, 'select 1 as n from transaction_matches')).toEqual([]);
  });

  test('a plan that links accounts and edits the rows that it attributes is reverted as a whole', async () => {
    const linked = await openLinkedAccounts(database);
    const { app, card, copy, link } = linked;
    const key = await agentOf(app);
    await linked.call('DELETE', `/account-links/${link.id}`);
    const [bought] = (await linked.primary(['2026-04-02', 1_250, 'Grocer'])) as [string];
    await linked.dependent(['2026-04-02', 1_250, 'Grocer']);
    const operations = [{ transaction_id: bought, category_slug: COFFEE }];
    const { proposal_id: proposalId } = await propose(app, updateTransactions.operation, { key, body: { operations } });
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    await propose(app, createAccountLink.operation, { key, body, proposalId });
    const before = await record(app, { id: bought } as Made);
    const done = await approve(app, proposalId);
    expect(await linked.attributed(bought)).not.toBeNull();
    const undone = await linked.call('POST', `/change-sets/${done.json.change_set_id}/revert`, {});
    expect(undone.status, undone.text).toBe(200);
    expect({ ...(await record(app, { id: bought } as Made)), updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  test('a category and its children are archived by one plan, but not without a child that stays', async () => {
    const app = await database.open();
    const key = await agentOf(app);
    const made = async (name: string, parent?: string): Promise<Made> => {
      const body = { name: `${name} ${crypto.randomUUID()}`, parent_id: parent };
      return (await app.request('POST', '/api/v1/categories', { body })).json;
    };
    const parent = await made('Pets');
    const children = [await made('Cat', parent.id), await made('Dog', parent.id)];
    const archive = async (one: Made, proposalId?: string): Promise<Proposed> =>
      propose(app, updateCategory, {
        key,
        params: { id: one.id },
        body: { archived: true },
        ...(proposalId === undefined ? {} : { proposalId }),
      });
    const { proposal_id: id } = await archive(children[0] as Made);
    await archive(children[1] as Made, id);
    expect(await archive(parent, id)).toMatchObject({ plan: { call_count: 3, change_count: 3 } });
    expect((await app.request('GET', `/api/v1/proposals/${id}`)).json.conflict_count).toBe(0);
    const refused = await app.request('POST', `/api/v1/proposals/${id}/approve`, { body: { exclude: [1] } });
    expect(refused.json.error).toMatchObject({ conflict_count: 1, details: [{ reason: 'reference_missing' }] });
    expect((await approve(app, id)).json).toMatchObject({ applied_count: 3, skipped_count: 0 });
    expect((await app.request('GET', `/api/v1/categories/${parent.id}`)).json.archived).toBe(true);
  });

  test('a run of rules is proposed in one piece: its hits wait, and its timeline is that of the run', async () => {
    const app = await database.open();
    const key = await agentOf(app);
    const [row] = (await household(app, 3)) as [Made];
    const actions = [
      { type: 'set_category', category_slug: COFFEE },
      { type: 'add_tag', tag_slug: 'seen' },
    ];
    const rule = (await app.request('POST', '/api/v1/rules', { body: { name: 'Coffee', actions } })).json;
    const body = { rule_id: rule.id, dry_run: false };
    const planned = await propose(app, applyRules.operation, { key, body });
    expect(planned).toMatchObject({ proposed: true, plan: { call_count: 1, change_count: 3 } });
    expect((await app.request('GET', `/api/v1/rules/${rule.id}`)).json.hit_count).toBe(0);
    const { changes } = (await app.request('GET', `/api/v1/proposals/${planned.proposal_id}`)).json;
    expect(changes[0]).toMatchObject({ source: 'rule', rule_id: rule.id });
    expect((await approve(app, planned.proposal_id)).status).toBe(200);
    expect(await record(app, row)).toMatchObject({ category_source: 'person', tags: ['seen'] });
    const entries = (await app.request('GET', `/api/v1/transactions/${row.id}/annotations`)).json;
    expect(entries.map((entry: { rule_id: string }) => entry.rule_id)).toEqual([rule.id, rule.id]);
  });

  test('the household is told once, and what a wipe erases leaves its proposals', async () => {
    const app = await database.open();
    const key = await agentOf(app);
    const [mine] = (await household(app, 1, { name: 'Secret shop' })) as [Made];
    const [theirs] = (await household(app, 1, { name: 'Grocer' })) as [Made];
    await app.request('POST', '/api/v1/notification-channels', {
      body: { name: 'Phone', format: 'ntfy', url: 'https://ntfy.example.org/us', events: ['proposal.created'] },
    });
    const operations = [mine, theirs].map(({ id }) => ({ transaction_id: id, comment: 'Why?', flagged: true }));
    const first = await propose(app, updateTransactions.operation, { key, body: { operations }, reason: 'Secret' });
    const only = { operations: [{ transaction_id: mine.id, comment: 'Whose?', metadata_set: { who: 'us' } }] };
    const other = await propose(app, updateTransactions.operation, { key: await agentOf(app), body: only });
    const told = await rowsOf<{ title: string }>(
      app.app.instance.database,
      `select title from notification_deliveries where event = 'proposal.created' order by id`,
    );
    expect(told.map(({ title }) => title)).toEqual(['Reviewer proposes 4 changes', 'Reviewer proposes 2 changes']);
    const [ana] = (await app.request('GET', '/api/v1/users')).json as Made[];
    const before = (await app.request('GET', `/api/v1/proposals/${first.proposal_id}`)).json;
    const wiped = await app.request('POST', `/api/v1/users/${ana?.id}/wipe-data`, { body: {} });
    expect(wiped.status, wiped.text).toBe(200);
    const after = (await app.request('GET', `/api/v1/proposals/${first.proposal_id}`)).json;
    expect(after).toMatchObject({
      change_count: 2,
      counts: { transaction: 1, comment: 1 },
      calls: [{ reason: null, change_count: 2 }],
      totals: [{ transaction_count: 1 }],
    });
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(JSON.stringify(after)).not.toContain('Secret');
    expect((await app.request('GET', `/api/v1/proposals/${other.proposal_id}`)).status).toBe(404);
    expect((await approve(app, first.proposal_id)).json.applied_count).toBe(2);
    await expireProposals(app.app.instance);
  });

  test('no page follows a proposal that was deleted', async () => {
    const app = await database.open();
    const key = await agentOf(app);
    const rows = (await household(app, 2)) as [Made, Made];
    for (const { id } of rows) {
      const body = { operations: [{ transaction_id: id, category_slug: COFFEE }] };
      await propose(app, updateTransactions.operation, { key, body });
      app.clock.advance(1_000);
    }
    const page = (query: object = {}) => app.request('GET', '/api/v1/proposals', { query: { limit: 1, ...query } });
    const { proposals, next_cursor: cursor } = (await page()).json;
    expect((await page({ cursor })).json.proposals).toHaveLength(1);
    await app.write('test.delete', async (tx) => {
      await tx.q.deleteFrom('proposal_changes').where('proposal_id', '=', proposals[0].id).execute();
      await tx.q.deleteFrom('proposals').where('id', '=', proposals[0].id).execute();
    });
    expect((await page({ cursor })).json.error).toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
