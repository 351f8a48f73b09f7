import { describe, expect, it } from 'vitest';

import { addMember } from '../../../test/harness/ledger.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { signIn } from '../../../test/harness/people/sessions.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../../../test/harness/test-app.ts';
import { machineTimeZone } from '../../kernel/dates.ts';

const PATH = '/api/v1/config';

interface Entry {
  key: string;
  value: string | null;
  source: string;
}

const DEFAULTS: readonly (readonly [string, string | null])[] = [
  ['consent_warning_days', '14'],
  ['default_currency', null],
  ['household.name', 'Household'],
  ['instance.timezone', machineTimeZone()],
  ['link_redirect_origins', ''],
  ['plaid_country_codes', 'US'],
  ['plaid_language', 'en'],
  ['plaid_redirect_uri', null],
  ['public_base_url', null],
  ['setup.encryption_key_acknowledged_at', null],
  ['sync_concurrency', '4'],
  ['sync_interval_minutes', '720'],
  ['sync_log_retention_days', '90'],
  ['sync_timeout_seconds', '300'],
  ['webhook_event_retention_days', '7'],
];

/** A setting, a value that it takes, and what is stored. */
const TAKEN: readonly (readonly [string, unknown, string])[] = [
  ['sync_interval_minutes', '60', '60'],
  ['sync_interval_minutes', 60, '60'],
  ['sync_interval_minutes', ' 0060 ', '60'],
  ['sync_log_retention_days', 0, '0'],
  ['webhook_event_retention_days', '0', '0'],
  ['webhook_event_retention_days', 2, '2'],
  ['household.name', '  Ada & Tom ', 'Ada & Tom'],
  ['household.name', '😀'.repeat(200), '😀'.repeat(200)],
  ['link_redirect_origins', 'https://A.example/, http://b.example:3000', 'https://a.example,http://b.example:3000'],
  ['link_redirect_origins', ['https://a.example', 'https://a.example'], 'https://a.example'],
  ['link_redirect_origins', '', ''],
  ['plaid_country_codes', 'us, ca', 'US,CA'],
  ['plaid_country_codes', ['DE'], 'DE'],
  ['plaid_language', 'FR', 'fr'],
  ['plaid_redirect_uri', 'https://home.example/plaid?x=1', 'https://home.example/plaid?x=1'],
  ['public_base_url', 'https://Home.example:8443/', 'https://home.example:8443'],
  ['public_base_url', 'http://nas.tail1234.ts.net:8080', 'http://nas.tail1234.ts.net:8080'],
  ['setup.encryption_key_acknowledged_at', '2026-04-26T08:00:00+02:00', '2026-04-26T06:00:00.000Z'],
];

const REFUSED: readonly (readonly [string, unknown])[] = [
  ['default_currency', 'EURO'],
  ['default_currency', ''],
  ['default_currency', null],
  ['default_currency', 12],
  ['sync_interval_minutes', 14],
  ['sync_interval_minutes', 10_081],
  ['sync_interval_minutes', 'abc'],
  ['sync_interval_minutes', 1.5],
  ['sync_interval_minutes', null],
  ['sync_interval_minutes', ['60']],
  ['sync_interval_minutes', true],
  ['sync_concurrency', 0],
  ['sync_log_retention_days', -1],
  ['webhook_event_retention_days', 1],
  ['household.name', ' '],
  ['household.name', 'x'.repeat(201)],
  ['instance.timezone', 'Mars/Olympus'],
  ['instance.timezone', '+05:30'],
  ['link_redirect_origins', 'https://a.example/path'],
  ['link_redirect_origins', 'ftp://a.example'],
  ['plaid_country_codes', ''],
  ['plaid_country_codes', []],
  ['plaid_country_codes', 'US,XX'],
  ['plaid_language', 'english'],
  ['plaid_language', 'qq'],
  ['plaid_redirect_uri', 'http://home.example/plaid'],
  ['plaid_redirect_uri', 'https://user:password@home.example/'],
  ['public_base_url', 'http://home.example'],
  ['public_base_url', 'https://home.example/app'],
  ['setup.encryption_key_acknowledged_at', 'yesterday'],
];

async function put(app: TestApp, key: string, body: unknown) {
  return app.request('PUT', `${PATH}/${key}`, { body });
}

