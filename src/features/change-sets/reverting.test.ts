import { describe, expect, test } from 'vitest';

import { everything } from '../../../test/harness/ledgers/batches.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const COFFEE = 'food_and_drink_coffee';

forEachDatabase((database) => {
  async function household(count = 1) {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const common = { account, date: '2026-04-20', amount_cents: 450, name: 'Cafe' };
    const rows = await addTransactions(
      app,
      Array.from({ length: count }, () => common),
    );
    const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      app.clock.advance(1_000);
      return app.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    };
    const done = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const answer = await call(method, path, body);
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
    const [row] = rows as [Made];
    return { app, rows, row, at: `/transactions/${row.id}`, call, done };
  }
  const setOf = (answer: Answer): string => String(answer.headers['x-change-set-id']);
  const revertOf = (answer: Answer): string => `/change-sets/${setOf(answer)}/revert`;
  const tagsOf = async (app: TestApp, { id }: Made): Promise<string[]> =>
    (await app.request('GET', `/api/v1/transactions/${id}`)).json.tags as string[];

  test('what other change sets wrote to the same row is not a conflict, and stays', async () => {
    const { app, row, at, done } = await household();
    const [x] = [await done('POST', `${at}/tags`, { slug: 'x' }), await done('POST', `${at}/tags`, { slug: 'y' })];
    await done('PATCH', `${at}/metadata`, { set: { a: 1 } });
    const undone = await done('POST', revertOf(x), {});
    expect(undone.json).toMatchObject({ reverted_count: 2, skipped: [], skipped_count: 0 });
    expect(await tagsOf(app, row)).toEqual(['y']);
    expect((await app.request('GET', '/api/v1/tags/x')).status).toBe(404);
  });

  test('if one of 500 rows has changed since, refuse restores none and skip restores 499', async () => {
    const { app, rows, done, call } = await household(500);
    const batch = await done('POST', '/transactions/batch-categorize', {
      transaction_ids: rows.map(({ id }) => id),
      category_slug: COFFEE,
    });
    await done('PATCH', `/transactions/${rows[123]?.id}/category`, { category_slug: null });
    const before = await everything(app);
    const refused = await call('POST', revertOf(batch), {});
    expect([refused.status, refused.json.error.code, refused.json.error.conflict_count]).toEqual([
      409,
      'REVERT_CONFLICT',
      1,
    ]);
    expect(refused.json.error.details).toMatchObject([{ entity_id: rows[123]?.id, reason: 'changed_since' }]);
    expect(await everything(app)).toEqual(before);
    const skipped = await done('POST', revertOf(batch), { on_conflict: 'skip' });
    expect(skipped.json).toMatchObject({ reverted_count: 499, skipped_count: 1 });
    const set = await app.request('GET', `/api/v1/change-sets/${setOf(batch)}`);
    expect(set.json).toMatchObject({ status: 'partly_reverted', revertible: true });
  });

  test('a hundred conflicts are listed, and all are counted', async () => {
    const { rows, done, call } = await household(120);
    const ids = { transaction_ids: rows.map(({ id }) => id) };
    const first = await done('POST', '/transactions/batch-categorize', { ...ids, category_slug: COFFEE });
    await done('POST', '/transactions/batch-categorize', { ...ids, category_slug: 'income' });
    const { error } = (await call('POST', revertOf(first), {})).json;
    expect([error.details.length, error.conflict_count]).toEqual([100, 120]);
    const skipped = await done('POST', revertOf(first), { on_conflict: 'skip' });
    expect(skipped.json).toMatchObject({ change_set: null, reverted_count: 0, skipped_count: 120 });
    expect(skipped.json.skipped).toHaveLength(120);
    expect(skipped.headers['x-change-set-id']).toBeUndefined();
  });

  test('a reference that no longer exists is named, and the row stays as it is', async () => {
    const { app, row, at, done, call } = await household();
    const { json: tea } = await done('POST', '/categories', { name: 'Tea' });
    await done('PATCH', `${at}/category`, { category_id: tea.id });
    const moved = await done('PATCH', `${at}/category`, { category_slug: COFFEE });
    await done('DELETE', `/categories/${tea.id}`);
    const refused = await call('POST', revertOf(moved), {});
    expect(refused.json.error.details).toMatchObject([
      { entity_id: row.id, reason: 'reference_missing', fields: ['category_id'], path: '/changes/1' },
    ]);
    expect((await app.request('GET', `/api/v1${at}`)).json.category.slug).toBe(COFFEE);
  });

  test('an incidentally created tag stays if other rows have it, and that is not a conflict', async () => {
    const { app, rows, done } = await household(2);
    const [one, two] = rows as [Made, Made];
    const made = await done('POST', `/transactions/${one.id}/tags`, { slug: 'trip' });
    await done('POST', `/transactions/${two.id}/tags`, { slug: 'trip' });
    const undone = await done('POST', revertOf(made), {});
    expect(undone.json).toMatchObject({ reverted_count: 1, skipped_count: 1 });
    expect(undone.json.skipped).toMatchObject([{ entity_type: 'tag', reason: 'in_use' }]);
    expect([await tagsOf(app, one), await tagsOf(app, two)]).toEqual([[], ['trip']]);
    expect((await app.request('GET', `/api/v1/change-sets/${setOf(made)}`)).json.status).toBe('reverted');
  });

  test('a deliberately created tag that rows have now is a conflict', async () => {
    const { row, done, call } = await household();
    const made = await done('POST', '/tags', { name: 'Trip' });
    await done('POST', `/transactions/${row.id}/tags`, { slug: 'trip' });
    const refused = await call('POST', revertOf(made), {});
    expect(refused.json.error.details).toMatchObject([{ entity_type: 'tag', reason: 'in_use' }]);
  });

  test('a deletion and a restoration are reverted with their causes', async () => {
    const { app, at, done } = await household();
    const gone = await done('DELETE', at);
    const back = await done('POST', `${at}/restore`);
    const state = async (): Promise<number> => (await app.request('GET', `/api/v1${at}`)).status;
    await done('POST', revertOf(back), {});
    expect(await state()).toBe(404);
    await done('POST', revertOf(gone), {});
    expect(await state()).toBe(200);
  });

  describe('what cannot be reverted', () => {
    test('is refused with the reason: nothing revertible in it, or reverted already', async () => {
      const { app, at, done, call } = await household();
      const key = await done('POST', '/api-keys', { name: 'Reader', scope: 'read_only' });
      expect(errorOf(await call('POST', revertOf(key), {}))).toEqual([409, 'NOT_REVERTIBLE']);
      // Rows that no import brought, such as those of the demo household.
      const id = await app.write('setup.sample', async (tx) => {
        tx.journal.recordCreatedRows('transaction', 3);
        return Promise.resolve(tx.journal.changeSetId);
      });
      expect(errorOf(await call('POST', `/change-sets/${id}/revert`, {}))).toEqual([409, 'NOT_REVERTIBLE']);
      expect((await call('GET', `/change-sets/${id}`)).json).toMatchObject({ revertible: false, created_count: 3 });
      const set = await done('PATCH', `${at}/category`, { category_slug: COFFEE });
      await done('POST', revertOf(set), {});
      for (const body of [{}, { on_conflict: 'skip' }, { dry_run: true }]) {
        expect(errorOf(await call('POST', revertOf(set), body))).toEqual([409, 'ALREADY_REVERTED']);
      }
    });

    test('is reverted once if two ask at the same time', async () => {
      const { at, done, call } = await household();
      const set = await done('PATCH', `${at}/category`, { category_slug: COFFEE });
      const answers = await Promise.all([1, 2, 3].map(async () => call('POST', revertOf(set), {})));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expect(answer.json.error.code).toBe('ALREADY_REVERTED');
      }
    });

    test('says so in a form that names the field', async () => {
      const { at, done, call } = await household();
      const set = await done('PATCH', `${at}/category`, { category_slug: COFFEE });
      for (const [body, path] of [
        [{ on_conflict: 'ignore' }, 'on_conflict'],
        [{ dry_run: 'yes' }, 'dry_run'],
        [{ force: true }, 'force'],
      ] as const) {
        const { status, json } = await call('POST', revertOf(set), body);
        expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
      }
    });
  });

  describe('a rehearsal', () => {
    test('leaves no trace and answers as the real run, refusals too', async () => {
      const { app, rows, done, call } = await household(3);
      const operations = rows.map(({ id }) => ({ transaction_id: id, tags_to_add: ['trip'], comment: 'seen' }));
      const set = await done('POST', '/transactions/update', { operations });
      const before = await everything(app);
      const rehearsed = await done('POST', revertOf(set), { dry_run: true });
      expect(await everything(app)).toEqual(before);
      expect(rehearsed.headers['x-change-set-id']).toBeUndefined();
      const real = await done('POST', revertOf(set), {});
      expect(real.json.change_set).toMatchObject({ action: 'change_set.revert', source: 'revert' });
      expect({ ...real.json, change_set: null, dry_run: true }).toEqual(rehearsed.json);
      expect(real.json.reverted_count).toBe(7);

      const first = await done('PATCH', `/transactions/${rows[0]?.id}/category`, { category_slug: COFFEE });
      await done('PATCH', `/transactions/${rows[0]?.id}/category`, { category_slug: null });
      const [would, does] = [
        await call('POST', revertOf(first), { dry_run: true }),
        await call('POST', revertOf(first), {}),
      ];
      expect([would.status, { ...would.json.error, request_id: '' }]).toEqual([
        409,
        { ...does.json.error, request_id: '' },
      ]);
    });
  });

  test('writes reverted in reverse order leave the ledger as it was', async () => {
    const { app, at, done, rows } = await household(2);
    const ledger = async (): Promise<unknown> => {
      const { transactions, transaction_tags, tags, comments, series, counterparties, categories } =
        await everything(app);
      const live = comments?.filter((text) => JSON.parse(text).deleted_at === null);
      const plain = JSON.stringify({ transactions, transaction_tags, tags, live, series, counterparties, categories });
      return plain.replaceAll(/\\"updated_at\\":\\"[^"]*\\"/g, '');
    };
    const ids = { transaction_ids: rows.map(({ id }) => id) };
    const states = [await ledger()];
    const sets: Answer[] = [];
    for (const [method, path, body] of [
      ['POST', `${at}/tags`, { slug: 'trip' }],
      ['PATCH', `${at}/category`, { category_slug: COFFEE }],
      ['POST', `${at}/flag`, { reason: 'look' }],
      ['PUT', `${at}/metadata`, { metadata: { a: [1, { b: null }] } }],
      ['POST', '/series', { name: 'Coffee', ...ids }],
      ['POST', '/counterparties', { name: 'Cafe', ...ids }],
      ['POST', '/transactions/bulk-recategorize', { all: true, target_category_id: 'income', overwrite_manual: true }],
      ['POST', `/categories/${COFFEE}/merge`, { from_category_id: 'income' }],
      ['DELETE', `${at}/metadata/a`, undefined],
      ['DELETE', '/tags/trip', undefined],
      ['DELETE', at, undefined],
    ] as const) {
      sets.push(await done(method, path, body));
      states.push(await ledger());
    }
    for (const set of sets.toReversed()) {
      expect(await ledger()).toEqual(states.pop());
      await done('POST', revertOf(set), {});
    }
    expect(await ledger()).toEqual(states.pop());
  });
});

function errorOf({ status, json }: Answer): unknown[] {
  return [status, json.error.code];
}
