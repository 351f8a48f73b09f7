import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Made } from '../../../../test/harness/ledger.ts';
import { setLimit } from '../../../../test/harness/limits.ts';
import { anyTree, plainActions, row as anyRow } from '../../../../test/harness/rules/random-rules.ts';
import { storedWorld } from '../../../../test/harness/rules/stored-world.ts';
import { allRows, rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const ROWS = 16;
const RUNS = 6;
/** Tables that requests write and that are not part of the ledger. */
const TRACES = ['api_key_uses'];

const definition = fc.record({
  name: fc.constant('Rule'),
  condition: anyTree,
  actions: plainActions,
  overwrite_manual: fc.boolean(),
});

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

type Records = ReadonlyMap<string, Answer['json']>;

async function recordsOf(app: TestApp): Promise<Records> {
  const { transactions } = (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json;
  return new Map(transactions.map((one: Made) => [one.id, one]));
}

/** The difference between two states of a transaction, as a preview shows it, without comments. */
function changesBetween(before: Answer['json'], after: Answer['json']): Change[] {
  const metadata = (of: Answer['json'], key: string): unknown =>
    Object.hasOwn(of.metadata, key) ? { value: of.metadata[key] } : null;
  const keys = new Set([...Object.keys(before.metadata), ...Object.keys(after.metadata)]);
  const slugs = new Set<string>([...before.tags, ...after.tags]);
  const pairs: [string, (of: Answer['json']) => unknown][] = [
    ['category', (of) => of.category?.slug ?? null],
    ['category_source', (of) => of.category_source],
    ['series', (of) => of.series_id],
    ['counterparty', (of) => of.counterparty_id],
    ...[...slugs].map((slug): [string, (of: Answer['json']) => unknown] => [
      `tag:${slug}`,
      (of) => of.tags.includes(slug) || null,
    ]),
    ...[...keys].map((key): [string, (of: Answer['json']) => unknown] => [
      `metadata.${key}`,
      (of) => metadata(of, key),
    ]),
    ['flagged', (of) => of.flagged_at !== null],
  ];
  const all = pairs.map(([field, of]) => ({ field, before: of(before), after: of(after) }));
  return inOrder(all.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)));
}