forEachDatabase(({ open }) => {
  describe('settings', () => {
    it('are all listed by name, stored or not', async () => {
      const app = await open();
      const list = async () => (await app.request('GET', PATH)).json as Entry[];
      const listed = await list();
      expect(listed.map(({ key, value }) => [key, value])).toEqual(DEFAULTS);
      for (const one of listed) expect(one).toMatchObject({ source: 'default', default: one.value });
      expect((await put(app, 'default_currency', { value: 'eur' })).json).toMatchObject({ value: 'EUR', source: 'db' });
      const stored = (await list()).filter(({ source }) => source !== 'default');
      expect(stored).toMatchObject([{ key: 'default_currency', value: 'EUR', default: null, source: 'db' }]);
      const one = await app.request('GET', `${PATH}/default_currency`);
      expect([one.json, one.headers['cache-control']]).toEqual([stored[0], 'no-store']);
      expect((await app.request('GET', PATH, { key: app.readOnlyKey })).status).toBe(403);
    });

    it('are stored in canonical form, from text or from JSON', async () => {
      const app = await open();
      for (const [key, value, stored] of TAKEN) {
        const answer = await put(app, key, { value });
        expect([key, value, answer.status, answer.json.value]).toEqual([key, value, 200, stored]);
        expect((await app.request('GET', `${PATH}/${key}`)).json).toEqual(answer.json);
        await app.request('DELETE', `${PATH}/${key}`);
      }
    });

    it('go back to their default, however often', async () => {
      const app = await open();
      await put(app, 'instance.timezone', { value: 'pacific/auckland' });
      expect((await app.request('GET', `${PATH}/instance.timezone`)).json).toMatchObject({ value: 'Pacific/Auckland' });
      const first = await app.request('DELETE', `${PATH}/instance.timezone`);
      const second = await app.request('DELETE', `${PATH}/instance.timezone`);
      expect([first.status, second.status]).toEqual([204, 204]);
      expect([first.headers['x-change-set-id'] !== undefined, second.headers['x-change-set-id']]).toEqual([
        true,
        undefined,
      ]);
      expect((await app.request('GET', `${PATH}/instance.timezone`)).json).toMatchObject({
        value: machineTimeZone(),
        source: 'default',
      });
    });

    it('refuse what is out of range, and store nothing then', async () => {
      const app = await open();
      for (const [key, value] of REFUSED) {
        const { status, json } = await put(app, key, { value });
        expect([key, value, status, json.error.details[0].path]).toEqual([key, value, 400, 'value']);
      }
      for (const body of [{}, { value: 'EUR', more: 1 }, [], 'EUR']) {
        expect((await put(app, 'default_currency', body)).status, JSON.stringify(body)).toBe(400);
      }
      const { json } = await app.request('GET', PATH);
      expect(json.filter(({ source }: Entry) => source !== 'default')).toEqual([]);
    });

    it('that the environment sets cannot be changed', async () => {
      const stored = await open();
      await put(stored, 'public_base_url', { value: 'https://stored.example' });
      const app = await stored.again({ env: { HOMELEDGER_BASE_URL: 'https://home.example/' } });
      const path = `${PATH}/public_base_url`;
      const entry = (await app.request('GET', path)).json;
      expect(entry).toMatchObject({ value: 'https://home.example', source: 'env', default: null });
      const refused = await put(app, 'public_base_url', { value: 'https://other.example' });
      expect([refused.status, refused.json.error.code]).toEqual([409, 'SETTING_FROM_ENV']);
      const reset = await app.request('DELETE', path);
      expect([reset.status, reset.headers['x-change-set-id']]).toEqual([204, undefined]);
      expect((await app.request('GET', path)).json).toEqual(entry);
      expect((await stored.request('GET', path)).json).toMatchObject({ value: 'https://stored.example', source: 'db' });
    });

    it('know no other key', async () => {
      const app = await open();
      for (const key of ['plaid_secret', 'Default_currency', '__proto__']) {
        expect((await app.request('GET', `${PATH}/${key}`)).status).toBe(404);
        expect((await put(app, key, { value: 'x' })).status).toBe(404);
        expect((await app.request('DELETE', `${PATH}/${key}`)).status).toBe(404);
      }
    });

    it('of the public address count at once here, within five seconds elsewhere, and after a restart', async () => {
      const app = await open();
      const other = await app.again({ clock: fixedClock(TEST_START) });
      const docsUrl = async (one: TestApp) =>
        (await one.request('GET', '/api/v1/headless/bootstrap', { key: null })).json.docs_url;
      expect([await docsUrl(app), await docsUrl(other)]).toEqual([
        'http://localhost:80/docs',
        'http://localhost:80/docs',
      ]);
      await put(app, 'public_base_url', { value: 'https://home.example/' });
      expect(await docsUrl(app)).toBe('https://home.example/docs');
      expect(await docsUrl(other)).toBe('http://localhost:80/docs');
      other.clock.advance(5_000);
      expect(await docsUrl(other)).toBe('https://home.example/docs');
      await put(other, 'public_base_url', { value: 'http://box.lan' });
      expect(await docsUrl(other)).toBe('http://box.lan/docs');
      await app.close();
      expect(await docsUrl(await app.again())).toBe('http://box.lan/docs');
      await other.request('DELETE', `${PATH}/public_base_url`);
      expect(await docsUrl(other)).toBe('http://localhost:80/docs');
    });

    it('are never older than an answer of this process, whoever else is asking', async () => {
      const app = await open();
      const bootstrap = () => app.request('GET', '/api/v1/headless/bootstrap', { key: null });
      for (const name of ['a', 'b', 'c', 'd']) {
        const asking = Array.from({ length: 4 }, bootstrap);
        await put(app, 'public_base_url', { value: `https://${name}.example` });
        expect((await bootstrap()).json.docs_url).toBe(`https://${name}.example/docs`);
        await Promise.all(asking);
      }
    });

    it('that threads write count here as well', async () => {
      const app = await open({ workers: 1 });
      const { settings } = app.app.instance;
      await addMember(app, 'Ana');
      expect(await settings.baseUrl()).toBeNull();
      const elsewhere = await app.again({ workers: 0 });
      await put(elsewhere, 'public_base_url', { value: 'https://home.example' });
      expect(await settings.baseUrl()).toBeNull();
      const file = 'Date,Description,Amount,Currency\n2026-04-15,Shop,-5.00,EUR\n';
      const body = { csv_base64: Buffer.from(file).toString('base64') };
      expect((await app.request('POST', '/api/v1/imports', { body })).status).toBe(201);
      expect((await app.request('GET', `${PATH}/default_currency`)).json.value).toBe('EUR');
      expect(await settings.baseUrl()).toBe('https://home.example');
    });

    it('of a wrong public address lock nobody out', async () => {
      const app = await open();
      const ana = await signIn(app);
      const box = { cookie: ana.headers['cookie'] as string, host: 'box.lan', origin: 'http://box.lan' };
      await put(app, 'public_base_url', { value: 'https://wrong.example' });
      const body = { value: 'https://right.example' };
      const path = `${PATH}/public_base_url`;
      expect((await app.request('PUT', path, { key: null, headers: box, body })).status).toBe(200);
      const right = { ...box, origin: 'https://right.example' };
      expect((await app.request('DELETE', path, { key: null, headers: right })).status).toBe(204);
      const foreign = { ...box, origin: 'https://wrong.example' };
      const refused = await app.request('PUT', path, { key: null, headers: foreign, body });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'ORIGIN_MISMATCH']);
    });

    it('of the public address that cannot be read leave the probes alone', async () => {
      const app = await open();
      await app.app.instance.database.close();
      expect((await app.request('GET', '/health', { key: null })).status).toBe(200);
      expect(app.logs.join()).not.toContain('settings could not be read');
    });

    it('say which day it is where the household lives', async () => {
      const app = await open();
      await addMember(app, 'Ana');
      const csv = 'Date,Description,Amount,Currency\n2026-05-27,Rent,-900.00,EUR\n2026-04-15,Shop,-5.00,EUR\n';
      const preview = async (): Promise<unknown> =>
        (
          await app.request('POST', '/api/v1/imports', {
            body: { csv_base64: Buffer.from(csv).toString('base64'), dry_run: true },
          })
        ).json['problems'];
      // At 06:00 UTC it is still yesterday in Samoa, so this row is a day too far ahead.
      await put(app, 'instance.timezone', { value: 'Pacific/Pago_Pago' });
      expect(await preview()).toMatchObject([{ line: 2, reason: 'DATE_OUT_OF_RANGE' }]);
      await put(app, 'instance.timezone', { value: 'UTC' });
      expect(await preview()).toEqual([]);
    });

    it('leave a change set that cannot be reverted', async () => {
      const app = await open();
      const changed = await put(app, 'default_currency', { value: 'CHF' });
      const id = String(changed.headers['x-change-set-id']);
      expect((await app.request('GET', `/api/v1/change-sets/${id}`)).json).toMatchObject({
        action: 'setting.update',
        summary: 'Changed the setting default_currency',
        changes: [
          {
            entity_type: 'setting',
            entity_id: null,
            before: { 'config.default_currency': null },
            after: { 'config.default_currency': 'CHF' },
          },
        ],
      });
      const revert = await app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
      expect(revert.json).toMatchObject({ error: { code: 'NOT_REVERTIBLE' } });
      expect((await put(app, 'default_currency', { value: 'CHF' })).headers['x-change-set-id']).toBeUndefined();
    });
  });
});
