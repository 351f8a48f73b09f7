import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ACCESS, error, plaidAt, TOKEN } from '../../../test/harness/banks/plaid-answers.ts';
import { fakeOutside, scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import type { Provider } from '../provider.ts';
import type { PlaidSettings } from './plaid-provider.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

function plaid(change: Partial<PlaidSettings> = {}): Provider {
  return plaidAt(server.url, fakeOutside(), change);
}

describe('links of Plaid', () => {
  const link = { memberId: '0198c2a0-0000-7000-8000-000000000001', renewing: null };
  const answer = { json: { link_token: 'link-sandbox-1', expiration: '2026-03-02T14:00:00Z', request_id: 'r' } };
  const basic = {
    client_name: 'Homeledger',
    language: 'en',
    country_codes: ['US', 'CA'],
    user: { client_user_id: link.memberId },
  };

  test('are asked for with exactly the fields of the contract', async () => {
    const addresses = {
      webhookUrl: 'https://home.example/webhooks/plaid',
      redirectUri: 'https://home.example/link/oauth-return',
    };
    const sent = { webhook: addresses.webhookUrl, redirect_uri: addresses.redirectUri };
    const added = { products: ['transactions'], transactions: { days_requested: 730 } };
    const updated = { access_token: TOKEN, update: { account_selection_enabled: true } };
    const renewing = ACCESS;
    for (const [settings, wanted, body] of [
      [{}, link, { ...basic, ...added }],
      [addresses, link, { ...basic, ...added, ...sent }],
      [addresses, { ...link, renewing }, { ...basic, ...sent, ...updated }],
    ] as const) {
      server.script(answer);
      expect(await plaid(settings).createLinkSession(wanted)).toEqual({
        provider: 'plaid',
        link_token: 'link-sandbox-1',
        expiration: '2026-03-02T14:00:00.000Z',
        application_id: null,
        environment: 'sandbox',
        enrollment_id: null,
      });
      expect([server.requests[0]?.path, server.requests[0]?.json]).toEqual(['/link/token/create', body]);
    }
  });

  test('are exchanged once', async () => {
    server.script({ json: { access_token: TOKEN, item_id: 'item-1', request_id: 'r' } });
    expect(await plaid().exchange({ public_token: 'public-sandbox-1', institution_id: 'x' })).toEqual(ACCESS);
    expect(server.requests.map(({ path, json }) => [path, json])).toEqual([
      ['/item/public_token/exchange', { public_token: 'public-sandbox-1' }],
    ]);
    for (const lost of ['drop', error('API_ERROR', 'INTERNAL_SERVER_ERROR', 500)] as const) {
      server.script(lost);
      await expect(plaid().exchange({ public_token: 'p' })).rejects.toMatchObject({ failureClass: 'transient' });
      expect(server.requests).toHaveLength(1);
    }
    server.script(error('INVALID_INPUT', 'INVALID_PUBLIC_TOKEN'));
    await expect(plaid().exchange({ public_token: 'p' })).rejects.toMatchObject({ code: 'INVALID_PUBLIC_TOKEN' });
  });

  test('work if the item is the stored one and nothing is wrong with it', async () => {
    const item = (change: object): { json: object } => ({
      json: { item: { item_id: 'item-1', error: null, ...change } },
    });
    const { json: broken } = error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED');
    for (const [said, proof] of [
      [item({}), ACCESS],
      [item({ item_id: 'item-2' }), null],
      [item({ error: broken }), null],
      [item({ error: undefined }), null],
      [error('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'), null],
      [error('ITEM_ERROR', 'ITEM_NOT_FOUND'), null],
    ] as const) {
      server.script(said);
      expect(await plaid().proveLogin(ACCESS, {})).toEqual(proof);
      expect([server.requests[0]?.path, server.requests[0]?.json]).toEqual(['/item/get', { access_token: TOKEN }]);
    }
    server.script(error('API_ERROR', 'PLANNED_MAINTENANCE', 503));
    await expect(plaid().proveLogin(ACCESS, {})).rejects.toMatchObject({ failureClass: 'transient' });
  });

  test('are ended, also if Plaid has none any more', async () => {
    for (const said of [
      { json: { request_id: 'r' } },
      error('ITEM_ERROR', 'ITEM_NOT_FOUND'),
      error('INVALID_INPUT', 'INVALID_ACCESS_TOKEN'),
    ]) {
      server.script(said);
      await plaid().revoke(ACCESS);
      expect(server.requests.map(({ path, json }) => [path, json])).toEqual([
        ['/item/remove', { access_token: TOKEN }],
      ]);
    }
  });

  test('get the address for webhooks only when theirs differs', async () => {
    const webhookUrl = 'https://home.example/webhooks/plaid';
    const update = async (wanted: string | null, stored: string | null | undefined): Promise<unknown[]> => {
      server.script({ json: { item: {}, request_id: 'r' } });
      const item = { id: 'item-1', institutionId: null, institutionName: null, consentExpiresAt: null };
      const state = {
        item: { ...item, ...(stored !== undefined && { webhookUrl: stored }) },
        accounts: [],
        problems: [],
      };
      await plaid({ webhookUrl: wanted }).updateWebhook(ACCESS, state);
      return server.requests.map(({ path, json }) => [path, json]);
    };
    const sent = [['/item/webhook/update', { access_token: TOKEN, webhook: webhookUrl }]];
    expect(await update(webhookUrl, '')).toEqual(sent);
    expect(await update(webhookUrl, null)).toEqual(sent);
    expect(await update(webhookUrl, webhookUrl)).toEqual([]);
    expect(await update(null, webhookUrl)).toEqual([]);
    expect(await update(webhookUrl, undefined)).toEqual([]);
  });

  test('cannot be opened with an access that cannot be read', async () => {
    const broken = { itemId: 'item-1', credentials: '{' };
    await expect(plaid().readItem(broken)).rejects.toMatchObject({
      failureClass: 'login',
      code: 'CREDENTIALS_UNREADABLE',
    });
  });
});

describe('the credentials of Plaid', () => {
  test('are tested by listing one bank and asking for a link', async () => {
    server.script(
      { json: { institutions: [], total: 0, request_id: 'r' } },
      { json: { link_token: 'l', request_id: 'r' } },
    );
    expect(await plaid().test()).toEqual({
      ok: true,
      message: 'Plaid accepts the client id and the secret, and would open a link (sandbox).',
    });
    expect(server.requests.map(({ path, json }) => [path, json])).toMatchObject([
      ['/institutions/get', { count: 1, offset: 0, country_codes: ['US', 'CA'] }],
      ['/link/token/create', { user: { client_user_id: 'homeledger_probe' }, products: ['transactions'] }],
    ]);
    const refused = error('INVALID_REQUEST', 'INVALID_FIELD', 400, 'OAuth redirect URI must be configured');
    server.script({ json: { institutions: [], total: 0, request_id: 'r' } }, refused);
    expect(await plaid().test()).toEqual({
      ok: false,
      message: expect.stringContaining('refuses what a link would ask'),
      said: 'OAuth redirect URI must be configured',
    });
  });

  test('that are refused are told so, without the secret', async () => {
    server.script(error('INVALID_INPUT', 'INVALID_API_KEYS', 400, 'invalid secret the-secret'));
    const { ok, message } = await plaid().test();
    expect([ok, message]).toEqual([false, expect.stringContaining('INVALID_API_KEYS')]);
    expect(message).not.toContain('the-secret');
    server.script({ status: 503, text: '' });
    expect(await plaid().test()).toMatchObject({ ok: false, message: expect.stringContaining('cannot be reached') });
    expect(server.requests).toHaveLength(1);
  });
});
