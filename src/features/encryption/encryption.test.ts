import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PEM } from '../../../test/harness/servers/certificates.ts';
import { sendBytes } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { addChannel } from '../../../test/harness/servers/notifications.ts';
import { ofxFile } from '../../../test/harness/bank-files/ofx-files.ts';
import { rowsOf, tableNames } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { createApp, type App, type Overrides } from '../../app.ts';
import { bookkeep } from '../../journal/write.ts';
import { ENCRYPTED_COLUMNS } from '../../db/encrypted-columns.ts';
import { readConfig } from '../../kernel/config.ts';
import { encryptRecord, keyIdOf } from '../../kernel/crypto.ts';
import { createLogger } from '../../kernel/logger.ts';
import { connections } from '../connections/index.ts';
import { openSecret, sealSecret } from '../secret-records.ts';
import { resetMasterKey, rotateEncryption, type GivenUp } from './index.ts';

const PROVIDERS = '/api/v1/settings/providers';
const COPIED = '/api/v1/config/setup.encryption_key_acknowledged_at';
const WORKFLOWS = '/api/v1/workflows/settings';
const PLAID = { client_id: '64f0a1b2c3d4e5f6a7b89f3c', secret: 'plaid-secret' };
const TELLER = {
  application_id: 'app',
  certificate: PEM.certificate,
  private_key: PEM.privateKey,
  webhook_secret: 'w',
};
const NEW_KEY = new Uint8Array(32).fill(7);
const NEW_LINE = `${'07'.repeat(32)}\n`;
const OTHER = 'cd'.repeat(32);
/** Blobs that are no encrypted records of secrets: the check records have keys of their own. */
const OTHER_BLOBS = ['encryption_keys.check_record'];

/** What a command of its own process does, on the database of an app that no longer runs. */
async function command<T>(app: TestApp, how: Overrides, fn: (own: App) => Promise<T>, env = {}): Promise<T> {
  await app.close();
  const logger = await createLogger({ level: 'error', format: 'json', destination: { write: () => undefined } });
  const own = await createApp(readConfig({ ...app.env, ...env }), {
    workers: 0,
    mayMakeDatabase: false,
    logger,
    ...how,
  });
  try {
    return await fn(own);
  } finally {
    await own.close();
  }
}

const rotate = (app: TestApp, key = NEW_KEY, env = {}) =>
  command(app, { exclusive: 'keys rotate-encryption' }, (own) => rotateEncryption(own.instance, key), env);

async function reset(app: TestApp, env = {}): Promise<GivenUp> {
  let told: GivenUp | undefined;
  const loadKey: Overrides['loadKey'] = (parts) => resetMasterKey(parts, (givenUp) => (told = givenUp));
  await command(app, { exclusive: 'keys reset-encryption', loadKey }, async () => undefined, env);
  return told as GivenUp;
}

const keyFile = (app: TestApp) => join(app.env['HOMELEDGER_DATA_DIR'] as string, 'encryption.key');

/** An app with secrets of every kind. */
async function withSecrets(app: TestApp): Promise<{ connectionId: string }> {
  await app.request('PUT', `${PROVIDERS}/plaid`, { body: PLAID });
  await app.request('PUT', `${PROVIDERS}/teller`, { body: TELLER });
  await app.request('PUT', WORKFLOWS, { body: { provider: 'anthropic', api_key: 'model-key' } });
  await addChannel(app, { format: 'gotify', url: 'https://gotify.invalid', token: 'channel-token' });
  const ana = await addMember(app, 'Ana');
  return app.write('test.connection', async (tx) => {
    const bank = { user_id: ana.id, provider: 'plaid', institution_name: 'First Bank', status: 'active' };
    const common = { paused: 0, consecutive_failures: 0 } as const;
    const { id } = await connections.create(tx, { ...bank, ...common });
    const row = await connections.find(tx, id);
    const credentials = await sealSecret(tx, app.app.instance, cellOf(id), 'access-token');
    if (row) await connections.change(tx, row, { credentials });
    return { connectionId: id };
  });
}

const cellOf = (rowId: string) => ({ table: 'connections', rowId, column: 'credentials' }) as const;

