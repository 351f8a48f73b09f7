import { expect, test } from 'vitest';

import { addMember } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { useSimulators } from '../../../test/harness/banks/simulators.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { revokeStaleLinks } from '../linking/index.ts';
import { forEachDatabase, type TestApp, type TestDatabase } from '../../../test/harness/test-app.ts';

/** The whole way to the provider and back, with the clients that a household uses. The rest is tested without a network. */
const simulators = useSimulators();

const CONNECTIONS = '/api/v1/connections';

async function open(database: TestDatabase) {
  const app = await database.open({ env: simulators.env });
  return { app, ana: await addMember(app, 'Ana') };
}

const post = (app: TestApp, body: unknown) => app.request('POST', CONNECTIONS, { body });
const remove = (app: TestApp, id: string) => app.request('DELETE', `${CONNECTIONS}/${id}`);
const pathsAt = (bank: 'plaid' | 'teller') =>
  simulators[bank].control.requests().map(({ method, path }) => `${method} ${path}`);

forEachDatabase(
  (database) => {
    test('a bank at Plaid is linked with one exchange and one list of accounts, and removed at Plaid in the end', async () => {
      const { app, ana } = await open(database);
      const item = simulators.plaid.control.addItem();
      const { accounts, institution } = item.link_metadata;
      const bank = { institution_id: institution.institution_id, institution_name: institution.name, accounts };
      const body = {
        provider: 'plaid',
        user_id: ana.short_id,
        credentials: { public_token: item.public_token, ...bank },
      };
      const linked = await post(app, body);
      expect([linked.status, linked.json.account_count]).toEqual([201, item.accounts.length]);
      expect(pathsAt('plaid')).toEqual(['POST /item/public_token/exchange', 'POST /accounts/get']);
      const again = await post(app, body);
      expect([again.status, again.json.error.code]).toEqual([409, 'DUPLICATE_CONNECTION']);
      const used = await post(app, { ...body, allow_duplicate: true });
      expect([used.status, used.json.error.details[0].message]).toEqual([502, 'INVALID_PUBLIC_TOKEN']);
      expect(used.json.error.message).toContain('Open the window again');
      const under = (key: string) => ({ headers: { 'idempotency-key': key } });
      const renew = () => app.request('POST', `${CONNECTIONS}/${linked.json.id}/reauth`, under('renew'));
      const reauth = await renew();
      expect(reauth.json).toMatchObject({ provider: 'plaid', link_token: expect.stringMatching(/^link-/) });
      expect((await renew()).json).toEqual({ ...reauth.json, link_token: null });
      const start = { ...under('start'), body: { user_id: ana.short_id } };
      const session = await app.request('POST', '/api/v1/providers/plaid/link-session', start);
      expect(session.json.link_token).toMatch(/^link-/);
      const kept = JSON.stringify(await rowsOf(app.app.instance.database, 'select body from idempotent_answers'));
      expect(kept).not.toMatch(new RegExp(`${reauth.json.link_token}|${session.json.link_token}`));
      simulators.plaid.control.clearRequests();
      expect((await remove(app, linked.json.id)).status).toBe(204);
      expect(pathsAt('plaid')).toEqual(['POST /item/remove']);
    });

    test('what Plaid says when it refuses a link is told to admins, in the log, and not on the page', async () => {
      const { app, ana } = await open(database);
      const error_message = 'no valid use\u202e case for access-sandbox-1';
      const body = { error_type: 'INVALID_REQUEST', error_code: 'INVALID_FIELD', error_message, request_id: 'r-7' };
      simulators.plaid.control.addFault({ path: '/link/token/create', status: 400, body, times: 10 });
      const told = {
        code: 'PROVIDER_ERROR',
        message:
          'Plaid refuses what this server sends (INVALID_FIELD). An admin finds what it says in the provider settings.',
        details: [
          { path: 'provider_code', message: 'INVALID_FIELD' },
          { path: 'provider_message', message: 'no valid use  case for ***' },
        ],
      };
      const start = { body: { user_id: ana.short_id } };
      const refused = await app.request('POST', '/api/v1/providers/plaid/link-session', start);
      expect([refused.status, refused.json.error]).toMatchObject([502, told]);
      const line = app.logs.find((one) => one.includes('/link/token/create')) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({
        provider: 'plaid',
        class: 'config',
        code: 'INVALID_FIELD',
        request_id: 'r-7',
        said: 'no valid use  case for ***',
      });
      const tested = await app.request('POST', '/api/v1/providers/plaid/test');
      expect(tested.json).toMatchObject({
        ok: false,
        message: expect.stringMatching(/Plaid says: no valid use {2}case/),
      });
      const made = await app.request('POST', `${CONNECTIONS}/link`, { body: { user_id: ana.short_id } });
      const page = await app.request('POST', `/_link/${made.json.token}/providers/plaid/start`, {
        key: null,
        body: {},
      });
      expect([page.status, page.json.error.details]).toEqual([502, told.details.slice(0, 1)]);
    });

    test('an enrollment at Teller is linked, repaired and removed', async () => {
      setLimit('revokeMs', 50);
      const { app, ana } = await open(database);
      const made = simulators.teller.control.addEnrollment();
      const credentials = {
        access_token: made.access_token,
        enrollment_id: made.enrollment_id,
        institution_name: 'Security Credit Union',
      };
      const body = { provider: 'teller', user_id: ana.short_id, credentials };
      const linked = await post(app, body);
      expect([linked.status, linked.json.account_count]).toEqual([201, made.accounts.length]);
      const again = await post(app, body);
      expect([again.status, again.json.id]).toEqual([200, linked.json.id]);
      const other = simulators.teller.control.addEnrollment();
      const mixed = { ...credentials, access_token: other.access_token };
      expect((await post(app, { ...body, credentials: mixed })).json.error.details[0].path).toBe(
        'credentials.enrollment_id',
      );
      simulators.teller.control.clearRequests();
      simulators.teller.control.addFault({ path: '/accounts', status: 500, times: 100 });
      expect((await remove(app, linked.json.id)).status).toBe(204);
      const stored = async () =>
        (
          await rowsOf(
            app.app.instance.database,
            'select status, c.credentials, p.id from connections c left join pending_links p on p.connection_id = c.id',
          )
        ).map(({ status, credentials, id }) => [status, credentials, id !== null]);
      const attention = async () =>
        (await app.request('GET', `${CONNECTIONS}/${linked.json.id}/status`)).json.attention;
      expect(await stored()).toEqual([['disconnected', null, true]]);
      expect(await attention()).toMatchObject([
        { code: 'revocation_pending', message: expect.stringContaining(made.enrollment_id) },
      ]);
      expect((await remove(app, linked.json.id)).status).toBe(404);
      simulators.teller.control.clearFaults();
      simulators.teller.control.clearRequests();
      await revokeStaleLinks(app.app.instance);
      expect(pathsAt('teller')).toEqual(['DELETE /accounts']);
      expect([await stored(), await attention()]).toEqual([[['disconnected', null, false]], []]);
    });
  },
  ['SQLite'],
);
