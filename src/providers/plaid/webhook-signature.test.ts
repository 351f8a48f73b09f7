import { createHash } from 'node:crypto';
import { CompactSign, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fakeOutside, scriptedServer, type ScriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import type { WebhookEvent, WebhookVerdict } from '../webhook.ts';
import { createPlaid } from './plaid-provider.ts';

const KID = '6c5516e1-92dc-479e-a8ff-5a51992e0001';
const PUBLIC = {
  kty: 'EC',
  crv: 'P-256',
  x: '-BU4hsmiiIdYilC5Uxn7bivzUs6RB0pAscrcuV3p5g0',
  y: '_PmS8Hx95iMPwL-cBq6S67YsLhhfTLwDCRafc9QMoTY',
};
const KEY = { ...PUBLIC, alg: 'ES256', kid: KID, use: 'sig', created_at: 1_560_466_150, expired_at: null };
const D = '2jjmcaTnV-PKEPVh6eIk8VT7C2zt1qaPbxGUBRbVpzs';
const JWT =
  'eyJhbGciOiJFUzI1NiIsImtpZCI6IjZjNTUxNmUxLTkyZGMtNDc5ZS1hOGZmLTVhNTE5OTJlMDAwMSIsInR5cCI6IkpXVCJ9' +
  '.eyJpYXQiOjE3NjAwMDAwMDAsInJlcXVlc3RfYm9keV9zaGEyNTYiOiI4YWU5NWU1Y2QyNGU0ODE1OTRiOGYyNmU5OWNmYzcyNzBhNzhi' +
  'MTBmYzMwYjk2OGJhOTZlZTYyYWM1ZGM1ZDlkIn0' +
  '.pqhEwa0qebNAzevMKsX9HeBsv-0GaQMGSytgijd_OBZlZRx0aPkhnlder97c_8NFo7K_DSbBWAN52PCeqC1A2w';
const SENT = {
  environment: 'sandbox',
  historical_update_complete: true,
  initial_update_complete: true,
  item_id: 'item-sim-1',
  webhook_code: 'SYNC_UPDATES_AVAILABLE',
  webhook_type: 'TRANSACTIONS',
};
const BODY = Buffer.from(JSON.stringify(SENT, null, 2));
const SIGNED_AT = 1_760_000_000;

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());

interface Receiver {
  receive: (token: unknown, body?: Uint8Array) => Promise<WebhookVerdict>;
  at: (seconds: number) => void;
}

function receiver(): Receiver {
  const outside = fakeOutside(new Date(SIGNED_AT * 1_000).toISOString());
  const settings = { clientId: 'c', secret: 's', environment: 'sandbox', baseUrl: server.url } as const;
  const link = { countryCodes: ['US'], language: 'en', redirectUri: null, webhookUrl: null };
  const plaid = createPlaid({ ...settings, ...link }, outside);
  return {
    receive: async (token, body = BODY) => {
      const headers = token === undefined ? {} : { 'plaid-verification': token as string };
      return plaid.receiveWebhook?.({ headers, body }) as Promise<WebhookVerdict>;
    },
    at: (seconds) => outside.set(new Date(seconds * 1_000).toISOString()),
  };
}

const answerKey = (change: object = {}): { json: object } => ({
  json: { key: { ...KEY, ...change }, request_id: 'r' },
});
const unknownKey = {
  status: 400,
  json: { error_type: 'INVALID_INPUT', error_code: 'INVALID_WEBHOOK_VERIFICATION_KEY_ID', error_message: 'no' },
};
const refused = { verdict: 'rejected', reason: 'signature' };

async function sign(header: object, claims: object, body: Uint8Array = BODY): Promise<string> {
  const key = await importJWK({ ...PUBLIC, d: D }, 'ES256');
  const hash = createHash('sha256').update(body).digest('hex');
  return new SignJWT({ iat: SIGNED_AT, request_body_sha256: hash, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: KID, typ: 'JWT', ...header })
    .sign(key);
}

