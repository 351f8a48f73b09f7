import { beforeAll, describe, expect, test } from 'vitest';

import type { AnyOperation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { tools } from '../../src/features/agent-tools/index.ts';
import { SCOPES, type KeyScope } from '../../src/kernel/scopes.ts';
import { callTool, sendMessage } from '../harness/agents/agent-clients.ts';
import { signIn } from '../harness/people/sessions.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type RequestOptions, type TestApp } from '../harness/test-app.ts';
import { furnish, liveCall, urlOf } from '../contract/live-calls.ts';
import { rightsByOperation, type Right } from './rights.ts';

const MODES = ['read_write', 'propose', 'read_only'] as const;
type Mode = (typeof MODES)[number];

/** Who knocks: a key, or a browser with a session. */
interface Caller {
  name: string;
  send: RequestOptions;
  scope: KeyScope;
  isAgent: boolean;
  isAdmin: boolean;
}

const RIGHTS = rightsByOperation();
const keyOf = ({ method, path }: AnyOperation): string => `${method} ${path}`;
const lower = (one: KeyScope, other: KeyScope): KeyScope => (SCOPES.indexOf(one) < SCOPES.indexOf(other) ? one : other);

/** What contract 20.4 makes of a scope. */
function scopeUnder(mode: Mode, { scope, isAgent }: Caller): KeyScope {
  return isAgent ? lower(scope, mode === 'read_write' ? 'full_access' : mode) : scope;
}

function mayCall(right: Right, mode: Mode, caller: Caller): boolean {
  if (right === 'anybody' || right === 'reading') return true;
  if (scopeUnder(mode, caller) !== 'full_access') return false;
  if (right === 'writing') return true;
  return !caller.isAgent && (right === 'people' || caller.isAdmin);
}

async function callersAt(app: TestApp): Promise<Caller[]> {
  const key = async (name: string, scope: KeyScope, actor: 'user' | 'agent' | 'system'): Promise<Caller> => ({
    name,
    send: { key: (await app.newKey({ name, scope, actor_type: actor })).key },
    scope,
    isAgent: actor === 'agent',
    isAdmin: true,
  });
  const session = async (role: 'admin' | 'editor' | 'viewer'): Promise<Caller> => ({
    name: role,
    send: { key: null, headers: (await signIn(app, { name: role, role })).headers },
    scope: role === 'viewer' ? 'read_only' : 'full_access',
    isAgent: false,
    isAdmin: role === 'admin',
  });
  return [
    await key('reading key', 'read_only', 'user'),
    await key('reading agent', 'read_only', 'agent'),
    await key('proposing agent', 'propose', 'agent'),
    await key('agent with full access', 'full_access', 'agent'),
    await key('person with full access', 'full_access', 'user'),
    await key('script with full access', 'full_access', 'system'),
    await session('admin'),
    await session('editor'),
    await session('viewer'),
  ];
}

async function setMode(app: TestApp, mode: Mode): Promise<void> {
  expect((await app.request('PATCH', '/api/v1/settings/mcp', { body: { mode } })).status).toBe(200);
}

test('the table of rights names every operation, and no other', () => {
  expect([...RIGHTS.keys()].sort()).toEqual(operations.map(keyOf).sort());
});

forEachDatabase(
  (database) => {
    test('over REST, each key and session may call what its scope, its actor, its role and the mode allow, and no more', async () => {
      const app = await database.open();
      const callers = await callersAt(app);
      for (const mode of MODES) {
        await setMode(app, mode);
        for (const operation of operations) {
          const right = RIGHTS.get(keyOf(operation)) ?? 'admins';
          for (const caller of callers) {
            const { status } = await knock(app, operation, caller);
            const may = mayCall(right, mode, caller);
            expect([mode, keyOf(operation), caller.name, status !== 403]).toEqual([
              mode,
              keyOf(operation),
              caller.name,
              may,
            ]);
            expect([keyOf(operation), status === 401 || status === 500]).toEqual([keyOf(operation), false]);
          }
        }
      }
    }, 600_000);
  },
  ['SQLite'],
);

/** Names what is not there, with a body that cannot be read: a request that is admitted changes nothing. */
async function knock(app: TestApp, operation: AnyOperation, { send }: Caller): Promise<{ status: number }> {
  const { method, path, body } = operation;
  const request = body === undefined ? send : { ...send, body: '{' };
  return app.request(method, urlOf(path), request);
}

/** Arguments of an example, for real if a dry run can be chosen. */
function forReal({ operation }: (typeof tools)[number], args: Readonly<Record<string, unknown>>): object {
  const { shape } = operation.body as unknown as { shape: object };
  return 'dry_run' in shape ? { ...args, dry_run: false } : args;
}

forEachDatabase((database) => {
  let app: TestApp;
  let agents: { id: string; key: string }[];

  beforeAll(async () => {
    app = await database.open();
    await furnish(app);
    agents = [await app.newKey({ scope: 'propose' }), await app.newKey({ actor_type: 'agent' })];
    await setMode(app, 'propose');
  });

  async function changeSetsOf(ids: readonly string[]): Promise<unknown[]> {
    const sets = await rowsOf<{ action: string; actor_id: string }>(
      app.app.instance.database,
      'select action, actor_id from change_sets order by id',
    );
    return sets.filter(({ actor_id: id }) => ids.includes(id)).map(({ action }) => action);
  }

  describe('in mode propose', () => {
    test('what would succeed over REST is refused to agents, and leaves nothing', async () => {
      for (const operation of operations.filter(({ scope }) => scope === 'full_access')) {
        const { params, query, body } = await liveCall(app, operation);
        for (const { key } of agents) {
          const answer = await app.request(operation.method, urlOf(operation.path, params), {
            key,
            ...(query ? { query } : {}),
            ...(body === undefined ? {} : { body }),
          });
          expect([operation.name, answer.status, answer.json?.error?.code]).toEqual([operation.name, 403, 'FORBIDDEN']);
        }
      }
      expect(await changeSetsOf(agents.map(({ id }) => id))).toEqual([]);
    }, 120_000);

    test('every tool reads, proposes or refuses, and only reports are written', async () => {
      for (const { key } of agents) {
        for (const tool of tools) {
          const { name, effect, isProposable, examples } = tool.info;
          for (const example of examples) {
            const result = await callTool(app, name, { ...forReal(tool, example.arguments) }, { key });
            const isReport = name === 'submit_report';
            if (effect === 'read' || isReport) expect([name, result.error?.code]).not.toEqual([name, 'FORBIDDEN']);
            else if (!isProposable) expect([name, result.error?.code]).toEqual([name, 'FORBIDDEN']);
            else expect([name, result.proposed ?? result.error?.code]).not.toEqual([name, undefined]);
          }
        }
      }
      const written = await changeSetsOf(agents.map(({ id }) => id));
      expect(new Set(written)).toEqual(new Set(['report.create']));
    }, 120_000);

    test('a person’s key reads over MCP, is refused each tool that writes, and is told what mends it', async () => {
      const person = await app.newKey();
      const { json } = await sendMessage(app, 'tools/list', {}, { key: person.key });
      const shown = (json as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
      expect(shown).toContain('update_transactions');
      for (const { info } of tools) {
        const result = await callTool(app, info.name, info.examples[0]?.arguments ?? {}, { key: person.key });
        if (info.effect === 'read') expect([info.name, result.error?.code]).not.toEqual([info.name, 'FORBIDDEN']);
        else expect([info.name, result.error?.code]).toEqual([info.name, 'FORBIDDEN']);
      }
      const refused = await callTool(app, 'save_tag', { slug: 'mine' }, { key: person.key });
      expect(refused.error.message).toMatch(/actor_type agent.*scope propose/);
      expect(await changeSetsOf([person.id])).toEqual([]);
      const written = await app.request('POST', '/api/v1/tags', { key: person.key, body: { name: 'Mine' } });
      expect(written.status).toBe(201);
      await app.request('PATCH', `/api/v1/api-keys/${person.id}`, { body: { actor_type: 'agent' } });
      const other = await app.again();
      for (const one of [app, other]) {
        const slug = `of-${one === app ? 'this' : 'another'}`;
        expect(await callTool(one, 'save_tag', { slug }, { key: person.key })).toMatchObject({ proposed: true });
        const asBefore = await one.request('POST', '/api/v1/tags', { key: person.key, body: { name: slug } });
        expect(asBefore.status).toBe(403);
      }
    }, 60_000);

    test('a link that an agent made while it could write connects no bank any more', async () => {
      const [, agent] = agents as [unknown, { id: string; key: string }];
      await setMode(app, 'read_write');
      const [owner] = (await app.request('GET', '/api/v1/users')).json;
      await app.request('PUT', '/api/v1/settings/providers/plaid', {
        body: { client_id: 'c'.repeat(24), secret: 's' },
      });
      const body = { user_id: owner.id };
      const made = await app.request('POST', '/api/v1/connections/link', { key: agent.key, body });
      expect(made.status, made.text).toBe(201);
      const open = () => app.request('GET', `/_link/${made.json.token}/session`, { key: null });
      expect((await open()).status).toBe(200);
      await setMode(app, 'propose');
      const refused = await open();
      expect([refused.status, refused.json.error.code]).toEqual([410, 'GONE']);
    });
  });

  test('an agent with full access writes, and cannot reach beyond its key', async () => {
    await setMode(app, 'read_write');
    const [, agent] = agents as [unknown, { id: string; key: string }];
    expect((await app.request('POST', '/api/v1/tags', { key: agent.key, body: { name: 'Free' } })).status).toBe(201);
    const workflow = await app.request('POST', '/api/v1/workflows', { body: { name: 'Mine', prompt: 'Look.' } });
    const paused = await app.request('POST', `/api/v1/workflows/${workflow.json.slug}/enable`);
    const changeSet = String(paused.headers['x-change-set-id']);
    const before = (await app.request('GET', `/api/v1/workflows/${workflow.json.slug}`)).text;
    for (const dry_run of [true, false]) {
      const overRest = await app.request('POST', `/api/v1/change-sets/${changeSet}/revert`, {
        key: agent.key,
        body: { dry_run },
      });
      expect([overRest.status, overRest.json.error.code]).toEqual([403, 'FORBIDDEN']);
      const args = { change_set_id: changeSet, dry_run };
      expect((await callTool(app, 'revert_change_set', args, { key: agent.key })).error.code).toBe('FORBIDDEN');
    }
    expect((await app.request('GET', `/api/v1/workflows/${workflow.json.slug}`)).text).toBe(before);
    const reverted = await app.request('POST', `/api/v1/change-sets/${changeSet}/revert`, { body: {} });
    expect(reverted.status, reverted.text).toBe(200);
  });

  test('no tool is made of an operation that is closed to agents', () => {
    const closed = operations.filter((one) => ['people', 'admins'].includes(RIGHTS.get(keyOf(one)) ?? ''));
    const names = new Set(closed.map(({ name }) => name));
    for (const { info } of tools)
      expect([info.name, info.operations.filter((name) => names.has(name))]).toEqual([info.name, []]);
  });
});
