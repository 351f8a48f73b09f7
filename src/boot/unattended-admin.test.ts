import { expect, test } from 'vitest';

import { openJar } from '../../test/harness/people/cookie-jar.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { logins } from '../features/users/index.ts';
import { createUnattendedAdmin } from './unattended-admin.ts';

const email = 'ana@home.example';

async function setUp({ app }: TestApp, password = 'a long password'): Promise<void> {
  const { config, database, passwords, logger } = app.instance;
  await createUnattendedAdmin(
    { ...config, admin: { email, password, variable: 'HOMELEDGER_ADMIN_PASSWORD' } },
    database,
    passwords,
    logger,
  );
}

/** Members and logins as they are, and what the set-up recorded. */
async function look({ app }: TestApp) {
  const { database } = app.instance;
  return {
    members: await rowsOf(database, 'select name, kind from users'),
    logins: await rowsOf(database, 'select role, identifier, password_hash is not null as is_set from logins'),
    changes: await rowsOf(
      database,
      `select operation, entity_type, "before" from changes
      join change_sets on change_sets.id = change_set_id where action = 'setup.complete' order by sequence`,
    ),
  };
}

forEachDatabase((database) => {
  test('a common password stops the first start, and a later one ignores it', async () => {
    const app = await database.open();
    const refused = 'HOMELEDGER_ADMIN_PASSWORD is too common and easy to guess. Choose another one.';
    await expect(setUp(app, 'PassWord123')).rejects.toThrow(refused);
    expect((await look(app)).members).toEqual([]);
    await setUp(app);
    await setUp(app, 'PassWord123');
    expect((await look(app)).members).toHaveLength(1);
  });

  test('the admin of the environment signs in at once; a later start with another password leaves the first', async () => {
    const admin = (password: string) => ({
      HOMELEDGER_ADMIN_EMAIL: email,
      HOMELEDGER_ADMIN_PASSWORD: password,
    });
    const app = await database.open({ env: admin('a long password') });
    expect((await openJar(app).signIn(email, 'a long password')).json).toMatchObject({ first_run: false });
    const later = await app.again({ env: admin('quite another one') });
    expect((await openJar(later).signIn(email, 'a long password')).status).toBe(200);
    expect((await openJar(later).signIn(email, 'quite another one')).status).toBe(401);
    expect(later.logs.join()).toContain('users reset-password');
  });

  test('the first admin is a new member with a login, and a second start changes nothing', async () => {
    const app = await database.open();
    await setUp(app);
    const found = await look(app);
    expect(found.members).toEqual([{ name: 'ana', kind: 'admin' }]);
    expect(found.logins).toMatchObject([{ role: 'admin', identifier: email }]);
    expect(found.changes).toEqual([
      { operation: 'create', entity_type: 'user', before: null },
      { operation: 'create', entity_type: 'login', before: null },
    ]);
    await setUp(app);
    expect(await look(app)).toEqual(found);
  });

  test('an existing login with the address becomes an admin', async () => {
    const app = await database.open();
    const { json: ana } = await app.request('POST', '/api/v1/users', { body: { name: 'Ana', email } });
    const login = { user_id: ana.id as string, kind: 'password', identifier: email, role: 'member' };
    await app.write('test.login', (tx) => logins.create(tx, login));
    await setUp(app);
    const found = await look(app);
    expect(found.members).toEqual([{ name: 'Ana', kind: 'member' }]);
    expect(found.logins).toMatchObject([{ role: 'admin', identifier: email }]);
    expect(found.changes).toEqual([
      { operation: 'update', entity_type: 'login', before: '{"role":"member","has_password":false}' },
    ]);
  });

  test('a member of that name without an address gets the login and the address, and there is no second one', async () => {
    const app = await database.open();
    await app.request('POST', '/api/v1/users', { body: { name: 'ANA' } });
    await setUp(app);
    expect(await look(app)).toMatchObject({
      members: [{ name: 'ANA', kind: 'member' }],
      logins: [{ identifier: email }],
    });
    expect((await app.request('GET', '/api/v1/users')).json).toMatchObject([{ email }]);
  });

  test('a member who signs in with another address stops the start, and nothing is written', async () => {
    const app = await database.open();
    const { json: ana } = await app.request('POST', '/api/v1/users', { body: { name: 'Ana', email } });
    const body = { identifier: 'other@home.example' };
    await app.request('POST', `/api/v1/users/${ana.id}/login`, { body });
    const before = await look(app);
    await expect(setUp(app)).rejects.toThrow('HOMELEDGER_ADMIN_EMAIL: Ana already signs in with other@home.example');
    expect(await look(app)).toEqual(before);
  });

  test('an existing member with the address gets a login', async () => {
    const app = await database.open();
    await app.request('POST', '/api/v1/users', { body: { name: 'Ana', email } });
    await setUp(app);
    const found = await look(app);
    expect(found.members).toEqual([{ name: 'Ana', kind: 'member' }]);
    expect(found.logins).toMatchObject([{ role: 'admin', identifier: email }]);
    expect(found.changes).toEqual([{ operation: 'create', entity_type: 'login', before: null }]);
  });
});
