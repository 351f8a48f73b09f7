import { beforeAll, expect, test } from 'vitest';

import { askTool } from '../../test/harness/agents/agents.ts';
import { csvOf, takeFile } from '../../test/harness/bank-files/bank-files.ts';
import { addMember, addTag, categoryBySlug, type Made } from '../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';

const TEA = 'food_and_drink_coffee';

/** Another form of each id, and what a list calls its rows. */
interface Case {
  path: string;
  rows: string;
  filter: string;
  forms: readonly string[];
}

forEachDatabase((database) => {
  let app: TestApp;
  let cases: Case[];

  beforeAll(async () => {
    app = await database.open();
    const ana = await addMember(app, 'Ana');
    const first = await takeFile(app, csvOf('2026-04-01 Tea -1.00', '2026-04-02 Tea -2.00', '2026-04-03 Tea -3.00'));
    await takeFile(app, csvOf('2026-04-04 Tea -4.00'));
    const list = async (path: string, name: string) => (await app.request('GET', `/api/v1${path}`)).json[name];
    const { id: accountId } = (await app.request('GET', '/api/v1/accounts')).json[0];
    const account = (await app.request('GET', `/api/v1/accounts/${accountId}`)).json as Made;
    const category = await categoryBySlug(app, TEA);
    const tag = await addTag(app, 'warm');
    const operations = ((await list('/transactions', 'transactions')) as Made[]).map(({ id }) => ({
      transaction_id: id,
      category_slug: TEA,
      tags_to_add: ['warm'],
    }));
    await app.request('POST', '/api/v1/transactions/update', { body: { operations } });
    const rule = {
      condition: { field: 'name', op: 'eq', value: 'x' },
      actions: [{ type: 'add_tag', tag_slug: 'warm' }],
    };
    for (const name of ['One', 'Two']) await app.request('POST', '/api/v1/rules', { body: { ...rule, name } });
    const { id: keyId, short_id: keyShort, key } = await app.newKey({ name: 'Desk', scope: 'read_only' });
    for (let n = 0; n < 2; n += 1) await askTool(app, 'list_tags', {}, { key });
    const both = ({ id, short_id: short }: Made): string[] => [id, short];
    const inTransactions = (filter: string, forms: readonly string[]): Case => ({
      path: '/transactions',
      rows: 'transactions',
      filter,
      forms,
    });
    cases = [
      inTransactions('account_id', both(account)),
      inTransactions('user_id', both(ana)),
      inTransactions('import_id', both(first as Made)),
      inTransactions('category_id', [...both(category), TEA]),
      inTransactions('tag', [...both(tag), 'warm']),
      { path: '/change-sets', rows: 'change_sets', filter: 'transaction_id', forms: both(await firstRow()) },
      { path: '/imports', rows: 'imports', filter: 'account_id', forms: both(account) },
      { path: '/rules', rows: 'rules', filter: 'tag', forms: [...both(tag), 'warm'] },
      { path: '/mcp-calls', rows: 'mcp_calls', filter: 'api_key_id', forms: [keyId, keyShort] },
    ];
  });

  const firstRow = async (): Promise<Made> =>
    (await app.request('GET', '/api/v1/transactions?sort=date&order=asc&limit=1')).json.transactions[0] as Made;

  test('a cursor goes on whatever form of an id the filter has, and not with another row', async () => {
    for (const { path, rows, filter, forms } of cases) {
      for (const form of forms) {
        const asked = `/api/v1${path}?${filter}=${form}&limit=1`;
        const page = (await app.request('GET', asked)).json;
        expect([path, filter, page[rows]?.length, page.has_more]).toEqual([path, filter, 1, true]);
        for (const other of forms) {
          const next = await app.request('GET', `/api/v1${path}?${filter}=${other}&limit=1&cursor=${page.next_cursor}`);
          expect([path, filter, form, other, next.status]).toEqual([path, filter, form, other, 200]);
          expect(next.json[rows][0].id).not.toBe(page[rows][0].id);
        }
        const none = await app.request('GET', `/api/v1${path}?limit=1&cursor=${page.next_cursor}`);
        expect(none.json.error.code).toBe('INVALID_CURSOR');
      }
    }
  });

  test('so do those of tools', async () => {
    const [{ forms }] = cases as [Case];
    const [uuid, short] = forms as [string, string];
    const asked = { sort: 'amount', limit: 1 };
    const page = await askTool(app, 'query_transactions', { ...asked, account_id: uuid });
    const next = await askTool(app, 'query_transactions', { ...asked, account_id: short, cursor: page.next_cursor });
    expect(next.transactions).toHaveLength(1);
    expect(next.transactions[0].id).not.toBe(page.transactions[0].id);
  });
});