/** The secrets as the service reads them; false or undefined where it cannot. */
async function readable(app: TestApp, connectionId: string) {
  const { instance } = app.app;
  const row = await instance.database.read((tx) => connections.find(tx, connectionId));
  const { plaid, teller } = (await app.request('GET', PROVIDERS)).json;
  const token = row?.credentials ? openSecret(instance, cellOf(connectionId), row.credentials) : undefined;
  const models = (await app.request('GET', WORKFLOWS)).json;
  const channels = await instance.database.read((tx) => tx.q.selectFrom('notification_channels').selectAll().execute());
  const ofChannels = channels.map(({ id: rowId, token: record }) =>
    record ? openSecret(instance, { table: 'notification_channels', rowId, column: 'token' }, record) : undefined,
  );
  const isSet = [plaid.configured, teller.configured, models.api_key_set, instance.numberKey !== null];
  return [token, ...ofChannels, ...isSet];
}

const ALL = ['access-token', 'channel-token', true, true, true, true];

const statementOf = (id: string, amount = '-4.50') =>
  ofxFile({ account: '1234567890', entries: [{ id, date: '20260420', amount, text: `Shop ${id}` }] });

forEachDatabase((database) => {
  test('every blob of the schema is a listed encrypted column, or known to be none', async () => {
    const app = await database.open();
    const listed = Object.entries(ENCRYPTED_COLUMNS).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    const found: string[] = [];
    for (const table of await tableNames(app.app.instance.database)) {
      const query =
        database.name === 'SQLite'
          ? `select name from pragma_table_info('${table}') where type = 'BLOB' collate nocase`
          : `select column_name as name from information_schema.columns
             where table_schema = current_schema() and table_name = '${table}' and data_type = 'bytea'`;
      const rows = await rowsOf<{ name: string }>(app.app.instance.database, query);
      found.push(...rows.map(({ name }) => `${table}.${name}`));
    }
    expect(found.filter((name) => !OTHER_BLOBS.includes(name)).sort()).toEqual([...listed].sort());
  });

  describe('a rotation', () => {
    test('encrypts every secret anew, keeps the old key aside, and can be repeated', async () => {
      const app = await database.open();
      const { connectionId } = await withSecrets(app);
      const old = readFileSync(keyFile(app), 'utf8');
      const { oldKeyId, newKeyId, recordCount } = await rotate(app);
      expect([recordCount, oldKeyId === newKeyId]).toEqual([11, false]);
      expect([readFileSync(keyFile(app), 'utf8'), readFileSync(`${keyFile(app)}.previous`, 'utf8')]).toEqual([
        NEW_LINE,
        old,
      ]);
      for (const file of [keyFile(app), `${keyFile(app)}.previous`]) expect(statSync(file).mode & 0o777).toBe(0o600);
      const after = await app.again();
      expect(await readable(after, connectionId)).toEqual(ALL);

      await expect(rotate(after)).rejects.toThrow('the one already in use');
      await rotate(after, new Uint8Array(32).fill(9));
      expect(readFileSync(`${keyFile(app)}.previous`, 'utf8')).toBe(NEW_LINE + old);
      const last = await app.again();
      expect(await readable(last, connectionId)).toEqual(ALL);
      const keys = await rowsOf(
        last.app.instance.database,
        'select is_current from encryption_keys order by is_current',
      );
      expect(keys.map((row) => row['is_current'])).toEqual([0, 0, 1]);
      const sets = (await last.request('GET', '/api/v1/change-sets?action=encryption_key.rotate')).json.change_sets;
      expect(sets).toEqual([]);
      await last.close();
      writeFileSync(keyFile(app), old);
      await expect(app.again()).rejects.toThrow(/needs the encryption key [0-9a-f]{8}, but found [0-9a-f]{8} in/);
    });

    test('leaves account numbers known: a file finds its account as before', async () => {
      const app = await database.open();
      await addMember(app, 'Ana');
      const importFile = (one: TestApp, id: string) => sendBytes(one, statementOf(id));
      const first = await importFile(app, 'a');
      await rotate(app);
      const after = await app.again();
      const second = await importFile(after, 'b');
      expect([first.status, second.status]).toEqual([201, 201]);
      expect((await after.request('GET', '/api/v1/accounts')).json).toHaveLength(1);
    });

    test('changes nothing when a record cannot be decrypted, and names it', async () => {
      const app = await database.open();
      const { connectionId } = await withSecrets(app);
      const key = readFileSync(keyFile(app), 'utf8');
      await app.write('test.damage', async (tx) => {
        tx.journal.allowUnjournaled('setting');
        const moved = encryptRecord(
          app.app.instance.masterKey,
          'provider_settings:teller:secret',
          'x',
          app.app.instance.random,
        );
        await tx.q.updateTable('provider_settings').set({ webhook_secret: moved }).where('id', '=', 'teller').execute();
      });
      await expect(rotate(app)).rejects.toThrow('webhook_secret of teller in the table provider_settings');
      expect([readFileSync(keyFile(app), 'utf8'), existsSync(`${keyFile(app)}.previous`)]).toEqual([key, false]);
      expect(await readable(await app.again(), connectionId)).toEqual(ALL);
    });

    test('that did not finish leaves a second key, which the next start puts away', async () => {
      const app = await database.open();
      const { connectionId } = await withSecrets(app);
      await app.close();
      const own = readFileSync(keyFile(app), 'utf8');
      for (const both of [own + NEW_LINE, NEW_LINE + own]) {
        writeFileSync(keyFile(app), both);
        const again = await app.again();
        expect(await readable(again, connectionId)).toEqual(ALL);
        await again.close();
        expect([readFileSync(keyFile(app), 'utf8'), readFileSync(`${keyFile(app)}.previous`, 'utf8')]).toEqual([
          own,
          NEW_LINE,
        ]);
      }
    });

    test('of a key of the environment needs the new one at the next start', async () => {
      const env = { ENCRYPTION_KEY: OTHER };
      const app = await database.open({ env });
      const { connectionId } = await withSecrets(app);
      await rotate(app);
      expect(existsSync(keyFile(app))).toBe(false);
      await expect(app.again()).rejects.toThrow(keyIdOf(NEW_KEY));
      const after = await app.again({ env: { ENCRYPTION_KEY: NEW_LINE.trim() } });
      expect(await readable(after, connectionId)).toEqual(ALL);
    });

    test('elsewhere makes a process that has the old key store no more secrets', async () => {
      const app = await database.open();
      const other = await app.again();
      await rotateEncryption(other.app.instance, NEW_KEY);
      const { status, json } = await app.request('PUT', `${PROVIDERS}/plaid`, { body: PLAID });
      expect([status, json.error.code, json.error.message]).toEqual([
        503,
        'UNAVAILABLE',
        expect.stringContaining('Restart'),
      ]);
    });
  });

  describe('a lost key', () => {
    test('stops the start, is given up on demand, and leaves the ledger whole', async () => {
      const app = await database.open();
      const { connectionId } = await withSecrets(app);
      await sendBytes(app, statementOf('a'));
      const ledger = async (one: TestApp) => (await one.request('GET', '/api/v1/transactions')).json.transactions;
      const before = await ledger(app);
      const lostId = keyIdOf(app.app.instance.masterKey);
      await expect(reset(app)).rejects.toThrow(`The encryption key ${lostId} is not lost`);

      writeFileSync(keyFile(app), `${OTHER}\n`);
      const newId = keyIdOf(Buffer.from(OTHER, 'hex'));
      await expect(app.again()).rejects.toThrow(
        new RegExp(
          `needs the encryption key ${lostId}, but found ${newId} in .*encryption.key.*keys reset-encryption`,
          's',
        ),
      );
      expect(await reset(app)).toEqual({
        lostKeyId: lostId,
        newKeyId: newId,
        connectionCount: 1,
        secretCount: 7,
        channelCount: 1,
      });

      const after = await app.again();
      expect(await readable(after, connectionId)).toEqual([undefined, undefined, false, false, false, true]);
      expect(await ledger(after)).toEqual(before);
      const [connection] = (await after.request('GET', '/api/v1/change-sets?action=encryption_key.reset')).json
        .change_sets;
      const { changes } = (await after.request('GET', `/api/v1/change-sets/${connection.id}`)).json;
      expect(changes).toContainEqual(
        expect.objectContaining({ after: expect.objectContaining({ status: 'pending_reauth' }) }),
      );
      const stored = await rowsOf(
        after.app.instance.database,
        'select status, error_code, credentials from connections order by provider',
      );
      expect(stored).toEqual([
        { status: 'active', error_code: null, credentials: null },
        { status: 'pending_reauth', error_code: 'CREDENTIALS_UNREADABLE', credentials: null },
      ]);
      // The number of the account is forgotten, but the file is known, so nothing comes twice.
      await sendBytes(after, statementOf('a'));
      expect(await ledger(after)).toEqual(before);
      await sendBytes(after, statementOf('b', '-7.20'));
      expect([(await after.request('GET', '/api/v1/accounts')).json.length, (await ledger(after)).length]).toEqual([
        1, 2,
      ]);
      expect((await after.request('PUT', `${PROVIDERS}/plaid`, { body: PLAID })).json.plaid.configured).toBe(true);
    });

    test('is replaced by a new key file where there is no source', async () => {
      const env = { ENCRYPTION_KEY: OTHER };
      const app = await database.open({ env });
      await reset(app, { ENCRYPTION_KEY: '' });
      expect(statSync(keyFile(app)).mode & 0o777).toBe(0o600);
      const after = await app.again({ env: { ENCRYPTION_KEY: undefined } });
      expect((await after.request('GET', PROVIDERS)).status).toBe(200);
    });
  });

  test('nobody has a copy of a new key: whoever confirmed to have one is asked again', async () => {
    const app = await database.open();
    const confirm = async (one: TestApp) =>
      (await one.request('PUT', COPIED, { body: { value: '2026-03-01T09:30:00Z' } })).status;
    const confirmed = async (one: TestApp) => (await one.request('GET', COPIED)).json.value;
    expect(await confirm(app)).toBe(200);
    await rotate(app);
    const rotated = await app.again();
    expect(await confirmed(rotated)).toBeNull();
    const [set] = (await rotated.request('GET', '/api/v1/change-sets?action=encryption_key.rotate')).json.change_sets;
    expect([set.entity_types, set.summary]).toEqual([['setting'], expect.stringContaining('must be confirmed again')]);

    expect(await confirm(rotated)).toBe(200);
    const channel = { name: 'Phone', format: 'ntfy', url: 'https://ntfy.invalid/topic' };
    await rotated.request('POST', '/api/v1/notification-channels', { body: channel });
    writeFileSync(keyFile(app), `${OTHER}\n`);
    expect(await reset(rotated)).toMatchObject({ connectionCount: 0, secretCount: 0, channelCount: 1 });
    const after = await app.again();
    expect(await confirmed(after)).toBeNull();
    const [phone] = (await after.request('GET', '/api/v1/notification-channels')).json;
    expect(phone).toMatchObject({ name: 'Phone', enabled: false });
  });

  test('a folder in the place of the key file stops the start, which names it', async () => {
    const app = await database.open();
    await app.close();
    rmSync(keyFile(app));
    mkdirSync(keyFile(app), { mode: 0o700 });
    await expect(app.again()).rejects.toThrow(`${keyFile(app)} cannot be read`);
  });

  test('a damaged record of the key for account numbers stops only the files that have one', async () => {
    const app = await database.open({ expectsFailures: true });
    await addMember(app, 'Ana');
    await bookkeep(app.app.instance.database, async (tx) => {
      await tx.q
        .updateTable('instance_secrets')
        .set({ secret: new Uint8Array(80) })
        .execute();
    });
    const after = await app.again();
    const refused = await sendBytes(after, statementOf('a'));
    expect([refused.status, refused.json.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect((await after.request('GET', '/api/v1/accounts')).json).toEqual([]);
    const plain = await sendBytes(after, 'Date,Description,Amount,Currency\n2026-04-15,Shop,-5.00,EUR\n');
    expect(plain.status).toBe(201);
  });

  describe('an exclusive command', () => {
    test('does not run while a server does, nor a second one, nor anything else beside it', async () => {
      const app = await database.open({ env: { PORT: '0' } });
      const server = await app.again();
      await server.app.listen();
      await expect(rotate(app)).rejects.toThrow(
        new RegExp(`A server is running on this database \\(process ${process.pid} on .+\\)\\. Stop it before`),
      );
      await server.close();
      await command(app, { exclusive: 'first' }, async () => {
        await expect(rotate(app)).rejects.toThrow(/Another command is working on this database \(first, process/);
        await expect(app.again()).rejects.toThrow('Another command is working');
      });
      await rotate(app);
      const last = await app.again();
      await last.app.listen();
      await last.close();
      const left = await rowsOf((await app.again()).app.instance.database, 'select name from leases');
      expect(left).toEqual([]);
    });
  });
});
