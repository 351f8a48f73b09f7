import { describe, expect, it } from 'vitest';

import { addMember } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { machineTimeZone } from '../../kernel/dates.ts';

const PATH = '/api/v1/config';

async function put(app: TestApp, key: string, body: unknown) {
  return app.request('PUT', `${PATH}/${key}`, { body });
}

forEachDatabase(({ open }) => {
  describe('settings', () => {
    it('are all listed, stored or not', async () => {
      const app = await open();
      const zone = {
        key: 'instance.timezone',
        value: machineTimeZone(),
        default: machineTimeZone(),
        source: 'default',
      };
      const none = { key: 'default_currency', value: null, default: null, type: 'string', source: 'default' };
      expect((await app.request('GET', PATH)).json).toMatchObject([none, zone]);
      expect((await put(app, 'default_currency', { value: 'eur' })).json).toMatchObject({ value: 'EUR', source: 'db' });
      expect((await app.request('GET', PATH)).json).toMatchObject([{ value: 'EUR', source: 'db' }, zone]);
      expect((await app.request('GET', `${PATH}/default_currency`)).json).toMatchObject({
        value: 'EUR',
        default: null,
      });
    });

    it('go back to their default, however often', async () => {
      const app = await open();
      await put(app, 'instance.timezone', { value: 'Pacific/Auckland' });
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
      for (const body of [
        { value: 'EURO' },
        { value: '' },
        { value: null },
        {},
        { value: 12 },
        { value: 'EUR', more: 1 },
      ]) {
        expect((await put(app, 'default_currency', body)).status, JSON.stringify(body)).toBe(400);
      }
      expect((await put(app, 'instance.timezone', { value: 'Mars/Olympus' })).status).toBe(400);
      expect((await app.request('GET', PATH)).json).toMatchObject([{ source: 'default' }, { source: 'default' }]);
    });

    it('know no other key', async () => {
      const app = await open();
      for (const key of ['plaid_secret', 'Default_currency', '__proto__']) {
        expect((await app.request('GET', `${PATH}/${key}`)).status).toBe(404);
        expect((await put(app, key, { value: 'x' })).status).toBe(404);
        expect((await app.request('DELETE', `${PATH}/${key}`)).status).toBe(404);
      }
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
