import { expect, test } from 'vitest';

import { browserOperations, operations } from '../../contract/registry.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { addLogin, PASSWORD, signIn, type SignedIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];
const urlOf = ({ path, example }: AnyOperation) =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => example.params?.[name] ?? 'abcdefgh');

/** The table of contract 20.1, as paths, and what 60.7 and 85.8 add. */
function isForAdmins({ path, method, scope }: AnyOperation): boolean {
  const below = path.replace('/api/v1', '');
  if (
    /^\/(api-keys|auth\/device-requests|users\/\{\w+\}\/login|config|backups|notification-channels|notification-deliveries)(\/|$)/.test(
      below,
    )
  )
    return true;
  if (/^\/settings\/|\/settings$/.test(below)) return method !== 'GET' || scope === 'full_access';
  return [
    'DELETE /users/{id}',
    'POST /users/{id}/wipe-data',
    'DELETE /providers/{name}',
    'POST /workflows/cleanup',
    'GET /export/household',
  ].includes(`${method} ${below}`);
}

async function ask(app: TestApp, { headers }: SignedIn, operation: AnyOperation): Promise<Answer> {
  const body = operation.method === 'GET' ? {} : { body: operation.example.body ?? {} };
  return app.request(operation.method, urlOf(operation), { key: null, headers, ...body });
}

forEachDatabase((database) => {
  test('an editor is refused what is for admins, a viewer every write, whatever the body, and nothing is written', async () => {
    const app = await database.open();
    const [editor, viewer] = [
      await signIn(app, { name: 'Ben', role: 'editor' }),
      await signIn(app, { name: 'Cleo', role: 'viewer' }),
    ];
    const withKey = operations.filter(({ scope }) => scope !== 'none');
    const forAdmins = withKey.filter(isForAdmins);
    expect(withKey.filter(({ adminOnly }) => adminOnly === true)).toEqual(forAdmins);
    expect(forAdmins.length).toBeGreaterThan(10);
    const before = await allRows(app.app.instance.database, ['sessions']);
    for (const operation of forAdmins) {
      expect([operation.name, ...codeOf(await ask(app, editor, operation))]).toEqual([
        operation.name,
        403,
        'FORBIDDEN',
      ]);
    }
    const forWriters = withKey.filter(({ scope }) => scope === 'full_access');
    for (const operation of forWriters) {
      expect([operation.name, ...codeOf(await ask(app, viewer, operation))]).toEqual([
        operation.name,
        403,
        'FORBIDDEN',
      ]);
    }
    expect(await allRows(app.app.instance.database, ['sessions'])).toEqual(before);
    // No operation on your own account needs an admin; those on the keys of backups do (85.7).
    const ofAdmins = browserOperations.filter(({ adminOnly }) => adminOnly === true);
    expect(ofAdmins.filter(({ path }) => !path.startsWith('/auth/recovery-keys'))).toEqual([]);
    expect(ofAdmins).toHaveLength(3);
  });

  test('a demoted login may do less from its next request on, a deleted one nothing', async () => {
    const app = await database.open();
    await addLogin(app, { name: 'Ana' });
    const { member, login } = await addLogin(app, { name: 'Ben', role: 'editor' });
    const ben = openJar(app);
    await ben.signIn(login.identifier, PASSWORD);
    const path = `/api/v1/users/${member.short_id}/login/${login.short_id}`;
    const write = (name: string) => ben.request('POST', '/api/v1/tags', { body: { name } });
    expect((await write('One')).status).toBe(201);
    expect((await app.request('PATCH', path, { body: { role: 'viewer' } })).status).toBe(200);
    expect(codeOf(await write('Two'))).toEqual([403, 'FORBIDDEN']);
    expect((await ben.request('GET', '/auth/session')).json.scope).toBe('read_only');
    expect((await app.request('DELETE', path)).status).toBe(204);
    expect(codeOf(await ben.request('GET', '/api/v1/tags'))).toEqual([401, 'MISSING_API_KEY']);
    expect((await ben.request('GET', '/auth/session')).json.authenticated).toBe(false);
    expect(codeOf(await ben.request('GET', '/auth/sessions'))).toEqual([401, 'LOGIN_REQUIRED']);
  });

  test('when strangers have used up the open bucket of an address, a page with a session works', async () => {
    const app = await database.open({ env: { API_RATE_LIMIT_RPM: '60', API_RATE_LIMIT_BURST: '5' } });
    const ana = await signIn(app);
    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      app.request('GET', path, { key: null, headers });
    for (let i = 0; i < 5; i++) expect((await get('/auth/session')).status).toBe(200);
    expect(codeOf(await get('/auth/session'))).toEqual([429, 'RATE_LIMITED']);
    const page = await get('/', { ...ana.headers, accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (let i = 0; i < 12; i++) {
      const answer = await get(i % 2 === 0 ? '/auth/session' : '/api/v1/users', ana.headers);
      expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, '25']);
    }
  });

  test('a route without a key answers the same with a revoked or a malformed key as with none', async () => {
    const app = await database.open();
    const { key, id } = await app.newKey();
    await app.request('DELETE', `/api/v1/api-keys/${id}`);
    const open = operations.filter(({ scope, method }) => scope === 'none' && method === 'GET');
    const paths = [...open.flatMap((one) => [one.path, ...(one.aliases ?? [])]), '/openapi.json', '/docs'];
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const plain = await app.request('GET', path, { key: null });
      for (const bad of [key, 'nonsense']) {
        const answer = await app.request('GET', path, { key: bad });
        expect([path, answer.status, answer.text]).toEqual([path, plain.status, plain.text]);
      }
    }
  });
});
