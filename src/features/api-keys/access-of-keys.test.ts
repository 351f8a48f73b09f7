import { expect, test } from 'vitest';

import { expectError } from '../../../test/harness/expect-error.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const KEYS = '/api/v1/api-keys';
const fieldsOf = ({ json }: Answer): unknown[] => json.error.details.map(({ path }: { path: string }) => path);

forEachDatabase((database) => {
  const patch = (app: TestApp, id: string, body: object): Promise<Answer> =>
    app.request('PATCH', `${KEYS}/${id}`, { body });
  const setMode = async (app: TestApp, mode: string): Promise<void> => {
    expect((await app.request('PATCH', '/api/v1/settings/mcp', { body: { mode } })).status).toBe(200);
  };
  const scopesOf = async (app: TestApp, key: string): Promise<unknown[]> => {
    const { scope, effective_scope: effective } = (await app.request('GET', '/api/v1/keys/me', { key })).json;
    return [scope, effective];
  };

  test('only agents propose', async () => {
    const app = await database.open();
    const made = await app.request('POST', KEYS, { body: { name: 'Claws', scope: 'propose' } });
    expect([made.status, made.json]).toMatchObject([201, { scope: 'propose', actor_type: 'agent' }]);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const actor of ['user', 'system']) {
      const refused = await app.request('POST', KEYS, { body: { name: 'x', scope: 'propose', actor_type: actor } });
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(fieldsOf(refused)).toEqual(['actor_type']);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('access can be taken away and not given', async () => {
    const app = await database.open();
    const { id } = await app.newKey();
    expect((await patch(app, id, { scope: 'propose' })).json).toMatchObject({ scope: 'propose', actor_type: 'agent' });
    for (const [body, field] of [
      [{ scope: 'full_access' }, 'scope'],
      [{ actor_type: 'user' }, 'actor_type'],
      [{ actor_type: 'system' }, 'actor_type'],
      [{ name: 'New', scope: 'read_only', actor_type: 'user' }, 'actor_type'],
    ] as const) {
      const refused = await patch(app, id, body);
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(fieldsOf(refused)).toEqual([field]);
    }
    expect(
      (await patch(app, id, { scope: 'propose', actor_type: 'agent' })).headers['x-change-set-id'],
    ).toBeUndefined();
    const lowered = await patch(app, id, { scope: 'read_only' });
    expect(lowered.json).toMatchObject({ name: 'Test', scope: 'read_only', actor_type: 'agent' });
    const person = await app.newKey();
    expectError(await patch(app, person.id, { scope: 'propose', actor_type: 'user' }), 400, 'VALIDATION_ERROR');
    expect((await patch(app, person.id, { scope: 'read_only' })).json.actor_type).toBe('user');
  });

  test('the last full access of a person cannot be lowered, given to an agent or revoked; an agent’s does not count', async () => {
    const app = await database.open();
    const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
    const agent = await app.newKey({ actor_type: 'agent' });
    for (const body of [{ scope: 'read_only' }, { scope: 'propose' }, { actor_type: 'agent' }]) {
      expectError(await patch(app, id, body), 409, 'LAST_FULL_ACCESS_KEY');
    }
    expectError(await app.request('DELETE', `${KEYS}/${id}`), 409, 'LAST_FULL_ACCESS_KEY');
    expect((await patch(app, agent.id, { scope: 'propose' })).status).toBe(200);
    expect((await app.request('DELETE', `${KEYS}/${agent.id}`)).status).toBe(204);
    await signIn(app, { name: 'Ana' });
    expect((await patch(app, id, { actor_type: 'agent' })).status).toBe(200);
  });

  test('the mode lowers what the keys of agents allow, from the next request and in every process, and no other key', async () => {
    const app = await database.open();
    const second = await app.again();
    const agent = await app.newKey({ actor_type: 'agent' });
    const proposing = await app.newKey({ scope: 'propose' });
    for (const [mode, full, some] of [
      ['read_only', 'read_only', 'read_only'],
      ['propose', 'propose', 'propose'],
      ['read_write', 'full_access', 'propose'],
    ] as const) {
      await setMode(app, mode);
      for (const one of [app, second]) {
        expect(await scopesOf(one, agent.key)).toEqual(['full_access', full]);
        expect(await scopesOf(one, proposing.key)).toEqual(['propose', some]);
        expect(await scopesOf(one, app.key)).toEqual(['full_access', 'full_access']);
      }
    }
  });

  test('a refusal says what the key may do instead, and whether it is the household that says so', async () => {
    const app = await database.open();
    const said = async (key: string): Promise<string> =>
      (await app.request('POST', '/api/v1/tags', { key, body: { name: 'x' } })).json.error.message;
    const agent = await app.newKey({ actor_type: 'agent' });
    const proposing = await app.newKey({ scope: 'propose' });
    expect(await said(proposing.key)).toMatch(/^This key may only propose .*\/mcp/);
    await setMode(app, 'propose');
    expect(await said(agent.key)).toMatch(/^The household lets agents only propose .*\/mcp/);
    await setMode(app, 'read_only');
    expect(await said(agent.key)).toMatch(/^The household lets agents only read\./);
    expect(await said(app.readOnlyKey)).toContain('this one has read_only');
  });

  test('a scope that is none allows nothing, over REST and MCP', async () => {
    const app = await database.open();
    const { key, id } = await app.newKey();
    await app.write('test.scope', async (tx) => {
      tx.journal.allowUnjournaled('api_key');
      await tx.q.updateTable('api_keys').set({ scope: 'owner' }).where('id', '=', id).execute();
    });
    for (const [method, path] of [
      ['GET', '/api/v1/tags'],
      ['POST', '/api/v1/tags'],
      ['POST', '/mcp'],
    ] as const) {
      expectError(await app.request(method, path, { key, body: {} }), 403, 'FORBIDDEN');
    }
  });
});
