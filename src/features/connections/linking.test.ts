import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { revokeStaleLinks } from '../linking/index.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { CHECKING, failureOf, openWithBanks, tokenFor } from '../../../test/harness/banks/made-up-bank.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import {
  forEachDatabase,
  type Answer,
  type TestApp,
  type TestAppOptions,
  type TestDatabase,
} from '../../../test/harness/test-app.ts';

const CONNECTIONS = '/api/v1/connections';
const WINDOW = [{ id: 'x', name: 'Everyday Checking', mask: '0000', type: 'depository', subtype: 'checking' }];

async function open(database: TestDatabase, options: TestAppOptions = {}) {
  const household = await openWithBanks(database, options);
  return { ...household, ben: await addMember(household.app, 'Ben') };
}

function plaidBody(member: Made, publicToken: string, extra: object = {}, credentials: object = {}) {
  const bank = { public_token: publicToken, institution_id: 'ins_1', institution_name: 'First Platypus Bank' };
  return { provider: 'plaid', user_id: member.short_id, credentials: { ...bank, ...credentials }, ...extra };
}

function tellerBody(member: Made, enrollment: string, extra: object = {}, credentials: object = {}) {
  const sent = { access_token: tokenFor(enrollment), enrollment_id: enrollment, institution_name: 'Security CU' };
  return { provider: 'teller', user_id: member.short_id, credentials: { ...sent, ...credentials }, ...extra };
}

const post = (app: TestApp, body: unknown, options: object = {}): Promise<Answer> =>
  app.request('POST', CONNECTIONS, { body, ...options });
const codeOf = ({ status, json }: Answer): unknown[] => [status, json.error?.code];
const accountsOf = async (app: TestApp) => (await app.request('GET', '/api/v1/accounts')).json;