describe('a webhook of Plaid', () => {
  test('is accepted as the test vector has it', async () => {
    server.script(answerKey());
    const { receive } = receiver();
    expect(createHash('sha256').update(BODY).digest('hex')).toMatch(/^8ae95e5c/);
    expect(await receive(JWT)).toMatchObject({
      verdict: 'accepted',
      event: { type: 'sync_available', itemId: 'item-sim-1', isReadable: true, duplicateWindowMs: 600_000 },
    });
    expect(server.requests.map(({ path, json }) => [path, json])).toEqual([
      ['/webhook_verification_key/get', { key_id: KID }],
    ]);
  });

  test('is accepted until 300 seconds after it was signed, and from 60 before', async () => {
    server.script(answerKey());
    const { receive, at } = receiver();
    for (const [seconds, verdict] of [
      [299, 'accepted'],
      [300, 'accepted'],
      [301, 'rejected'],
      [-60, 'accepted'],
      [-61, 'rejected'],
    ] as const) {
      at(SIGNED_AT + seconds);
      const said = await receive(JWT);
      expect([seconds, said.verdict]).toEqual([seconds, verdict]);
      if (said.verdict === 'rejected') expect(said.reason).toBe('clock');
    }
  });

  test('is refused if anything but the time is wrong', async () => {
    server.script(answerKey());
    const { receive, at } = receiver();
    const [header, claims, signature] = JWT.split('.') as [string, string, string];
    const hs256 = await new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'HS256', kid: KID })
      .sign(Buffer.from(PUBLIC.x.repeat(2)));
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: KID })).toString('base64url');
    const other = await importJWK(
      {
        ...(await import('node:crypto'))
          .generateKeyPairSync('ec', { namedCurve: 'P-256' })
          .privateKey.export({ format: 'jwk' }),
      } as never,
      'ES256',
    );
    const wrongKey = await new SignJWT({ iat: SIGNED_AT, request_body_sha256: 'x' })
      .setProtectedHeader({ alg: 'ES256', kid: KID })
      .sign(other);
    at(SIGNED_AT + 5_000);
    for (const token of [
      undefined,
      '',
      'a.b.c',
      JWT.slice(0, -2),
      `${header}.${claims}.`,
      `${none}.${claims}.`,
      `${none}.${claims}.${signature}`,
      hs256,
      wrongKey,
      [JWT, JWT],
      'x'.repeat(10_000),
      await sign({ kid: undefined }, {}),
      await sign({}, { iat: undefined }),
      await sign({}, { request_body_sha256: undefined }),
      await sign({}, { request_body_sha256: 'é'.repeat(32) }),
    ]) {
      expect([String(token).slice(0, 20), await receive(token)]).toEqual([String(token).slice(0, 20), refused]);
    }
    expect(await receive(JWT, Buffer.from(BODY.toString().replace('sim-1', 'sim-2')))).toEqual(refused);
    expect(await receive(JWT, BODY.subarray(1))).toEqual(refused);
    expect(server.requests).toHaveLength(1);
  });

  test('is checked by a key that is asked for once an hour', async () => {
    server.script(answerKey());
    const { receive, at } = receiver();
    for (const seconds of [0, 3_599, 3_600]) {
      at(SIGNED_AT + seconds);
      expect((await receive(await sign({}, { iat: SIGNED_AT + seconds }))).verdict).toBe('accepted');
    }
    expect(server.requests).toHaveLength(2);
  });

  test('asks once for a key that several webhooks at once are signed with', async () => {
    server.script(answerKey());
    const { receive } = receiver();
    const verdicts = await Promise.all(Array.from({ length: 5 }, async () => receive(JWT)));
    expect([new Set(verdicts.map(({ verdict }) => verdict)), server.requests.length]).toEqual([
      new Set(['accepted']),
      1,
    ]);
  });

  test('is refused if its key has expired, or is not for it', async () => {
    for (const change of [
      { expired_at: SIGNED_AT - 1 },
      { expired_at: SIGNED_AT },
      { crv: 'P-384' },
      { alg: 'HS256' },
      { kty: 'oct' },
      { x: 'no' },
      { y: undefined },
    ]) {
      server.script(answerKey(change));
      expect([change, await receiver().receive(JWT)]).toEqual([change, refused]);
    }
    server.script(answerKey({ expired_at: SIGNED_AT + 10 }));
    const { receive, at } = receiver();
    expect((await receive(JWT)).verdict).toBe('accepted');
    at(SIGNED_AT + 10);
    expect(await receive(JWT)).toEqual(refused);
  });

  test('with an unknown key makes Plaid be asked once in five minutes', async () => {
    server.script(unknownKey);
    const { receive, at } = receiver();
    for (const seconds of [0, 1, 299]) {
      at(SIGNED_AT + seconds);
      expect(await receive(JWT)).toEqual(refused);
    }
    expect(server.requests).toHaveLength(1);
    at(SIGNED_AT + 300);
    await receive(JWT);
    expect(server.requests).toHaveLength(2);
  });

  test('makes Plaid be asked for at most ten keys a minute', async () => {
    server.script(unknownKey);
    const { receive, at } = receiver();
    const named = (number: number): Promise<string> => sign({ kid: `key-${number}` }, {});
    for (let number = 0; number < 30; number++) expect(await receive(await named(number))).toEqual(refused);
    expect(server.requests).toHaveLength(10);
    at(SIGNED_AT + 60);
    await receive(await named(20));
    expect(server.requests).toHaveLength(11);
  });

  test('is to be sent again while Plaid cannot say which key it is', async () => {
    const { receive } = receiver();
    for (const answer of ['drop', { status: 503, text: '' }, { json: [] }] as const) {
      server.script(answer);
      expect(await receive(JWT)).toEqual({ verdict: 'unverifiable' });
      expect(server.requests).toHaveLength(1);
    }
    server.script(answerKey());
    expect((await receive(JWT)).verdict).toBe('accepted');
  });
});

