import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { journalOf } from '../../../test/harness/journal-rows.ts';
import {
  COFFEE,
  GROCERIES,
  NOBODY,
  changeSet,
  codes,
  everything,
  household,
  locksOf,
  record,
  update,
} from '../../../test/harness/ledgers/batches.ts';
import { addCounterparty, addMember, addTag, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  test('category, tag and comment of one operation share a change set, in the order of writing', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const before = await record(app, only);
    const answer = await update(app, [
      { transaction_id: only.id, category_slug: COFFEE, tags_to_add: ['vacation-2026'], comment: '  With Bob ' },
    ]);
    expect(answer.json.results).toEqual([
      { index: 0, transaction_id: only.id, status: 'ok', changed: true, error: null },
    ]);
    const set = await changeSet(app, answer);
    const [tag, transaction, comment] = set.changes;
    expect(set.changes).toHaveLength(3);
    expect([tag.entity_type, tag.after.name]).toEqual(['tag', 'Vacation 2026']);
    expect(transaction).toMatchObject({
      entity_type: 'transaction',
      before: { category_id: null, category_source: null },
      after: { category_source: 'person', 'tag:vacation-2026': true },
    });
    expect([comment.entity_type, comment.after.body]).toEqual(['comment', 'With Bob']);
    const after = await record(app, only);
    expect(after).toEqual({
      ...before,
      category: expect.objectContaining({ slug: COFFEE }),
      category_id: expect.any(String),
      category_source: 'person',
      tags: ['vacation-2026'],
    });
  });

  test('writes every facet, and null clears it; each is locked', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const member = await addMember(app, 'Bob');
    const [first, second] = [await addCounterparty(app, 'Deli'), await addCounterparty(app, 'Bakery')];
    const { json: series } = await app.request('POST', '/api/v1/series', { body: { name: 'Subscriptions' } });
    const now = app.clock.now();
    app.clock.advance(1_000);
    const set = await update(app, [
      {
        transaction_id: only.id,
        category_id: (await categoryBySlug(app, COFFEE)).short_id,
        counterparty_id: first.short_id,
        series_id: series.short_id,
        attributed_user_id: member.short_id,
        tags_to_add: ['a', { slug: 'b' }],
        metadata_set: { invoice: 'A-17', list: [1, null] },
        flagged: true,
      },
    ]);
    expect(set.status, set.text).toBe(200);
    const flaggedAt = new Date(now + 1_000).toISOString();
    expect(await record(app, only)).toMatchObject({
      counterparty_id: first.id,
      series_id: series.id,
      attributed_user_id: member.short_id,
      tags: ['a', 'b'],
      metadata: { invoice: 'A-17', list: [1, null] },
      flagged_at: flaggedAt,
      updated_at: flaggedAt,
    });
    expect((await locksOf(app, only)).sort()).toEqual(
      ['attribution', 'category', 'counterparty', 'flag', 'series', 'tag:a', 'tag:b']
        .concat(['metadata.invoice', 'metadata.list'])
        .sort(),
    );
    app.clock.advance(1_000);
    const again = { transaction_id: only.id, counterparty_id: second.id, flagged: true, series_id: series.id };
    expect((await update(app, [again])).json.results[0].changed).toBe(true);
    expect(await record(app, only)).toMatchObject({ counterparty_id: second.id, flagged_at: flaggedAt });
    const cleared = await update(app, [
      {
        transaction_id: only.id,
        category_id: null,
        counterparty_id: null,
        series_id: null,
        attributed_user_id: null,
        tags_to_remove: ['a', { slug: 'b' }, 'never-was'],
        metadata_unset: ['invoice', 'list', 'never-was'],
        flagged: false,
      },
    ]);
    expect(cleared.json.results[0].changed).toBe(true);
    expect(await record(app, only)).toMatchObject({
      category_id: null,
      category: null,
      category_source: 'person',
      counterparty_id: null,
      series_id: null,
      attributed_user_id: null,
      tags: [],
      metadata: {},
      flagged_at: null,
    });
    expect(await locksOf(app, only)).toHaveLength(9);
  });

  test('operations on one transaction see earlier ones and leave one change', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const answer = await update(app, [
      { transaction_id: only.id, tags_to_add: ['a'], metadata_set: { n: 1 } },
      { transaction_id: only.short_id, tags_to_add: ['a'] },
      { transaction_id: only.id, tags_to_remove: ['a'], metadata_set: { n: 2 }, flagged: true },
    ]);
    expect(answer.json.results.map(({ changed }: { changed: boolean }) => changed)).toEqual([true, false, true]);
    const set = await changeSet(app, answer);
    const ofRow = set.changes.filter((one: { entity_type: string }) => one.entity_type === 'transaction');
    expect(ofRow).toHaveLength(1);
    expect([ofRow[0].before, ofRow[0].after]).toEqual([
      { flagged_at: null },
      { 'metadata.n': 2, flagged_at: expect.any(String) },
    ]);
    expect(set.summary).toBe('Updated 1 transaction');
    const back = await update(app, [
      { transaction_id: only.id, metadata_set: { n: 3 } },
      { transaction_id: only.id, metadata_set: { n: 2 } },
    ]);
    expect(back.json).toMatchObject({ succeeded: 2, change_set_id: null });
    expect(back.json.results.map(({ changed }: { changed: boolean }) => changed)).toEqual([true, true]);
  });

  test('an operation that expects another state of its transaction is refused alone', async () => {
    const [first, second] = (await household(app, 2)) as [Made, Made];
    const { updated_at: seen } = await record(app, first);
    app.clock.advance(1_000);
    await update(app, [{ transaction_id: first.id, tags_to_add: ['theirs'] }]);
    const left = await record(app, first);
    app.clock.advance(1_000);
    const mine = { transaction_id: first.short_id, expected_updated_at: seen, category_slug: COFFEE };
    const other = { transaction_id: second.id, expected_updated_at: seen, flagged: true };
    const aborted = await update(app, [other, mine]);
    expect([aborted.status, codes(aborted)]).toEqual([422, [null, 'PRECONDITION_FAILED']]);
    expect(aborted.json.error.details).toMatchObject([{ path: 'operations[1]', code: 'PRECONDITION_FAILED' }]);
    expect(await record(app, second)).toMatchObject({ flagged_at: null });
    const dry = await update(app, [other, mine], { on_error: 'continue', dry_run: true });
    const done = await update(app, [other, mine], { on_error: 'continue' });
    expect([dry.status, dry.json.results]).toEqual([200, done.json.results]);
    expect([done.json.succeeded, codes(done)]).toEqual([1, [null, 'PRECONDITION_FAILED']]);
    expect(done.json.results[1].error.message).toContain('Read it again');
    expect(await record(app, first)).toEqual(left);
    // Any form of the instant, and several edits of what was read: those of the request itself are no other's.
    const fresh = { transaction_id: first.id, expected_updated_at: left.updated_at.replace('Z', '+00:00') };
    const both = await update(app, [
      { ...fresh, category_slug: COFFEE },
      { ...fresh, tags_to_remove: ['theirs'] },
    ]);
    expect([both.status, both.json.succeeded], both.text).toEqual([200, 2]);
    expect(await record(app, first)).toMatchObject({ tags: [], category: { slug: COFFEE } });
    const wrong = await update(app, [{ ...fresh, expected_updated_at: 'yesterday', flagged: true }]);
    expect([wrong.status, wrong.json.error.details[0].path]).toEqual([400, 'operations[0].expected_updated_at']);
    const alone = await update(app, [{ transaction_id: first.id, expected_updated_at: seen }]);
    expect([alone.status, alone.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('what is set and cleared within a request remains a decision', async () => {
    const [only] = (await household(app, 1)) as [Made];
    await addTag(app, 'errand');
    for (const [there, back, lock] of [
      [{ tags_to_add: ['errand'] }, { tags_to_remove: ['errand'] }, 'tag:errand'],
      [{ metadata_set: { a: 1 } }, { metadata_unset: ['a'] }, 'metadata.a'],
      [{ flagged: true }, { flagged: false }, 'flag'],
      [{ category_slug: COFFEE }, { reset_category: true }, null],
    ] as const) {
      const answer = await update(app, [
        { transaction_id: only.id, ...there },
        { transaction_id: only.id, ...back },
      ]);
      expect([answer.status, answer.json.succeeded], answer.text).toEqual([200, 2]);
      expect(await record(app, only)).toMatchObject({ tags: [], metadata: {}, flagged_at: null, category_id: null });
      expect(await locksOf(app, only)).toEqual(lock === null ? [] : [lock]);
      const changes = await journalOf(app, answer);
      expect(changes).toMatchObject(lock === null ? [] : [{ before: {}, after: {}, internal: { locked: [lock] } }]);
      if (lock === null) continue;
      const revert = `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}/revert`;
      expect((await app.request('POST', revert)).status).toBe(200);
      expect(await locksOf(app, only)).toEqual([]);
    }
  });

  test('an operation that changes nothing has no change set and keeps updated_at', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const operations = [{ transaction_id: only.id, category_slug: COFFEE, tags_to_add: ['a'], flagged: true }];
    await update(app, operations);
    const before = await record(app, only);
    app.clock.advance(60_000);
    const answer = await update(app, [...operations, { transaction_id: only.id, tags_to_remove: ['unknown-tag'] }]);
    expect(answer.json).toMatchObject({ succeeded: 2, change_set_id: null });
    expect(answer.json.results.map(({ changed }: { changed: boolean }) => changed)).toEqual([false, false]);
    expect(answer.headers['x-change-set-id']).toBeUndefined();
    expect(await record(app, only)).toEqual(before);
  });

  test('takes 500 operations at once, and every metadata key as data', async () => {
    const rows = await household(app, 2);
    const operations = Array.from({ length: 500 }, (_, n) => ({
      transaction_id: rows[n % 2]?.id,
      metadata_set: JSON.parse(`{"__proto__":${n},"a/b":null}`) as object,
    }));
    const answer = await update(app, operations);
    expect([answer.status, answer.json.succeeded]).toEqual([200, 500]);
    expect((await changeSet(app, answer)).updated_count).toBe(2);
    for (const [row, last] of [
      [rows[0], 498],
      [rows[1], 499],
    ] as const) {
      const { metadata } = await record(app, row as Made);
      expect(Object.entries(metadata as object)).toEqual([
        ['__proto__', last],
        ['a/b', null],
      ]);
    }
  });

  test('a reset restores the category of the provider, also after an earlier operation', async () => {
    const columns = { provider_category_primary: 'Groceries', category_source: 'person', locks: '["category"]' };
    const [first, second] = (await household(app, 2, { columns })) as [Made, Made];
    const answer = await update(app, [
      { transaction_id: first.id, reset_category: true },
      { transaction_id: second.id, category_slug: COFFEE },
      { transaction_id: second.id, reset_category: true },
      { transaction_id: second.id, reset_category: true },
    ]);
    expect(answer.json.results.map(({ changed }: { changed: boolean }) => changed)).toEqual([true, true, true, false]);
    const automatic = await app.request('DELETE', `/api/v1/transactions/${first.id}/category`);
    expect(automatic.headers['x-change-set-id']).toBeUndefined();
    for (const one of [first, second]) {
      const { category_source: source, category } = await record(app, one);
      expect([source, category.slug]).toEqual(['provider', GROCERIES]);
      expect(await locksOf(app, one)).toEqual([]);
    }
  });

  test('a tag is named by slug, UUID or short_id', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const [shopping, work] = [await addTag(app, 'shopping'), await addTag(app, 'work')];
    const add = { transaction_id: only.id, tags_to_add: ['shopping', work.id, { slug: work.short_id }] };
    expect((await update(app, [add])).status).toBe(200);
    expect((await record(app, only)).tags).toEqual(['shopping', 'work']);
    const remove = { transaction_id: only.id, tags_to_remove: [shopping.short_id, NOBODY, 'work'] };
    expect((await update(app, [remove])).status).toBe(200);
    expect((await record(app, only)).tags).toEqual([]);
    expect((await app.request('GET', '/api/v1/tags/shopping')).json.id).toBe(shopping.id);
  });

  test('an agent is named as the source; a system key decides without a lock', async () => {
    const [only] = (await household(app, 1)) as [Made];
    for (const [actor, locks] of [
      ['agent', ['category']],
      ['system', []],
    ] as const) {
      const { key } = await app.newKey({ actor_type: actor });
      const body = { operations: [{ transaction_id: only.id, category_slug: actor === 'agent' ? COFFEE : GROCERIES }] };
      expect((await app.request('POST', '/api/v1/transactions/update', { key, body })).status).toBe(200);
      expect((await record(app, only)).category_source).toBe('agent');
      expect(await locksOf(app, only)).toEqual(locks);
    }
  });

  test('a dry run shows what the real run does, and writes nothing', async () => {
    const rows = await household(app, 3);
    const { json: series } = await app.request('POST', '/api/v1/series', { body: { name: 'Coffee' } });
    const counterparty = await addCounterparty(app, 'Cafe');
    const one = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
    const action = fc.oneof(
      fc.record({ category_id: one(COFFEE, GROCERIES, null, 'unknown') }),
      fc.constant({ reset_category: true }),
      fc.record({ series_id: one(series.id, null, NOBODY) }),
      fc.record({ counterparty_id: one(counterparty.id, null) }),
      fc.record({ tags_to_add: fc.subarray(['a', 'b', 'c', NOBODY]) }),
      fc.record({ tags_to_remove: fc.subarray(['a', 'b', 'c']) }),
      fc.record({ metadata_set: fc.dictionary(one('k', 'l'), one<unknown>(1, 'x'.repeat(3_000), 'x'.repeat(4_000))) }),
      fc.record({ metadata_unset: fc.subarray(['k', 'l']) }),
      fc.record({ flagged: fc.boolean() }),
      fc.record({ comment: one('Hello', 'Again') }),
    );
    const operation = fc
      .tuple(one(...rows.map(({ id }) => id), ...rows.map((row) => row.short_id), 'zzzzzzzz'), action)
      .map(([transactionId, fields]) => ({ transaction_id: transactionId, ...fields }));
    const batch = fc.array(operation, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batch, one('abort', 'continue'), async (operations, mode) => {
        const before = await everything(app);
        const dry = await update(app, operations, { on_error: mode, dry_run: true });
        expect(await everything(app)).toEqual(before);
        expect(dry.headers['x-change-set-id']).toBeUndefined();
        const real = await update(app, operations, { on_error: mode });
        expect(dry.status).toBe(real.status);
        const shown = ({ json }: Answer) => [json.results, json.succeeded, json.failed, json.error?.results];
        expect(shown(dry)).toEqual(shown(real));
        if (dry.status === 200) expect(dry.json).toMatchObject({ dry_run: true, change_set_id: null });
      }),
      { numRuns: 25 },
    );
  });

  test('parallel updates of one transaction lose nothing', async () => {
    const [only] = (await household(app, 1)) as [Made];
    const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const answers = await Promise.all(
      names.map((name) =>
        update(app, [
          { transaction_id: only.id, tags_to_add: [name, 'shared'], metadata_set: { [name]: true } },
          { transaction_id: only.id, tags_to_remove: ['shared'], comment: name },
        ]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const after = await record(app, only);
    expect(after.tags).toEqual([...names].sort());
    expect(Object.keys(after.metadata as object).sort()).toEqual([...names].sort());
    expect((await app.request('GET', `/api/v1/transactions/${only.id}/comments`)).json).toHaveLength(names.length);
    expect(new Set(answers.map(({ json }) => json.change_set_id)).size).toBe(names.length);
  });

  test('is reverted as a whole', async () => {
    const rows = await household(app, 3);
    const before = await Promise.all(rows.map((row) => record(app, row)));
    const answer = await update(
      app,
      rows.map(({ id }) => ({
        transaction_id: id,
        category_slug: COFFEE,
        tags_to_add: ['trip'],
        metadata_set: { a: 1 },
        flagged: true,
        comment: 'Hm',
      })),
    );
    const revert = await app.request('POST', `/api/v1/change-sets/${answer.json.change_set_id}/revert`);
    expect(revert.status, revert.text).toBe(200);
    expect(await Promise.all(rows.map((row) => record(app, row)))).toEqual(before);
    expect(await Promise.all(rows.map((row) => locksOf(app, row)))).toEqual([[], [], []]);
  });
});
