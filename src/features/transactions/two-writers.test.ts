import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Change {
  operation: string;
  before: Fields | null;
  after: Fields | null;
}

const SLUGS = ['travel', 'travel_flights', 'food_and_drink_coffee', 'food_and_drink_groceries', 'income'];

forEachDatabase((database) => {
  /** A ledger with some rows, and two servers on it where the database may have two. */
  async function servers(rows = 1): Promise<{ app: TestApp; both: readonly [TestApp, TestApp]; rows: Made[] }> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const made = await addTransactions(
      app,
      Array.from({ length: rows }, (_, index) => ({
        account,
        date: '2026-04-01',
        amount_cents: 100,
        name: `Shop ${index}`,
      })),
    );
    return { app, both: [app, database.name === 'SQLite' ? app : await app.again()], rows: made };
  }
  const record = async (app: TestApp, { id }: Made) => (await app.request('GET', `/api/v1/transactions/${id}`)).json;
  const idOf = async (app: TestApp, slug: string): Promise<string> =>
    (await app.request('GET', '/api/v1/categories')).json.find((one: { slug: string }) => one.slug === slug).id;
  const countIn = async (app: TestApp, id: string): Promise<number> =>
    (await app.request('GET', '/api/v1/transactions/count', { query: { category_id: id } })).json.count;

  /** Every change of a transaction, in no certain order. */
  async function changesOf(app: TestApp, { id }: Made): Promise<Change[]> {
    const query = { transaction_id: id, limit: 500 };
    const { change_sets: sets } = (await app.request('GET', '/api/v1/change-sets', { query })).json;
    const pages = await Promise.all(
      sets.map((set: Made) => app.request('GET', `/api/v1/change-sets/${set.id}`, { query: { limit: 500 } })),
    );
    return pages.flatMap((page: Answer) =>
      page.json.changes.filter((one: Fields) => one['entity_id'] === id && one['operation'] === 'update'),
    );
  }

  test('two callers that write one transaction at once lose nothing', async () => {
    const { app, both, rows } = await servers();
    const [row] = rows as [Made];
    const at = `/api/v1/transactions/${row.id}`;
    const words = Array.from({ length: 8 }, (_, index) => `w${index}`);
    const answers = await Promise.all(
      words.flatMap((word, index) => {
        const [one, other] = index % 2 === 0 ? both : [...both].reverse();
        return [
          one?.request('POST', `${at}/tags`, { body: { slug: word } }),
          other?.request('PATCH', `${at}/metadata`, { body: { set: { [word]: index } } }),
          one?.request('POST', `${at}/comments`, { body: { body: word } }),
        ];
      }),
    );
    const flagged = await Promise.all(both.map((server) => server.request('POST', `${at}/flag`, { body: {} })));
    for (const answer of [...answers, ...flagged]) expect(answer?.status).toBeLessThan(300);
    const after = await record(app, row);
    expect(after.tags).toEqual(words);
    expect(after.metadata).toEqual(Object.fromEntries(words.map((word, index) => [word, index])));
    expect(after.comment_count ?? words.length).toBe(words.length);
    const sets = answers.map((answer) => answer?.headers['x-change-set-id']);
    expect(new Set(sets).size).toBe(answers.length);
    expect(flagged.filter((answer) => answer.headers['x-change-set-id'] !== undefined)).toHaveLength(1);
  });

  test('concurrent choices follow one another: each starts where another ended', async () => {
    const { app, both, rows } = await servers();
    const [row] = rows as [Made];
    const path = `/api/v1/transactions/${row.id}/category`;
    const answers = await Promise.all(
      SLUGS.flatMap((slug) => both.map((server) => server.request('PATCH', path, { body: { category_slug: slug } }))),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    const written = answers.filter(({ headers }) => headers['x-change-set-id'] !== undefined);
    const changes = await changesOf(app, row);
    expect(changes).toHaveLength(written.length);
    const last = (await record(app, row)).category.id;
    // Every value is left as often as it is reached, but for the first and the last: the choices form one chain.
    const balance = new Map<unknown, number>([[null, 0]]);
    const add = (value: unknown, by: number) => balance.set(value, (balance.get(value) ?? 0) + by);
    for (const { before, after } of changes) {
      add(before?.['category_id'] ?? null, 1);
      add(after?.['category_id'], -1);
    }
    expect(new Map([...balance].filter(([, count]) => count !== 0))).toEqual(
      new Map<unknown, number>([
        [null, 1],
        [last, -1],
      ]),
    );
  });

  test('of edits that expect the same state of a transaction, the first is written and the others are refused', async () => {
    const { app, both, rows } = await servers();
    const [row] = rows as [Made];
    for (let round = 0; round < 4; round += 1) {
      const { updated_at: expected } = await record(app, row);
      for (const server of both) server.clock.advance(1_000);
      const words = Array.from({ length: 6 }, (_, index) => `r${round}-${index}`);
      const answers = await Promise.all(
        words.map((word, index) =>
          (both[index % 2] as TestApp).request('POST', '/api/v1/transactions/update', {
            body: {
              operations: [{ transaction_id: row.id, expected_updated_at: expected, metadata_set: { word } }],
              on_error: index < 3 ? 'continue' : 'abort',
            },
          }),
        ),
      );
      const outcomes = answers.map(({ json }) => (json.results ?? json.error.results)[0]);
      const won = outcomes.findIndex(({ status }) => status === 'ok');
      expect(outcomes.map(({ error }) => error?.code ?? null)).toEqual(
        words.map((_, index) => (index === won ? null : 'PRECONDITION_FAILED')),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        words.map((_, index) => (index < 3 || index === won ? 200 : 422)),
      );
      expect((await record(app, row)).metadata).toEqual({ word: words[won] });
    }
  });

  test('a category merged away during a batch is on no row afterwards', async () => {
    const { app, both, rows } = await servers(40);
    const target = await idOf(app, 'travel');
    const ids = rows.map(({ id }) => id);
    for (let round = 0; round < 6; round += 1) {
      const made = await app.request('POST', '/api/v1/categories', { body: { name: `Passing ${round}` } });
      const source = String(made.json.id);
      const batch = () =>
        both[0].request('POST', '/api/v1/transactions/batch-categorize', {
          body: { transaction_ids: ids, category_id: source },
        });
      const merge = () =>
        both[1].request('POST', `/api/v1/categories/${target}/merge`, { body: { from_category_id: source } });
      const [first, second] = await Promise.all(round % 2 === 0 ? [batch(), merge()] : [merge(), batch()]);
      const [batched, merged] = round % 2 === 0 ? [first, second] : [second, first];
      expect(merged.status).toBe(200);
      expect([200, 400]).toContain(batched.status);
      const moved = batched.status === 200;
      const all = moved ? rows.length : 0;
      expect([await countIn(app, target), merged.json.moved.transactions]).toEqual([all, all]);
      if (!moved) expect(batched.json.error.code).toBe('INVALID_PARAMETER');
      const clear = { transaction_ids: ids, category_id: null };
      await app.request('POST', '/api/v1/transactions/batch-categorize', { body: clear });
    }
  });

  test('a counterparty merged away while rows are linked to it is on no row afterwards', async () => {
    const { app, both, rows } = await servers(20);
    const make = async (name: string): Promise<Made> =>
      (await app.request('POST', '/api/v1/counterparties', { body: { name } })).json;
    const target = await make('Target');
    for (let round = 0; round < 6; round += 1) {
      const source = await make(`Source ${round}`);
      const body = { transaction_ids: rows.map(({ id }) => id) };
      const link = () => both[0].request('POST', `/api/v1/counterparties/${source.id}/transactions`, { body });
      const merge = () =>
        both[1].request('POST', `/api/v1/counterparties/${target.id}/merge`, {
          body: { from_counterparty_id: source.id },
        });
      const [first, second] = await Promise.all(round % 2 === 0 ? [link(), merge()] : [merge(), link()]);
      const [linked, merged] = round % 2 === 0 ? [first, second] : [second, first];
      expect([merged.status, [200, 409].includes(linked.status)]).toEqual([200, true]);
      const bound = (await record(app, rows[0] as Made)).counterparty_id;
      expect(bound).toBe(linked.status === 200 ? target.id : null);
      for (const { id } of rows) {
        await app.request('DELETE', `/api/v1/counterparties/${target.id}/transactions/${id}`);
      }
    }
  });
});
