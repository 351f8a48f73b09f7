import { beforeAll, beforeEach, expect, test } from 'vitest';

import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { callTool, sendMessage } from '../../../test/harness/agents/agent-clients.ts';
import { addAccount, addCounterparty, addMember, addTransactions } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { tools } from '../../features/agent-tools/index.ts';
import { bookkeep } from '../../journal/write.ts';

const IBAN = 'DE89370400440532013000';
const RETRY = { 'homeledger/idempotency_key': 'retry-1' };

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    await app.request('POST', '/api/v1/tags', { body: { name: 'Old', description: `Rent to ${IBAN}\u200b` } });
  });
  beforeEach(() => setUp({ mode: 'read_write', disabled_tools: [], max_response_bytes: 60_000, mask_numbers: false }));

  async function setUp(settings: Readonly<Record<string, unknown>>): Promise<void> {
    expect((await app.request('PATCH', '/api/v1/settings/mcp', { body: settings })).status).toBe(200);
  }
  async function namesFor(key: string): Promise<string[]> {
    const { json } = await sendMessage(app, 'tools/list', {}, { key });
    return (json as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  }
  async function callsOf(tool: string): Promise<Record<string, unknown>[]> {
    const { json } = await app.request('GET', '/api/v1/mcp-calls', { query: { tool } });
    return (json as { mcp_calls: Record<string, unknown>[] }).mcp_calls;
  }
  async function get(path: string): Promise<Answer> {
    return app.request('GET', `/api/v1/${path}`);
  }
  async function makeTag(slug: string): Promise<void> {
    await app.request('POST', '/api/v1/tags', { body: { name: slug, slug } });
  }

  test('a key that may read sees what reads and does not write, and its try is recorded', async () => {
    const all = tools.map(({ info }) => info.name);
    const reading = tools.filter(({ operation }) => operation.scope === 'read_only').map(({ info }) => info.name);
    expect(await namesFor(app.readOnlyKey)).toEqual(reading);
    expect(await namesFor(app.key)).toEqual(all);
    const { error } = await callTool(app, 'delete_tag', { slug: 'old' }, { key: app.readOnlyKey });
    expect(error).toEqual({ code: 'FORBIDDEN', message: 'The API key allows reading only. Nothing was done.' });
    expect((await get('tags/old')).status).toBe(200);
    expect((await callsOf('delete_tag'))[0]).toMatchObject({
      outcome: 'error',
      error_code: 'FORBIDDEN',
      effect: 'write',
      principal: { name: 'Test, reading' },
      arguments: { slug: 'old' },
      change_set_id: null,
    });
  });

  test('every tool that a reading key does not see refuses it before anything happens, and leaves a record', async () => {
    const before = (await get('change-sets')).text;
    for (const { info, operation } of tools.filter((tool) => tool.operation.scope !== 'read_only')) {
      const args = { ...info.examples[0]?.arguments };
      const { error } = await callTool(app, info.name, args, { key: app.readOnlyKey });
      expect([info.name, operation.scope, error?.code]).toEqual([info.name, 'full_access', 'FORBIDDEN']);
      const [record] = await callsOf(info.name);
      expect(record).toMatchObject({ tool: info.name, effect: info.effect, error_code: 'FORBIDDEN', arguments: args });
    }
    expect((await get('change-sets')).text).toBe(before);
    expect((await get('sync/logs')).json.sync_logs).toEqual([]);
  });

  test('the household can keep agents from writing, and can switch tools off', async () => {
    await setUp({ mode: 'read_only', disabled_tools: ['list_tags'] });
    expect(await namesFor(app.key)).toEqual((await namesFor(app.readOnlyKey)).filter((name) => name !== 'list_tags'));
    const { error } = await callTool(app, 'delete_tag', { slug: 'old' });
    expect(error.message).toBe('The household allows reading only. Nothing was done.');
    expect(await callTool(app, 'list_tags')).toMatchObject({ error: { code: -32_602 } });
    expect((await callsOf('list_tags'))[0]).toMatchObject({ outcome: 'error', error_code: 'FORBIDDEN' });
    await setUp({ mode: 'propose' });
    const offered = tools.filter(
      ({ info }) => info.effect === 'read' || info.isProposable || info.name === 'submit_report',
    );
    expect(await namesFor(app.key)).toEqual(
      offered.map(({ info }) => info.name).filter((name) => name !== 'list_tags'),
    );
  });

  test('a read does not wait for a long write; its record follows', async () => {
    const { database: ledger } = app.app.instance;
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = bookkeep(ledger, async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    const known = (await callsOf('list_categories')).length;
    expect((await callTool(app, 'list_categories', {})).error).toBeUndefined();
    expect((await callTool(app, 'list_categories', { nonsense: 1 })).error.code).toBe('VALIDATION_ERROR');
    expect(await callsOf('list_categories')).toHaveLength(known);
    over.resolve();
    await writing;
    // Writers take turns in the order of their arrival.
    await bookkeep(ledger, async () => undefined);
    expect((await callsOf('list_categories')).slice(0, 2).map(({ outcome }) => outcome)).toEqual(['error', 'ok']);
    expect(await callsOf('list_categories')).toHaveLength(known + 2);
  });

  test('a write is one change set of the key, with the reason, and its record names both', async () => {
    await makeTag('gone');
    const args = { slug: 'gone', reason: 'Nobody uses it' };
    expect(await callTool(app, 'delete_tag', args)).toEqual({ status: 'deleted', slug: 'gone', transaction_count: 0 });
    const { json } = await app.request('GET', '/api/v1/change-sets', { query: { limit: 1 } });
    const [set] = json.change_sets;
    expect(set).toMatchObject({ surface: 'mcp', action: 'tag.delete', reason: args.reason, actor_name: 'Test' });
    const [call] = await callsOf('delete_tag');
    expect(call).toMatchObject({ outcome: 'ok', change_set_id: set.id, reason: args.reason, arguments: args });
    expect(call?.['api_key_id']).toEqual(expect.any(String));
  });

  test('a reason may come with the request, and must not be too long', async () => {
    const meta = { 'homeledger/reason': 'Looking around' };
    await callTool(app, 'list_tags', {}, { meta });
    expect((await callsOf('list_tags'))[0]).toMatchObject({ reason: 'Looking around' });
    const long = { 'homeledger/reason': 'x'.repeat(501) };
    expect((await callTool(app, 'list_tags', {}, { meta: long })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: '_meta.homeledger/reason: must have at most 500 characters',
    });
  });

  test('the same key of a retry writes once, and means one call', async () => {
    const before = (await callsOf('delete_tag')).length;
    await makeTag('twice');
    const first = await callTool(app, 'delete_tag', { slug: 'twice' }, { meta: RETRY });
    await makeTag('twice');
    expect(await callTool(app, 'delete_tag', { slug: 'twice' }, { meta: RETRY })).toEqual(first);
    expect((await get('tags/twice')).status).toBe(200);
    const other = await callTool(app, 'delete_tag', { slug: 'old' }, { meta: RETRY });
    expect(other.error.code).toBe('IDEMPOTENCY_CONFLICT');
    const refused = { 'homeledger/idempotency_key': 'retry-2' };
    const missing = await callTool(app, 'delete_tag', { slug: 'later' }, { meta: refused });
    await makeTag('later');
    expect(await callTool(app, 'delete_tag', { slug: 'later' }, { meta: refused })).toEqual(missing);
    expect(missing.error.code).toBe('NOT_FOUND');
    expect(await callsOf('delete_tag')).toHaveLength(before + 5);
  });

  test.each([
    ['an argument that does not exist', { slug: 'x', slgu: 'x' }, 'slgu: unknown field'],
    ['a wrong type', { slug: { name: 7 } }, 'slug: must be a string'],
    ['a character that cannot be stored', { slug: 'a\0b' }, 'slug: must not contain U+0000 or unpaired surrogates'],
    [
      'a proposal where nothing is proposed',
      { slug: 'x', proposal_id: 'pR0p0sAl' },
      /^proposal_id: is only for agents/,
    ],
    ['200 KiB', { slug: 'x', reason: 'x'.repeat(204_800) }, 'reason: must have at most 500 characters'],
  ])('%s is refused by name, and recorded', async (_what, args, message) => {
    const before = (await callsOf('delete_tag')).length;
    const { error } = await callTool(app, 'delete_tag', args);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: message instanceof RegExp ? expect.stringMatching(message) : message,
    });
    const calls = await callsOf('delete_tag');
    expect(calls).toHaveLength(before + 1);
    expect(calls[0]).toMatchObject({ outcome: 'error', error_code: 'VALIDATION_ERROR' });
  });

  test('a call that names what only a proposal of the agent has is told to send that proposal_id', async () => {
    const account = await addAccount(app, await addMember(app, 'Ben'));
    const [row] = await addTransactions(app, [{ account, date: '2026-03-01', amount_cents: 900, name: 'Merlot' }]);
    await setUp({ mode: 'propose' });
    const own = { key: (await app.newKey({ actor_type: 'agent' })).key };
    const { proposal_id: id, category } = await callTool(app, 'save_category', { name: 'Wine' }, own);
    const operations = [{ transaction_id: row?.id, category_slug: category.slug }];
    const next = `Your proposal ${id} would create what this call names: send proposal_id "${id}" as well.`;
    const calls: [string, Readonly<Record<string, unknown>>][] = [
      ['update_transactions', { operations }],
      ['save_counterparty', { name: 'Vineyard', category_id: category.id }],
      ['save_category', { category_id: category.slug, icon: 'wine' }],
    ];
    for (const [tool, args] of calls) {
      const { error } = await callTool(app, tool, args, own);
      expect(error.message).toMatch(new RegExp(`not.* ${next}$`));
      const followed = await callTool(app, tool, { ...args, proposal_id: id }, own);
      expect(followed).toMatchObject({ proposed: true, proposal_id: id });
    }
    const other = await callTool(
      app,
      'save_category',
      { category_id: category.slug },
      { key: (await app.newKey({ scope: 'propose' })).key },
    );
    expect(other.error.message).toMatch(/^The category was not found\./);
    expect(other.error.message).not.toContain(id);
    await app.request('POST', `/api/v1/proposals/${id}/reject`, { body: {} });
    const late = await callTool(app, 'save_category', { name: 'Cheese', proposal_id: id }, own);
    const [closed, anew] = ['The proposal has already been rejected.', 'Leave out proposal_id to make a new one.'];
    expect(late.error).toEqual({ code: 'PROPOSAL_NOT_OPEN', message: `${closed} ${anew}` });
  });

  test('a proposed write that is retried is one proposal, and its record names it', async () => {
    await setUp({ mode: 'propose' });
    const { key } = await app.newKey({ scope: 'propose' });
    const retry = { key, meta: { 'homeledger/idempotency_key': 'retry-3' } };
    const first = await callTool(app, 'delete_tag', { slug: 'old' }, retry);
    expect(first).toMatchObject({ proposed: true, proposal_id: expect.any(String) });
    expect(await callTool(app, 'delete_tag', { slug: 'old' }, retry)).toEqual(first);
    expect((await get('tags/old')).status).toBe(200);
    const { json } = await get('proposals');
    expect(json.proposals).toHaveLength(1);
    const calls = await callsOf('delete_tag');
    expect(calls[1]).toMatchObject({ outcome: 'ok', change_set_id: null, proposal_id: json.proposals[0].id });
    await app.request('POST', `/api/v1/proposals/${json.proposals[0].id}/reject`, { body: {} });
  });

  test('a result over the limit is refused, and fits with the limit that the refusal suggests', async () => {
    for (let count = 0; count < 60; count++) await makeTag(`many-${count}`);
    await setUp({ max_response_bytes: 10_000 });
    const { error } = await callTool(app, 'list_change_sets', { limit: 500 });
    expect(error).toMatchObject({ code: 'RESPONSE_TOO_LARGE', suggested_limit: expect.any(Number) });
    const { change_sets: sets } = await callTool(app, 'list_change_sets', { limit: error.suggested_limit });
    expect(sets).toHaveLength(error.suggested_limit);
  });

  test('what people wrote is marked and clean, and numbers are masked if the household wants it', async () => {
    const oldTag = async (): Promise<{ description: string }> => {
      const { tags, _untrusted: paths } = await callTool(app, 'list_tags');
      expect(paths).toEqual(['tags[].name', 'tags[].description']);
      return tags.find(({ slug }: { slug: string }) => slug === 'old');
    };
    expect((await oldTag()).description).toBe(`Rent to ${IBAN} `);
    await setUp({ mask_numbers: true });
    expect((await oldTag()).description).toBe('Rent to •••3000 ');
  });

  test('what rules set and would change is marked and masked like the rest', async () => {
    await setUp({ mask_numbers: true });
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-03-04', amount_cents: 420, name: 'RENT' };
    const [made] = await addTransactions(app, [{ ...row, counterparty: await addCounterparty(app, `Old ${IBAN}`) }]);
    const metadata_set = { iban: IBAN };
    await callTool(app, 'update_transactions', { operations: [{ transaction_id: made?.id, metadata_set }] });
    const condition = { field: 'name', op: 'eq', value: 'rent' };
    const landlord = { type: 'assign_counterparty', counterparty_name: `Landlord ${IBAN}`, create_if_missing: true };
    const actions = [landlord, { type: 'remove_metadata', metadata_key: 'iban' }];
    const overwrite_manual = true;
    const rule = { name: 'Rent', condition, actions, overwrite_manual };
    const created = await callTool(app, 'create_rules', { rules: [rule] });
    const other = await addCounterparty(app, `Tenant ${IBAN}`);
    const assign = [{ type: 'assign_counterparty', counterparty_id: other.id }];
    await callTool(app, 'create_rules', { rules: [{ name: 'Other', condition, actions: assign }] });
    const { id } = created.rules[0];
    const results = [
      created,
      await callTool(app, 'update_rule', { rule_id: id, priority: 5 }),
      await callTool(app, 'list_rules', { fields: 'full' }),
      await callTool(app, 'list_rules', { rule_id: id, conflicts: true }),
      await callTool(app, 'preview_rule', { condition, actions, overwrite_manual }),
      await callTool(app, 'apply_rules', { rule_id: id }),
    ];
    for (const result of results) {
      expect(result.error).toBeUndefined();
      expect(JSON.stringify(result)).toContain('Landlord •••3000');
      expect(JSON.stringify(result)).not.toContain(IBAN);
    }
    expect(results[3]._untrusted).toEqual(
      expect.arrayContaining(['rule.condition', 'rule.actions[]', 'conflicts[].this_value', 'conflicts[].other_value']),
    );
    const sentBack = await callTool(app, 'update_rule', { rule_id: id, actions: results[3].rule.actions });
    expect(sentBack.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('actions[0].counterparty_name: contains a shortened number'),
    });
    const [sample] = results[5].sample_matches;
    expect(sample.changes).toContainEqual({ field: 'metadata.iban', before: { value: '•••3000' } });
    expect(results[5]._untrusted).toEqual(
      expect.arrayContaining(['sample_matches[].changes[].before', 'sample_matches[].changes[].after']),
    );
  });

  test('what a revert shows of an account and of the rows of a file is marked and masked like the rest', async () => {
    await setUp({ mask_numbers: true });
    const file = `Date,Description,Amount\n2026-03-01,Rent ${IBAN},-900.00\n2026-03-32,Bad ${IBAN},-1.00\n`;
    const { short_id: user_id } = await addMember(app, 'Ana');
    await importFile(app, file, { user_id, account_name: `At ${IBAN}`, iso_currency_code: 'USD', skip_invalid: true });
    const { id } = (await app.request('GET', '/api/v1/imports')).json.imports[0];
    const planned = await callTool(app, 'revert_import', { import_id: id });
    const reverted = await callTool(app, 'revert_import', { import_id: id, dry_run: false, reason: `Not ${IBAN}` });
    const back = await callTool(app, 'revert_change_set', { change_set_id: reverted.change_set.id, dry_run: false });
    for (const result of [planned, reverted, back]) {
      expect(result.error).toBeUndefined();
      expect(JSON.stringify(result)).not.toContain(IBAN);
    }
    expect(reverted.change_set.reason).toBe('Not •••3000');
    expect(planned.import.skipped_rows).toMatchObject([{ raw: expect.stringContaining('Bad •••3000') }]);
    expect(planned._untrusted).toEqual(
      expect.arrayContaining(['import.accounts[].account_name', 'import.skipped_rows[].raw', 'import.mapping']),
    );
    expect(back._untrusted).toContain('change_set.summary');
  });

  test('a suggestion whose text is masked is left out, as a rule made from it would match nothing', async () => {
    await setUp({ mask_numbers: true });
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const [category] = (await app.request('GET', '/api/v1/categories')).json;
    const rows = ['Sushi Bar', `Landlord ${IBAN}`].flatMap((merchant) =>
      [1, 2].map((day) => ({
        account,
        date: `2026-03-0${day}`,
        amount_cents: 420,
        name: 'PAID',
        merchant_name: merchant,
        category,
      })),
    );
    await addTransactions(app, rows);
    const shown = await callTool(app, 'suggest_rules', { min_count: 2 });
    expect(shown.suggestions).toMatchObject([{ text: 'Sushi Bar', rule: { condition: { value: 'Sushi Bar' } } }]);
    expect(shown.message).toMatch(/Left out: 1\./);
    await setUp({ mask_numbers: false });
    const all = await callTool(app, 'suggest_rules', { min_count: 2 });
    expect([all.suggestions.length, all.message]).toEqual([2, undefined]);
    const actions = all.suggestions.map(({ rule }: { rule: object }) => rule);
    const { rules } = await callTool(app, 'create_rules', { rules: actions });
    for (const { id } of rules) {
      expect(await callTool(app, 'apply_rules', { rule_id: id })).toMatchObject({ matched_count: 2 });
    }
  });
});
