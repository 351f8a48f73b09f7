import fc from 'fast-check';
import { expect, test } from 'vitest';

import { importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

type Plain = Readonly<Record<string, unknown>>;

const ALL = ['sync', 'create', 'retroactive', 'manual'];
const SLUGS = ['food_and_drink_coffee', 'food_and_drink_groceries', 'travel'];
const TAGS = ['a', 'b', 'c'];
const RUNS = { SQLite: 25, PostgreSQL: 10 };

const word = fc.constantFrom('coffee', 'CAFE', 'fuel', 'bar', 'corner');
const one = fc.constant<string>;
const leaf: fc.Arbitrary<Plain> = fc.oneof(
  fc.record({ field: one('name'), op: fc.constantFrom('contains', 'starts_with', 'not_contains'), value: word }),
  fc.record({ field: one('amount'), op: fc.constantFrom('gt', 'lte'), value: fc.integer({ min: -20, max: 20 }) }),
  fc.record({ field: one('category'), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom(...SLUGS) }),
  fc.record({ field: one('tags'), op: fc.constantFrom('contains', 'not_contains'), value: fc.constantFrom(...TAGS) }),
  fc.record({ field: one('metadata.k'), op: fc.constantFrom('exists', 'not_exists') }),
  fc.record({ field: fc.constantFrom('in_series', 'has_counterparty'), op: one('eq'), value: fc.boolean() }),
  fc.record({ field: one('day_of_month'), op: one('lte'), value: fc.integer({ min: 1, max: 6 }) }),
);
const condition: fc.Arbitrary<Plain> = fc.oneof(
  leaf,
  fc.constant({}),
  fc.record({ and: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
  fc.record({ or: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
  fc.record({ not: leaf }),
);
const action: fc.Arbitrary<Plain> = fc.oneof(
  fc.record({ type: one('set_category'), category_slug: fc.constantFrom(...SLUGS) }),
  fc.record({ type: fc.constantFrom('add_tag', 'remove_tag'), tag_slug: fc.constantFrom(...TAGS) }),
  fc.record({ type: one('assign_series'), series_id: fc.constantFrom('series 0', 'series 1') }),
  fc.record({ type: one('assign_counterparty'), counterparty_id: fc.constantFrom('party 0', 'party 1') }),
  fc.record({ type: one('set_metadata'), metadata_key: one('k'), metadata_value: fc.constantFrom(1, 'v', true) }),
  fc.record({ type: one('remove_metadata'), metadata_key: one('k') }),
  fc.record({ type: fc.constantFrom('flag', 'unflag') }),
  fc.record({ type: one('add_comment'), content: word }),
);
const rule = fc.record({
  condition,
  actions: fc.uniqueArray(action, { minLength: 1, maxLength: 3, selector: facetOf }),
  priority: fc.integer({ min: 0, max: 2 }),
  stop: fc.boolean(),
});
const row = fc
  .record({
    day: fc.integer({ min: 1, max: 9 }),
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    amount: fc.integer({ min: -30, max: 30 }),
    category: fc.constantFrom('', '', 'Groceries', 'Travel'),
    tags: fc.constantFrom('', '', 'a', 'b;c'),
    note: fc.constantFrom('', '', 'gift'),
  })
  .map(({ day, words, amount, category, tags, note }) =>
    [`2026-02-0${day}`, words.join(' '), `${amount}.00`, 'EUR', category, tags, note].join(','),
  );

const fileOf = (rows: readonly string[]): string =>
  ['Date,Description,Amount,Currency,Category,Tags,Notes', ...rows, ''].join('\n');

function facetOf({ type, tag_slug: slug }: Plain): string {
  if (typeof slug === 'string') return `tag:${slug}`;
  return String(type).replace(/^(set_|remove_|un|add_|assign_)/, '');
}

forEachDatabase((database) => {
  /** What rules left on the rows of an import, by line. */
  async function leftBy(app: TestApp, importId: string): Promise<unknown[]> {
    const get = async (path: string, query = {}) => (await app.request('GET', `/api/v1${path}`, { query })).json;
    const { rows } = await get(`/imports/${importId}/rows`, { limit: 500 });
    const found: unknown[] = [];
    for (const { transaction_id: id } of rows as { transaction_id: string }[]) {
      const { category, category_source, tags, series_id, counterparty_id, metadata, flagged_at } = await get(
        `/transactions/${id}`,
      );
      const comments = ((await get(`/transactions/${id}/comments`)) as Plain[]).map((comment) => [
        comment['author_id'],
        comment['body'],
      ]);
      const entries = ((await get(`/transactions/${id}/annotations`)) as Plain[])
        .filter((entry) => entry['source'] === 'rule')
        .map((entry) => [entry['kind'], entry['rule_id'], entry['payload']])
        .map((entry) => JSON.stringify(entry).replace(/"(flagged_at|comment_id)":"[^"]*",?/g, ''))
        .sort();
      const isFlagged = flagged_at !== null;
      const facets = { category, category_source, tags, series_id, counterparty_id, metadata, isFlagged };
      found.push({ ...facets, comments, entries });
    }
    return found;
  }

  test('rules have the same effect on new rows as on the same rows later', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const post = async (path: string, body: object) => (await app.request('POST', `/api/v1${path}`, { body })).json;
    const { rules: seeded } = (await app.request('GET', '/api/v1/rules')).json;
    for (const { id } of seeded) await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
    for (const slug of TAGS) await post('/tags', { slug, name: slug });
    const ids = new Map<unknown, string>();
    for (const index of [0, 1]) {
      ids.set(`series ${index}`, ((await post('/series', { name: `S${index}`, type: 'other' })) as Made).id);
      ids.set(`party ${index}`, ((await post('/counterparties', { name: `P${index}` })) as Made).id);
    }
    const withIds = (given: Plain): Plain =>
      Object.fromEntries(Object.entries(given).map(([key, value]) => [key, ids.get(value) ?? value]));
    let round = 0;
    const files = fc.array(row, { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 5 }), files, async (rules, rows) => {
      round += 1;
      const made: string[] = [];
      for (const [index, one] of rules.entries()) {
        const actions = one.actions.map(withIds);
        const answer = await post('/rules', { ...one, name: `Rule ${index}`, triggers: ALL, actions });
        made.push(answer.id);
      }
      const hits = async (): Promise<number[]> =>
        Promise.all(made.map(async (id) => (await app.request('GET', `/api/v1/rules/${id}`)).json.hit_count));
      const load = async (name: string, fields: object): Promise<string> => {
        app.clock.advance(1_000);
        const done = await importFile(app, fileOf(rows), {
          account_name: `${name} ${round}`,
          sign: 'positive_is_in',
          import_tags: true,
          import_notes: true,
          ...fields,
        });
        expect(done.status).toBe(201);
        return done.json.import.id;
      };
      const first = await load('With rules', {});
      const [ingested, counted] = [await leftBy(app, first), await hits()];
      await post(`/imports/${first}/revert`, {});
      const second = await load('Without', { run_rules: false });
      app.clock.advance(1_000);
      await post('/rules/apply-all', {});
      expect(await leftBy(app, second)).toEqual(ingested);
      expect(await hits()).toEqual(counted.map((count) => 2 * count));
      await post(`/imports/${second}/revert`, {});
      for (const id of made) await app.request('DELETE', `/api/v1/rules/${id}`);
    });
    await fc.assert(property, { numRuns: RUNS[database.name] });
  }, 60_000);
});