describe('what a webhook of Plaid means', () => {
  async function read(sent: unknown): Promise<Partial<WebhookEvent>> {
    server.script(answerKey());
    const body = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent));
    const said = await receiver().receive(await sign({}, {}, body), body);
    return said.verdict === 'accepted' ? said.event : {};
  }

  test('is in the words of the contract', async () => {
    const item = { webhook_type: 'ITEM', item_id: 'item-1', environment: 'sandbox' };
    const error = { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED', error_message: 'x', status: 400 };
    const day = 86_400_000;
    for (const [sent, event] of [
      [
        { webhook_code: 'ERROR', error },
        { type: 'connection_error', code: 'ITEM_LOGIN_REQUIRED', failureClass: 'login' },
      ],
      [
        { webhook_code: 'ERROR', error: { ...error, error_type: 'INSTITUTION_ERROR', error_code: 'INSTITUTION_DOWN' } },
        { type: 'connection_error', code: 'INSTITUTION_DOWN', failureClass: 'transient' },
      ],
      [
        { webhook_code: 'ERROR', error: null },
        { type: 'connection_error', code: 'ITEM_ERROR', failureClass: 'item' },
      ],
      [
        { webhook_code: 'PENDING_EXPIRATION', consent_expiration_time: '2026-03-01T00:00:00Z' },
        { type: 'pending_expiration', consentExpiresAt: '2026-03-01T00:00:00.000Z' },
      ],
      [
        {
          webhook_code: 'PENDING_DISCONNECT',
          reason: 'INSTITUTION_MIGRATION',
          disconnect_time: '2026-03-02T00:00:00Z',
        },
        { type: 'pending_expiration', consentExpiresAt: '2026-03-02T00:00:00.000Z' },
      ],
      [{ webhook_code: 'PENDING_DISCONNECT' }, { type: 'pending_expiration', consentExpiresAt: null }],
      [{ webhook_code: 'NEW_ACCOUNTS_AVAILABLE', error: null }, { type: 'new_accounts' }],
      [{ webhook_code: 'LOGIN_REPAIRED' }, { type: 'login_repaired', duplicateWindowMs: 600_000 }],
      [
        { webhook_code: 'USER_PERMISSION_REVOKED', error },
        { type: 'access_revoked', code: 'USER_PERMISSION_REVOKED', failureClass: 'login' },
      ],
      [
        { webhook_code: 'USER_ACCOUNT_REVOKED', account_id: 'acc-1' },
        { type: 'account_revoked', accountIds: ['acc-1'] },
      ],
      [{ webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED' }, { type: 'unknown' }],
      ...['INITIAL_UPDATE', 'HISTORICAL_UPDATE', 'DEFAULT_UPDATE', 'TRANSACTIONS_REMOVED'].map(
        (code) => [{ webhook_type: 'TRANSACTIONS', webhook_code: code }, { type: 'unknown' }] as const,
      ),
      [{ webhook_type: ['ITEM'], webhook_code: {} }, { type: 'unknown' }],
    ] as const) {
      const expected = { isReadable: true, itemId: 'item-1', accountIds: [], code: null, failureClass: null };
      expect(await read({ ...item, ...sent })).toEqual({
        ...expected,
        consentExpiresAt: null,
        duplicateWindowMs: day,
        ...event,
      });
    }
  });

  test('is nothing if it is not an object', async () => {
    for (const sent of ['', '[]', 'null', '"x"', '{', '\ufffe']) {
      expect(await read(sent)).toMatchObject({ type: 'unknown', isReadable: false, itemId: null });
    }
  });
});
