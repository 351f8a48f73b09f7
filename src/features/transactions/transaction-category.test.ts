import { describe, expect, test } from 'vitest';

import { changeSetOf, journalOf } from '../../../test/harness/journal-rows.ts';
import {
  addAccount,
  addMember,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

forEachDatabase((database) => {
  async function ledger(columns: NewTransaction['columns'] & object = {}) {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe', columns };
    const [transaction] = (await addTransactions(app, [row])) as [Made];
    const path = `/api/v1/transactions/${transaction.id}`;
    const set = (body: unknown, key?: string): Promise<Answer> => {
      app.clock.advance(1_000);
      return app.request('PATCH', `${path}/category`, { body, ...(key === undefined ? {} : { key }) });
    };
    const reset = (): Promise<Answer> => {
      app.clock.advance(1_000);
      return app.request('DELETE', `${path}/category`);
    };
    return { app, transaction, set, reset, get: async () => (await app.request('GET', path)).json };
  }

  async function archive(app: TestApp, category: Made, values: { merged_into_id?: string } = {}): Promise<void> {
    await app.write('test.archive', async (tx) => {
      await tx.q
        .updateTable('categories')
        .set({ is_archived: 1, ...values })
        .where('id', '=', category.id)
        .execute();
      tx.journal.allowUnjournaled('category');
    });
  }

  describe('setting', () => {
    test('takes slug, UUID or short_id in either field', async () => {
      const { app, set, get } = await ledger();
      const slug = 'food_and_drink_coffee';
      const coffee = await categoryBySlug(app, slug);
      for (const body of [
        { category_slug: slug },
        { category_id: coffee.id },
        { category_id: coffee.short_id },
        { category_id: slug },
      ]) {
        await set({ category_id: null });
        const answer = await set(body);
        expect([answer.status, answer.json.category.slug, answer.json.category_source]).toEqual([200, slug, 'person']);
        expect(answer.json).toEqual(await get());
      }
    });

    test('says who decided, and what it was before', async () => {
      const { app, transaction, set } = await ledger();
      const [coffee, rent] = [await categoryBySlug(app, 'food_and_drink_coffee'), await categoryBySlug(app, 'income')];
      const agent = await app.newKey({ actor_type: 'agent' });
      const first = await set({ category_id: coffee.id }, agent.key);
      expect(first.json.category_source).toBe('agent');
      const second = await set({ category_id: rent.id });
      expect(await journalOf(app, second)).toEqual([
        {
          entity_type: 'transaction',
          entity_id: transaction.id,
          operation: 'update',
          before: { category_id: coffee.id, category_source: 'agent' },
          after: { category_id: rent.id, category_source: 'person' },
          internal: null,
          transaction_id: transaction.id,
        },
      ]);
      expect(await changeSetOf(app, second)).toMatchObject({
        action: 'transaction.category_set',
        source: 'edit',
        summary: 'Set the category of a transaction',
      });
    });

    test('the same again by the same kind of writer changes nothing', async () => {
      const { app, set, get } = await ledger();
      for (const body of [{ category_slug: 'income' }, { category_slug: null }]) {
        await set(body);
        const before = await get();
        const again = await set(body);
        expect([again.status, again.headers['x-change-set-id'], again.json]).toEqual([200, undefined, before]);
        const other = await set(body, (await app.newKey({ actor_type: 'agent' })).key);
        expect([other.json.category_id, other.json.category_source]).toEqual([before.category_id, 'agent']);
        expect(await journalOf(app, other)).toMatchObject([
          { before: { category_source: 'person' }, after: { category_source: 'agent' } },
        ]);
      }
    });

    test('a rule’s choice that a person confirms becomes theirs, with a lock', async () => {
      const { app, set } = await ledger();
      const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
      await app.write('test.rule', async (tx) => {
        const chosen = { category_id: coffee.id, category_source: 'rule', category_rule_id: UNKNOWN };
        await tx.q.updateTable('transactions').set(chosen).execute();
        tx.journal.allowUnjournaled('transaction');
      });
      const answer = await set({ category_id: coffee.id });
      expect(await journalOf(app, answer)).toMatchObject([
        {
          before: { category_source: 'rule' },
          after: { category_source: 'person' },
          internal: { locked: ['category'], category_rule_id: UNKNOWN },
        },
      ]);
      expect(await rowsOf(app.app.instance.database, 'select category_rule_id, locks from transactions')).toEqual([
        { category_rule_id: null, locks: '["category"]' },
      ]);
    });

    test('a system key’s choice that an agent confirms gets a lock, which a revert removes', async () => {
      const { app, set, get } = await ledger();
      const [system, agent] = [await app.newKey({ actor_type: 'system' }), await app.newKey({ actor_type: 'agent' })];
      const locks = () => rowsOf(app.app.instance.database, 'select locks from transactions');
      await set({ category_slug: 'income' }, system.key);
      expect(await locks()).toEqual([{ locks: '[]' }]);
      const confirmed = await set({ category_slug: 'income' }, agent.key);
      expect(await journalOf(app, confirmed)).toMatchObject([{ internal: { locked: ['category'] } }]);
      expect(await locks()).toEqual([{ locks: '["category"]' }]);
      const before = await get();
      for (const { key } of [system, agent]) {
        const again = await set({ category_slug: 'income' }, key);
        expect([again.headers['x-change-set-id'], again.json]).toEqual([undefined, before]);
      }
      const id = String(confirmed.headers['x-change-set-id']);
      expect((await app.request('POST', `/api/v1/change-sets/${id}/revert`)).status).toBe(200);
      expect(await locks()).toEqual([{ locks: '[]' }]);
      expect((await get()).category_source).toBe('agent');
    });

    test('to none is a decision too; a reset makes it automatic again', async () => {
      const { app, set, reset, get } = await ledger({ provider_category_primary: 'Coffee Shops' });
      for (const [body, actor_type, word] of [
        [{ category_id: null }, 'user', 'person'],
        [{ category_slug: null }, 'agent', 'agent'],
        [{ category_id: '' }, 'user', 'person'],
      ] as const) {
        const answer = await set(body, (await app.newKey({ actor_type })).key);
        expect(answer.json).toMatchObject({ category_id: null, category: null, category_source: word });
        const uncategorized = async () =>
          (await app.request('GET', '/api/v1/transactions', { query: { uncategorized: true } })).json.transactions;
        expect(await uncategorized()).toHaveLength(1);
        const back = await reset();
        expect(back.json).toMatchObject({ category: { slug: 'food_and_drink_coffee' }, category_source: 'provider' });
        expect(back.json).toEqual(await get());
        expect(await uncategorized()).toEqual([]);
      }
    });

    test('refuses anything but exactly one category in use', async () => {
      const { app, set } = await ledger();
      await archive(app, await categoryBySlug(app, 'income_wages'));
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const [body, code, path] of [
        [{}, 'VALIDATION_ERROR', ''],
        [{ category_id: null, category_slug: null }, 'VALIDATION_ERROR', ''],
        [{ category_id: 'income', category_slug: 'income' }, 'VALIDATION_ERROR', ''],
        [{ category_slug: 'income_wages' }, 'VALIDATION_ERROR', 'category_slug'],
        [{ category_id: 'income_wages' }, 'VALIDATION_ERROR', 'category_id'],
        [{ category_id: UNKNOWN }, 'INVALID_PARAMETER', 'category_id'],
        [{ category_id: 'zzzzzzzz' }, 'INVALID_PARAMETER', 'category_id'],
        [{ category_id: ' ' }, 'INVALID_PARAMETER', 'category_id'],
        [{ category_slug: 'Income' }, 'INVALID_PARAMETER', 'category_slug'],
        [{ category_slug: '😀 مرحبا' }, 'INVALID_PARAMETER', 'category_slug'],
        [{ category_slug: '__proto__' }, 'INVALID_PARAMETER', 'category_slug'],
        [{ category_slug: 'x'.repeat(900_000) }, 'INVALID_PARAMETER', 'category_slug'],
        [{ category_slug: 'a\0b' }, 'VALIDATION_ERROR', 'category_slug'],
        [{ category_id: 7 }, 'VALIDATION_ERROR', 'category_id'],
        [{ category_id: ['income'] }, 'VALIDATION_ERROR', 'category_id'],
        [{ category_id: false }, 'VALIDATION_ERROR', 'category_id'],
      ] as const) {
        const answer = await set(body);
        const shown = JSON.stringify(body).slice(0, 60);
        expect([shown, answer.status, answer.json.error.code]).toEqual([shown, 400, code]);
        expect(answer.json.error.details[0].path).toBe(path);
        expect(answer.text.length).toBeLessThan(1_000);
      }
      expect((await set({ category_slug: 'x'.repeat(10_000_000) })).status).toBe(413);
      const both = await app.request('PATCH', `/api/v1/transactions/${UNKNOWN}/category`, {
        body: { category_id: UNKNOWN },
      });
      expect([both.status, both.json.error.code]).toEqual([404, 'NOT_FOUND']);
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });

  describe('resetting', () => {
    test('does nothing if nobody has decided the category', async () => {
      const { app, reset, get } = await ledger();
      const before = await get();
      const answer = await reset();
      expect([answer.status, answer.headers['x-change-set-id'], answer.json]).toEqual([200, undefined, before]);
      expect(
        await rowsOf(app.app.instance.database, `select id from change_sets where action like 'transaction.%'`),
      ).toEqual([]);
    });

    test('removes the lock, and journals it', async () => {
      const { app, set, reset } = await ledger({ provider_category_primary: 'no such category' });
      const chosen = (await set({ category_slug: 'income' })).json;
      const answer = await reset();
      expect(answer.json).toMatchObject({ category_id: null, category: null, category_source: null });
      expect(await journalOf(app, answer)).toMatchObject([
        {
          before: { category_id: chosen.category_id, category_source: 'person' },
          after: { category_id: null, category_source: null },
          internal: { unlocked: ['category'] },
        },
      ]);
      expect((await changeSetOf(app, answer))?.['action']).toBe('transaction.category_reset');
      expect((await reset()).headers['x-change-set-id']).toBeUndefined();
    });

    test('follows a category that was merged or archived', async () => {
      const { app, set, reset } = await ledger({ provider_category_primary: 'food_and_drink_coffee' });
      const [coffee, income] = [
        await categoryBySlug(app, 'food_and_drink_coffee'),
        await categoryBySlug(app, 'income'),
      ];
      await set({ category_id: null });
      await archive(app, coffee);
      expect((await reset()).json.category.slug).toBe('food_and_drink');
      await set({ category_id: null });
      await archive(app, coffee, { merged_into_id: income.id });
      expect((await reset()).json.category.slug).toBe('income');
    });
  });
});
