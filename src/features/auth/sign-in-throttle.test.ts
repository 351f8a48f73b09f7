import { expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { MINUTE_MS } from '../../kernel/dates.ts';
import { forgetBrowsers } from './index.ts';

const WRONG = 'not the password';
const ANA = 'ana@home.example';
const limited = (seconds: number) => [429, 'RATE_LIMITED', String(seconds)];
const verdictOf = ({ status, json, headers }: Answer) => [status, json?.error?.code, headers['retry-after']];
const fail = async (app: TestApp, from: string, count: number, identifier = ANA) => {
  for (let i = 0; i < count; i++) {
    expect((await openJar(app, { from }).signIn(identifier, WRONG)).status).toBe(401);
  }
};

forEachDatabase((database) => {
  test('after five failures of an identifier from an address even the right password waits a minute', async () => {
    const app = await database.open();
    await addLogin(app);
    for (const identifier of [ANA, 'nobody@home.example']) {
      await fail(app, '10.0.0.1', 5, identifier);
      for (const password of [WRONG, PASSWORD]) {
        const refused = await openJar(app, { from: '10.0.0.1' }).signIn(` ${identifier.toUpperCase()}`, password);
        expect(verdictOf(refused)).toEqual(limited(60));
      }
    }
    expect((await openJar(app, { from: '10.0.0.2' }).signIn(ANA, PASSWORD)).status).toBe(200);
    app.clock.advance(MINUTE_MS);
    expect((await openJar(app, { from: '10.0.0.1' }).signIn(ANA, PASSWORD)).status).toBe(200);
    // Success made the bucket full again.
    await fail(app, '10.0.0.1', 5);
  });

  test('an address has twenty failures, an identifier fifty, wherever they come from', async () => {
    const app = await database.open();
    await addLogin(app);
    for (let i = 0; i < 4; i++) await fail(app, '10.0.0.1', 5, `member${i}@home.example`);
    expect(verdictOf(await openJar(app, { from: '10.0.0.1' }).signIn(ANA, PASSWORD))).toEqual(limited(10));
    for (let i = 0; i < 10; i++) await fail(app, `10.0.1.${i}`, 5);
    expect(verdictOf(await openJar(app, { from: '10.0.2.1' }).signIn(ANA, PASSWORD))).toEqual(limited(30));
    const address = `2001:db8:0:1::${(1).toString(16)}`;
    for (let i = 0; i < 4; i++) await fail(app, `2001:db8:0:1::${i + 1}`, 5, `other${i}@home.example`);
    expect(verdictOf(await openJar(app, { from: address }).signIn('x@home.example', WRONG))).toEqual(limited(10));
  });

  test('many attempts at once gain nothing, however large their bodies', async () => {
    const app = await database.open({ workers: 1 });
    await addLogin(app);
    const padding = ' '.repeat(70_000);
    const attempts = Array.from({ length: 12 }, (_, i) =>
      openJar(app).signIn(i % 2 === 0 ? ANA : ANA + padding, WRONG),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect([401, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([5, 7]);
  });

  test('strangers who fail on purpose lock out no browser that has signed in before', async () => {
    const app = await database.open();
    const { login, member } = await addLogin(app);
    await addLogin(app, { name: 'Ben' });
    const home = openJar(app, { from: '10.0.0.1' });
    await home.signIn(ANA, PASSWORD);
    await home.request('POST', '/auth/logout');
    await fail(app, '10.0.0.1', 5);
    for (let i = 0; i < 3; i++) await fail(app, '10.0.0.1', 5, `member${i}@home.example`);
    for (let i = 0; i < 9; i++) await fail(app, `10.0.1.${i}`, 5);
    expect((await openJar(app, { from: '10.0.9.9' }).signIn(ANA, PASSWORD)).status).toBe(429);
    // What the cookie is worth: for its login alone, and only as long as it is not guessing either.
    expect((await home.signIn('ben@home.example', PASSWORD)).status).toBe(429);
    for (let i = 0; i < 5; i++) expect((await home.signIn(ANA, WRONG)).status).toBe(401);
    expect(verdictOf(await home.signIn(ANA, PASSWORD))).toEqual(limited(60));
    app.clock.advance(MINUTE_MS);
    expect((await home.signIn(ANA, PASSWORD)).status).toBe(200);

    const forged = { cookie: `homeledger_browser_${login.short_id}=${'A'.repeat(43)}` };
    const stranger = openJar(app, { from: '10.0.1.1', headers: forged });
    await fail(app, '10.0.1.1', 1);
    expect((await stranger.signIn(ANA, PASSWORD)).status).toBe(429);
    const reset = `/api/v1/users/${member.short_id}/login/${login.short_id}/regenerate-token`;
    const { setup_token: token } = (await app.request('POST', reset)).json;
    const phone = openJar(app, { from: '10.0.7.7' });
    const password = 'another long password';
    expect((await phone.request('POST', `/auth/invitations/${token}`, { body: { password } })).status).toBe(200);
    await fail(app, '10.0.0.1', 1);
    expect((await home.signIn(ANA, password)).status).toBe(429);
    expect((await phone.signIn(ANA, password)).status).toBe(200);
  });

  test('a wrong current password counts as a failed sign-in, for the password as for the identifier', async () => {
    const app = await database.open();
    const { login } = await addLogin(app);
    const jar = openJar(app);
    await jar.signIn(ANA, PASSWORD);
    const profile = (password: string) =>
      jar.request('PATCH', '/auth/profile', {
        body: { identifier: 'new@home.example', current_password: password },
      });
    const change = (password: string) =>
      jar.request('POST', '/auth/password', {
        body: { current_password: password, new_password: 'another long password' },
      });
    for (let i = 0; i < 3; i++) expect((await profile(WRONG)).status).toBe(403);
    for (let i = 0; i < 2; i++) expect((await change(WRONG)).status).toBe(403);
    for (const answer of [await profile(PASSWORD), await change(PASSWORD), await jar.signIn(ANA, PASSWORD)]) {
      expect(verdictOf(answer)).toEqual(limited(60));
    }
    // Only this browser was guessing: the buckets of its address are untouched.
    expect((await openJar(app).signIn(ANA, PASSWORD)).status).toBe(200);
    await app.write('test.reset', (tx) => forgetBrowsers(tx, login.id));
    for (let i = 0; i < 5; i++) expect((await change(WRONG)).status).toBe(403);
    expect((await openJar(app).signIn(ANA, PASSWORD)).status).toBe(429);
  });

  test('a login knows its ten newest browsers', async () => {
    const app = await database.open();
    const { login } = await addLogin(app);
    const jars = [];
    for (let i = 0; i < 11; i++) {
      const jar = openJar(app);
      await jar.signIn(ANA, PASSWORD);
      jars.push(jar);
      app.clock.advance(1_000);
    }
    const sql = `select token_hash from known_browsers where login_id = '${login.id}'`;
    expect(await rowsOf(app.app.instance.database, sql)).toHaveLength(10);
    await fail(app, '127.0.0.1', 5);
    expect((await jars[0]?.signIn(ANA, PASSWORD))?.status).toBe(429);
    expect((await jars[1]?.signIn(ANA, PASSWORD))?.status).toBe(200);
  });
});
