import { expect, test } from 'vitest';

import { addAccount, addTransactions } from '../../../test/harness/ledger.ts';
import { newKeyOf, stateOf } from '../../../test/harness/people/people.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import type { LoginsTable } from '../../db/schema.ts';
import { write } from '../../journal/write.ts';
import { logins } from './index.ts';
import { journalOf } from '../../journal/journal-of.ts';

const USERS = '/api/v1/users';
const FIELDS = ['created_at', 'email', 'id', 'kind', 'name', 'short_id', 'updated_at'];

async function add(app: TestApp, body: unknown): Promise<Answer> {
  return app.request('POST', USERS, { body });
}

/** A login as first-run setup creates it; without a password, as an invitation does. */
async function addLogin(app: TestApp, user: { id: string }, role: string, hasPassword: boolean): Promise<void> {
  await app.write('test.login', async (tx) => {
    const id = tx.ids.uuid();
    await tx.q
      .insertInto('logins')
      .values({
        id,
        short_id: tx.ids.shortId(),
        user_id: user.id,
        kind: 'password',
        identifier: `${id}@home.example`,
        role,
        password_hash: hasPassword ? 'hash' : null,
        setup_token_hash: null,
        setup_token_expires_at: null,
        last_used_at: null,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .execute();
    journalOf('login').created(tx, { id, short_id: null }, {}, { revertible: false });
  });
}

async function changesOf(app: TestApp, answer: Answer) {
  const id = String(answer.headers['x-change-set-id']);
  const [set] = await rowsOf(app.app.instance.database, `select * from change_sets where id = '${id}'`);
  const changes = await rowsOf<{ entity_type: string; operation: string; before: string | null; after: string | null }>(
    app.app.instance.database,
    `select * from changes where change_set_id = '${id}' order by sequence`,
  );
  return { set, changes };
}

forEachDatabase((database) => {
  test('a new member has defaults, and is found by both ids', async () => {
    const app = await database.open();
    const made = await add(app, { name: '  Ana ' });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: 'Ana', kind: 'member', email: null });
    expect(Object.keys(made.json).sort()).toEqual(FIELDS);
    for (const id of [made.json.id, made.json.short_id]) {
      expect((await app.request('GET', `${USERS}/${id}`)).json).toEqual(made.json);
    }
    for (const id of ['zzzzzzzz', made.json.id.replace(/.$/, 'x'), made.json.id.toUpperCase(), 'x']) {
      expect((await app.request('GET', `${USERS}/${id}`)).json.error.code).toBe('NOT_FOUND');
    }
  });

  test('invalid fields are refused by name, and nothing is written', async () => {
    const app = await database.open();
    const known = (await add(app, { name: 'Ana' })).json;
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [body, path] of [
      [{}, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'Ana', kind: 'owner' }, 'kind'],
      [{ name: 'Ana', email: 'Ana <ana@x.y>' }, 'email'],
      [{ name: 'Ana', email: 'ana' }, 'email'],
      [{ name: 'Ana', email: 'a@b@c' }, 'email'],
      [{ name: 'Ana', email: `${'a'.repeat(250)}@home.example` }, 'email'],
      [{ name: 'Ana', role: 'admin' }, 'role'],
    ] as const) {
      const refused = await add(app, body);
      expect([refused.status, refused.json.error.code, refused.json.error.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        path,
      ]);
      expect(refused.json.error.message).toMatch(new RegExp(`^${path}: `));
    }
    for (const body of [{ name: null }, { name: '' }, { kind: null }, { email: 'a b@c' }, { id: 'x' }]) {
      expect((await app.request('PATCH', `${USERS}/${known.id}`, { body })).status).toBe(400);
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('an email address is lower-cased, can be cleared and is unique, even for concurrent writes', async () => {
    const app = await database.open();
    const ana = (await add(app, { name: 'Ana', email: ' Ana@Home.Example ' })).json;
    expect(ana.email).toBe('ana@home.example');
    expect((await add(app, { name: 'Ada', email: 'ANA@home.example' })).json.error.code).toBe('EMAIL_CONFLICT');
    const ben = (await add(app, { name: 'Ben', email: '' })).json;
    expect(ben.email).toBeNull();
    const taken = await app.request('PATCH', `${USERS}/${ben.id}`, { body: { email: 'ANA@home.example' } });
    expect([taken.status, taken.json.error.code]).toEqual([409, 'EMAIL_CONFLICT']);
    const own = await app.request('PATCH', `${USERS}/${ana.id}`, { body: { email: 'ANA@HOME.example' } });
    expect([own.status, own.headers['x-change-set-id']]).toEqual([200, undefined]);
    expect((await app.request('PATCH', `${USERS}/${ana.id}`, { body: { email: '' } })).json.email).toBeNull();

    const both = await Promise.all([1, 2, 3].map((n) => add(app, { name: `Cy ${n}`, email: 'cy@home.example' })));
    expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
    const ids = [ana.id, ben.id];
    const moved = await Promise.all(
      ids.map((id) => app.request('PATCH', `${USERS}/${id}`, { body: { email: 'dee@home.example' } })),
    );
    expect(moved.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
  });

  test('a change affects only the fields sent; one that changes nothing leaves no trace', async () => {
    const app = await database.open();
    const ana = (await add(app, { name: 'Ana', kind: 'admin', email: 'ana@home.example' })).json;
    app.clock.advance(60_000);
    const renamed = await app.request('PATCH', `${USERS}/${ana.short_id}`, { body: { name: 'Anna' } });
    expect(renamed.json).toEqual({ ...ana, name: 'Anna', updated_at: '2026-04-26T06:01:00.000Z' });
    const { set, changes } = await changesOf(app, renamed);
    expect(set).toMatchObject({ action: 'user.update', updated_count: 1, is_revertible: 0 });
    expect(changes.map(({ before, after }) => [before, after])).toEqual([['{"name":"Ana"}', '{"name":"Anna"}']]);
    app.clock.advance(60_000);
    for (const body of [{}, { name: ' Anna ' }, { kind: 'admin', email: 'ANA@home.example' }]) {
      const same = await app.request('PATCH', `${USERS}/${ana.id}`, { body });
      expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, renamed.json, undefined]);
    }
  });

  test('members are listed by name regardless of case, then id', async () => {
    const app = await database.open();
    const made: string[] = [];
    for (const name of ['bea', 'Ana', 'Zoe', 'ana', 'Étienne', 'BEA']) made.push((await add(app, { name })).json.id);
    const listed = (await app.request('GET', USERS, { key: app.readOnlyKey })).json as { id: string; name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(['Ana', 'ana', 'bea', 'BEA', 'Étienne', 'Zoe']);
    expect(listed.map(({ id }) => id).sort()).toEqual(made.sort());
  });

  test('a member with connections cannot be deleted; the message says how many', async () => {
    const app = await database.open();
    const ana = (await add(app, { name: 'Ana' })).json;
    await addAccount(app, ana);
    await addAccount(app, ana);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const refused = await app.request('DELETE', `${USERS}/${ana.id}`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'USER_HAS_DEPENDENTS']);
    expect(refused.json.error.message).toContain('2 connections');
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('deleting a member clears them from accounts and transactions, in one change set', async () => {
    const app = await database.open();
    const [ana, ben] = [(await add(app, { name: 'Ana' })).json, (await add(app, { name: 'Ben' })).json];
    const account = await addAccount(app, ana, { override: ben });
    const kept = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
    const [attributed] = await addTransactions(app, [{ ...kept, attributed: ben }, kept]);
    await addLogin(app, ben, 'editor', true);
    const [own, revoked, others] = [await newKeyOf(app, ben), await newKeyOf(app, ben), await newKeyOf(app, ana)];
    await app.request('DELETE', `/api/v1/api-keys/${revoked.id}`);

    const deleted = await app.request('DELETE', `${USERS}/${ben.short_id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const { set, changes } = await changesOf(app, deleted);
    expect(set).toMatchObject({ action: 'user.delete', deleted_count: 2, updated_count: 5, is_revertible: 0 });
    expect(changes.map((change) => `${change.operation} ${change.entity_type}`).sort()).toEqual([
      'delete login',
      'delete user',
      'update account',
      'update api_key',
      'update api_key',
      'update api_key',
      'update transaction',
    ]);
    expect([await stateOf(app, own), await stateOf(app, others)]).toEqual(['REVOKED_API_KEY', 200]);
    for (const { id } of [own, revoked]) {
      const kept = (await app.request('GET', `/api/v1/api-keys/${id}`)).json;
      expect([kept.user_id, typeof kept.revoked_at]).toEqual([null, 'string']);
    }
    const moved = changes.find((change) => change.entity_type === 'transaction');
    expect(moved).toMatchObject({ before: `{"attributed_user_id":"${ben.short_id}"}`, transaction_id: attributed?.id });
    expect(changes.find((change) => change.entity_type === 'login')?.before).not.toContain('hash');

    expect((await app.request('GET', `${USERS}/${ben.id}`)).status).toBe(404);
    expect((await app.request('DELETE', `${USERS}/${ben.id}`)).status).toBe(404);
    const shown = (await app.request('GET', `/api/v1/accounts/${account.id}`)).json;
    expect([shown.owner_user_id, shown.owner_user_name]).toEqual([null, 'Ana']);
    const transaction = (await app.request('GET', `/api/v1/transactions/${attributed?.id}`)).json;
    expect([transaction.attributed_user_id, transaction.user_id]).toEqual([null, ana.short_id]);
    expect(await rowsOf(app.app.instance.database, 'select * from logins')).toEqual([]);
  });

  test('neither the last admin nor the last who can sign in can be deleted', async () => {
    const app = await database.open();
    const make = async (name: string) => (await add(app, { name })).json;
    const [active, invited, other] = [await make('Active'), await make('Invited'), await make('Other')];
    const remove = (user: { id: string }) => app.request('DELETE', `${USERS}/${user.id}`);
    await addLogin(app, active, 'admin', true);
    expect((await remove(active)).json.error.code).toBe('LAST_ADMIN');
    await addLogin(app, invited, 'admin', false);
    expect((await remove(active)).json.error.code).toBe('LAST_ADMIN');
    expect((await remove(invited)).status).toBe(204);
    await addLogin(app, other, 'admin', true);
    const both = await Promise.all([remove(active), remove(other)]);
    expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([204, 409]);
  });

  test('a new password leaves a change that shows no hash', async () => {
    const app = await database.open();
    const db = app.app.instance.database;
    await addLogin(app, (await add(app, { name: 'Ana' })).json, 'member', true);
    const [login] = await rowsOf<LoginsTable>(db, 'select * from logins');
    await app.write('test.password', (tx) => logins.change(tx, login as LoginsTable, { password_hash: 'other' }));
    const changes = await rowsOf(
      db,
      `select "before", "after", internal from changes where entity_type = 'login' and operation = 'update'`,
    );
    expect(changes).toEqual([{ before: '{"has_password":true}', after: '{"has_password":true}', internal: null }]);
    expect(await rowsOf(db, 'select password_hash from logins')).toEqual([{ password_hash: 'other' }]);
  });

  test('connections are checked before admins', async () => {
    const app = await database.open();
    const ana = (await add(app, { name: 'Ana' })).json;
    await addLogin(app, ana, 'admin', true);
    await addAccount(app, ana);
    expect((await app.request('DELETE', `${USERS}/${ana.id}`)).json.error.code).toBe('USER_HAS_DEPENDENTS');
  });

  test('the name stays in the change sets of a deleted member', async () => {
    const app = await database.open();
    const ana = (await add(app, { name: 'Ana' })).json;
    const actor = { type: 'user', id: ana.short_id, userId: ana.short_id, name: 'Ana' } as const;
    const origin = {
      actor,
      surface: 'dashboard',
      source: 'edit',
      action: 'test',
      reason: null,
      requestId: null,
    } as const;
    const { changeSetId } = await write(app.app.instance.database, origin, async (tx) => {
      await tx.q.updateTable('users').set({ kind: 'admin' }).where('id', '=', ana.id).execute();
      journalOf('user').changed(tx, ana, { before: {}, after: {} }, { revertible: false });
    });
    expect((await app.request('DELETE', `${USERS}/${ana.id}`)).status).toBe(204);
    const kept = await rowsOf(
      app.app.instance.database,
      `select actor_name, actor_user_id from change_sets where id = '${changeSetId}'`,
    );
    expect(kept).toEqual([{ actor_name: 'Ana', actor_user_id: ana.short_id }]);
  });
});
