import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { expect, test } from 'vitest';

import { runCommand } from '../../../../../test/harness/programs/command-line.ts';
import { addChannel } from '../../../../../test/harness/servers/notifications.ts';
import { addWorkflow } from '../../../../../test/harness/workflows/workflow-rows.ts';
import { rowsOf } from '../../../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../../../test/harness/test-app.ts';
import type { CheckResult } from './check.ts';

interface Examined {
  code: number;
  ok: boolean;
  of: (name: string) => CheckResult | undefined;
  checks: CheckResult[];
  text: string;
}

async function doctor(env: TestApp['env'], flags = '--offline --json'): Promise<Examined> {
  const { code, out, err } = await runCommand(`doctor ${flags}`, env);
  const { checks, ok } = JSON.parse(out) as { checks: CheckResult[]; ok: boolean };
  return { code, ok, checks, of: (name) => checks.find((check) => check.name === name), text: out + err };
}

async function execute(app: TestApp, statement: string): Promise<void> {
  const url = app.env['DATABASE_URL'];
  if (url === undefined) {
    const database = new DatabaseSync(join(app.env['HOMELEDGER_DATA_DIR'] as string, 'homeledger.sqlite'));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

forEachDatabase((database) => {
  async function household(): Promise<TestApp & { dataDir: string }> {
    const app = await database.open();
    await addChannel(app, { format: 'gotify', url: 'https://gotify.invalid', token: 'channel-token' });
    await app.close();
    const admin = 'init --non-interactive --name Ana --email ana@home.example --password-file';
    const dataDir = app.env['HOMELEDGER_DATA_DIR'] as string;
    const password = join(dataDir, '..', `password-${process.pid}`);
    writeFileSync(password, 'a long password');
    expect((await runCommand(`${admin} ${password}`, app.env)).err).toContain('Ana can sign in');
    return { ...app, dataDir };
  }

  test('a fresh installation is well, and another encryption key is found without telling a secret', async () => {
    const { env, dataDir } = await household();
    const well = await doctor(env);
    expect(well.checks.filter(({ status }) => status === 'fail')).toEqual([]);
    expect([well.code, well.ok]).toEqual([0, true]);
    expect(well.of('encryption-key')?.message).toMatch(/^The key [0-9a-f]{8} reads the stored secrets/);

    const keyFile = join(dataDir, 'encryption.key');
    const own = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, `${'ab'.repeat(32)}\n`);
    const ill = await doctor(env);
    expect([ill.code, ill.ok, ill.of('encryption-key')?.status]).toEqual([1, false, 'fail']);
    expect(ill.of('encryption-key')?.remediation).toContain('reset-encryption');
    expect(ill.of('connections')?.status).toBe('skip');
    writeFileSync(keyFile, 'no key');
    expect((await doctor(env)).of('encryption-key')?.status).toBe('fail');
    for (const secret of [own.trim(), 'ab'.repeat(32), 'channel-token', 'a long password']) {
      expect(well.text + ill.text).not.toContain(secret);
    }
  });

  test('--fix mends rights, leases, indexes and left-over files, and nothing else', async () => {
    const app = await household();
    const { env, dataDir } = app;
    await execute(app, 'drop index transactions_by_amount');
    await execute(app, `insert into leases (name, holder, expires_at) values ('server:gone', 'gone', '9999')`);
    chmodSync(dataDir, 0o755);
    const left = join(dataDir, 'backups', 'homeledger-20260101-000000-manual.hlb.part');
    mkdirSync(join(dataDir, 'backups'), { recursive: true, mode: 0o700 });
    // What a person keeps there is theirs, whatever it is called.
    const theirs = [
      join(dataDir, 'restore-notes.txt'),
      join(dataDir, 'scratch-pad'),
      join(dataDir, 'backups', 'mine.part'),
    ];
    for (const path of [left, ...theirs]) {
      writeFileSync(path, '');
      utimesSync(path, 0, 0);
    }
    expect((await doctor(env)).of('database')?.message).toContain('transactions_by_amount');
    expect((await doctor(env)).of('data-directory')?.status).toBe('warn');

    const asked = await runCommand('doctor --offline --fix', env);
    expect([asked.code, asked.out, existsSync(left)]).toEqual([2, '', true]);
    for (const what of [
      'let only their owner open',
      'transactions_by_amount',
      '1 leases',
      'homeledger-20260101-000000-manual.hlb.part',
    ]) {
      expect(asked.err).toContain(what);
    }
    const mended = await doctor(env, '--offline --json --fix --yes');
    expect([mended.code, mended.of('database')?.status, mended.of('data-directory')?.status]).toEqual([
      0,
      'pass',
      'pass',
    ]);
    expect([existsSync(left), statSync(dataDir).mode & 0o777]).toEqual([false, 0o700]);
    expect(theirs.map((path) => existsSync(path))).toEqual([true, true, true]);
    const again = await app.again();
    expect(await rowsOf(again.app.instance.database, `select name from leases where holder = 'gone'`)).toEqual([]);
    await again.close();
    expect((await runCommand('doctor --offline --fix --yes', env)).err).toContain('There is nothing to mend.');
  });

  test('a database of a newer program, and one without an administrator, are told apart', async () => {
    const empty = await database.open();
    await empty.close();
    expect((await doctor(empty.env)).of('admin-login')?.status).toBe('fail');
    await execute(
      empty,
      `insert into schema_migrations (version, name, checksum, applied_at) values (999, 'later', '', '')`,
    );
    const ahead = await doctor(empty.env);
    expect([ahead.code, ahead.of('migrations')?.status, ahead.of('admin-login')?.status]).toEqual([1, 'fail', 'skip']);
    const same = await doctor(empty.env);
    expect(same.of('migrations')?.message).toContain('999');
  });

  test('wrong settings are named, without the value of a secret', async () => {
    const { env } = await database.open();
    const wrong = await doctor({ ...env, HOMELEDGER_DASHBORD: 'off', ENCRYPTION_KEY: 'my-secret-key' });
    expect([wrong.code, wrong.of('configuration')?.status, wrong.of('database')?.status]).toEqual([1, 'fail', 'skip']);
    expect(wrong.of('configuration')?.message).toContain('HOMELEDGER_DASHBOARD');
    expect(wrong.text).not.toContain('my-secret-key');
  });

  test('a schedule that does not parse is named', async () => {
    const app = await database.open();
    const { slug } = await addWorkflow(app);
    await app.close();
    await execute(app, "update workflows set schedule_cron = 'never'");
    const { of } = await doctor(app.env);
    expect(of('scheduler')).toMatchObject({ status: 'fail', message: expect.stringContaining(slug) as string });
  });
});

forEachDatabase(
  (database) => {
    test('a folder without a household gets no database', async () => {
      const app = await database.open();
      await app.close();
      const { env } = app;
      const place = join(env['HOMELEDGER_DATA_DIR'] as string, 'elsewhere');
      mkdirSync(place);
      const { code, of } = await doctor({ HOMELEDGER_DATA_DIR: place });
      expect([code, of('database')?.status, of('connections')?.status]).toEqual([1, 'fail', 'skip']);
      expect(existsSync(join(place, 'homeledger.sqlite'))).toBe(false);
    });

    test('another server is asked with its key, and tells what its key may know', async () => {
      const app = await database.open({ env: { PORT: '0' } });
      const address = await app.app.listen();
      const env = { HOMELEDGER_URL: address, HOMELEDGER_API_KEY: app.readOnlyKey };
      const { of, code } = await doctor(env, '--host home --json');
      expect([code, of('database')?.status, of('encryption-key')?.status]).toEqual([1, 'pass', 'skip']);
      expect(of('admin-login')?.status).toBe('fail');
      const refused = await runCommand('doctor --host home', { ...env, HOMELEDGER_API_KEY: 'hl_wrong' });
      expect([refused.code, refused.out]).toEqual([3, '']);
      expect((await runCommand('doctor --host home --fix', env)).code).toBe(2);
    });
  },
  ['SQLite'],
);