forEachDatabase((database) => {
  describe('linking a bank', () => {
    test('makes connection, accounts, balances and the request of the first sync in one change set', async () => {
      const { app, plaid, ana } = await open(database);
      const { status, json, headers } = await post(app, plaidBody(ana, 'public-1', {}, { accounts: WINDOW }));
      expect([status, json.status, json.account_count, json.user_id]).toEqual([201, 'active', 2, ana.short_id]);
      expect(json).toMatchObject({
        provider: 'plaid',
        institution_id: 'ins_1',
        institution_name: 'First Platypus Bank',
        paused: false,
        last_sync_at: null,
        next_sync_at: json.created_at,
      });
      expect(headers['location']).toBe(`${CONNECTIONS}/${json.id}`);
      expect(plaid.calls).toEqual(['exchange public-1', 'readItem item-1']);
      const accounts = await accountsOf(app);
      expect(accounts).toMatchObject([
        { name: 'Everyday Checking', connection_id: json.id, balance_current: '110.94', balance_available: '100.00' },
        { name: 'Travel Card', type: 'credit', balance_current: '410.00', balance_available: null },
      ]);
      expect((await app.request('GET', `/api/v1/accounts/${accounts[0].id}/balances`)).json.balances).toMatchObject([
        { source: 'sync', balance_current: '110.94' },
      ]);
      const { database: db } = app.app.instance;
      expect(await rowsOf(db, 'select * from sync_turns')).toMatchObject([
        { connection_id: json.id, requested_trigger: 'initial', requested_at: json.created_at },
      ]);
      expect(await rowsOf(db, 'select * from pending_links')).toEqual([]);
      const set = (await app.request('GET', `/api/v1/change-sets/${String(headers['x-change-set-id'])}`)).json;
      expect([set.action, set.summary, set.revertible]).toEqual([
        'connection.create',
        'Linked First Platypus Bank',
        false,
      ]);
      expect((await app.request('GET', `${CONNECTIONS}/${json.short_id}`)).json).toEqual(json);
    });

    test('checks everything it can before the provider is asked', async () => {
      const { app, plaid, teller, ana } = await open(database);
      await post(app, plaidBody(ana, 'public-1', {}, { accounts: WINDOW }));
      const { length } = plaid.calls;
      const nobody = { id: 'nonsense', short_id: 'nonsense' };
      const wrong: [unknown, unknown[], string?][] = [
        [{ ...plaidBody(ana, 'p'), provider: 'simplefin' }, [400, 'VALIDATION_ERROR'], 'provider'],
        [plaidBody(ana, '   '), [400, 'VALIDATION_ERROR'], 'credentials.public_token'],
        [plaidBody(ana, 'p', {}, { token: 1 }), [400, 'VALIDATION_ERROR'], 'credentials.token'],
        [{ ...plaidBody(ana, 'p'), user_id: undefined }, [400, 'VALIDATION_ERROR'], 'user_id'],
        [
          tellerBody(ana, 'e', {}, { access_token: 'x'.repeat(501) }),
          [400, 'VALIDATION_ERROR'],
          'credentials.access_token',
        ],
        [plaidBody(nobody, 'p'), [400, 'INVALID_PARAMETER'], 'user_id'],
        [tellerBody(nobody, 'p'), [400, 'INVALID_PARAMETER'], 'user_id'],
        [plaidBody(ana, 'public-2', {}, { accounts: WINDOW }), [409, 'DUPLICATE_CONNECTION'], 'connection_id'],
      ];
      for (const [body, expected, path] of wrong) {
        const answer = await post(app, body);
        expect([body, ...codeOf(answer)]).toEqual([body, ...expected]);
        expect(answer.json.error.details[0].path).toBe(path);
      }
      const form = new FormData();
      for (const [name, value] of Object.entries({ provider: 'plaid', user_id: ana.short_id, public_token: 'p' }))
        form.set(name, value);
      const sent = new Response(form);
      const asForm = await app.request('POST', CONNECTIONS, {
        body: Buffer.from(await sent.arrayBuffer()),
        headers: { 'content-type': sent.headers.get('content-type') as string },
      });
      expect(codeOf(asForm)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      await app.request('PUT', '/api/v1/settings/providers/teller', {
        body: { application_id: null, webhook_secret: null },
      });
      expect(codeOf(await post(app, tellerBody(ana, 'enr-1')))).toEqual([409, 'PROVIDER_NOT_CONFIGURED']);
      expect(codeOf(await post(app, plaidBody(ana, 'p'), { key: app.readOnlyKey }))).toEqual([403, 'FORBIDDEN']);
      expect([plaid.calls.length, teller.calls]).toEqual([length, []]);
    });

    test('refuses a second link with the way out that fits', async () => {
      const { app, plaid, ana, ben } = await open(database);
      const { json: first } = await post(app, plaidBody(ana, 'public-1', {}, { accounts: WINDOW }));
      const own = await post(app, plaidBody(ana, 'public-2', {}, { accounts: WINDOW }));
      expect(own.json.error.details[0]).toEqual({ path: 'connection_id', message: first.id });
      expect(own.json.error.message).toMatch(new RegExp(`POST /api/v1/connections/${first.short_id}/relink`));
      expect(own.json.error.message).not.toMatch(/DELETE|delete/);
      const joint = await post(app, plaidBody(ben, 'public-2', {}, { accounts: WINDOW }));
      expect(codeOf(joint)).toEqual([409, 'DUPLICATE_CONNECTION']);
      expect(joint.json.error.message).toMatch(/same_account/);
      expect(joint.json.error.message).not.toMatch(/DELETE|delete|disconnect/i);
      expect(plaid.calls).not.toContain('exchange public-2');
      const again = await post(app, plaidBody(ben, 'public-2', { allow_duplicate: true }, { accounts: WINDOW }));
      expect([again.status, again.json.account_count]).toEqual([201, 2]);
      expect(await accountsOf(app)).toHaveLength(4);
    });

    test('a window that names no bank is compared by what the provider says, else as one called Bank', async () => {
      const { app, plaid, ana } = await open(database);
      const { json: first } = await post(app, plaidBody(ana, 'public-1', {}, { accounts: WINDOW }));
      const unnamed = { institution_id: null, institution_name: null, accounts: WINDOW };
      const again = await post(app, plaidBody(ana, 'public-2', {}, unnamed));
      expect([...codeOf(again), again.json.error.details[0]]).toEqual([
        409,
        'DUPLICATE_CONNECTION',
        { path: 'connection_id', message: first.id },
      ]);
      expect(plaid.calls.filter((call) => call.startsWith('exchange'))).toEqual([
        'exchange public-1',
        'exchange public-2',
      ]);
      expect((await app.request('GET', CONNECTIONS)).json).toHaveLength(1);
      plaid.institution = { id: null, name: null };
      const nameless = await post(app, plaidBody(ana, 'public-3', {}, unnamed));
      expect([nameless.status, nameless.json.institution_name]).toEqual([201, 'Bank']);
      expect(codeOf(await post(app, plaidBody(ana, 'public-4', {}, unnamed)))).toEqual([409, 'DUPLICATE_CONNECTION']);
    });

    test('a duplicate that the provider tells of is sent again with allow_duplicate, after one exchange', async () => {
      const { app, plaid, ana } = await open(database);
      await post(app, plaidBody(ana, 'public-1'));
      plaid.calls.length = 0;
      expect(codeOf(await post(app, plaidBody(ana, 'public-2')))).toEqual([409, 'DUPLICATE_CONNECTION']);
      const { database: db } = app.app.instance;
      expect(await rowsOf(db, 'select * from pending_links')).toMatchObject([
        { id: createHash('sha256').update('public-2').digest('hex'), item_id: 'item-2' },
      ]);
      app.clock.advance(599_000);
      expect((await post(app, plaidBody(ana, 'public-2', { allow_duplicate: true }))).status).toBe(201);
      expect(plaid.calls.filter((call) => call.startsWith('exchange'))).toEqual(['exchange public-2']);
      expect(await rowsOf(db, 'select * from pending_links')).toEqual([]);
    });

    test('one token that is sent twice at once makes one connection, with one exchange', async () => {
      const { app, plaid, ana } = await open(database);
      // Neither is done before the other has come as far as this.
      const meeting = Promise.withResolvers<void>();
      plaid.before = async (step) => {
        if (step !== 'readItem') return;
        if (plaid.calls.filter((call) => call.startsWith('readItem')).length === 2) meeting.resolve();
        await meeting.promise;
      };
      const both = await Promise.all([post(app, plaidBody(ana, 'public-1')), post(app, plaidBody(ana, 'public-1'))]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
      expect(new Set(both.map(({ json }) => json.id)).size).toBe(1);
      expect(plaid.calls.filter((call) => call.startsWith('exchange'))).toEqual(['exchange public-1']);
      expect(await accountsOf(app)).toHaveLength(2);
    });

    test('of two windows that end at once for the same bank, one makes a connection', async () => {
      const { app, ana } = await open(database);
      const both = await Promise.all([post(app, plaidBody(ana, 'public-1')), post(app, plaidBody(ana, 'public-2'))]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    });

    test('a failed exchange stores nothing, and the same body may be sent again', async () => {
      const { app, plaid, ana } = await open(database);
      plaid.faults.exchange = failureOf('INTERNAL_SERVER_ERROR');
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      const failed = await post(app, plaidBody(ana, 'public-1'));
      expect(codeOf(failed)).toEqual([502, 'PROVIDER_ERROR']);
      expect(failed.json.error.details).toEqual([{ path: 'provider_code', message: 'INTERNAL_SERVER_ERROR' }]);
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
      plaid.faults.exchange = failureOf('INVALID_PUBLIC_TOKEN', 'config');
      expect((await post(app, plaidBody(ana, 'public-1'))).json.error.message).toMatch(/Open the window again/);
      delete plaid.faults.exchange;
      expect((await post(app, plaidBody(ana, 'public-1'))).status).toBe(201);
    });

    test.each(['link:kept', 'link:opened', 'link:before-commit'])(
      'stopped at %s it can be sent again, after one exchange',
      async (point) => {
        const { app, plaid, ana } = await open(database, { expectsFailures: true });
        const { instance } = app.app;
        instance.failpoint = (reached) => {
          if (reached === point) throw new Error('The power is gone.');
        };
        expect((await post(app, plaidBody(ana, 'public-1'))).status).toBe(500);
        expect(await rowsOf(instance.database, 'select item_id from pending_links')).toEqual([{ item_id: 'item-1' }]);
        expect(await rowsOf(instance.database, 'select * from connections')).toEqual([]);
        instance.failpoint = () => undefined;
        expect((await post(app, plaidBody(ana, 'public-1'))).status).toBe(201);
        expect(plaid.calls.filter((call) => call.startsWith('exchange'))).toEqual(['exchange public-1']);
        expect(await rowsOf(instance.database, 'select * from pending_links')).toEqual([]);
      },
    );

    test('accounts that cannot be read after the exchange are left to the first sync', async () => {
      const { app, plaid, ana } = await open(database);
      plaid.faults.readItem = failureOf('INSTITUTION_DOWN');
      const { status, json } = await post(app, plaidBody(ana, 'public-1'));
      expect([status, json.account_count, json.status]).toEqual([201, 0, 'active']);
      expect(await rowsOf(app.app.instance.database, 'select * from pending_links')).toEqual([]);
    });

    test('an enrollment that is linked again gets new credentials, whatever became of it', async () => {
      const { app, teller, ana, ben } = await open(database);
      const { json: first } = await post(app, tellerBody(ana, 'enr-1'));
      expect(first).toMatchObject({ institution_id: 'ins_1', institution_name: 'Security CU' });
      await app.write('test.break', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        const broken = {
          status: 'pending_reauth',
          error_code: 'X',
          error_message: 'Y',
          consecutive_failures: 4,
          sync_position: 'p',
        };
        await tx.q.updateTable('connections').set(broken).execute();
      });
      const credentials = async () => rowsOf(app.app.instance.database, 'select * from connections');
      const before = await credentials();
      const again = await post(app, tellerBody(ana, 'enr-1', {}, { institution_name: 'Security Credit Union' }));
      expect([again.status, again.json.id]).toEqual([200, first.id]);
      expect(again.json).toMatchObject({
        status: 'active',
        error_code: null,
        consecutive_failures: 0,
        institution_name: 'Security Credit Union',
      });
      const after = await credentials();
      expect([after[0]?.['sync_position'], after[0]?.['credentials']]).toEqual([
        'p',
        expect.not.toSatisfy((one) => one === before[0]?.['credentials']),
      ]);
      expect(codeOf(await post(app, tellerBody(ben, 'enr-1')))).toEqual([409, 'CONFLICT']);
      expect((await app.request('DELETE', `${CONNECTIONS}/${first.id}`)).status).toBe(204);
      const returned = await post(app, tellerBody(ana, 'enr-1'));
      expect([returned.status, returned.json.id, returned.json.status]).toEqual([200, first.id, 'active']);
      expect((await credentials())[0]?.['sync_position']).toBeNull();
      expect(await accountsOf(app)).toHaveLength(2);
      teller.faults.readItem = failureOf('PROVIDER_UNAVAILABLE');
      expect(codeOf(await post(app, tellerBody(ana, 'enr-2')))).toEqual([502, 'PROVIDER_ERROR']);
    });

    test('an access token of another enrollment is refused', async () => {
      const { app, ana } = await open(database);
      const answer = await post(app, tellerBody(ana, 'enr-1', {}, { access_token: tokenFor('enr-2') }));
      expect([...codeOf(answer), answer.json.error.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        'credentials.enrollment_id',
      ]);
    });

    test('a retry with the same Idempotency-Key gets the first answer', async () => {
      const { app, plaid, ana } = await open(database);
      const headers = { 'idempotency-key': 'link-1' };
      const first = await post(app, plaidBody(ana, 'public-1'), { headers });
      const again = await post(app, plaidBody(ana, 'public-1'), { headers });
      expect([again.status, again.json]).toEqual([201, first.json]);
      expect(plaid.calls).toHaveLength(2);
    });

    test('neither tokens nor access are in any answer, log, journal entry or table in clear', async () => {
      const { app, plaid, ana } = await open(database);
      const texts = [
        (await post(app, plaidBody(ana, 'public-secret-1'))).text,
        (await post(app, plaidBody(ana, 'public-secret-2'))).text,
        (await post(app, tellerBody(ana, 'enr-1'))).text,
        (await post(app, tellerBody(ana, 'enr-2', {}, { access_token: tokenFor('enr-3') }))).text,
        (await post(app, plaidBody(ana, 'public-secret-1', { surprise: 1 }))).text,
        JSON.stringify(await allRows(app.app.instance.database), (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
        ...app.logs,
      ];
      plaid.faults.revoke = failureOf('INTERNAL_SERVER_ERROR');
      for (const secret of ['public-', 'access-']) {
        expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      }
    });
  });

  describe('links that were exchanged and never stored', () => {
    test('are revoked after ten minutes, unless their item is connected', async () => {
      const { app, plaid, ana } = await open(database);
      const { instance } = app.app;
      await post(app, plaidBody(ana, 'public-1'));
      await post(app, plaidBody(ana, 'public-2'));
      app.clock.advance(590_000);
      await revokeStaleLinks(instance);
      expect(plaid.calls).not.toContain('revoke item-2');
      app.clock.advance(10_000);
      // A token that is as old as this is on its way out, so nothing is made of it any more.
      expect(codeOf(await post(app, plaidBody(ana, 'public-2', { allow_duplicate: true })))).toEqual([
        502,
        'PROVIDER_ERROR',
      ]);
      plaid.faults.revoke = failureOf('INTERNAL_SERVER_ERROR');
      await revokeStaleLinks(instance);
      expect(await rowsOf(instance.database, 'select * from pending_links')).toHaveLength(1);
      delete plaid.faults.revoke;
      await revokeStaleLinks(instance);
      await revokeStaleLinks(instance);
      expect(plaid.calls.filter((call) => call.startsWith('revoke'))).toEqual(['revoke item-2', 'revoke item-2']);
      expect(await rowsOf(instance.database, 'select * from pending_links')).toEqual([]);
    });

    test('are given up at last, whatever the provider says', async () => {
      const { app, plaid, ana } = await open(database);
      await post(app, plaidBody(ana, 'public-1'));
      await post(app, plaidBody(ana, 'public-2'));
      plaid.faults.revoke = failureOf('ITEM_NOT_FOUND', 'item');
      app.clock.advance(31 * 86_400_000);
      await revokeStaleLinks(app.app.instance);
      expect(await rowsOf(app.app.instance.database, 'select * from pending_links')).toEqual([]);
      expect(app.logs.join('')).toContain('could not be revoked');
    });
  });

  test('files go on to be imported through the same path', async () => {
    const { app, ana } = await open(database);
    const csv = Buffer.from('Date,Description,Amount\n2026-04-20,Grocer,-4.50\n').toString('base64');
    const body = {
      provider: 'csv',
      user_id: ana.short_id,
      credentials: { csv_base64: csv, iso_currency_code: 'USD', sign: 'positive_is_in' },
    };
    expect((await post(app, body)).status).toBe(201);
    expect(CHECKING.mask).toBe('0000');
  });
});
