import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';

import { openJar, type CookieJar } from '../../../test/harness/people/cookie-jar.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { recipientsOf } from './index.ts';

const KEYS = '/auth/recovery-keys';
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

async function signedIn(app: TestApp, identifier = 'ana@home.example'): Promise<CookieJar> {
  const jar = openJar(app);
  expect((await jar.signIn(identifier, PASSWORD)).status).toBe(200);
  return jar;
}

const recipients = (app: TestApp) => app.app.instance.database.read(recipientsOf);

forEachDatabase((database) => {
  test('a key is made with the password, its identity shown once and kept nowhere', async () => {
    const app = await database.open();
    await addLogin(app);
    const jar = await signedIn(app);
    const headers = { 'idempotency-key': 'once' };
    const made = await jar.request('POST', KEYS, { body: { password: PASSWORD }, headers });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const { identity, recipient } = made.json as { identity: string; recipient: string };
    expect(await identityToRecipient(identity)).toBe(recipient);
    expect(await recipients(app)).toEqual([recipient]);

    const listed = await jar.request('GET', KEYS);
    expect(listed.headers['cache-control']).toBe('no-store');
    expect(listed.json).toEqual([
      {
        recipient,
        own: false,
        added_at: '2026-04-26T06:00:00.000Z',
        added_by: { type: 'user', id: expect.any(String), name: 'Ana' },
      },
    ]);
    const kept = JSON.stringify([await allRows(app.app.instance.database), app.logs]);
    expect(kept).toContain(recipient);
    expect(kept.toUpperCase()).not.toContain(identity.slice(16));
    const [set] = await rowsOf(
      app.app.instance.database,
      'select action, actor_name, entity_types from change_sets order by id desc limit 1',
    );
    expect(set).toEqual({ action: 'setting.update', actor_name: 'Ana', entity_types: '["setting"]' });
    const [change] = await rowsOf<{ before: string; after: string }>(
      app.app.instance.database,
      'select "before", "after" from changes order by change_set_id desc limit 1',
    );
    expect(JSON.parse(change?.before ?? '')).toEqual({ 'backup.recipients': [] });
    expect(JSON.parse(change?.after ?? '')).toEqual({ 'backup.recipients': [recipient] });
    const undone = await app.request('POST', `/api/v1/change-sets/${String(made.headers['x-change-set-id'])}/revert`, {
      body: {},
    });
    expect(codeOf(undone)).toEqual([409, 'NOT_REVERTIBLE']);
  });

  test('a recipient of one’s own is added once, and taken away; eight are the most', async () => {
    const app = await database.open();
    await addLogin(app);
    const jar = await signedIn(app);
    const own = await identityToRecipient(await generateX25519Identity());
    const add = (recipient?: string) =>
      jar.request('POST', KEYS, { body: { password: PASSWORD, ...(recipient === undefined ? {} : { recipient }) } });
    expect((await add(` ${own} `)).json).toEqual({ recipient: own, identity: null });
    expect((await jar.request('GET', KEYS)).json[0].own).toBe(true);
    expect(codeOf(await add(own))).toEqual([409, 'CONFLICT']);
    for (const wrong of [own.slice(0, -1), `${own.slice(0, -1)}b`, own.toUpperCase(), 'ssh-ed25519 AAAA', NO_POINT]) {
      const refused = await add(wrong);
      expect([...codeOf(refused), refused.json.error.details[0].path], wrong).toEqual([
        400,
        'VALIDATION_ERROR',
        'recipient',
      ]);
    }
    for (let at = 1; at < 8; at++) expect((await add()).status).toBe(201);
    expect(codeOf(await add())).toEqual([409, 'CONFLICT']);
    expect(await recipients(app)).toHaveLength(8);

    const remove = (recipient: string) =>
      jar.request('POST', `${KEYS}/remove`, { body: { password: PASSWORD, recipient } });
    expect((await remove(own)).status).toBe(204);
    expect(codeOf(await remove(own))).toEqual([404, 'NOT_FOUND']);
    expect(await recipients(app)).not.toContain(own);
  });

  test('a wrong password adds and removes nothing, and counts as one of a sign-in', async () => {
    const app = await database.open();
    await addLogin(app);
    const jar = await signedIn(app);
    const { recipient } = (await jar.request('POST', KEYS, { body: { password: PASSWORD } })).json as {
      recipient: string;
    };
    const wrong = { password: 'not the password' };
    expect(codeOf(await jar.request('POST', KEYS, { body: wrong }))).toEqual([403, 'INVALID_CREDENTIALS']);
    const remove = await jar.request('POST', `${KEYS}/remove`, { body: { ...wrong, recipient } });
    expect(codeOf(remove)).toEqual([403, 'INVALID_CREDENTIALS']);
    const answers = [];
    for (let at = 0; at < 20; at++) answers.push((await jar.request('POST', KEYS, { body: wrong })).status);
    expect(answers.at(-1)).toBe(429);
    expect((await jar.request('POST', KEYS, { body: { password: PASSWORD } })).status).toBe(429);
    expect(await recipients(app)).toEqual([recipient]);
  });

  test('no key, editor or viewer comes in', async () => {
    const app = await database.open();
    await addLogin(app);
    for (const role of ['editor', 'viewer'] as const) await addLogin(app, { name: role, role });
    const body = { password: PASSWORD };
    for (const role of ['editor', 'viewer']) {
      const jar = await signedIn(app, `${role}@home.example`);
      expect(codeOf(await jar.request('GET', KEYS)), role).toEqual([403, 'FORBIDDEN']);
      expect(codeOf(await jar.request('POST', KEYS, { body })), role).toEqual([403, 'FORBIDDEN']);
      const remove = await jar.request('POST', `${KEYS}/remove`, { body: { ...body, recipient: 'age1' } });
      expect(codeOf(remove), role).toEqual([403, 'FORBIDDEN']);
    }
    for (const scope of ['read_only', 'propose', 'full_access'] as const) {
      const { key } = await app.newKey({ scope });
      expect(codeOf(await app.request('GET', KEYS, { key })), scope).toEqual([401, 'LOGIN_REQUIRED']);
      expect(codeOf(await app.request('POST', KEYS, { key, body })), scope).toEqual([401, 'LOGIN_REQUIRED']);
    }
    expect(await recipients(app)).toEqual([]);
  });
});

/** A well-formed recipient whose point has a small order, so that nothing can be encrypted to it. */
const NO_POINT = 'age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z';
