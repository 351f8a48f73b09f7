import { beforeEach, expect, test } from 'vitest';

import { csvOf, importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold, type Made } from '../../../../test/harness/ledger.ts';
import { allRows } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const COFFEE = '2026-02-02 COFFEE -3.50';
const FUEL = '2026-02-05 FUEL -40.00';
const RENT = '2026-02-09 RENT -800.00';
const FILE = csvOf(COFFEE, FUEL, RENT);
const CAFE = 'food_and_drink_coffee';
const FLIGHTS = 'travel_flights';
const FORCE = { on_conflict: 'force' };
const SKIP = { on_conflict: 'skip' };

interface Transaction extends Made {
  name: string;
  tags: string[];
  category: { slug: string } | null;
}

forEachDatabase((database) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await openHousehold(database);
  });

  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    app.clock.advance(1_000);
    return app.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
  };
  const done = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await call(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const load = async (text = FILE, fields: object = {}): Promise<Answer> => {
    app.clock.advance(1_000);
    const answer = await importFile(app, text, { account_name: 'Checking', ...fields });
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const revert = (taken: Answer, body: object = {}): Promise<Answer> =>
    call('POST', `/imports/${taken.json.import.id}/revert`, body);
  const revertSet = (answer: Answer, body: object = {}): Promise<Answer> =>
    call('POST', `/change-sets/${String(answer.headers['x-change-set-id'])}/revert`, body);
  const categorize = (row: Made, slug: string | null): Promise<Answer> =>
    done('PATCH', `/transactions/${row.id}/category`, { category_slug: slug });
  const listed = async (): Promise<Transaction[]> => (await call('GET', '/transactions?limit=500')).json.transactions;
  const names = async (): Promise<string[]> => (await listed()).map(({ name }) => name).sort();
  const named = async (name: string): Promise<Transaction> =>
    (await listed()).find((one) => one.name === name) as Transaction;
  const codes = ({ status, json }: Answer) => [status, json.error?.code];
  const statusOf = async (taken: Answer): Promise<string> =>
    (await call('GET', `/imports/${taken.json.import.id}`)).json.status;
  const cafeRule = (slug: string): Promise<Answer> =>
    done('POST', '/rules', {
      name: `To ${slug}`,
      condition: { field: 'name', op: 'contains', value: 'coffee' },
      actions: [{ type: 'set_category', category_slug: slug }],
      triggers: ['sync', 'create', 'manual'],
    });

  /** All of the ledger that people see, without the stamps of the last change. */
  async function seen(): Promise<unknown> {
    const rows = await listed();
    const comments = await Promise.all(
      rows.map(async ({ id }) => (await call('GET', `/transactions/${id}/comments`)).json),
    );
    const all = {
      rows,
      comments,
      tags: (await call('GET', '/tags')).json,
      accounts: (await call('GET', '/accounts')).json,
    };
    return JSON.parse(JSON.stringify(all, (key, value: unknown) => (key.endsWith('updated_at') ? undefined : value)));
  }

  /** Two of the three rows get work of every kind. */
  async function workOnTwo(): Promise<void> {
    const [coffee, fuel] = [await named('COFFEE'), await named('FUEL')];
    await categorize(coffee, CAFE);
    await done('POST', `/transactions/${coffee.id}/tags`, { slug: 'holiday' });
    await done('PATCH', `/transactions/${coffee.id}/metadata`, { set: { trip: 7 } });
    await done('POST', `/transactions/${fuel.id}/comments`, { body: 'For the van' });
  }

  test('an import whose rows were all reviewed is reverted with an empty body', async () => {
    await cafeRule(CAFE);
    const taken = await load();
    for (const row of await listed()) {
      expect(row.tags).toEqual(['needs-review']);
      await done('DELETE', `/transactions/${row.id}/tags/needs-review`);
    }
    const [coffee, fuel] = [await named('COFFEE'), await named('FUEL')];
    expect(coffee.category?.slug).toBe(CAFE);
    await categorize(coffee, CAFE);
    await categorize(fuel, null);
    await done('POST', `/transactions/${fuel.id}/flag`);
    const reviewed = await seen();
    const undone = await revert(taken);
    expect(undone.status, undone.text).toBe(200);
    expect(undone.json).toMatchObject({
      reverted_count: 3,
      deleted_count: 3,
      worked_on_count: 0,
      message: null,
      import: { status: 'reverted' },
    });
    expect(await listed()).toEqual([]);
    expect((await revertSet(undone)).json).toMatchObject({ reverted_count: 3 });
    expect(await seen()).toEqual(reviewed);
    expect((await revert(taken)).json).toMatchObject({ deleted_count: 3 });
  });

  test('a category that was changed and set back counts as confirmed, and so does one from a later rule', async () => {
    await cafeRule(CAFE);
    const taken = await load();
    const coffee = await named('COFFEE');
    await categorize(coffee, FLIGHTS);
    expect(codes(await revert(taken))).toEqual([409, 'REVERT_CONFLICT']);
    await categorize(coffee, CAFE);
    expect((await revert(taken, { dry_run: true })).json).toMatchObject({ deleted_count: 3 });
    await done('DELETE', `/transactions/${coffee.id}/category`);
    const rule = (await cafeRule(FLIGHTS)).json;
    await done('POST', `/rules/${rule.id}/apply`, {});
    expect(await named('COFFEE')).toMatchObject({ category: { slug: FLIGHTS } });
    expect((await revert(taken, { dry_run: true })).json).toMatchObject({ deleted_count: 3 });
    await categorize(coffee, FLIGHTS);
    expect((await revert(taken)).json).toMatchObject({ deleted_count: 3, worked_on_count: 0 });
  });

  test('a run of rules in between is not a conflict; a bulk change of the category is', async () => {
    const taken = await load();
    const rule = (await cafeRule(CAFE)).json;
    const run = await done('POST', `/rules/${rule.id}/apply`, {});
    expect((await revert(taken, { dry_run: true })).json).toMatchObject({ deleted_count: 3, worked_on_count: 0 });
    await done('POST', '/transactions/bulk-recategorize', { filter: { search: 'coffee' }, target_category_id: CAFE });
    expect((await revert(taken, { dry_run: true })).json).toMatchObject({ deleted_count: 3 });
    await done('POST', '/transactions/bulk-recategorize', { filter: { search: 'fuel' }, target_category_id: CAFE });
    expect((await revert(taken)).json.error).toMatchObject({ conflict_count: 1, worked_on_count: 1 });
    expect((await revert(taken, FORCE)).json).toMatchObject({ deleted_count: 3, worked_on_count: 1 });
    expect(codes(await revertSet(run, FORCE))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('refuse reports how many rows people worked on and what to send; so does every dry run', async () => {
    const taken = await load();
    await workOnTwo();
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const refused = await revert(taken);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    const { error } = refused.json;
    expect(error).toMatchObject({ conflict_count: 2, worked_on_count: 2 });
    expect(error.message).toMatch(/People have worked on 2 rows.*"skip".*"force"/);
    expect(error.details).toHaveLength(2);
    expect((await revert(taken, { dry_run: true })).json.error).toEqual({ ...error, request_id: expect.anything() });
    const rehearsed: [object, number][] = [
      [SKIP, 1],
      [FORCE, 3],
    ];
    for (const [how, deleted_count] of rehearsed) {
      const { json } = await revert(taken, { ...how, dry_run: true });
      expect(json).toMatchObject({ dry_run: true, deleted_count, worked_on_count: 2, change_set: null });
      expect(json.message).toMatch(/^People have worked on 2 rows.*"skip".*"force"/);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('skip leaves the rows that people worked on; force removes them', async () => {
    const taken = await load();
    await workOnTwo();
    expect((await revert(taken, SKIP)).json).toMatchObject({
      deleted_count: 1,
      worked_on_count: 2,
      message: null,
      import: { status: 'partly_reverted' },
    });
    expect(await names()).toEqual(['COFFEE', 'FUEL']);
    expect((await revert(taken, FORCE)).json).toMatchObject({ deleted_count: 2, import: { status: 'reverted' } });
    expect(await listed()).toEqual([]);
    expect(codes(await revert(taken, FORCE))).toEqual([409, 'ALREADY_REVERTED']);
  });

  test.each(['imports', 'change-sets'])(
    'force through /%s takes all rows out, and the revert of the revert brings them back with all that people added',
    async (door) => {
      const taken = await load();
      await workOnTwo();
      const worked = await seen();
      const forced = door === 'imports' ? await revert(taken, FORCE) : await revertSet(taken, FORCE);
      expect(forced.status, forced.text).toBe(200);
      expect(forced.json).toMatchObject({ reverted_count: 3, worked_on_count: 2, dry_run: false });
      expect(await listed()).toEqual([]);
      expect(await statusOf(taken)).toBe('reverted');
      const gone = (await call('GET', '/transactions?deleted=true')).json.transactions as Transaction[];
      expect(gone.find(({ name }) => name === 'COFFEE')).toMatchObject({
        category: { slug: CAFE },
        tags: ['holiday', 'needs-review'],
      });
      expect((await revertSet(forced)).json).toMatchObject({ reverted_count: 3, skipped_count: 0 });
      expect(await seen()).toEqual(worked);
      expect(await statusOf(taken)).toBe('completed');
      // The locks came back too: what people decided holds the rows back as before, and no rule overrides it.
      expect((await revert(taken)).json.error).toMatchObject({ worked_on_count: 2 });
      const rule = (await cafeRule(FLIGHTS)).json;
      await done('POST', `/rules/${rule.id}/apply`, {});
      expect(await seen()).toEqual(worked);
    },
  );

  test('after force, importing the file restores the rows with what people added', async () => {
    const taken = await load();
    await workOnTwo();
    const worked = await seen();
    await revert(taken, FORCE);
    const again = await load();
    expect(again.json.import.counts).toMatchObject({ added: 3, duplicate: 0, deleted: 0 });
    expect(await seen()).toEqual(worked);
  });

  test('force works for imports only; for other change sets it is refused with the reason', async () => {
    const taken = await load();
    const edit = await categorize(await named('COFFEE'), CAFE);
    const undone = await revertSet(taken, FORCE);
    for (const answer of [edit, undone]) {
      const refused = await revertSet(answer, FORCE);
      expect(codes(refused)).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused.json.error.details).toMatchObject([
        { path: 'on_conflict', message: expect.stringContaining('Only an import can be reverted with') },
      ]);
    }
    expect(codes(await call('POST', '/change-sets/zzzzzzzz/revert', FORCE))).toEqual([404, 'NOT_FOUND']);
  });

  test('rows that people have deleted since are not counted', async () => {
    const taken = await load();
    await workOnTwo();
    await done('DELETE', `/transactions/${(await named('COFFEE')).id}`);
    expect((await revert(taken, FORCE)).json).toMatchObject({
      reverted_count: 2,
      deleted_count: 2,
      restored_count: 0,
      worked_on_count: 1,
      import: { status: 'reverted' },
    });
    expect((await load()).json.import.counts).toMatchObject({ added: 2, deleted: 1 });
  });

  test('a row that a later import lists stays, forced or not, until that import is reverted', async () => {
    const file = (name: string, amount: string): string =>
      `Date,Description,Amount,Transaction ID\n2026-02-02,${name},${amount},r1\n2026-02-05,FUEL,-40.00,r2\n`;
    const taken = await load(file('COFFEE', '-3.50'));
    await categorize(await named('COFFEE'), CAFE);
    const later = await load(file('COFFEE HOUSE', '-3.60'));
    expect(later.json.import.counts).toMatchObject({ updated: 1, duplicate: 1 });
    const forced = await revert(taken, FORCE);
    expect(forced.json).toMatchObject({ deleted_count: 0, kept_count: 2, import: { status: 'reverted' } });
    expect((await named('COFFEE HOUSE')).category?.slug).toBe(CAFE);
    expect((await revert(later, FORCE)).json).toMatchObject({ deleted_count: 2, import: { status: 'reverted' } });
    expect(await listed()).toEqual([]);
  });

  test('rows that an import restored are treated like those it added', async () => {
    const taken = await load();
    await revert(taken);
    await cafeRule(CAFE);
    const again = await load();
    expect(again.json.import.counts).toMatchObject({ added: 3 });
    for (const row of await listed()) await call('DELETE', `/transactions/${row.id}/tags/needs-review`);
    const coffee = await named('COFFEE');
    await categorize(coffee, CAFE);
    await done('POST', `/transactions/${coffee.id}/flag`);
    expect((await revert(again, { dry_run: true })).json).toMatchObject({ deleted_count: 3, worked_on_count: 0 });

    await categorize(coffee, FLIGHTS);
    await done('POST', `/transactions/${(await named('FUEL')).id}/comments`, { body: 'For the van' });
    await done('DELETE', `/transactions/${(await named('RENT')).id}`);
    const worked = await seen();
    expect((await revert(again)).json.error).toMatchObject({ conflict_count: 2, worked_on_count: 2 });
    const rehearsed = await revert(again, { ...FORCE, dry_run: true });
    const forced = await revert(again, FORCE);
    const counts = { reverted_count: 2, deleted_count: 2, restored_count: 0, worked_on_count: 2 };
    expect(rehearsed.json).toMatchObject(counts);
    expect(forced.json).toMatchObject({ ...counts, import: { status: 'reverted' } });
    expect(await listed()).toEqual([]);
    expect((await revertSet(forced)).json).toMatchObject({ reverted_count: 2 });
    expect(await seen()).toEqual(worked);
    expect(await statusOf(again)).toBe('completed');
  });

  test('a row entered by hand that the file took over stays, with what people decided about it', async () => {
    const account = (await done('POST', '/accounts', { name: 'Checking', iso_currency_code: 'EUR' })).json;
    const body = { account_id: account.id, date: '2026-02-02', name: 'Coffee', amount: '3.50', category_slug: CAFE };
    const entered = await done('POST', '/transactions', body);
    const taken = await load(FILE, { account_name: undefined, account_id: account.id, sign: 'positive_is_in' });
    expect(taken.json.import.counts).toMatchObject({ added: 2, duplicate: 1 });
    await categorize(await named('FUEL'), FLIGHTS);
    expect((await revert(taken, FORCE)).json).toMatchObject({ deleted_count: 2, import: { status: 'reverted' } });
    expect(await listed()).toMatchObject([{ id: entered.json.id, category: { slug: CAFE } }]);
  });

  test('a review of a row entered by hand is not a conflict, as for rows from a file', async () => {
    const account = (await done('POST', '/accounts', { name: 'Cash', iso_currency_code: 'EUR' })).json;
    const entered = await done('POST', '/transactions', {
      account_id: account.id,
      date: '2026-02-02',
      name: 'Coffee',
      amount: '3.50',
      tags: ['needs-review'],
    });
    await done('POST', `/transactions/${entered.json.id}/flag`);
    await done('DELETE', `/transactions/${entered.json.id}/tags/needs-review`);
    await categorize(entered.json, null);
    const reviewed = await seen();
    const decided = await categorize(entered.json, CAFE);
    const refused = await revertSet(entered);
    expect(codes(refused)).toEqual([409, 'REVERT_CONFLICT']);
    expect(refused.json.error.message).not.toContain('force');
    await revertSet(decided);
    const undone = await revertSet(entered);
    expect(undone.status, undone.text).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await revertSet(undone)).status).toBe(200);
    expect(await seen()).toEqual(reviewed);
  });

  test('the rows of a large import that people worked on are counted completely', async () => {
    const count = 2_100;
    const file = csvOf(...Array.from({ length: count }, (_, index) => `2026-02-02 SHOP-${index} -1.00`));
    const taken = await load(file);
    const ids = (await listed()).map(({ id }) => id);
    const body = { transaction_ids: ids.slice(0, 120), category_slug: CAFE };
    await done('POST', '/transactions/batch-categorize', body);
    const { error } = (await revert(taken)).json;
    expect([error.details.length, error.conflict_count, error.worked_on_count]).toEqual([100, 120, 120]);
    expect((await revert(taken, FORCE)).json).toMatchObject({ deleted_count: count, worked_on_count: 120 });
  });
});
