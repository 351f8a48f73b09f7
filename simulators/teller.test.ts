import { request } from 'node:https';

import { afterEach, expect, test } from 'vitest';

import { PEM, SERVER_PEM } from '../test/harness/servers/certificates.ts';
import { useSimulators } from '../test/harness/banks/simulators.ts';
import { startTellerSimulator, type TellerSimulator } from './teller.ts';

const simulators = useSimulators();
const started = new Set<TellerSimulator>();

afterEach(async () => {
  for (const one of started) await one.close();
  started.clear();
});

interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

async function ask(path: string, token: string | null = 'test_token_sim_1', method = 'GET'): Promise<Answered> {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`;
  const answer = await fetch(simulators.teller.url + path, {
    method,
    headers: token === null ? {} : { authorization },
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

async function code(path: string, token?: string | null): Promise<string> {
  const { status, body } = await ask(path, token);
  return `${status} ${body.error.code}`;
}

test('an enrollment is read and revoked as at Teller', async () => {
  const { teller } = simulators;
  expect(teller.control.addEnrollment()).toMatchObject({
    access_token: 'test_token_sim_1',
    enrollment_id: 'enr_sim_1',
    user_id: 'usr_sim_1',
  });
  const base = `${teller.url}/accounts`;
  const { body: accounts } = await ask('/accounts');
  expect(accounts).toMatchObject([
    {
      id: 'acc_sim_1',
      enrollment_id: 'enr_sim_1',
      institution: { id: 'security_cu' },
      links: { self: `${base}/acc_sim_1`, balances: `${base}/acc_sim_1/balances` },
    },
    { id: 'acc_sim_2', type: 'credit', subtype: 'credit_card' },
  ]);
  expect((await ask('/accounts/acc_sim_2')).body).toEqual(accounts[1]);
  expect((await ask('/accounts/acc_sim_1/balances')).body).toMatchObject({
    ledger: '1000.00',
    account_id: 'acc_sim_1',
  });
  expect((await ask('/institutions', null)).body).toMatchObject([{ id: 'security_cu' }]);
  expect((await ask('/accounts', undefined, 'DELETE')).status).toBe(204);
  expect(await code('/accounts')).toBe('403 forbidden');
});

test('rows come newest first, by window and page; parameters of another name mean nothing', async () => {
  const { teller } = simulators;
  teller.control.addEnrollment();
  const dates = ['2026-01-03', '2026-01-01', '2026-01-03', '2026-01-02'];
  teller.control.changeTransactions('enr_sim_1', { put: dates.map((date) => ({ date })) });
  const ids = async (query: string): Promise<string[]> => {
    const { body } = await ask(`/accounts/acc_sim_1/transactions${query}`);
    return body.map(({ id }: { id: string }) => id);
  };
  expect(await ids('')).toEqual(['txn_sim_3', 'txn_sim_1', 'txn_sim_4', 'txn_sim_2']);
  expect(await ids('?start_date=2026-01-02&end_date=2026-01-02')).toEqual(['txn_sim_4']);
  expect(await ids('?start_date=2026-01-02&count=2')).toEqual(['txn_sim_3', 'txn_sim_1']);
  expect(await ids('?start_date=2026-01-02&count=2&from_id=txn_sim_1')).toEqual(['txn_sim_4']);
  expect(await ids('?from=2026-01-03')).toHaveLength(4);
  expect(await code('/accounts/acc_sim_1/transactions?start_date=soon')).toBe('422 invalid_date');
  teller.control.changeTransactions('enr_sim_1', { put: [{ id: 'txn_sim_3', amount: '5.00' }], delete: ['txn_sim_1'] });
  const { body } = await ask('/accounts/acc_sim_1/transactions?count=2');
  expect(body).toMatchObject([{ id: 'txn_sim_3', amount: '5.00' }, { id: 'txn_sim_4' }]);
  expect(teller.control.restate('enr_sim_1', { accounts: true }).transaction_ids).toHaveLength(3);
  expect((await ask('/accounts/acc_sim_3/transactions')).body).toHaveLength(3);
  teller.control.reset({ page_rows: 2 });
  teller.control.addEnrollment();
  teller.control.changeTransactions('enr_sim_1', { put: dates.map((date) => ({ date })) });
  expect(await ids('?count=250')).toEqual(['txn_sim_3', 'txn_sim_1']);
  expect(await ids('?from_id=txn_sim_1')).toEqual(['txn_sim_4', 'txn_sim_2']);
  expect(await ids('?from_id=txn_sim_2')).toEqual([]);
});

test('who may not ask is told so as by Teller', async () => {
  const { teller } = simulators;
  teller.control.addEnrollment({ accounts: [{}, { status: 'closed' }, { links: ['transactions'] }] });
  teller.control.addEnrollment();
  expect([
    await code('/accounts', null),
    await code('/accounts', 'homeledger_probe'),
    await code('/accounts/acc_sim_4'),
    await code('/accounts/acc_sim_2/transactions'),
    await code('/accounts/acc_sim_2/balances'),
    await code('/accounts/acc_sim_3/balances'),
    await code('/nowhere'),
  ]).toEqual([
    '401 unauthorized',
    '403 forbidden',
    '404 not_found',
    '410 account.closed',
    '410 account.closed',
    '404 not_found',
    '404 not_found',
  ]);
  teller.control.changeEnrollment('enr_sim_1', { disconnected: 'user_action.mfa_required' });
  expect(await code('/accounts')).toBe('404 enrollment.disconnected.user_action.mfa_required');
  teller.control.changeEnrollment('enr_sim_1', { disconnected: '' });
  expect(await code('/accounts')).toBe('404 enrollment.disconnected');
  teller.control.changeEnrollment('enr_sim_1', { disconnected: null });
  teller.control.addFault({ item: 'acc_sim_1', status: 502, body: { error: { code: 'bad_gateway', message: '' } } });
  expect([await code('/accounts/acc_sim_1/balances'), (await ask('/accounts')).status]).toEqual([
    '502 bad_gateway',
    200,
  ]);
});

test('the test vectors: a webhook with one signature for each secret', () => {
  const { teller } = simulators;
  teller.control.addEnrollment();
  const webhook = {
    enrollment_id: 'enr_sim_1',
    type: 'enrollment.disconnected',
    payload: { reason: 'disconnected.credentials_invalid' },
    at: 1_760_000_000,
  };
  const current = '941febf481b4952933b4ea176ce6a7592d34ba112003f60aeb2174d1e2df86fd';
  const previous = '94baa21096a99d94cbd49ff11ffbaa5dc8a32f4365e32cd3b16cc5e312643dd3';
  const signed = teller.control.signWebhook(webhook);
  expect(signed.body).toBe(
    '{"id":"wh_sim_1","payload":{"enrollment_id":"enr_sim_1","reason":"disconnected.credentials_invalid"},"timestamp":"2025-10-09T08:53:20Z","type":"enrollment.disconnected"}',
  );
  expect(signed.headers['teller-signature']).toBe(`t=1760000000,v1=${current},v1=${previous}`);
  teller.control.reset({ webhook_secrets: ['whsec_sim_current'] });
  const second = teller.control.signWebhook({ ...webhook, tamper: 'second_signature' });
  expect(second.headers['teller-signature']).toBe(`t=1760000000,v1=${'0'.repeat(64)},v1=${current}`);
  expect(teller.control.signWebhook({ ...webhook, tamper: 'no_header' }).headers).not.toHaveProperty(
    'teller-signature',
  );
});

/** A request over TLS; `code` when the connection failed. */
function askOverTls({ url }: TellerSimulator, client: { cert?: string; key?: string }): Promise<number | string> {
  return new Promise((resolve) => {
    const authorization = `Basic ${Buffer.from('test_token_sim_1:').toString('base64')}`;
    const options = { ca: SERVER_PEM.certificate, headers: { authorization }, agent: false as const, ...client };
    const asked = request(`${url}/accounts`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });
}

test('a client certificate is asked for, and a wrong one is refused in an answer or in the handshake', async () => {
  const own = { cert: PEM.certificate, key: PEM.privateKey };
  const other = { cert: SERVER_PEM.certificate, key: SERVER_PEM.privateKey };
  const tls = { ...SERVER_PEM, clientCertificate: PEM.certificate };
  const open = await startTellerSimulator({ tls, requireCertificate: true });
  const strict = await startTellerSimulator({ tls: { ...tls, refusesInHandshake: true } });
  started.add(open).add(strict);
  for (const { control } of started) control.addEnrollment();
  expect(await askOverTls(open, own)).toBe(200);
  expect(await askOverTls(open, {})).toBe(400);
  expect(await askOverTls(open, other)).toBe(400);
  expect(await askOverTls(strict, own)).toBe(200);
  expect(await askOverTls(strict, other)).toMatch(/SSL|ECONNRESET|EPIPE/);
  open.control.reset({ require_certificate: false });
  open.control.addEnrollment();
  expect(await askOverTls(open, {})).toBe(200);
});
