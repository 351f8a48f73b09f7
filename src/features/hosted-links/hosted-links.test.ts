import { beforeAll, describe, expect, test } from 'vitest';

import { addBankConnection, configureProviders } from '../../../test/harness/banks/bank-connection.ts';
import { addAccount, addMember, type Made } from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { endLinkSessions, endLinkSessionsOf } from './index.ts';

const LINK = '/api/v1/connections/link';
const HTML = { accept: 'text/html,application/xhtml+xml' };
const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  let app: TestApp;
  let ana: Made;
  beforeAll(async () => {
    app = await database.open();
    ana = await addMember(app, 'Ana');
    await configureProviders(app);
  });

  const mint = async (body: object = {}, options: object = {}) =>
    (await app.request('POST', LINK, { body: { user_id: ana.short_id, ...body }, ...options })).json;
  const session = async (id: string) => (await app.request('GET', `${LINK}/${id}`)).json;
  const page = (token: string, query = '', options: object = {}) =>
    app.request('GET', `/link/${token}${query}`, { key: null, ...options });
  const call = (token: string, path: string, options: object = {}, method = 'POST') =>
    app.request(method, `/_link/${token}/${path}`, {
      key: null,
      ...(method === 'POST' ? { body: {} } : {}),
      ...options,
    });
  const use = (token: string) => call(token, 'session', {}, 'GET');

  describe('a client', () => {
    test('gets the address of a page once; nothing else tells the token', async () => {
      const headers = { 'idempotency-key': 'link-1', 'x-change-reason': 'why' };
      const made = await mint({ provider: 'plaid', label: ' Ana’s bank ' }, { headers });
      expect(made).toMatchObject({
        status: 'pending',
        provider: 'plaid',
        label: 'Ana’s bank',
        action: 'link',
        single_use: false,
      });
      expect(made.token).toMatch(/^[\w-]{22}$/);
      expect(made.url).toBe(`http://localhost:80/link/${made.token}`);
      const again = await mint({ provider: 'plaid', label: ' Ana’s bank ' }, { headers });
      expect([again.id, again.token, again.url]).toEqual([made.id, null, null]);
      const { token, url, ...shown } = made;
      expect(await session(made.short_id)).toEqual(shown);
      await page(token);
      await use(token);
      const everything = JSON.stringify(await allRows(app.app.instance.database)) + app.logs.join('\n');
      expect(everything).not.toContain(token);
      expect([everything.includes('/link/***'), everything.includes('/_link/***'), url.endsWith(token)]).toEqual([
        true,
        true,
        true,
      ]);
    });

    test('chooses how long it lives, up to an hour', async () => {
      const lifetime = async (seconds?: number) => {
        const made = await mint(seconds === undefined ? {} : { expires_in_seconds: seconds });
        return (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 1_000;
      };
      expect([await lifetime(), await lifetime(0), await lifetime(60), await lifetime(3_600)]).toEqual([
        900, 900, 60, 3_600,
      ]);
      for (const seconds of [-1, 3_601, 1.5, '60']) {
        const refused = await app.request('POST', LINK, { body: { user_id: ana.id, expires_in_seconds: seconds } });
        expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
      }
    });

    test('may lead back only to origins of the household', async () => {
      const refused = async (redirect_url: string, headers = {}) =>
        codeOf(await app.request('POST', LINK, { body: { user_id: ana.id, redirect_url }, headers }));
      for (const url of [
        'https://evil.example/',
        'javascript:alert(1)',
        'https://user@localhost/',
        'https://user:word@a.example/',
        '/back',
        '//evil.example',
        'http://localhost.evil.example/',
        `http://localhost/${'x'.repeat(2_048)}`,
      ]) {
        expect([url, ...(await refused(url))]).toEqual([url, 400, 'VALIDATION_ERROR']);
      }
      expect(await refused('http://box.lan/back', { host: 'box.lan' })).toEqual([400, 'VALIDATION_ERROR']);
      expect((await mint({ redirect_url: 'http://localhost/back?a=1' })).redirect_url).toBe(
        'http://localhost/back?a=1',
      );
      await app.request('PUT', '/api/v1/config/link_redirect_origins', {
        body: { value: 'https://a.example,http://box.lan' },
      });
      for (const url of ['https://a.example/x', 'http://box.lan/back']) {
        expect((await mint({ redirect_url: url })).redirect_url).toBe(url);
      }
      expect(await refused('https://user@a.example/')).toEqual([400, 'VALIDATION_ERROR']);
    });

    test('names a member, and a provider that is set up', async () => {
      const status = async (body: object) => codeOf(await app.request('POST', LINK, { body }));
      expect(await status({ user_id: 'nonsense' })).toEqual([400, 'INVALID_PARAMETER']);
      expect(await status({ user_id: ana.id, provider: 'csv' })).toEqual([400, 'VALIDATION_ERROR']);
      await app.request('DELETE', '/api/v1/providers/plaid');
      expect(await status({ user_id: ana.id, provider: 'plaid' })).toEqual([409, 'PROVIDER_NOT_CONFIGURED']);
      expect((await mint()).provider).toBe('');
      await app.request('DELETE', '/api/v1/providers/teller');
      expect(await status({ user_id: ana.id })).toEqual([409, 'PROVIDER_NOT_CONFIGURED']);
      await configureProviders(app);
    });

    test('can withdraw the page until it has ended', async () => {
      const made = await mint();
      expect((await app.request('DELETE', `${LINK}/${made.id}`)).status).toBe(204);
      expect(await session(made.id)).toMatchObject({
        status: 'failed',
        error_code: 'cancelled',
        completed_at: expect.any(String),
      });
      expect(codeOf(await app.request('DELETE', `${LINK}/${made.id}`))).toEqual([409, 'INVALID_STATE']);
      expect(codeOf(await use(made.token))).toEqual([410, 'GONE']);
      expect(codeOf(await page(made.token))).toEqual([410, 'GONE']);
    });

    test('renews only the login of a bank that is connected', async () => {
      const relink = (id: string, body?: object) =>
        app.request('POST', `/api/v1/connections/${id}/relink`, body === undefined ? {} : { body });
      const bank = await addBankConnection(app, ana, { institution_name: 'First Platypus Bank' });
      expect((await relink(bank.short_id)).json).toMatchObject({
        action: 'relink',
        connection_id: bank.id,
        provider: 'plaid',
        user_id: ana.short_id,
        single_use: true,
      });
      expect(codeOf(await relink(bank.id, { provider: 'teller' }))).toEqual([400, 'VALIDATION_ERROR']);
      const gone = await addBankConnection(app, ana, { status: 'disconnected' });
      expect(codeOf(await relink(gone.id))).toEqual([409, 'CONNECTION_DISCONNECTED']);
      const files = await addAccount(app, ana);
      expect(codeOf(await relink(files.connection.id))).toEqual([409, 'CONFLICT']);
    });
  });

  describe('the page', () => {
    test('is read without being used, however often', async () => {
      const made = await mint();
      for (const method of ['GET', 'GET', 'HEAD']) {
        expect((await app.request(method, `/link/${made.token}`, { key: null, headers: HTML })).status).toBe(200);
      }
      expect(await session(made.id)).toMatchObject({ status: 'pending', started_at: null });
      expect((await use(made.token)).json).toMatchObject({
        status: 'active',
        providers: ['plaid', 'teller'],
        user_name: 'Ana',
      });
      expect(await session(made.id)).toMatchObject({ status: 'active', started_at: expect.any(String) });
    });

    test('names no third party but those of the provider that it is for', async () => {
      const policy = ({ headers }: Answer) => String(headers['content-security-policy']);
      const made = await mint();
      const [picker, plaid, teller, strange] = await Promise.all(
        ['', '?provider=plaid', '?provider=teller', '?provider=csv'].map((query) => page(made.token, query)),
      );
      for (const one of [picker, strange] as Answer[])
        expect(policy(one) + one.text).not.toMatch(/plaid\.com|teller\.io|https?:/);
      expect(policy(plaid as Answer)).toContain('script-src');
      expect(policy(plaid as Answer)).not.toContain('teller');
      expect(policy(teller as Answer)).not.toContain('plaid');
      expect(policy(plaid as Answer).split(';')).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        expect.stringMatching(
          /^script-src 'nonce-[\w+/=]{24}' https:\/\/cdn\.plaid\.com\/link\/v2\/stable\/link-initialize\.js$/,
        ),
        'frame-src https://cdn.plaid.com',
        "connect-src 'self' https://sandbox.plaid.com",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
      ]);
      const pinned = await mint({ provider: 'teller' });
      const ignored = await page(pinned.token, '?provider=plaid');
      expect(policy(ignored)).toContain('frame-src https://teller.io https://*.teller.io');
      expect(policy(ignored)).not.toContain('plaid');
      expect(policy(plaid as Answer)).not.toBe(policy(await page(made.token, '?provider=plaid')));
      expect(ignored.text).not.toContain(pinned.token);
    });

    test('is stored, framed and referred to by nobody', async () => {
      const made = await mint();
      for (const answer of [
        await page(made.token),
        await page('unknown', '', { headers: HTML }),
        await page('oauth-return'),
      ]) {
        expect(answer.headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'cross-origin-opener-policy': 'same-origin-allow-popups',
          'x-robots-tag': 'noindex',
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        });
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    });

    test('says what has become of a link, to people and to programs', async () => {
      expect(codeOf(await page('A'.repeat(22)))).toEqual([404, 'NOT_FOUND']);
      const unknown = await page('A'.repeat(22), '', { headers: HTML });
      expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('This link is not known')]);
      const made = await mint({ expires_in_seconds: 60 });
      app.clock.advance(60_000);
      expect(codeOf(await page(made.token))).toEqual([410, 'EXPIRED']);
      const expired = await page(made.token, '', { headers: HTML });
      expect([expired.status, expired.text]).toEqual([410, expect.stringContaining('This link has expired')]);
      expect(codeOf(await use(made.token))).toEqual([410, 'EXPIRED']);
      expect(await session(made.id)).toMatchObject({ status: 'expired', completed_at: made.expires_at });
    });
  });

  describe('the calls of the page', () => {
    const CALLS = ['session', 'providers/plaid/start', 'connections', 'reauth-complete', 'complete', 'fail'];

    test('know the link before anything else, and come from pages of ours', async () => {
      const made = await mint();
      for (const path of CALLS) {
        const method = path === 'session' ? 'GET' : 'POST';
        for (const token of ['B'.repeat(22), 'short', 'x'.repeat(5_000)]) {
          expect([path, ...codeOf(await call(token, path, {}, method))]).toEqual([path, 401, 'INVALID_TOKEN']);
        }
        for (const headers of [
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { origin: 'https://evil.example' },
          { origin: 'null' },
        ]) {
          const foreign = await call(made.token, path, { headers }, method);
          expect([path, ...codeOf(foreign)]).toEqual([path, 403, 'ORIGIN_MISMATCH']);
        }
        if (method === 'POST') {
          const typed = await call(made.token, path, { body: 'a=b', headers: { 'content-type': 'text/plain' } });
          expect([path, ...codeOf(typed)]).toEqual([path, 415, 'UNSUPPORTED_MEDIA_TYPE']);
        }
      }
      expect(await session(made.id)).toMatchObject({ status: 'pending' });
    });

    test('end the link for good', async () => {
      const given = await mint();
      expect((await call(given.token, 'fail', { body: { code: 'given_up', message: 'No.' } })).status).toBe(204);
      expect(await session(given.id)).toMatchObject({
        status: 'failed',
        error_code: 'given_up',
        error_message: 'No.',
        started_at: null,
      });
      for (const path of CALLS) {
        const method = path === 'session' ? 'GET' : 'POST';
        expect([path, ...codeOf(await call(given.token, path, {}, method))]).toEqual([path, 410, 'GONE']);
      }
      const empty = await mint();
      expect(codeOf(await call(empty.token, 'complete'))).toEqual([409, 'INVALID_STATE']);
      expect(codeOf(await call(empty.token, 'fail', { body: { code: 'x'.repeat(101) } }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect((await call(empty.token, 'fail', { body: undefined })).status).toBe(204);
    });

    test('are for the provider and the purpose of the link', async () => {
      const pinned = await mint({ provider: 'plaid' });
      expect(codeOf(await call(pinned.token, 'providers/teller/start'))).toEqual([403, 'FORBIDDEN']);
      expect(codeOf(await call(pinned.token, 'providers/csv/start'))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await call(pinned.token, 'reauth-complete'))).toEqual([403, 'FORBIDDEN']);
      const { id } = await addBankConnection(app, ana);
      const renewing = (await app.request('POST', `/api/v1/connections/${id}/relink`)).json;
      expect(codeOf(await call(renewing.token, 'complete'))).toEqual([403, 'FORBIDDEN']);
      expect(codeOf(await call(renewing.token, 'connections'))).toEqual([403, 'FORBIDDEN']);
    });
  });

  test('housekeeping ends what is over, and deletes what ended a month ago', async () => {
    const { database: ledger, ids } = app.app.instance;
    const [due, used, claimed, done] = [await mint(), await mint(), await mint({ single_use: true }), await mint()];
    await use(used.token);
    const set = (id: string, columns: Record<string, unknown>) =>
      bookkeep(ledger, (tx) => tx.q.updateTable('link_sessions').set(columns).where('id', '=', id).execute());
    const now = new Date(app.clock.now()).toISOString();
    await set(claimed.id, { status: 'consumed', claimed_at: now });
    await set(done.id, { status: 'consumed', claimed_at: now, result_connection_ids: JSON.stringify([ids.uuid()]) });
    app.clock.advance(119_000);
    await endLinkSessions(app.app.instance);
    expect([(await session(claimed.id)).status, (await session(done.id)).status]).toEqual(['consumed', 'consumed']);
    app.clock.advance(1_000);
    await endLinkSessions(app.app.instance);
    expect(await session(claimed.id)).toMatchObject({ status: 'failed', error_code: 'interrupted' });
    expect(await session(done.id)).toMatchObject({ status: 'completed', error_code: null });
    app.clock.advance(900_000);
    await endLinkSessions(app.app.instance);
    expect([(await session(due.id)).status, (await session(used.id)).status]).toEqual(['expired', 'expired']);
    app.clock.advance(30 * 86_400_000);
    await endLinkSessions(app.app.instance);
    expect(codeOf(await app.request('GET', `${LINK}/${due.id}`))).toEqual([404, 'NOT_FOUND']);
  });

  test('a disconnected bank ends the pages on which its login was to be renewed', async () => {
    const { id } = await addBankConnection(app, ana);
    const made = (await app.request('POST', `/api/v1/connections/${id}/relink`)).json;
    await bookkeep(app.app.instance.database, (tx) => endLinkSessionsOf(tx, id));
    expect(await session(made.id)).toMatchObject({ status: 'failed', error_code: 'connection_disconnected' });
  });
});
