import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { error, fetchAll, plaidAt, TOKEN } from '../../../test/harness/banks/plaid-answers.ts';
import { fakeOutside, scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import type { ProviderFailure } from '../provider-failure.ts';
import type { Provider } from '../provider.ts';
import { classOf } from './plaid-failure.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

function plaid(): Provider {
  return plaidAt(server.url, fakeOutside());
}

describe('errors of Plaid', () => {
  test('have the class of the contract', () => {
    const login = `ITEM_LOGIN_REQUIRED INVALID_CREDENTIALS INVALID_MFA INSUFFICIENT_CREDENTIALS INVALID_UPDATED_USERNAME
      ITEM_LOCKED MFA_NOT_SUPPORTED NO_ACCOUNTS USER_SETUP_REQUIRED PASSWORD_RESET_REQUIRED ACCESS_NOT_GRANTED
      USER_PERMISSION_REVOKED USER_INPUT_TIMEOUT INVALID_OTP`.split(/\s+/);
    for (const code of login) expect(classOf('ITEM_ERROR', code, 400)).toBe('login');
    const rows: [string, string, number, string][] = [
      ['OAUTH_ERROR', 'ANY', 400, 'login'],
      ['ITEM_ERROR', 'ITEM_NOT_FOUND', 400, 'item'],
      ['ITEM_ERROR', 'ITEM_NOT_SUPPORTED', 400, 'item'],
      ['INVALID_INPUT', 'ADDITIONAL_CONSENT_REQUIRED', 400, 'login'],
      ['ITEM_ERROR', 'ADDITIONAL_CONSENT_REQUIRED', 400, 'login'],
      ['INSTITUTION_ERROR', 'INSTITUTION_REGISTRATION_REQUIRED', 400, 'config'],
      ['ITEM_ERROR', 'NEW_CODE', 400, 'item'],
      ['ITEM_ERROR', 'PRODUCT_NOT_READY', 400, 'transient'],
      ['INVALID_INPUT', 'INVALID_ACCESS_TOKEN', 400, 'item'],
      ['INSTITUTION_ERROR', 'INSTITUTION_NO_LONGER_SUPPORTED', 400, 'item'],
      ['INSTITUTION_ERROR', 'INSTITUTION_DOWN', 400, 'transient'],
      ['INSTITUTION_ERROR', 'NEW_CODE', 400, 'transient'],
      ['API_ERROR', 'INTERNAL_SERVER_ERROR', 500, 'transient'],
      ['API_ERROR', 'NEW_CODE', 400, 'transient'],
      ['RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429, 'rate_limited'],
      ['TRANSACTIONS_ERROR', 'NEW_CODE', 400, 'transient'],
      ['INVALID_INPUT', 'INVALID_API_KEYS', 400, 'config'],
      ['INVALID_INPUT', 'NEW_CODE', 400, 'config'],
      ['INVALID_REQUEST', 'UNKNOWN_FIELDS', 400, 'config'],
      ['INVALID_REQUEST', 'NOT_FOUND', 404, 'config'],
      ['NEW_TYPE', 'NEW_CODE', 400, 'config'],
      ['NEW_TYPE', 'NEW_CODE', 503, 'transient'],
      ['NEW_TYPE', 'NEW_CODE', 429, 'rate_limited'],
    ];
    for (const [type, code, status, expected] of rows)
      expect([code, classOf(type, code, status)]).toEqual([code, expected]);
  });

  test('are read from the body, whatever its form', async () => {
    const { json } = error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED');
    server.script({ status: 400, json });
    await expect(fetchAll(plaid())).rejects.toMatchObject({
      failureClass: 'login',
      code: 'ITEM_LOGIN_REQUIRED',
      providerError: {
        code: 'ITEM_LOGIN_REQUIRED',
        type: 'ITEM_ERROR',
        message: 'no',
        requestId: 'r-9',
        httpStatus: 400,
      },
    });
    server.script({ status: 502, text: '<html>Bad gateway</html>' });
    await expect(fetchAll(plaid())).rejects.toMatchObject({ failureClass: 'transient', code: 'PROVIDER_UNAVAILABLE' });
    server.script({ status: 404, text: 'nothing here' });
    await expect(fetchAll(plaid())).rejects.toMatchObject({ failureClass: 'config', code: 'HTTP_404' });
    server.script({ status: 400, json: { error_type: ['x'], error_code: 'a b\n', error_message: {} } });
    await expect(fetchAll(plaid())).rejects.toMatchObject({ failureClass: 'config', code: 'HTTP_400' });
  });

  test('ask for a pause', async () => {
    server.script({
      ...error('RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429),
      headers: { 'retry-after': '90' },
    });
    await expect(fetchAll(plaid())).rejects.toMatchObject({
      failureClass: 'rate_limited',
      code: 'RATE_LIMITED',
      notBefore: Date.parse('2026-03-02T12:01:30Z'),
    });
    expect(server.requests).toHaveLength(1);
    server.script(error('RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429));
    await expect(fetchAll(plaid())).rejects.toMatchObject({ code: 'RATE_LIMITED', notBefore: null });
    expect(server.requests).toHaveLength(5);
    // What is not retried has no pause: a lost login stays one.
    server.script({ ...error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'), headers: { 'retry-after': '90' } });
    await expect(fetchAll(plaid())).rejects.toMatchObject({ failureClass: 'login', code: 'ITEM_LOGIN_REQUIRED' });
  });

  test('contain no secret', async () => {
    server.script(
      error('INVALID_INPUT', 'INVALID_ACCESS_TOKEN', 400, `no such token ${TOKEN} for the-secret, public-sandbox-1`),
    );
    const failure = (await fetchAll(plaid()).catch((caught: unknown) => caught)) as ProviderFailure;
    expect(failure.providerError?.message).toBe('no such token *** for ***, ***');
    server.script(error(TOKEN, 'access-production-1', 400));
    const odd = (await fetchAll(plaid()).catch((caught: unknown) => caught)) as ProviderFailure;
    expect([odd.code, odd.providerError?.code, odd.providerError?.type]).toEqual(['HTTP_400', null, null]);
    const said = `${failure.stack}${JSON.stringify(failure)}${failure.message}`;
    expect([said.includes(TOKEN), said.includes('the-secret')]).toEqual([false, false]);
    for (const { path } of server.requests) expect(path).not.toMatch(/access-|secret/);
  });
});
