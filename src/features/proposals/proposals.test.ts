import { beforeAll, describe, expect, test } from 'vitest';

import { COFFEE, GROCERIES, everything, household, locksOf, record } from '../../../test/harness/ledgers/batches.ts';
import type { Made } from '../../../test/harness/ledger.ts';
import { propose, type Proposed } from '../../../test/harness/agents/proposals.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { createCategory, updateCategory } from '../categories/categories.contract.ts';
import { createRule } from '../rules/rules.contract.ts';
import { createTag, deleteTag } from '../tags/tags.contract.ts';
import { bulkRecategorizeTransactions, updateTransactions } from '../transactions/transaction-bulk.contract.ts';

forEachDatabase((database) => {
  let app: TestApp;
  let agent: string;
  let other: string;

  beforeAll(async () => {
    app = await database.open();
    agent = (await app.newKey({ name: 'Reviewer', actor_type: 'agent' })).key;
    other = (await app.newKey({ name: 'Second agent', actor_type: 'agent' })).key;
  });

  const get = async (path: string) => (await app.request('GET', `/api/v1${path}`)).json;
  const proposal = (id: string) => get(`/proposals/${id}`);
  const approve = (id: string, body: object = {}, key?: string): Promise<Answer> =>
    app.request('POST', `/api/v1/proposals/${id}/approve`, { body, ...(key === undefined ? {} : { key }) });
  const reject = (id: string, body: object = {}, key = app.key): Promise<Answer> =>
    app.request('POST', `/api/v1/proposals/${id}/reject`, { body, key });
  const edit = (ids: readonly Made[], change: object, more: object = {}): Promise<Proposed> =>
    propose(app, updateTransactions, {
      key: agent,
      body: { operations: ids.map(({ id }) => ({ transaction_id: id, ...change })) },
      ...more,
    });
  const recategorize = (rows: readonly Made[], category: string, more = {}): Promise<Proposed> =>
    edit(rows, { category_id: category }, more);
  const setCategory = (row: Made, slug: string | null): Promise<Answer> =>
    app.request('PATCH', `/api/v1/transactions/${row.id}/category`, { body: { category_slug: slug } });
  const code = ({ status, json }: Answer): [number, string] => [status, json.error?.code];

  describe('planning', () => {
    test('changes nothing but the proposal, and rejecting changes only that', async () => {
      const [row] = (await household(app, 2)) as [Made];
      const before = await everything(app);
      const result = await recategorize([row], COFFEE, { reason: 'Clear case' });
      expect(result).toMatchObject({
        succeeded: 1,
        change_set_id: null,
        proposed: true,
        plan: { call_count: 1, change_count: 1 },
      });
      const { proposals, proposal_changes, mcp_calls: calls, ...after } = await everything(app);
      const { proposals: _p, proposal_changes: _c, mcp_calls: _m, ...was } = before;
      expect(after).toEqual(was);
      expect(calls?.length).toBe((before['mcp_calls'] ?? []).length + 1);
      expect(proposals?.length).toBe((before['proposals'] ?? []).length + 1);
      expect(proposal_changes?.length).toBe((before['proposal_changes'] ?? []).length + 1);
      const shown = await proposal(result.proposal_id);
      expect(shown).toMatchObject({
        status: 'proposed',
        proposed_by: { type: 'agent', name: 'Reviewer' },
        calls: [{ call: 1, tool: 'updateTransactions', reason: 'Clear case', change_count: 1 }],
        counts: { transaction: 1 },
        totals: [{ iso_currency_code: 'USD', transaction_count: 1, total_amount: '4.50' }],
        conflict_count: 0,
        changes: [
          {
            operation: 'update',
            label: 'Corner Cafe',
            before: { category_id: null, category_source: null },
            after: { category_source: 'agent' },
            amount: '4.50',
            date: '2026-04-20',
            conflict: null,
            outcome: null,
          },
        ],
      });
      const refused = await reject(result.proposal_id, { note: 'A business expense.' });
      expect(refused.json).toMatchObject({ status: 'rejected', decision_note: 'A business expense.' });
      expect(refused.headers['x-change-set-id']).toBeUndefined();
      expect(code(await approve(result.proposal_id))).toEqual([409, 'PROPOSAL_NOT_OPEN']);
      const late = await app.request('POST', `/api/v1/proposals/${result.proposal_id}/reject`);
      expect(code(late)).toEqual([409, 'PROPOSAL_NOT_OPEN']);
    });

    test('a call that changes nothing makes none, and one that fails leaves the plan as it is', async () => {
      const [row, second] = (await household(app, 2)) as [Made, Made];
      const nothing = await edit([row], { tags_to_remove: ['needs-review'] });
      expect(nothing).toMatchObject({ proposed: true, proposal_id: null, plan: { call_count: 0, change_count: 0 } });
      const { proposal_id: id } = await recategorize([row], COFFEE);
      const before = await proposal(id);
      expect(await recategorize([second], 'no_such_category', { proposalId: id })).toEqual({ error: 'BATCH_ABORTED' });
      expect(await proposal(id)).toEqual(before);
    });

    test('later calls see the plan so far: a new category with its rows is one proposal', async () => {
      const rows = await household(app, 3);
      const name = `Bakeries ${crypto.randomUUID()}`;
      const first = await propose(app, createCategory, { key: agent, body: { name } });
      expect(first).toMatchObject({ name, change_set_id: null, plan: { call_count: 1, change_count: 1 } });
      const before = await proposal(first.proposal_id);
      const second = await edit(rows, { category_id: first.id, comment: 'Bread' }, { proposalId: first.proposal_id });
      expect(second).toMatchObject({ proposal_id: first.proposal_id, plan: { call_count: 2, change_count: 7 } });
      for (const fingerprint of [before.fingerprint, before.fingerprint.toUpperCase(), 'cut off', '']) {
        expect(code(await approve(first.proposal_id, { fingerprint }))).toEqual([409, 'PROPOSAL_CHANGED']);
      }
      const shown = await proposal(first.proposal_id);
      expect(shown.counts).toEqual({ category: 1, transaction: 3, comment: 3 });
      expect(shown.totals).toMatchObject([{ transaction_count: 3, total_amount: '13.50' }]);
      const done = await approve(first.proposal_id, { fingerprint: shown.fingerprint });
      expect([done.status, done.json.applied_count]).toEqual([200, 7]);
      const row = await record(app, rows[0] as Made);
      expect([row.category_id, row.category_source]).toEqual([first.id, 'person']);
      expect(await locksOf(app, rows[0] as Made)).toEqual(['category']);
      const [comment] = await get(`/transactions/${row.id}/comments`);
      expect(comment).toMatchObject({ body: 'Bread', author_name: 'Reviewer', author_type: 'agent' });
    });

    test('a field that is back at its first value drops out, and an empty plan is gone', async () => {
      const [row] = (await household(app, 1)) as [Made];
      const first = await edit([row], { tags_to_add: ['needs-review'], metadata_set: { a: 1 } });
      const second = await edit([row], { metadata_unset: ['a'] }, { proposalId: first.proposal_id });
      expect((await proposal(first.proposal_id)).changes[0]).toMatchObject({
        before: {},
        after: { 'tag:needs-review': true },
      });
      expect(second.plan).toEqual({ call_count: 2, change_count: 1 });
      const third = await edit([row], { tags_to_remove: ['needs-review'] }, { proposalId: first.proposal_id });
      expect(third).toMatchObject({ proposal_id: null, plan: { change_count: 0 } });
      expect(await proposal(first.proposal_id)).toMatchObject({ status: 'expired', change_count: 0 });
      const more = { proposalId: first.proposal_id };
      expect(await edit([row], { flagged: true }, more)).toEqual({ error: 'PROPOSAL_NOT_OPEN' });
      const refused = await approve(first.proposal_id);
      expect(refused.json.error).toMatchObject({
        code: 'PROPOSAL_NOT_OPEN',
        message: expect.stringContaining('empty'),
      });
    });

    test('only its principal adds to a proposal, and only while it is open', async () => {
      const rows = (await household(app, 2)) as [Made, Made];
      const { proposal_id: id } = await recategorize([rows[0]], COFFEE);
      const add = (more: object): Promise<Proposed> => recategorize([rows[1]], COFFEE, { proposalId: id, ...more });
      expect(await add({ key: other })).toEqual({ error: 'FORBIDDEN' });
      expect(await add({ proposalId: 'nOsUcH00' })).toEqual({ error: 'INVALID_PARAMETER' });
      await reject(id);
      expect(await add({})).toEqual({ error: 'PROPOSAL_NOT_OPEN' });
    });

    test('of two calls at once on one proposal, none is lost', async () => {
      const rows = await household(app, 5);
      const { proposal_id: id } = await recategorize([rows[0] as Made], COFFEE);
      const calls = rows.slice(1).map((row) => recategorize([row], COFFEE, { proposalId: id }));
      await Promise.all(calls);
      expect(await proposal(id)).toMatchObject({ call_count: 5, change_count: 5, counts: { transaction: 5 } });
    });

    test('what waits or was refused is not proposed again; the same row into another category is', async () => {
      const [row] = (await household(app, 1)) as [Made];
      const { proposal_id: id } = await recategorize([row], COFFEE);
      const again = { proposal_id: null, already_proposed: 1 };
      const waits = { ...again, already_proposed_in: [{ proposal_id: id, status: 'proposed' }] };
      expect(await recategorize([row], COFFEE)).toMatchObject(waits);
      expect(await recategorize([row], COFFEE, { key: other })).toMatchObject(waits);
      await reject(id);
      const another = await recategorize([row], COFFEE, { key: other });
      expect(another).not.toHaveProperty('already_proposed');
      await reject(another.proposal_id);
      expect(await recategorize([row], COFFEE)).toMatchObject({ proposal_id: null, already_proposed: 1 });
      expect((await recategorize([row], GROCERIES)).plan).toEqual({ call_count: 1, change_count: 1 });
      app.clock.advance(91 * 86_400_000);
      expect((await recategorize([row], COFFEE)).plan).toEqual({ call_count: 1, change_count: 1 });
    });
  });

  describe('approving', () => {
    test('writes one change set, once, that can be reverted', async () => {
      const rows = await household(app, 3);
      await setCategory(rows[0] as Made, GROCERIES);
      const { proposal_id: id } = await edit(
        rows,
        { category_id: COFFEE, tags_to_add: ['needs-review'], flagged: true, metadata_set: { by: 'us' } },
        { reason: 'Weekly review' },
      );
      const before = await Promise.all(rows.map((row) => record(app, row)));
      const [one, two] = await Promise.all([approve(id, { note: '' }), approve(id, { note: ' ' })]);
      const [done, late] = one.status === 200 ? [one, two] : [two, one];
      expect([done.status, code(late)]).toEqual([200, [409, 'PROPOSAL_NOT_OPEN']]);
      expect(done.json).toMatchObject({ status: 'applied', applied_count: 3, skipped_count: 0, skipped: [] });
      expect([done.json.change_set_id, done.json.decision_note]).toEqual([done.headers['x-change-set-id'], null]);
      const set = await get(`/change-sets/${done.json.change_set_id}`);
      expect(set).toMatchObject({
        action: 'proposal.apply',
        source: 'proposal',
        surface: 'rest',
        actor_name: 'Test',
        proposal_id: done.json.id,
        reason: 'Weekly review',
        updated_count: 3,
        revertible: true,
      });
      const entries = await get(`/transactions/${rows[1]?.id}/annotations`);
      expect(entries.map(({ kind }: { kind: string }) => kind).sort()).toEqual(
        ['category_set', 'flagged', 'metadata_changed', 'tag_added'].sort(),
      );
      const undone = await app.request('POST', `/api/v1/change-sets/${set.id}/revert`, { body: {} });
      expect([undone.status, undone.json.reverted_count]).toEqual([200, 3]);
      const after = await Promise.all(rows.map((row) => record(app, row)));
      const stripped = (all: readonly { updated_at: string }[]) => all.map((row) => ({ ...row, updated_at: '' }));
      expect(stripped(after)).toEqual(stripped(before));
      expect((await proposal(id)).status).toBe('applied');
    });

    test('what a person changed since is a conflict; a change to something else of the row is none', async () => {
      const rows = (await household(app, 3)) as [Made, Made, Made];
      const { proposal_id: id } = await recategorize(rows, COFFEE);
      await setCategory(rows[1], GROCERIES);
      await app.request('POST', `/api/v1/transactions/${rows[0].id}/comments`, { body: { body: 'Mine' } });
      await app.request('POST', `/api/v1/transactions/${rows[2].id}/tags`, { body: { slug: 'needs-review' } });
      expect((await proposal(id)).conflict_count).toBe(1);
      expect(await get(`/proposals/${id}?conflicts_only=true`)).toMatchObject({
        changes: [{ entity_id: rows[1].id, conflict: 'changed_since' }],
      });
      const refused = await approve(id);
      expect(code(refused)).toEqual([409, 'PROPOSAL_CONFLICT']);
      expect(refused.json.error).toMatchObject({
        conflict_count: 1,
        details: [{ path: '/changes/2', entity_id: rows[1].id, reason: 'changed_since', fields: ['category_id'] }],
      });
      expect((await record(app, rows[0])).category_id).toBeNull();
      const done = await approve(id, { on_conflict: 'skip' });
      expect(done.json).toMatchObject({
        applied_count: 2,
        skipped_count: 1,
        skipped: [{ sequence: 2, entity_id: rows[1].id, reason: 'changed_since' }],
      });
      expect((await record(app, rows[1])).category.slug).toBe(GROCERIES);
      const outcomes = (await proposal(id)).changes.map(({ outcome }: { outcome: string }) => outcome);
      expect(outcomes).toEqual(['applied', 'skipped', 'applied']);
    });

    test('a category that was archived since takes no new transactions, unless the plan takes it out again', async () => {
      const [row, filed, third] = (await household(app, 3)) as [Made, Made, Made];
      const { json: bakery } = await app.request('POST', '/api/v1/categories', { body: { name: 'Bakery' } });
      const archive = (archived: boolean) => ({ params: { id: bakery.id as string }, body: { archived } });
      const { proposal_id: id } = await recategorize([row, filed], bakery.id);
      await setCategory(filed, bakery.slug);
      await app.request('PATCH', `/api/v1/categories/${bakery.id}`, { body: { archived: true } });
      const refused = await approve(id);
      expect(code(refused)).toEqual([409, 'PROPOSAL_CONFLICT']);
      const conflict = { entity_id: row.id, reason: 'reference_missing', fields: ['category_id'] };
      expect(refused.json.error.details).toMatchObject([conflict]);
      expect((await record(app, row)).category).toBeNull();
      const back = await propose(app, updateCategory, { key: agent, ...archive(false) });
      await recategorize([third], bakery.id, { proposalId: back.proposal_id });
      expect((await approve(back.proposal_id)).json).toMatchObject({ status: 'applied', applied_count: 2 });
    });

    test('what has happened anyway is no conflict, nor is a pending row posted under another name', async () => {
      const rows = (await household(app, 2)) as [Made, Made];
      const [pending, booked] = (await household(app, 2, { columns: { pending: 1 } })) as [Made, Made];
      const { proposal_id: id } = await recategorize([...rows, pending, booked], COFFEE);
      const columns = { pending: 0, name: 'POS 4711', date: '2026-04-22' } as const;
      await app.write('test.post', async (tx) => {
        await tx.q.updateTable('transactions').set(columns).where('id', '=', pending.id).execute();
        await tx.q.updateTable('transactions').set({ amount_cents: 451 }).where('id', '=', booked.id).execute();
        await tx.q.updateTable('transactions').set({ name: 'Renamed' }).where('id', '=', rows[1].id).execute();
        tx.journal.allowUnjournaled('transaction');
      });
      const rule = await app.request('POST', '/api/v1/rules', {
        body: {
          name: `Coffee ${crypto.randomUUID()}`,
          condition: { field: 'name', op: 'contains', value: 'corner cafe' },
          actions: [{ type: 'set_category', category_slug: COFFEE }],
        },
      });
      await app.request('POST', `/api/v1/rules/${rule.json.id}/apply`, { body: {} });
      expect((await record(app, rows[0])).category_source).toBe('rule');
      const { changes } = await proposal(id);
      expect(changes.map(({ conflict }: { conflict: string | null }) => conflict)).toEqual([
        null,
        'changed_since',
        null,
        'changed_since',
      ]);
      const done = await approve(id, { on_conflict: 'skip' });
      expect(done.json.applied_count).toBe(2);
      expect((await record(app, rows[0])).category_source).toBe('person');
      await app.request('DELETE', `/api/v1/rules/${rule.json.id}`);
    });

    test('rows that need an excluded category are in conflict, or left out', async () => {
      const rows = await household(app, 2);
      const made = await propose(app, createCategory, { key: agent, body: { name: `Cats ${crypto.randomUUID()}` } });
      const more = { proposalId: made.proposal_id };
      await recategorize([rows[0] as Made], made.id, more);
      await edit([rows[1] as Made], { flagged: true }, more);
      const refused = await approve(made.proposal_id, { exclude: [1] });
      expect(refused.json.error.details).toMatchObject([{ reason: 'reference_missing', fields: ['category_id'] }]);
      expect(code(await approve(made.proposal_id, { exclude: [1, 2, 3] }))).toEqual([400, 'VALIDATION_ERROR']);
      expect(code(await approve(made.proposal_id, { exclude: [9] }))).toEqual([400, 'VALIDATION_ERROR']);
      expect(code(await approve(made.proposal_id, { exclude: [1, 3], on_conflict: 'skip' }))).toEqual([
        409,
        'PROPOSAL_CONFLICT',
      ]);
      const done = await approve(made.proposal_id, { exclude: [1], on_conflict: 'skip' });
      expect(done.json).toMatchObject({ applied_count: 1, skipped_count: 1 });
      const { changes } = await proposal(made.proposal_id);
      expect(changes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['excluded', 'skipped', 'applied']);
      expect((await record(app, rows[1] as Made)).flagged_at).not.toBeNull();
    });

    test('a tag that is there already is no conflict, but a row that is gone and a tag that others use are', async () => {
      const [row, second] = (await household(app, 2)) as [Made, Made];
      const slug = `t-${crypto.randomUUID().slice(0, 8)}`;
      const made = await propose(app, createTag, { key: agent, body: { slug, name: slug } });
      await edit([row], { tags_to_add: [slug] }, { proposalId: made.proposal_id });
      await app.request('POST', '/api/v1/tags', { body: { slug, name: slug } });
      const taken = await proposal(made.proposal_id);
      expect(taken.changes.map(({ conflict }: { conflict: string | null }) => conflict)).toEqual([null, null]);
      const removal = await propose(app, deleteTag, { key: agent, params: { slug } });
      expect(removal).toMatchObject({ proposed: true, plan: { change_count: 1 } });
      expect((await approve(made.proposal_id)).json).toMatchObject({ applied_count: 2, skipped_count: 0 });
      const { changes: decided } = await proposal(made.proposal_id);
      expect(decided.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['existing', 'applied']);
      expect((await record(app, row)).tags).toEqual([slug]);
      expect((await proposal(removal.proposal_id)).changes[0].conflict).toBe('changed_since');
      const gone = await recategorize([second], COFFEE);
      await app.request('DELETE', `/api/v1/transactions/${second.id}`);
      expect((await proposal(gone.proposal_id)).changes[0].conflict).toBe('missing');
    });

    test('a proposal expires, as is seen at once and stored with the next chores', async () => {
      const [row] = (await household(app, 1)) as [Made];
      const { proposal_id: id } = await recategorize([row], COFFEE);
      app.clock.advance(30 * 86_400_000);
      expect((await proposal(id)).status).toBe('expired');
      expect(code(await approve(id))).toEqual([409, 'PROPOSAL_NOT_OPEN']);
      const { proposals } = await get('/proposals?status=expired&limit=500');
      expect(proposals.map(({ short_id: shortId }: Made) => shortId)).toContain(id);
      const { expireProposals } = await import('./index.ts');
      await expireProposals(app.app.instance);
      expect((await get('/proposals?status=proposed')).proposals).toEqual([]);
      expect((await proposal(id)).status).toBe('expired');
    });
  });

  test('a rule keeps its proposer as creator, and is reverted with the rest', async () => {
    const body = { name: `Rule ${crypto.randomUUID()}`, actions: [{ type: 'add_tag', tag_slug: 'seen-by-agent' }] };
    const made = await propose(app, createRule, { key: agent, body });
    expect((await proposal(made.proposal_id)).counts).toEqual({ tag: 1, rule: 1 });
    const done = await approve(made.proposal_id);
    const rule = await get(`/rules/${made.id}`);
    expect(rule).toMatchObject({
      id: made.id,
      short_id: made.short_id,
      creator_type: 'agent',
      creator_name: 'Reviewer',
    });
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`, { body: {} });
    expect(undone.json.reverted_count).toBe(2);
    expect((await app.request('GET', `/api/v1/rules/${made.id}`)).status).toBe(404);
    const statuses = async () => {
      const { json } = await app.request('GET', '/api/v1/proposals', { query: { status: 'applied', limit: '500' } });
      const found = json.proposals.find((one: { short_id: string }) => one.short_id === made.proposal_id);
      return [found.change_set_status, (await proposal(made.proposal_id)).change_set_status];
    };
    expect(done.json.change_set_status).toBe('applied');
    expect(await statuses()).toEqual(['reverted', 'reverted']);
    const revertOf = (id: string) => app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
    await revertOf(undone.json.change_set.id);
    expect(await statuses()).toEqual(['applied', 'applied']);
  });
});

forEachDatabase(
  (database) => {
    test('a plan has at most 5,000 changes, and so many are approved at once', async () => {
      const app = await database.open();
      const { key } = await app.newKey({ name: 'Reviewer', actor_type: 'agent' });
      const ids = (await household(app, 5_001)).map(({ id }) => id);
      const full = await propose(app, bulkRecategorizeTransactions, {
        key,
        body: { transaction_ids: ids.slice(1), target_category_id: COFFEE },
      });
      expect(full.plan).toEqual({ call_count: 1, change_count: 5_000 });
      const operations = [{ transaction_id: ids[0], flagged: true }];
      const more = { key, body: { operations }, proposalId: full.proposal_id };
      expect(await propose(app, updateTransactions, more)).toEqual({ error: 'PLAN_TOO_LARGE' });
      const done = await app.request('POST', `/api/v1/proposals/${full.proposal_id}/approve`, { body: {} });
      expect([done.status, done.json.applied_count]).toEqual([200, 5_000]);
    }, 60_000);
  },
  ['SQLite'],
);
