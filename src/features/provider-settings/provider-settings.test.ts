import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { PEM } from '../../../test/harness/servers/certificates.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { providersInForce } from './index.ts';

const PATH = '/api/v1/settings/providers';
const PLAID = { client_id: '64f0a1b2c3d4e5f6a7b89f3c', secret: 'plaid-secret-one' };
const KEY_PAIR = { certificate: PEM.certificate, private_key: PEM.privateKey };
const NOTHING = {
  plaid: {
    configured: false,
    from_env: false,
    environment: 'sandbox',
    client_id_set: false,
    client_id_hint: null,
    secret_set: false,
    webhook_url: null,
  },
  teller: {
    configured: false,
    from_env: false,
    environment: 'sandbox',
    application_id_set: false,
    certificate_set: false,
    webhook_secret_set: false,
  },
};

/** Bodies, and the field that is wrong in each. */
const WRONG = [
  ['plaid', { secret: 'x' }, 'client_id'],
  ['plaid', { client_id: 'x' }, 'secret'],
  ['plaid', { ...PLAID, environment: 'prod' }, 'environment'],
  ['plaid', { ...PLAID, webhook_url: 'http://home.example/hook' }, 'webhook_url'],
  ['plaid', { ...PLAID, webhook_url: 'https://u:p@home.example/hook' }, 'webhook_url'],
  ['plaid', { ...PLAID, webhook_url: 'https://home.example/hook#x' }, 'webhook_url'],
  ['plaid', { ...PLAID, webhook_url: `https://home.example/${'x'.repeat(2_048)}` }, 'webhook_url'],
  ['plaid', { ...PLAID, secret: 'two words' }, 'secret'],
  ['plaid', { ...PLAID, secret: 'é' }, 'secret'],
  ['plaid', { ...PLAID, secret: 'x'.repeat(201) }, 'secret'],
  ['plaid', { ...PLAID, secret: 12 }, 'secret'],
  ['plaid', { ...PLAID, more: 1 }, 'more'],
  ['teller', KEY_PAIR, 'application_id'],
  ['teller', { webhook_secret: 'x' }, 'application_id'],
  ['teller', { application_id: 'a', webhook_secret: 'a,b,c' }, 'webhook_secret'],
  ['teller', { application_id: 'a', certificate: PEM.certificate }, 'private_key'],
  ['teller', { application_id: 'a', certificate: PEM.certificate, private_key: null }, 'private_key'],
  ['teller', { application_id: 'a', private_key: PEM.privateKey }, 'certificate'],
  ['teller', { application_id: 'a', ...KEY_PAIR, private_key: PEM.otherKey }, 'private_key'],
  ['teller', { application_id: 'a', ...KEY_PAIR, private_key: PEM.protectedKey }, 'private_key'],
  ['teller', { application_id: 'a', ...KEY_PAIR, private_key: PEM.oldProtectedKey }, 'private_key'],
  ['teller', { application_id: 'a', ...KEY_PAIR, certificate: PEM.expired }, 'certificate'],
  ['teller', { application_id: 'a', ...KEY_PAIR, certificate: 'nonsense' }, 'certificate'],
  ['teller', { application_id: 'a', certificate: PEM.privateKey, private_key: PEM.certificate }, 'certificate'],
  [
    'teller',
    { application_id: 'a', ...KEY_PAIR, certificate: `${PEM.certificate}${'\n'.repeat(70_000)}x` },
    'certificate',
  ],
] as const;

const get = async (app: TestApp) => (await app.request('GET', PATH, { key: app.readOnlyKey })).json;
const put = (app: TestApp, provider: 'plaid' | 'teller', body: unknown) =>
  app.request('PUT', `${PATH}/${provider}`, { body });

/** Which providers can be used, according to each of the three places that say so. */
async function configured(app: TestApp): Promise<boolean[]> {
  const settings = await get(app);
  const { providers } = (await app.request('GET', '/api/v1/headless/bootstrap', { key: null })).json;
  const inBootstrap = providers.slice(0, 2).map((one: { configured: boolean }) => one.configured);
  expect(inBootstrap).toEqual([settings.plaid.configured, settings.teller.configured]);
  return inBootstrap;
}

