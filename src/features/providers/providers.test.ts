import { beforeAll, describe, expect, test } from 'vitest';

import { addBankConnection, configureProviders } from '../../../test/harness/banks/bank-connection.ts';
import { addAccount, addMember, type Made } from '../../../test/harness/ledger.ts';
import { failureOf, madeUpBank, type MadeUpBank } from '../../../test/harness/banks/made-up-bank.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const PROVIDERS = '/api/v1/providers';
const codeOf = ({ status, json }: Answer): unknown[] => [status, json?.error?.code];

forEachDatabase((database) => {
  describe('providers', () => {
    let app: TestApp;
    let ana: Made;
    let plaid: MadeUpBank;
    beforeAll(async () => {
      plaid = madeUpBank('plaid');
      app = await database.open({ extraProviders: [plaid.provider] });
      ana = await addMember(app, 'Ana');
    });
    const list = async () => (await app.request('GET', PROVIDERS, { key: app.readOnlyKey })).json;
    const session = (name: string, body: unknown = { user_id: ana.short_id }) =>
      app.request('POST', `${PROVIDERS}/${name}/link-session`, { body });
    const check = async (name: string) => (await app.request('POST', `${PROVIDERS}/${name}/test`)).json;
    const disable = (name: string) => app.request('DELETE', `${PROVIDERS}/${name}`);

    test('are listed in one order, with what is configured and what their credentials are', async () => {
      const before = await list();
      expect(before.map((one: { name: string }) => one.name)).toEqual(['plaid', 'teller', 'csv']);
      expect(before).toMatchObject([
        { display_name: 'Plaid', configured: false, environment: null, needs_link_session: true },
        { display_name: 'Teller', configured: false, environment: null },
        {
          display_name: 'CSV import',
          configured: true,
          environment: null,
          needs_link_session: false,
          capabilities: ['transactions'],
        },
      ]);
      await configureProviders(app);
      const after = await list();
      const { providers } = (await app.request('GET', '/api/v1/headless/bootstrap', { key: null })).json;
      expect(
        after.map(({ name, configured }: { name: string; configured: boolean }) => ({ name, configured })),
      ).toEqual(providers);
      expect(after.map((one: { environment: string }) => one.environment)).toEqual(['sandbox', 'sandbox', null]);
      const [fromPlaid, fromTeller, fromCsv] = after.map(
        (one: { credentials_schema: object }) => one.credentials_schema,
      );
      expect(fromPlaid).toEqual({
        public_token: { type: 'string', required: true, description: expect.stringMatching(/Link/) },
        institution_id: { type: 'string', required: false, description: expect.any(String) },
        institution_name: { type: 'string', required: false, description: expect.any(String) },
        accounts: { type: 'array', required: false, description: expect.any(String) },
      });
      expect(
        Object.entries(fromTeller as Record<string, { required: unknown }>).map(([name, { required }]) => [
          name,
          required,
        ]),
      ).toEqual([
        ['access_token', true],
        ['enrollment_id', true],
        ['institution_name', true],
        ['institution_id', false],
      ]);
      const { file, csv_base64: base64, ...rest } = fromCsv;
      expect([file.required, base64.required]).toEqual(['alt', 'alt']);
      expect(new Set(Object.values(rest).map((one) => (one as { required: unknown }).required))).toEqual(
        new Set([false]),
      );
      expect(rest).toMatchObject({
        account_name: { type: 'string' },
        dry_run: { type: 'boolean' },
        include_lines: { type: 'array' },
      });
      for (const fields of [fromPlaid, fromTeller, fromCsv]) {
        const silent = Object.entries(fields).filter(([, one]) => (one as { description: string }).description === '');
        expect(silent).toEqual([]);
      }
    });

    test('are found by name in any case', async () => {
      const [, teller] = await list();
      expect((await app.request('GET', `${PROVIDERS}/TELLER`)).json).toEqual(teller);
      for (const name of ['simplefin', 'x'.repeat(500), 'a%00b', '%2e%2e']) {
        expect(codeOf(await app.request('GET', `${PROVIDERS}/${name}`))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await disable(name))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await session(name))).toEqual([404, 'NOT_FOUND']);
      }
    });

    test('open their window with a link session', async () => {
      await configureProviders(app);
      plaid.calls.length = 0;
      const opened = await session('Plaid');
      expect([opened.status, opened.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(opened.json).toMatchObject({ provider: 'plaid', link_token: 'link-token', enrollment_id: null });
      expect(plaid.calls).toEqual(['createLinkSession new']);
      // Teller needs no call for it, so the real client answers.
      expect((await session('teller')).json).toEqual({
        provider: 'teller',
        link_token: 'app_test',
        expiration: null,
        application_id: 'app_test',
        environment: 'sandbox',
        enrollment_id: null,
      });
      const none = await session('csv');
      expect([none.status, none.text]).toEqual([204, '']);
      expect(codeOf(await session('plaid', {}))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await session('plaid', { user_id: 'nonsense' }))).toEqual([400, 'INVALID_PARAMETER']);
      expect(codeOf(await session('csv', { user_id: 'nonsense' }))).toEqual([400, 'INVALID_PARAMETER']);
      plaid.faults.createLinkSession = failureOf('a code\nthat is none');
      const failed = await session('plaid');
      expect([...codeOf(failed), failed.json.error.details]).toEqual([
        502,
        'PROVIDER_ERROR',
        [{ path: 'provider_code', message: 'UNKNOWN' }],
      ]);
      delete plaid.faults.createLinkSession;
    });

    test('lose their credentials on demand, and their connections keep their state', async () => {
      await configureProviders(app);
      const { id } = await addBankConnection(app, ana);
      await addBankConnection(app, ana, { status: 'disconnected' });
      const before = (await app.request('GET', `/api/v1/connections/${id}`)).json;
      expect(await check('plaid')).toEqual({ provider: 'plaid', ok: true, message: 'The made-up bank is there.' });
      const gone = await disable('plaid');
      expect(gone.json).toEqual({
        provider: 'plaid',
        ok: true,
        message: 'The credentials for Plaid were removed.',
        affected_connections: 1,
      });
      const set = (await app.request('GET', `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}`)).json;
      expect([set.action, set.revertible]).toEqual(['setting.update', false]);
      expect((await list())[0]).toMatchObject({ configured: false, environment: null });
      expect(codeOf(await session('plaid'))).toEqual([409, 'PROVIDER_NOT_CONFIGURED']);
      expect(await check('plaid')).toEqual({
        provider: 'plaid',
        ok: false,
        message: 'No credentials for Plaid are set.',
      });
      expect((await app.request('GET', `/api/v1/connections/${id}`)).json).toEqual(before);
      expect((await disable('plaid')).json).toMatchObject({ ok: true, message: 'No credentials for Plaid were set.' });
      expect((await disable('teller')).json).toMatchObject({ affected_connections: 0 });
      await addAccount(app, ana);
      const csv = await disable('csv');
      expect([csv.json.ok, csv.json.affected_connections, csv.headers['x-change-set-id']]).toEqual([
        true,
        1,
        undefined,
      ]);
      expect(await check('csv')).toMatchObject({ ok: true });
    });

    test('are changed by admins only', async () => {
      expect(codeOf(await app.request('DELETE', `${PROVIDERS}/plaid`, { key: app.readOnlyKey }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
      const { headers } = await signIn(app, { role: 'editor', name: 'Eve' });
      expect((await app.request('GET', PROVIDERS, { key: null, headers })).status).toBe(200);
      expect(codeOf(await app.request('DELETE', `${PROVIDERS}/plaid`, { key: null, headers }))).toEqual([
        403,
        'FORBIDDEN',
      ]);
    });
  });

  test('credentials of the environment stay', async () => {
    const app = await database.open({ env: { PLAID_CLIENT_ID: 'client', PLAID_SECRET: 'secret' } });
    expect(codeOf(await app.request('DELETE', `${PROVIDERS}/plaid`))).toEqual([409, 'PROVIDER_FROM_ENV']);
    expect((await app.request('GET', `${PROVIDERS}/plaid`)).json.configured).toBe(true);
  });
});
