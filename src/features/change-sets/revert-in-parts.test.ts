import { expect, test } from 'vitest';

import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { tags } from '../tags/index.ts';

const COUNT = 6;
const ACTIONS = [
  { type: 'set_category', category_slug: 'food_and_drink_coffee' },
  { type: 'add_tag', tag_slug: 'by-rule' },
  { type: 'set_metadata', metadata_key: 'seen', metadata_value: true },
  { type: 'add_comment', content: 'Seen' },
];

/** A file of which the bank changes every amount; the rule then changes every row once more, in the same set. */
function fileOf(amount: string): string {
  const rows = Array.from({ length: COUNT }, (_, i) => `ID${i},2026-02-0${i + 1},ROW ${i},${amount}`);
  return `Transaction ID,Date,Description,Amount\n${rows.join('\n')}\n`;
}

forEachDatabase((database) => {
  async function household() {
    const app = await database.open();
    await addMember(app, 'Ana');
    await done(app, 'POST', '/rules', { name: 'Rule', actions: ACTIONS, triggers: ['sync'] });
    await load(app, '-1.00', { run_rules: false });
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const ids: string[] = transactions.map(({ id }: { id: string }) => id);
    await done(app, 'POST', `/transactions/${ids[0]}/tags`, { slug: 'by-ana' });
    await done(app, 'PATCH', `/transactions/${ids[1]}/metadata`, { set: { seen: 'no' } });
    const before = await ledger(app);
    const changing = await load(app, '-2.00');
    expect(changing.json.import.counts).toMatchObject({ updated: COUNT });
    const after = await ledger(app);
    const path = `/change-sets/${String(changing.headers['x-change-set-id'])}`;
    return { app, ids, before, after, path };
  }

  async function load(app: TestApp, amount: string, fields = {}): Promise<Answer> {
    app.clock.advance(1_000);
    return importFile(app, fileOf(amount), { account_name: 'Card', ...fields });
  }

  async function done(app: TestApp, method: string, path: string, body: unknown): Promise<Answer> {
    app.clock.advance(1_000);
    const answer = await app.request(method, `/api/v1${path}`, { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  }

  /** Everything that people, banks and rules gave the rows. */
  async function ledger(app: TestApp): Promise<Record<string, unknown[]>> {
    const rows = async (text: string): Promise<unknown[]> => rowsOf(app.app.instance.database, text);
    return {
      transactions: await rows(`select id, date, amount_cents, name, category_id, category_source, category_rule_id,
        counterparty_id, series_id, flagged_at, locks, metadata, deleted_at, deleted_cause from transactions order by id`),
      tags: await rows(`select tt.transaction_id, t.slug from transaction_tags tt join tags t on t.id = tt.tag_id
        order by tt.transaction_id, t.slug`),
      comments: await rows(`select transaction_id, body from comments where deleted_at is null order by id`),
    };
  }

  const statusOf = async (app: TestApp, path: string): Promise<string> =>
    (await app.request('GET', `/api/v1${path}`)).json.status;

  test.for([1, 2, 3, 5, 7, 2 * COUNT, 20_000])(
    'a set that changed its rows twice, reverted %d changes at a time, restores the former values, and the revert can be reverted',
    async (size) => {
      const { app, before, after, path } = await household();
      setLimit('revertChangesAtOnce', size);
      const undone = await done(app, 'POST', `${path}/revert`, {});
      expect(undone.json).toMatchObject({ skipped_count: 0, reverted_count: 2 * COUNT });
      expect(await ledger(app)).toEqual(before);
      expect(await statusOf(app, path)).toBe('reverted');
      await done(app, 'POST', `/change-sets/${undone.json.change_set.id}/revert`, {});
      expect(await ledger(app)).toEqual(after);
      expect(await statusOf(app, path)).toBe('applied');
    },
  );

  test.for([1, 4, 20_000])(
    'a row that has changed since stays whole; the others are restored, %d at a time',
    async (size) => {
      const { app, ids, before, after, path } = await household();
      setLimit('revertChangesAtOnce', size);
      await done(app, 'PATCH', `/transactions/${ids[2]}/category`, { category_slug: 'travel' });
      const refused = await app.request('POST', `/api/v1${path}/revert`, { body: {} });
      expect([refused.status, refused.json.error.conflict_count]).toEqual([409, 1]);
      const skipped = await done(app, 'POST', `${path}/revert`, { on_conflict: 'skip' });
      expect(skipped.json).toMatchObject({
        skipped_count: 1,
        skipped: [{ entity_id: ids[2], reason: 'changed_since' }],
      });
      const amounts = (state: Record<string, unknown[]>): [unknown, unknown][] =>
        (state['transactions'] as Record<string, unknown>[]).map((row) => [row['id'], row['amount_cents']]);
      const expected = amounts(before).map(([id, cents]) =>
        id === ids[2] ? amounts(after).find(([other]) => other === id) : [id, cents],
      );
      expect(amounts(await ledger(app))).toEqual(expected);
      expect(await statusOf(app, path)).toBe('partly_reverted');
    },
  );

  test.for([1, 2, 20_000])('what a set created and deleted itself is not reverted, %d at a time', async (size) => {
    const app = await database.open();
    setLimit('revertChangesAtOnce', size);
    const set = await app.write('test.passing', async (tx) => {
      const looks = { color: '#888888', description: '', icon: null };
      const passing = await tags.create(tx, { slug: 'passing', name: 'Passing', ...looks });
      await tags.create(tx, { slug: 'kept', name: 'Kept', ...looks });
      await tags.remove(tx, passing);
      return tx.journal.changeSetId;
    });
    const undone = await done(app, 'POST', `/change-sets/${set}/revert`, {});
    expect(undone.json).toMatchObject({ reverted_count: 1, skipped_count: 0 });
    expect(await statusOf(app, `/change-sets/${set}`)).toBe('reverted');
    await done(app, 'POST', `/change-sets/${undone.json.change_set.id}/revert`, {});
    expect(await statusOf(app, `/change-sets/${set}`)).toBe('applied');
  });
});