forEachDatabase((database) => {
  describe('settings of providers', () => {
    test('are set in parts, shown without secrets, and cleared', async () => {
      const app = await database.open();
      expect(await get(app)).toEqual(NOTHING);
      const set = await put(app, 'plaid', { ...PLAID, client_id: ` ${PLAID.client_id} `, environment: 'production' });
      expect([set.status, set.headers['cache-control']]).toEqual([200, 'no-store']);
      const plaid = {
        ...NOTHING.plaid,
        configured: true,
        environment: 'production',
        client_id_set: true,
        client_id_hint: '9f3c',
        secret_set: true,
      };
      expect(set.json).toEqual({ ...NOTHING, plaid });
      expect(await get(app)).toEqual(set.json);
      expect(await configured(app)).toEqual([true, false]);
      const again = await put(app, 'plaid', { secret: 'plaid-secret-two' });
      expect([again.json.plaid, again.headers['x-change-set-id']]).toEqual([plaid, expect.any(String)]);
      expect((await put(app, 'plaid', { environment: '' })).json.plaid.environment).toBe('sandbox');
      expect((await put(app, 'plaid', { client_id: null, secret: '' })).json).toEqual(NOTHING);
      expect(await configured(app)).toEqual([false, false]);
    });

    test('of Teller need a certificate outside its sandbox', async () => {
      const app = await database.open();
      const teller = async (body: unknown) => (await put(app, 'teller', body)).json.teller;
      expect(await teller({ application_id: 'app_1' })).toMatchObject({ configured: true, application_id_set: true });
      expect(await teller({ environment: 'production' })).toMatchObject({ configured: false });
      expect(await teller(KEY_PAIR)).toMatchObject({ configured: true, certificate_set: true });
      expect(await configured(app)).toEqual([false, true]);
      expect(await teller({ webhook_secret: 'one,two' })).toMatchObject({ webhook_secret_set: true });
      const cleared = {
        application_id: '',
        certificate: '',
        private_key: null,
        webhook_secret: null,
        environment: null,
      };
      expect(await teller(cleared)).toEqual(NOTHING.teller);
    });

    test('that are empty or unchanged write nothing', async () => {
      const app = await database.open();
      await put(app, 'plaid', PLAID);
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const body of [{}, PLAID, { environment: 'sandbox' }, { environment: null, webhook_url: '' }]) {
        const answer = await put(app, 'plaid', body);
        expect([answer.status, answer.headers['x-change-set-id']]).toEqual([200, undefined]);
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('apply at once in another process, and after a restart', async () => {
      const app = await database.open();
      const other = await app.again();
      const secretIn = (one: TestApp) =>
        one.app.instance.database.read(async (tx) => (await providersInForce(tx, one.app.instance)).plaid.secret.value);
      await put(app, 'plaid', PLAID);
      expect([await secretIn(app), await secretIn(other)]).toEqual([PLAID.secret, PLAID.secret]);
      await put(other, 'plaid', { secret: 'from-the-other' });
      expect([await secretIn(app), await secretIn(other)]).toEqual(['from-the-other', 'from-the-other']);
      await app.close();
      expect(await secretIn(await app.again())).toBe('from-the-other');
    });
  });

  describe('refused settings', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await database.open();
    });

    test('are named, and change nothing', async () => {
      for (const [provider, body, field] of WRONG) {
        const { status, json, text } = await put(app, provider, body);
        const named = json.error.details[0].path;
        expect([body, status, json.error.code, named]).toEqual([body, 400, 'VALIDATION_ERROR', field]);
        for (const one of [PLAID.secret, PEM.privateKey.slice(40, 80), 'nonsense']) expect(text).not.toContain(one);
      }
      expect(await get(app)).toEqual(NOTHING);
    });

    test('clear one of two that belong together', async () => {
      const own = await database.open();
      await put(own, 'plaid', PLAID);
      for (const field of ['secret', 'client_id']) {
        const { status, json } = await put(own, 'plaid', { [field]: null, environment: 'production' });
        expect([status, json.error.details[0].path]).toEqual([400, field]);
      }
      expect((await get(own)).plaid).toMatchObject({ configured: true, environment: 'sandbox' });
      await put(own, 'teller', { application_id: 'a', webhook_secret: 'w' });
      expect((await put(own, 'teller', { application_id: null })).json.error.details[0].path).toBe('application_id');
    });

    test('come from a key that may only read, or from someone who is not an admin', async () => {
      expect((await app.request('PUT', `${PATH}/plaid`, { key: app.readOnlyKey, body: PLAID })).status).toBe(403);
      for (const [role, status] of [
        ['viewer', 403],
        ['editor', 403],
        ['admin', 200],
      ] as const) {
        const { headers } = await signIn(app, { role, name: role });
        expect((await app.request('GET', PATH, { key: null, headers })).status).toBe(200);
        const changed = await app.request('PUT', `${PATH}/plaid`, { key: null, headers, body: {} });
        expect([role, changed.status]).toEqual([role, status]);
        const config = await app.request('GET', '/api/v1/config', { key: null, headers });
        expect([role, config.status]).toEqual([role, status]);
      }
    });
  });

  describe('settings of the environment', () => {
    test('beat stored ones and cannot be changed', async () => {
      const stored = await database.open();
      await put(stored, 'plaid', { ...PLAID, environment: 'production' });
      await put(stored, 'teller', { application_id: 'stored', ...KEY_PAIR, environment: 'production' });
      const app = await stored.again({
        env: {
          PLAID_CLIENT_ID: 'client-of-environment',
          PLAID_SECRET: 'secret-of-environment',
          TELLER_APPLICATION_ID: 'application-of-environment',
        },
      });
      expect(await get(app)).toMatchObject({
        plaid: { configured: true, from_env: true, environment: 'sandbox', client_id_hint: 'ment' },
        teller: { configured: true, from_env: true, environment: 'sandbox', certificate_set: false },
      });
      expect(await configured(app)).toEqual([true, true]);
      for (const [provider, body] of [
        ['plaid', { secret: 'x' }],
        ['plaid', { environment: 'production', webhook_url: 'https://home.example/hook' }],
        ['teller', { application_id: null }],
        ['teller', { ...KEY_PAIR }],
      ] as const) {
        const { status, json } = await put(app, provider, body);
        expect([status, json.error.code]).toEqual([409, 'PROVIDER_FROM_ENV']);
      }
      const url = 'https://home.example/hook';
      expect((await put(app, 'plaid', { webhook_url: url })).json.plaid.webhook_url).toBe(url);
      expect((await put(app, 'teller', { webhook_secret: 'w' })).json.teller.webhook_secret_set).toBe(true);
      expect((await get(stored)).plaid).toMatchObject({ environment: 'production', client_id_hint: '9f3c' });
    });

    test('beat stored ones alone where they are alone', async () => {
      const stored = await database.open();
      await put(stored, 'plaid', PLAID);
      await put(stored, 'teller', { application_id: 'stored', webhook_secret: 'stored' });
      const app = await stored.again({
        env: { PLAID_ENV: 'production', TELLER_ENV: 'production', TELLER_WEBHOOK_SECRET: 'one,two' },
      });
      expect(await get(app)).toMatchObject({
        plaid: { configured: true, from_env: false, environment: 'production' },
        teller: { configured: false, from_env: false, environment: 'production', webhook_secret_set: true },
      });
      for (const [provider, body] of [
        ['plaid', { environment: 'sandbox' }],
        ['teller', { environment: 'sandbox' }],
        ['teller', { webhook_secret: 'x' }],
      ] as const) {
        expect((await put(app, provider, body)).json.error.code).toBe('PROVIDER_FROM_ENV');
      }
      expect((await put(app, 'plaid', { secret: 'another' })).status).toBe(200);
    });
  });

  describe('secrets', () => {
    const secrets = [
      PLAID.client_id,
      PLAID.secret,
      'plaid-secret-two',
      'app_secret_9',
      'hook-secret',
      'PRIVATE KEY',
      'BEGIN CERT',
    ];

    test('are in no answer, journal, log or file', async () => {
      const app = await database.open();
      const texts: string[] = [];
      for (const [provider, body] of [
        ['plaid', PLAID],
        ['plaid', { secret: 'plaid-secret-two' }],
        ['teller', { application_id: 'app_secret_9', webhook_secret: 'hook-secret', ...KEY_PAIR }],
        ['teller', { certificate: 'x', private_key: 'hook-secret' }],
      ] as const) {
        texts.push((await put(app, provider, body)).text);
      }
      const path = '/api/v1/change-sets';
      const { change_sets: sets } = (await app.request('GET', `${path}?action=setting.update`)).json;
      for (const { id } of sets) texts.push((await app.request('GET', `${path}/${id}`)).text);
      texts.push((await app.request('GET', PATH)).text, (await app.request('GET', '/api/v1/config')).text, ...app.logs);
      texts.push(JSON.stringify(await allRows(app.app.instance.database), asText));
      const folder = app.env['HOMELEDGER_DATA_DIR'] as string;
      for (const name of readdirSync(folder)) texts.push(readFileSync(join(folder, name), 'latin1'));
      for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      const replaced = await app.request('GET', `${path}/${sets[1].id}`);
      expect(replaced.json.changes).toMatchObject([
        { entity_type: 'setting', before: { 'plaid.secret': 'set' }, after: { 'plaid.secret': 'set' } },
      ]);
    });

    test('that cannot be decrypted count as set, and can be replaced', async () => {
      const app = await database.open();
      await put(app, 'plaid', PLAID);
      await put(app, 'teller', { application_id: 'app_secret_9', ...KEY_PAIR });
      await app.write('test.damage', async (tx) => {
        tx.journal.allowUnjournaled('setting');
        const row = await tx.q
          .selectFrom('provider_settings')
          .select('secret')
          .where('id', '=', 'plaid')
          .executeTakeFirst();
        const damaged = new Uint8Array(row?.secret as Uint8Array);
        damaged[20] = (damaged[20] as number) ^ 1;
        await tx.q.updateTable('provider_settings').set({ secret: damaged }).where('id', '=', 'plaid').execute();
        // A record of another row, which this key did encrypt.
        const other = tx.q.selectFrom('provider_settings').select('client_id').where('id', '=', 'plaid');
        await tx.q.updateTable('provider_settings').set({ private_key: other }).where('id', '=', 'teller').execute();
      });
      expect(await get(app)).toMatchObject({
        plaid: { configured: false, client_id_set: true, secret_set: true },
        teller: { configured: false, certificate_set: true },
      });
      expect(await configured(app)).toEqual([false, false]);
      expect((await put(app, 'plaid', { secret: PLAID.secret })).json.plaid.configured).toBe(true);
      expect((await put(app, 'teller', KEY_PAIR)).json.teller.configured).toBe(true);
    });
  });
});

function asText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}