function inOrder(changes: readonly Change[]): Change[] {
  const id = (value: unknown): unknown => (value as { id?: unknown } | null)?.id ?? value;
  return changes
    .filter(({ field }) => field !== 'comment')
    .map((one) => ({ ...one, before: id(one.before), after: id(one.after) }))
    .sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** Every stored transaction without its stamp, and its tags. */
async function ledgerOf(app: TestApp): Promise<unknown> {
  const { database } = app.app.instance;
  const rows = await rowsOf(database, 'select * from transactions order by id');
  const tags = await rowsOf(database, 'select * from transaction_tags order by transaction_id, tag_id');
  return [rows.map(({ updated_at: _stamp, ...rest }) => rest), tags];
}

const differing = (before: Records, after: Records): Map<string, Change[]> =>
  new Map(
    [...before].flatMap(([id, was]): [string, Change[]][] => {
      const changes = changesBetween(was, after.get(id));
      return changes.length === 0 ? [] : [[id, changes]];
    }),
  );

forEachDatabase((database) => {
  test('preview, dry run, explanation and run of a rule agree row by row, and a revert restores every row', async () => {
    const app = await database.open();
    const world = await storedWorld(app);
    await world.store(fc.sample(anyRow, { numRuns: ROWS, seed: 11 }));
    setLimit('ruleChunkRows', 3);
    await fc.assert(
      fc.asyncProperty(definition, async (drawn) => {
        const body = world.named(drawn);
        const made = await app.request('POST', '/api/v1/rules', { body });
        expect(made.status, made.text).toBe(201);
        const path = `/api/v1/rules/${made.json.id}`;
        const before = await recordsOf(app);
        const stored = await ledgerOf(app);
        const untouched = [...TRACES, 'jobs'];
        const rows = await allRows(app.app.instance.database, untouched);
        const preview = (await app.request('POST', '/api/v1/rules/preview', { body: { ...body, sample_size: 50 } }))
          .json;
        const dry = (await app.request('POST', `${path}/apply`, { body: { dry_run: true } })).json;
        const explained = new Map<string, Answer['json']>();
        for (const id of before.keys()) {
          const query = { rule_id: made.json.id };
          explained.set(id, (await app.request('GET', `/api/v1/transactions/${id}/explain`, { query })).json);
        }
        expect(await allRows(app.app.instance.database, untouched)).toEqual(rows);

        const done = (await app.request('POST', `${path}/apply`, { body: {} })).json;
        const actual = differing(before, await recordsOf(app));
        const samples = preview.sample_matches as { transaction: Made; changes: Change[]; skipped: unknown[] }[];
        const previewed = samples.map(({ transaction, changes }): [string, Change[]] => [
          transaction.id,
          inOrder(changes),
        ]);
        expect(new Map(previewed.filter(([, changes]) => changes.length > 0))).toEqual(actual);
        for (const { transaction } of samples) expect(transaction).toEqual(before.get(transaction.id));
        for (const [id, { rules, would_change: would }] of explained) {
          expect(inOrder(would)).toEqual(actual.get(id) ?? []);
          expect(rules[0].matches).toBe(samples.some(({ transaction }) => transaction.id === id));
          const sample = samples.find(({ transaction }) => transaction.id === id);
          if (sample) expect(would).toEqual(sample.changes);
        }
        const counts = {
          matched_count: preview.match_count,
          affected_count: preview.change_count,
          skipped_count: preview.skipped_count,
          total_scanned: ROWS,
        };
        expect(done).toMatchObject(counts);
        expect(dry).toMatchObject({ ...counts, sample_matches: samples.slice(0, 10) });
        expect((await app.request('POST', `${path}/apply`, { body: {} })).json.affected_count).toBe(0);

        if (done.change_set_id !== null) {
          const undo = await app.request('POST', `/api/v1/change-sets/${done.change_set_id}/revert`, { body: {} });
          expect(undo.status, undo.text).toBe(200);
        }
        expect(await ledgerOf(app)).toEqual(stored);
        await app.request('DELETE', path);
      }),
      { numRuns: RUNS },
    );
  });

  test('all rules together do what the explanations say, whatever the size of a chunk', async () => {
    const app = await database.open();
    const world = await storedWorld(app);
    await world.store(fc.sample(anyRow, { numRuns: ROWS, seed: 12 }));
    const several = fc.array(
      fc.tuple(definition, fc.record({ stop: fc.boolean(), priority: fc.integer({ min: 0, max: 2 }) })),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(several, fc.integer({ min: 1, max: ROWS + 1 }), async (drawn, size) => {
        const rules = drawn.map(([rule, more]) => ({ ...world.named(rule), ...more }));
        const { json: batch } = await app.request('POST', '/api/v1/rules/batch', { body: { rules } });
        const before = await recordsOf(app);
        const stored = await ledgerOf(app);
        const would = new Map<string, Change[]>();
        for (const id of before.keys()) {
          const { json } = await app.request('GET', `/api/v1/transactions/${id}/explain`);
          const changes = inOrder(json.would_change);
          if (changes.length > 0) would.set(id, changes);
        }
        const run = async (): Promise<[Answer['json'], unknown]> => {
          const { json } = await app.request('POST', '/api/v1/rules/apply-all', { body: {} });
          expect(differing(before, await recordsOf(app))).toEqual(would);
          const after = await ledgerOf(app);
          const undo = `/api/v1/change-sets/${json.change_set_id}/revert`;
          if (json.change_set_id !== null) await app.request('POST', undo, { body: {} });
          expect(await ledgerOf(app)).toEqual(stored);
          return [json, after];
        };
        const { json: dry } = await app.request('POST', '/api/v1/rules/apply-all', { body: { dry_run: true } });
        setLimit('ruleChunkRows', size);
        const [inChunks, first] = await run();
        setLimit('ruleChunkRows', 1_000);
        const [atOnce, second] = await run();
        expect(first).toEqual(second);
        for (const json of [inChunks, atOnce]) {
          expect([json.matched_count, json.skipped_count]).toEqual([dry.matched_count, dry.skipped_count]);
          expect(json.rules_applied).toEqual(dry.rules_applied);
        }
        expect([inChunks.affected_count, inChunks.rules]).toEqual([dry.affected_count, dry.rules]);
        for (const { id } of batch.rules as Made[]) await app.request('DELETE', `/api/v1/rules/${id}`);
      }),
      { numRuns: RUNS },
    );
  });
});
