import { expect, test } from 'vitest';

import { addCall } from '../../../test/harness/agents/agent-calls.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { readAgentSettings } from './index.ts';

const SETTINGS = '/api/v1/settings/mcp';
const CALLS = '/api/v1/mcp-calls';
const HOUR = 3_600_000;
const DEFAULTS = {
  mode: 'read_write',
  disabled_tools: [],
  instructions: null,
  review_guide: null,
  report_guide: null,
  max_response_bytes: 60_000,
  mask_numbers: false,
  call_retention_days: 30,
};

const list = async (app: TestApp, query: Record<string, string> = {}) =>
  (await app.request('GET', CALLS, { query })).json as {
    mcp_calls: { id: string; tool: string }[];
    next_cursor: string;
  };
const toolsOf = async (app: TestApp, query: Record<string, string>): Promise<string[]> =>
  (await list(app, query)).mcp_calls.map(({ tool }) => tool);
const errorOf = ({ status, json }: Answer) => [status, json.error.code];

forEachDatabase((database) => {
  test('settings begin with their defaults, change together, and return to them', async () => {
    const app = await database.open();
    expect((await app.request('GET', SETTINGS)).json).toEqual(DEFAULTS);
    const wanted = {
      mode: 'propose',
      disabled_tools: ['delete_tag', 'list_tags', 'delete_tag'],
      instructions: ' Ask first. ',
      report_guide: '# Short',
      max_response_bytes: 10_000,
      mask_numbers: true,
      call_retention_days: 0,
    };
    const changed = await app.request('PATCH', SETTINGS, { body: wanted });
    const stored = { ...DEFAULTS, ...wanted, disabled_tools: ['delete_tag', 'list_tags'], instructions: 'Ask first.' };
    expect([changed.status, changed.json]).toEqual([200, stored]);
    expect((await app.request('GET', SETTINGS)).json).toEqual(stored);
    expect(await app.app.instance.database.read(readAgentSettings)).toEqual(stored);
    const set = await app.request('GET', `/api/v1/change-sets/${String(changed.headers['x-change-set-id'])}`);
    expect(set.json).toMatchObject({ action: 'setting.update', revertible: false });
    expect(set.json.changes[0]).toMatchObject({
      entity_type: 'setting',
      before: { 'mcp.mode': 'read_write' },
      after: { 'mcp.mode': 'propose', 'mcp.instructions': 'Ask first.' },
    });

    const same = await app.request('PUT', SETTINGS, { body: stored });
    expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);
    const back = { ...DEFAULTS, instructions: '', review_guide: null, report_guide: '  ' };
    expect((await app.request('PUT', SETTINGS, { body: back })).json).toEqual(DEFAULTS);
    expect((await app.request('PUT', SETTINGS, { body: {} })).json).toEqual(DEFAULTS);
  });

  test('a setting that breaks a rule is refused by name, and nothing is stored', async () => {
    const app = await database.open();
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [body, path] of [
      [{ mode: 'write' }, 'mode'],
      [{ mode: null }, 'mode'],
      [{ disabled_tools: ['delete_tags'] }, 'disabled_tools'],
      [{ disabled_tools: ['list_tags', 'x'.repeat(300)] }, 'disabled_tools[1]'],
      [{ disabled_tools: 'list_tags' }, 'disabled_tools'],
      [{ instructions: 'é'.repeat(2_001) }, 'instructions'],
      [{ review_guide: 'x'.repeat(30_001) }, 'review_guide'],
      [{ report_guide: 'x'.repeat(20_001) }, 'report_guide'],
      [{ max_response_bytes: 9_999 }, 'max_response_bytes'],
      [{ max_response_bytes: 1_000_001 }, 'max_response_bytes'],
      [{ max_response_bytes: 20_000.5 }, 'max_response_bytes'],
      [{ call_retention_days: 3_651 }, 'call_retention_days'],
      [{ call_retention_days: -1 }, 'call_retention_days'],
      [{ mask_numbers: 'yes' }, 'mask_numbers'],
      [{ modes: 'propose' }, 'modes'],
    ] as const) {
      const refused = await app.request('PATCH', SETTINGS, { body: { call_retention_days: 7, ...body } });
      expect([path, ...errorOf(refused)]).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(refused.json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const hinted = await app.request('PATCH', SETTINGS, { body: { disabled_tools: ['delete_tags'] } });
    expect(hinted.json.error.message).toBe(
      'disabled_tools: "delete_tags" is not a known tool. Did you mean delete_tag?',
    );
  });

  test('settings are for full access and for admins, calls for full access', async () => {
    const app = await database.open();
    const call = await addCall(app);
    const editor = await signIn(app, { role: 'editor', name: 'Ben' });
    const admin = await signIn(app, { role: 'admin', name: 'Ana' });
    const status = async (path: string, how: object) => (await app.request('GET', path, how)).status;
    for (const path of [SETTINGS, CALLS, `${CALLS}/${call.id}`]) {
      expect([path, await status(path, { key: app.readOnlyKey })]).toEqual([path, 403]);
    }
    const asEditor = { key: null, headers: editor.headers };
    expect([await status(SETTINGS, asEditor), await status(CALLS, asEditor)]).toEqual([403, 200]);
    expect((await app.request('PATCH', SETTINGS, { ...asEditor, body: { mode: 'propose' } })).status).toBe(403);
    expect(await status(SETTINGS, { key: null, headers: admin.headers })).toBe(200);
  });

  test('the catalogue names every tool that a setting can disable, and the built-in texts', async () => {
    const app = await database.open();
    const own = { instructions: 'Ask first.', review_guide: 'R', report_guide: 'R' };
    await app.request('PATCH', SETTINGS, { body: own });
    const { json: catalog } = await app.request('GET', `${SETTINGS}/catalog`);
    const names = catalog.tools.map(({ name }: { name: string }) => name);
    expect((await app.request('PATCH', SETTINGS, { body: { disabled_tools: names } })).status).toBe(200);
    expect(catalog.tools).toContainEqual(
      expect.objectContaining({ name: 'delete_tag', title: 'Delete a tag', effect: 'write', proposable: true }),
    );
    expect(catalog.instructions).toContain('Begin with get_overview.');
    for (const text of [catalog.review_guide, catalog.report_guide]) expect(text.length).toBeGreaterThan(100);
    expect((await app.request('GET', `${SETTINGS}/catalog`, { key: app.readOnlyKey })).status).toBe(403);
  });

  test('a call is kept as it was made: who, through what, why, with what, and how it ended', async () => {
    const app = await database.open();
    const self = (await app.request('GET', '/api/v1/keys/me')).json;
    const sent = { operations: [{ transaction_id: 'Tx9kLm2P', note: 'a\0b \ud800' }] };
    const made = await addCall(
      app,
      {
        tool: 'update_transactions',
        effect: 'write',
        principal_id: self.id,
        api_key_id: self.id,
        reason: 'weekly review',
        arguments: JSON.stringify(sent),
      },
      { outcome: 'error', errorCode: 'NOT_FOUND' },
    );
    const expected = {
      ...made,
      tool: 'update_transactions',
      effect: 'write',
      surface: 'mcp',
      transport: 'http',
      principal: { type: 'agent', id: self.id, name: 'Desk assistant' },
      api_key_id: self.id,
      run_id: null,
      change_set_id: null,
      proposal_id: null,
      client_name: 'example-client',
      client_version: '2.1.0',
      reason: 'weekly review',
      arguments: sent,
      outcome: 'error',
      error_code: 'NOT_FOUND',
      result_bytes: 412,
      duration_ms: 18,
      created_at: '2026-04-26T06:00:00.000Z',
    };
    for (const id of [made.id, made.short_id]) {
      expect((await app.request('GET', `${CALLS}/${id}`)).json).toEqual(expected);
    }
    expect((await app.request('GET', CALLS)).json).toEqual({
      mcp_calls: [expected],
      next_cursor: '',
      has_more: false,
      limit: 50,
    });
    expect((await app.request('GET', `${CALLS}/zzzzzzzz`)).status).toBe(404);
  });

  test('neither large arguments nor strange names keep a call from being recorded', async () => {
    const app = await database.open();
    for (const text of [
      'x'.repeat(200_000),
      '😀'.repeat(50_000),
      '"\\\n\0'.repeat(20_000),
      `a${'😀'.repeat(50_000)}`,
    ]) {
      const json = JSON.stringify({ text });
      const { id } = await addCall(app, { arguments: json });
      const { arguments: kept } = (await app.request('GET', `${CALLS}/${id}`)).json;
      expect(kept).toEqual({ truncated: true, bytes: Buffer.byteLength(json), preview: expect.any(String) });
      expect([kept.preview.length > 4_000, kept.preview.isWellFormed()]).toEqual([true, true]);
      expect(json.startsWith(kept.preview)).toBe(true);
    }
    const largest = JSON.stringify({ text: 'x'.repeat(32_768 - 11) });
    const whole = await addCall(app, { arguments: largest });
    expect((await app.request('GET', `${CALLS}/${whole.id}`)).json.arguments).toEqual(JSON.parse(largest));

    const strange = await addCall(app, {
      tool: `resource:${'😀'.repeat(400)}\0`,
      client_name: 'a\0b\udc00',
      client_version: 'v'.repeat(5_000),
      reason: '😀'.repeat(600),
    });
    const shown = (await app.request('GET', `${CALLS}/${strange.id}`)).json;
    expect([shown.client_name, shown.client_version.length]).toEqual(['a b\ufffd', 100]);
    for (const text of [shown.tool, shown.reason]) expect(text.isWellFormed()).toBe(true);
  });

  test('calls are filtered and paged, newest first', async () => {
    const app = await database.open();
    const { id: keyId, short_id: keyShortId } = await app.newKey();
    const runId = '0199e100-0000-7000-8000-0000000000aa';
    const at = (minute: number) => ({ created_at: `2026-04-26T05:0${minute}:00.000Z` });
    await addCall(app, { tool: 'one', transport: 'stdio', ...at(1) });
    await addCall(app, { tool: 'two', effect: 'write', api_key_id: keyId, ...at(2) });
    await addCall(
      app,
      { tool: 'three', surface: 'workflow', transport: null, run_id: runId, ...at(3) },
      { outcome: 'error' },
    );
    await addCall(app, { tool: 'four', ...at(3) });
    for (const [query, expected] of [
      [{}, ['four', 'three', 'two', 'one']],
      [{ tool: 'one,three,none' }, ['three', 'one']],
      [{ effect: 'write' }, ['two']],
      [{ surface: 'workflow' }, ['three']],
      [{ transport: 'stdio' }, ['one']],
      [{ outcome: 'error' }, ['three']],
      [{ api_key_id: keyId }, ['two']],
      [{ api_key_id: keyShortId }, ['two']],
      [{ run_id: runId }, ['three']],
      [{ from: at(2).created_at, to: at(3).created_at }, ['two']],
      [{ transport: 'http', limit: '1' }, ['four']],
    ] as const) {
      expect([query, await toolsOf(app, query)]).toEqual([query, expected]);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(app, { limit: '1', ...(cursor === '' ? {} : { cursor }) });
      seen.push(...page.mcp_calls.map(({ tool }) => tool));
      cursor = page.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual(['four', 'three', 'two', 'one']);

    const { next_cursor: next } = await list(app, { limit: '1' });
    for (const [query, code] of [
      [{ cursor: 'x' }, 'INVALID_CURSOR'],
      [{ cursor: next, outcome: 'ok' }, 'INVALID_CURSOR'],
      [{ effect: 'delete' }, 'INVALID_PARAMETER'],
      [{ api_key_id: 'zzzzzzzz' }, 'INVALID_PARAMETER'],
      [{ run_id: keyId }, 'INVALID_PARAMETER'],
      [{ from: '2026-04-26' }, 'INVALID_PARAMETER'],
      [{ from: at(3).created_at, to: at(2).created_at }, 'INVALID_PARAMETER'],
      [{ limit: '501' }, 'INVALID_PARAMETER'],
    ] as const) {
      expect([query, ...errorOf(await app.request('GET', CALLS, { query }))]).toEqual([query, 400, code]);
    }
    await app.write('test', async (tx) => tx.q.deleteFrom('mcp_calls').where('tool', '=', 'four').execute());
    expect(errorOf(await app.request('GET', CALLS, { query: { cursor: next, limit: '1' } }))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
  });

  test('old calls are deleted at night, unless they are kept forever', async () => {
    const app = await database.open();
    const night = async (ms: number) => {
      app.clock.advance(ms);
      await app.app.instance.syncs().beat();
      await app.app.instance.syncs().settled();
    };
    await addCall(app, { tool: 'old', created_at: '2026-03-27T05:59:59.999Z' });
    await addCall(app, { tool: 'kept', created_at: '2026-03-28T06:00:00.000Z' });
    await app.request('PATCH', SETTINGS, { body: { call_retention_days: 0 } });
    await night(0);
    expect(await toolsOf(app, {})).toEqual(['kept', 'old']);
    await app.request('PATCH', SETTINGS, { body: { call_retention_days: 30 } });
    await night(HOUR);
    expect(await toolsOf(app, {})).toEqual(['kept', 'old']);
    await night(23 * HOUR);
    expect(await toolsOf(app, {})).toEqual(['kept']);
  });

  test('a wipe of a member leaves calls and reports, which end by their own retention', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const { id } = await addCall(app, { arguments: '{"search":"Ana’s bakery"}' });
    await app.request('POST', '/api/v1/reports', { body: { title: 'Bakery', body: 'Ana went to the bakery.' } });
    expect((await app.request('POST', `/api/v1/users/${ana.id}/wipe-data`, { body: {} })).status).toBe(200);
    expect((await app.request('GET', `${CALLS}/${id}`)).json.arguments).toEqual({ search: 'Ana’s bakery' });
    expect((await app.request('GET', '/api/v1/reports')).json).toHaveLength(1);
  });
});
