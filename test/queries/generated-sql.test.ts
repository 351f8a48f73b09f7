import { beforeAll, expect, test } from 'vitest';

import { expectGoldenText } from '../harness/golden.ts';
import { recordSql, type LedgerSize, type SqlRecorder } from '../harness/databases/recorded-sql.ts';
import { sampleLedger, type World } from '../harness/ledgers/sample-ledger.ts';
import { forEachDatabase, type RequestOptions } from '../harness/test-app.ts';

/**
 * The SQL of the queries whose speed depends on how they are written. No test sees when a changed text takes another
 * index; the difference in the golden file does, and is read by whoever changes it.
 */
interface Case {
  path: string;
  query?: NonNullable<RequestOptions['query']>;
  body?: unknown;
  ledgers: readonly LedgerSize[];
}

const LIST = '/api/v1/transactions';
const BOTH = ['small', 'large'] as const;

const casesOf = (world: World): readonly Case[] => [
  { path: LIST, query: { fields: 'amount,pending,category,tags,metadata' }, ledgers: ['small'] },
  { path: LIST, query: { order: 'asc', date_from: '2025-01-14' }, ledgers: ['small'] },
  { path: LIST, query: { account_id: world.usd.id }, ledgers: ['small'] },
  { path: LIST, query: { account_id: [world.usd.id, world.eur.id] }, ledgers: ['small'] },
  { path: LIST, query: { category_slug: 'food_and_drink' }, ledgers: ['small'] },
  { path: LIST, query: { search: 'coffee' }, ledgers: BOTH },
  { path: LIST, query: { search: 'coffee star', search_mode: 'words' }, ledgers: BOTH },
  { path: LIST, query: { search: 'starbuks', search_mode: 'fuzzy' }, ledgers: ['small'] },
  { path: LIST, query: { search: 'co' }, ledgers: ['small'] },
  { path: LIST, query: { exclude_search: 'coffee' }, ledgers: ['small'] },
  { path: LIST, query: { tag: 'review', amount_abs_min: '5.00' }, ledgers: BOTH },
  { path: LIST, query: { tags_all: 'review,shopping', tags_none: 'needs-review' }, ledgers: BOTH },
  { path: LIST, query: { counterparty_id: world.cafe.id, amount_min: '-5.00' }, ledgers: BOTH },
  { path: LIST, query: { has_comment: true }, ledgers: BOTH },
  { path: LIST, query: { has_comment: false }, ledgers: ['small'] },
  { path: LIST, query: { flagged: true }, ledgers: BOTH },
  { path: LIST, query: { pending: true }, ledgers: BOTH },
  { path: LIST, query: { uncategorized: true, user_id: world.ana.id }, ledgers: ['small'] },
  { path: LIST, query: { updated_since: '2026-04-26T00:00:00Z' }, ledgers: BOTH },
  { path: LIST, query: { deleted: true }, ledgers: BOTH },
  { path: LIST, query: { sort: 'amount', limit: 5 }, ledgers: ['small'] },
  { path: LIST, query: { sort: 'amount', tag: 'review' }, ledgers: ['small'] },
  { path: LIST, query: { sort: 'name', limit: 5 }, ledgers: ['small'] },
  { path: LIST, query: { sort: 'name', search: 'coffee' }, ledgers: ['small'] },
  { path: `${LIST}/count`, ledgers: ['small'] },
  { path: `${LIST}/count`, query: { search: 'coffee', tag: 'review' }, ledgers: BOTH },
  { path: `${LIST}/summary`, query: { group_by: 'category' }, ledgers: ['small'] },
  { path: `${LIST}/summary`, query: { group_by: 'category_month', date_from: '2025-01-14' }, ledgers: BOTH },
  { path: `${LIST}/summary`, query: { group_by: 'day', include_pending: true }, ledgers: ['small'] },
  { path: `${LIST}/summary`, query: { group_by: 'tag', spending_only: true }, ledgers: ['small'] },
  { path: `${LIST}/summary`, query: { group_by: 'tag', date_from: '2025-01-14' }, ledgers: BOTH },
  { path: `${LIST}/summary`, query: { group_by: 'user', excluded_accounts: 'include' }, ledgers: ['small'] },
  { path: `${LIST}/merchants`, ledgers: ['small'] },
  { path: `${LIST}/merchants`, query: { category_slug: 'food_and_drink', spending_only: true }, ledgers: BOTH },
  { path: `${LIST}/export`, query: { search: 'coffee' }, ledgers: BOTH },
  { path: `${LIST}/export`, query: { category_slug: 'food_and_drink' }, ledgers: ['large'] },
  {
    path: `${LIST}/bulk-recategorize`,
    body: { filter: { search: 'coffee' }, target_category_id: 'travel', dry_run: true },
    ledgers: BOTH,
  },
  { path: '/api/v1/tags', ledgers: ['small'] },
  { path: '/api/v1/overview', ledgers: ['small'] },
  { path: '/api/v1/overview', query: { user_id: world.ana.id }, ledgers: ['small'] },
  { path: '/api/v1/overview/history', query: { date_from: '2025-01-14', date_to: '2025-03-01' }, ledgers: ['small'] },
];

const HINTED_TABLES = /\b(transactions|texts|transaction_tags|monthly_totals|merchant_totals)\b/;

forEachDatabase((database) => {
  let world: World;
  let recorder: SqlRecorder;
  beforeAll(async () => {
    world = await sampleLedger(await database.open());
    recorder = recordSql(world.app);
  });

  test('the SQL of queries with planner hints is the SQL that was reviewed', async () => {
    const sections: string[] = [];
    for (const { path, query, body, ledgers } of casesOf(world)) {
      for (const ledger of ledgers) {
        const method = body === undefined ? 'GET' : 'POST';
        const request =
          body === undefined ? { query: path === LIST ? { fields: 'id', ...query } : (query ?? {}) } : { body };
        const texts = await recorder.during(async () => {
          const answer = await world.app.request(method, path, request);
          expect([path, answer.status], answer.text).toEqual([path, 200]);
        }, ledger);
        const shown = `${method} ${path} ${JSON.stringify(query ?? body ?? {}).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')}`;
        const queries = texts.filter((text) => HINTED_TABLES.test(text)).map((text) => `${laidOut(text)};\n`);
        sections.push([`-- ${shown}, ${ledger} ledger\n`, ...queries].join('\n'));
      }
    }
    expectGoldenText(`sql/transactions.${database.name.toLowerCase()}.sql`, sections.join('\n'));
  });
});

/** A line per clause, indented by its depth in parentheses, so that a difference is small. */
function laidOut(sql: string): string {
  const clauses =
    /\s(?=(?:from|where|group by|having|order by|limit|union|(?:cross |left )?join|and) )(?<!(?:cross|left) )/;
  let depth = 0;
  const lines = sql.trim().replaceAll(/\s+/g, ' ').split(clauses);
  return lines
    .map((line, index) => {
      const indent = '  '.repeat(depth + (index === 0 ? 0 : 1));
      depth += line.split('(').length - line.split(')').length;
      return indent + line;
    })
    .join('\n');
}
