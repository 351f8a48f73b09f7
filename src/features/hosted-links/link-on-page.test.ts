import { beforeAll, describe, expect, test } from 'vitest';

import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { useSimulators } from '../../../test/harness/banks/simulators.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** What the page asks once the bank's window has handed something over, against the simulated providers. */
forEachDatabase((database) => {
  const simulators = useSimulators();
  let app: TestApp;
  let ana: Made;
  let count = 0;
  beforeAll(async () => {
    app = await database.open({ env: { ...simulators.env }, expectsFailures: true });
    ana = await addMember(app, 'Ana');
  });

  const mint = async (body: object = {}, headers = {}) =>
    (await app.request('POST', '/api/v1/connections/link', { body: { user_id: ana.id, ...body }, headers })).json;
  const relink = async (id: string) => (await app.request('POST', `/api/v1/connections/${id}/relink`)).json;
  const session = async (id: string) => (await app.request('GET', `/api/v1/connections/link/${id}`)).json;
  const connection = async (id: string) => (await app.request('GET', `/api/v1/connections/${id}`)).json;
  const call = (token: string, path: string, body: object = {}) =>
    app.request('POST', `/_link/${token}/${path}`, { key: null, body });
  const connect = (token: string, body: object) => call(token, 'connections', body);

  /** A bank of its own for each call, so that no test meets another's accounts. */
  function plaidBank(institution = `ins_${(count += 1)}`) {
    const made = simulators.plaid.control.addItem({
      institution_id: institution,
      institution_name: `Bank ${institution}`,
      item_id: `item-${(count += 1)}`,
    });
    const { institution: bank, accounts } = made.link_metadata;
    const credentials = {
      public_token: made.public_token,
      institution_id: bank.institution_id,
      institution_name: bank.name,
      accounts: accounts.map(({ id, name, mask, type, subtype }) => ({ id, name, mask, type, subtype })),
    };
    return { ...made, body: { provider: 'plaid', credentials } };
  }

  function tellerBank() {
    const name = `Union ${(count += 1)}`;
    const made = simulators.teller.control.addEnrollment({
      institution: { id: `union_${count}`, name },
      enrollment_id: `enr_${count}`,
      access_token: `token_${count}`,
    });
    const credentials = {
      access_token: made.access_token,
      enrollment_id: made.enrollment_id,
      institution_name: name,
    };
    return { ...made, body: { provider: 'teller', credentials } };
  }

  describe('linking', () => {
    test('is journaled as done by whoever asked for the link, for the reason that they gave', async () => {
      const made = await mint({ single_use: true, label: 'Ana asked for it' });
      const { body } = plaidBank();
      // Nobody has to ask for the session first.
      const linked = await connect(made.token, body);
      expect([linked.status, linked.json]).toEqual([
        201,
        { connection_id: expect.any(String), institution_name: expect.any(String), account_count: 2, status: 'active' },
      ]);
      expect(await session(made.id)).toMatchObject({
        status: 'completed',
        result_connection_ids: [linked.json.connection_id],
        completed_at: expect.any(String),
        error_code: null,
      });
      const { change_sets: sets } = (await app.request('GET', '/api/v1/change-sets?action=connection.create')).json;
      expect(sets[0]).toMatchObject({
        surface: 'hosted_link',
        reason: 'Ana asked for it',
        actor_type: 'user',
        actor_name: 'Test',
      });
      expect(codeOf(await connect(made.token, body))).toEqual([410, 'CONSUMED']);
    });

    test('happens once, however many calls spend a link for one bank', async () => {
      const made = await mint({ single_use: true });
      const answers = await Promise.all([plaidBank(), plaidBank()].map(({ body }) => connect(made.token, body)));
      expect(answers.map(codeOf).toSorted(([a], [b]) => a - b)).toEqual([
        [201, undefined],
        [410, 'CONSUMED'],
      ]);
      expect((await session(made.id)).result_connection_ids.length).toBe(1);
    });

    test('of a bank that is linked already asks first, and spends nothing', async () => {
      const first = await mint({ single_use: true });
      await connect(first.token, plaidBank('ins_twice').body);
      const again = await mint({ single_use: true });
      const { body } = plaidBank('ins_twice');
      expect(codeOf(await connect(again.token, body))).toEqual([409, 'DUPLICATE_CONNECTION']);
      expect((await session(again.id)).status).toBe('active');
      expect((await connect(again.token, { ...body, allow_duplicate: true })).status).toBe(201);
      expect((await session(again.id)).status).toBe('completed');
    });

    test('can be tried again after the provider failed', async () => {
      const made = await mint({ single_use: true });
      const { body } = plaidBank();
      simulators.plaid.control.addFault({
        path: '/item/public_token/exchange',
        status: 400,
        body: { error_type: 'INVALID_INPUT', error_code: 'INVALID_PUBLIC_TOKEN', error_message: 'x', request_id: 'r' },
      });
      expect(codeOf(await connect(made.token, body))).toEqual([502, 'PROVIDER_ERROR']);
      expect(await session(made.id)).toMatchObject({ status: 'active', result_connection_ids: [] });
      expect((await connect(made.token, body)).status).toBe(201);
    });

    test('cannot be tried again after a failure of ours, which may have spent what was handed over', async () => {
      const made = await mint({ single_use: true });
      const { instance } = app.app;
      const { failpoint } = instance;
      instance.failpoint = (point) => {
        if (point === 'link:opened') throw new Error('Something of ours broke.');
      };
      // Not Plaid: its link stays pending, and the next test's simulator gives out the same token again.
      expect(codeOf(await connect(made.token, tellerBank().body))).toEqual([500, 'INTERNAL_ERROR']);
      instance.failpoint = failpoint;
      expect(await session(made.id)).toMatchObject({ status: 'failed', error_code: 'link_failed' });
    });

    test('of several banks goes on until the person is done; the same bank again counts once', async () => {
      const made = await mint();
      const [plaid, teller] = [plaidBank(), tellerBank()];
      expect((await connect(made.token, plaid.body)).status).toBe(201);
      expect((await connect(made.token, teller.body)).status).toBe(201);
      expect((await connect(made.token, teller.body)).status).toBe(200);
      expect(await session(made.id)).toMatchObject({ status: 'active' });
      expect((await session(made.id)).result_connection_ids.length).toBe(2);
      expect((await call(made.token, 'complete')).status).toBe(204);
      expect((await session(made.id)).status).toBe('completed');
    });

    test('with a bank connected, giving up and running out of time are a success', async () => {
      const [given, late] = [await mint(), await mint()];
      await connect(given.token, plaidBank().body);
      await connect(late.token, plaidBank().body);
      await call(given.token, 'fail', { code: 'given_up' });
      expect(await session(given.id)).toMatchObject({ status: 'completed', error_code: null });
      app.clock.advance(900_000);
      expect((await session(late.id)).status).toBe('completed');
      expect(codeOf(await call(late.token, 'complete'))).toEqual([410, 'CONSUMED']);
    });

    test('takes what the two providers hand over, and nothing else', async () => {
      const made = await mint({ provider: 'teller' });
      expect(codeOf(await connect(made.token, { provider: 'csv', credentials: {} }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(codeOf(await connect(made.token, plaidBank().body))).toEqual([403, 'FORBIDDEN']);
      const { credentials } = tellerBank().body;
      const nobody = { ...credentials, enrollment_id: ' ' };
      expect(codeOf(await connect(made.token, { provider: 'teller', credentials: nobody }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      const member = { provider: 'teller', credentials, user_id: ana.id };
      expect(codeOf(await connect(made.token, member))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await session(made.id)).status).toBe('active');
    });
  });

  describe('the bank’s window', () => {
    test('is opened with what the provider gives for it', async () => {
      const made = await mint();
      const plaid = (await call(made.token, 'providers/plaid/start')).json;
      expect(plaid).toMatchObject({
        provider: 'plaid',
        link_token: expect.stringContaining('link-sandbox'),
        environment: 'sandbox',
      });
      const teller = (await call(made.token, 'providers/teller/start')).json;
      expect(teller).toMatchObject({
        provider: 'teller',
        application_id: 'app_sim',
        enrollment_id: null,
        expiration: null,
      });
    });
  });

  describe('renewing', () => {
    async function linked(bank: { body: object }): Promise<string> {
      const made = await mint({ single_use: true });
      return (await connect(made.token, bank.body)).json.connection_id;
    }
    const breakLogin = (id: string) =>
      app.write('test.break', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        const columns = { status: 'pending_reauth', error_code: 'ITEM_LOGIN_REQUIRED', error_message: 'x' };
        await tx.q.updateTable('connections').set(columns).where('id', '=', id).execute();
      });

    test('of Plaid is believed only once its item is well', async () => {
      const bank = plaidBank();
      const id = await linked(bank);
      await breakLogin(id);
      simulators.plaid.control.changeItem(bank.item_id, { error: 'ITEM_LOGIN_REQUIRED' });
      const made = await relink(id);
      expect((await call(made.token, 'providers/plaid/start')).json.link_token).toContain('link-sandbox');
      expect(codeOf(await call(made.token, 'reauth-complete'))).toEqual([409, 'REAUTH_NOT_CONFIRMED']);
      expect([(await connection(id)).status, (await session(made.id)).status]).toEqual(['pending_reauth', 'active']);
      simulators.plaid.control.changeItem(bank.item_id, { error: null });
      expect((await call(made.token, 'reauth-complete')).status).toBe(204);
      expect(await connection(id)).toMatchObject({ status: 'active', error_code: null, consecutive_failures: 0 });
      expect(await session(made.id)).toMatchObject({ status: 'completed', result_connection_ids: [id] });
      for (const path of ['providers/plaid/start', 'reauth-complete']) {
        expect([path, ...codeOf(await call(made.token, path))]).toEqual([path, 410, 'CONSUMED']);
      }
      const { change_sets: sets } = (await app.request('GET', '/api/v1/change-sets?action=connection.reauthenticate'))
        .json;
      expect(sets[0]).toMatchObject({ surface: 'hosted_link' });
      const turns = await rowsOf(app.app.instance.database, `select * from sync_turns where connection_id = '${id}'`);
      expect(turns).toMatchObject([{ requested_trigger: 'manual' }]);
    });

    test('of Teller needs the same enrollment', async () => {
      const bank = tellerBank();
      const id = await linked(bank);
      await breakLogin(id);
      const made = await relink(id);
      const other = tellerBank();
      expect(codeOf(await call(made.token, 'reauth-complete'))).toEqual([400, 'VALIDATION_ERROR']);
      for (const sent of [
        { enrollment_id: other.enrollment_id, access_token: other.access_token },
        { enrollment_id: bank.enrollment_id, access_token: other.access_token },
      ]) {
        expect(codeOf(await call(made.token, 'reauth-complete', sent))).toEqual([409, 'REAUTH_NOT_CONFIRMED']);
      }
      expect([(await connection(id)).status, (await session(made.id)).status]).toEqual(['pending_reauth', 'active']);
      expect((await call(made.token, 'reauth-complete', { enrollment_id: bank.enrollment_id })).status).toBe(204);
      expect((await connection(id)).status).toBe('active');
    });

    test('of Teller replaces access that can no longer be decrypted', async () => {
      const bank = tellerBank();
      const id = await linked(bank);
      await breakLogin(id);
      await app.write('test.lose', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        await tx.q
          .updateTable('connections')
          .set({ credentials: Buffer.from('x') })
          .where('id', '=', id)
          .execute();
      });
      const made = await relink(id);
      expect((await call(made.token, 'providers/teller/start')).json.enrollment_id).toBe(bank.enrollment_id);
      const { enrollment_id, access_token } = bank;
      for (const sent of [{ enrollment_id }, { enrollment_id, access_token: tellerBank().access_token }]) {
        expect(codeOf(await call(made.token, 'reauth-complete', sent))).toEqual([409, 'REAUTH_NOT_CONFIRMED']);
      }
      expect((await call(made.token, 'reauth-complete', { enrollment_id, access_token })).status).toBe(204);
      expect((await connection(id)).status).toBe('active');
      // The new access is the stored one from now on.
      const next = await relink(id);
      expect((await call(next.token, 'reauth-complete', { enrollment_id })).status).toBe(204);
    });

    test('of a bank that is being disconnected ends with that', async () => {
      const bank = plaidBank();
      const id = await linked(bank);
      const made = await relink(id);
      expect((await app.request('DELETE', `/api/v1/connections/${id}`)).status).toBe(204);
      expect(await session(made.id)).toMatchObject({ status: 'failed', error_code: 'connection_disconnected' });
      expect(codeOf(await call(made.token, 'reauth-complete'))).toEqual([410, 'GONE']);
    });
  });
});
