import { beforeAll, expect, test } from 'vitest';

import { callTool } from '../../../test/harness/agents/agent-clients.ts';
import { addBankConnection } from '../../../test/harness/banks/bank-connection.ts';
import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { addSyncLog } from '../../../test/harness/syncs/sync-logs.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const IBAN = 'DE89370400440532013000';
const FILE = [
  `Account,Date,${IBAN} text,Amount,Category,Merchant`,
  `${IBAN},2026-01-02,PAID TO ${IBAN},-12.99,Saved in ${IBAN},Shop ${IBAN}`,
  `${IBAN},2026-01-03,PAID TO ${IBAN},nothing,,`,
].join('\n');

const IN_AN_IMPORT = [
  '.import.file_name',
  '.import.accounts[].account_name',
  '.import.mapping.description.columns[].name',
  '.import.unmatched_categories[].text',
  '.import.skipped_rows[].description',
  '.import.skipped_rows[].raw',
];

forEachDatabase((database) => {
  let app: TestApp;
  let member: Made;
  const post = (path: string, body: unknown) => app.request('POST', `/api/v1${path}`, { body });

  beforeAll(async () => {
    app = await database.open();
    member = await addMember(app, 'Ada');
    await app.request('PATCH', '/api/v1/settings/mcp', { body: { mask_numbers: true } });
  });

  /** What a tool answers, and where in it the number that everything here is named after can be read. */
  async function read(tool: string, args: Readonly<Record<string, unknown>>) {
    const { _untrusted: marked = [], ...result } = await callTool(app, tool, args);
    expect(result.error).toBeUndefined();
    return { result, marked, leaks: pathsWith(IBAN, result) };
  }

  test('a reverted import shows no text of its file as it was, and says where there is some', async () => {
    const made = await importFile(app, FILE, {
      file_name: `${IBAN}.csv`,
      column_mapping: { account: 0, date: 1, description: 2, amount: 3, category: 4, merchant_name: 5 },
      sign: 'positive_is_in',
      iso_currency_code: 'EUR',
      skip_invalid: true,
    });
    expect(made.status, made.text).toBe(201);
    const [{ id }] = (await app.request('GET', '/api/v1/imports')).json.imports;
    for (const dry_run of [true, false]) {
      const { result, marked, leaks } = await read('revert_import', { import_id: id, dry_run });
      expect([...pathsWith('•••3000', result)]).toEqual(expect.arrayContaining(IN_AN_IMPORT));
      expect(leaks).toEqual(new Set());
      expect(marked).toEqual(
        expect.arrayContaining(['import.file_name', 'import.skipped_rows[].raw', 'import.mapping']),
      );
    }
  });

  test('a revert is named after what it undoes, which is text from outside', async () => {
    const made = await post('/counterparties', { name: `Shop ${IBAN}` });
    const id = String(made.headers['x-change-set-id']);
    const { result, marked, leaks } = await read('revert_change_set', { change_set_id: id, dry_run: false });
    expect(result.change_set.summary).toBe('Reverted: Created the counterparty Shop •••3000');
    expect([marked.includes('change_set.summary'), leaks]).toEqual([true, new Set()]);
  });

  test('what people name and write is marked, clean and masked wherever a tool shows it', async () => {
    const mark = (what: string): string => `${what} ${IBAN}\u{e0041}\u200b\u202e`;
    const made = async (path: string, body: object): Promise<Record<string, string>> => {
      const { status, json, text } = await post(path, body);
      expect(status, `${path}: ${text}`).toBe(201);
      return json as Record<string, string>;
    };
    const { short_id: user } = await made('/users', { name: mark('Member') });
    const category = await made('/categories', { name: mark('Category'), kind: 'expense' });
    const tag = await made('/tags', { name: mark('Tag'), description: mark('About') });
    const account = await made('/accounts', { name: mark('Account'), iso_currency_code: 'EUR', user_id: user });
    const counterparty = await made('/counterparties', { name: mark('Shop') });
    const series = await made('/series', { name: mark('Series'), type: 'bill' });
    const row = {
      account_id: account['id'],
      date: '2026-04-02',
      amount: '9.00',
      name: mark('Row'),
      merchant_name: mark('Merchant'),
    };
    const { id } = await made('/transactions', row);
    const edit = {
      transaction_id: id,
      category_id: category['id'],
      counterparty_id: counterparty['id'],
      series_id: series['id'],
      tags_to_add: [tag['slug']],
      metadata_set: { [mark('key')]: mark('value') },
      comment: mark('Comment'),
    };
    expect((await post('/transactions/update', { operations: [edit] })).status).toBe(200);
    const condition = {
      and: [
        { field: 'name', op: 'contains', value: mark('part') },
        { field: 'category', op: 'eq', value: category['id'] },
      ],
    };
    const actions = [
      { type: 'add_comment', content: mark('Said') },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: mark('set') },
    ];
    const rule = await made('/rules', { name: mark('Rule'), condition, actions });
    await made('/reports', { title: mark('Report'), body: mark('Body'), tags: [mark('tag')] });
    await made('/workflows', { name: mark('Workflow'), prompt: mark('Prompt') });
    const calls: [string, object][] = [
      ['get_overview', {}],
      ['query_transactions', {}],
      ['query_transactions', { fields: ['full'] }],
      ['get_transaction', { transaction_id: id, include: ['timeline', 'comments'] }],
      ['explain_transaction', { transaction_id: id, include: 'all' }],
      ['transaction_summary', { group_by: 'category,user' }],
      ['transaction_summary', { group_by: 'tag,counterparty' }],
      ['transaction_summary', { group_by: 'account' }],
      ['merchant_summary', {}],
      ['list_accounts', {}],
      ['list_categories', {}],
      ['list_tags', {}],
      ['list_rules', {}],
      ['list_rules', { rule_id: rule['id'] }],
      ['list_series', {}],
      ['list_counterparties', {}],
      ['list_reports', {}],
      ['list_change_sets', {}],
      ['list_workflows', {}],
    ];
    for (const [tool, args] of calls) {
      const { result, marked, leaks } = await read(tool, args as Readonly<Record<string, unknown>>);
      const shown = [...pathsWith('•••3000', result)].map((path) => path.slice(1));
      const unmarked = shown.filter(
        (path) =>
          !marked.some((one: string) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[]`)),
      );
      expect([tool, unmarked, leaks]).toEqual([tool, [], new Set()]);
      if (tool !== 'get_overview' && tool !== 'list_workflows') expect([tool, shown.length > 0]).toEqual([tool, true]);
      expect(JSON.stringify(result)).not.toMatch(/[\u{e0041}\u200b\u202e]/u);
    }
  });

  test('what a failed sync says names the bank as the bank names itself', async () => {
    const connection = await addBankConnection(app, member, { institution_name: IBAN });
    const failed = { status: 'error', error_message: `${IBAN} wants you to sign in again.` } as const;
    await addSyncLog(app, connection, failed);
    const { result, marked, leaks } = await read('get_sync_status', { connection_id: connection.id });
    expect(result.connections[0].last_sync.error_message).toBe('•••3000 wants you to sign in again.');
    expect([marked.includes('connections[].last_sync.error_message'), leaks]).toEqual([true, new Set()]);
  });
});

/** Where a text occurs, as `_untrusted` writes paths. */
function pathsWith(text: string, value: unknown, path = ''): Set<string> {
  if (typeof value === 'string') return new Set(value.includes(text) ? [path] : []);
  if (typeof value !== 'object' || value === null) return new Set();
  const found = Object.entries(value).flatMap(([key, held]) => {
    const below = Array.isArray(value) ? `${path}[]` : `${path}.${key}`;
    return [...(key.includes(text) ? [below] : []), ...pathsWith(text, held, below)];
  });
  return new Set(found);
}
