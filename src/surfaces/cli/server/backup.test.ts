import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';

import { temporaryDirectory } from '../../../../test/harness/databases/databases.ts';
import { sampleLedger } from '../../../../test/harness/ledgers/sample-ledger.ts';
import { runCommand } from '../../../../test/harness/programs/command-line.ts';
import { addChannel } from '../../../../test/harness/servers/notifications.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

interface Made {
  path: string;
  name: string;
  rows: Record<string, number>;
}

const filesOf = (app: TestApp): string[] => readdirSync(String(app.env['HOMELEDGER_DATA_DIR']));

forEachDatabase((database) => {
  async function ledger(): Promise<TestApp> {
    const app = await database.open();
    await sampleLedger(app);
    await addChannel(app, { format: 'gotify', url: 'https://gotify.invalid', token: 'channel-token' });
    return app;
  }
  async function create(app: TestApp, flags = '--plain'): Promise<Made> {
    const made = await runCommand(`backup create --json ${flags}`, app.env);
    expect([made.code, made.err.replaceAll(/Making the backup.*\n/g, '').slice(0, 24)]).toEqual([
      0,
      flags === '--plain' ? 'The backup is not encryp' : '',
    ]);
    return JSON.parse(made.out) as Made;
  }

  test('backup create proves a plain file, and verify finds any byte that is flipped or missing', async () => {
    const app = await ledger();
    const made = await create(app);
    expect(made.rows['transactions']).toBe(15);
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
    expect(filesOf(app).filter((name) => name.startsWith('backup-proof'))).toEqual([]);
    const whole = await runCommand(`verify ${made.path} --json`, app.env);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect((JSON.parse(whole.out) as { ok: boolean }).ok).toBe(true);
    expect((await runCommand('verify', app.env)).code).toBe(0);

    const listed = await runCommand('backup list', app.env);
    expect(listed.out).toMatch(new RegExp(`^${made.name}  .*  manual  .*  plain  proved .*\n$`));
    expect(execFileSync('tar', ['-tf', made.path]).toString().trim().split('\n').at(-1)).toBe('manifest.json');
    const bytes = readFileSync(made.path);
    for (const secret of ['channel-token', Buffer.from(app.app.instance.masterKey).toString('hex'), 'encryption.key']) {
      expect(bytes.includes(secret)).toBe(false);
    }

    const broken = join(temporaryDirectory().path, 'broken.hlb');
    const offsets = [3, 140, 520, 700, 1030, 1100, Math.floor(bytes.length / 2), bytes.length - 3000, bytes.length - 5];
    for (const at of offsets) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(broken, flipped);
      const found = await runCommand(`verify ${broken}`, app.env);
      expect([at, found.code, /^fail {2}(form|rows|sums): /m.test(found.out)]).toEqual([at, 1, true]);
    }
    for (const length of [0, 100, 512, Math.floor(bytes.length / 2), bytes.length - 1]) {
      writeFileSync(broken, bytes.subarray(0, length));
      expect([length, (await runCommand(`verify ${broken}`, app.env)).code]).toEqual([length, 1]);
    }
    expect(filesOf(app).filter((name) => name.startsWith('backup-proof'))).toEqual([]);
  });

  test('an encrypted backup opens with either key, shows no row, and holds the encryption key for recipients alone', async () => {
    const app = await ledger();
    const [one, other, stranger] = await Promise.all([1, 2, 3].map(() => generateX25519Identity()));
    const recipients = await Promise.all([one, other].map((key) => identityToRecipient(String(key))));
    const made = await create(app, `--recipient ${recipients.join(',')}`);
    expect(readFileSync(made.path).includes('transactions')).toBe(false);
    const sheet = join(temporaryDirectory().path, 'sheet.txt');
    for (const [key, code] of [
      [one, 0],
      [other, 0],
      [stranger, 1],
    ] as const) {
      writeFileSync(sheet, `# a sheet\n${key}\n`);
      const found = await runCommand(`verify ${made.path} --identity-file ${sheet}`, app.env);
      expect([found.code, found.out.includes('secrets: ')]).toEqual([code, code === 0]);
    }
    const { path: folder } = temporaryDirectory();
    writeFileSync(sheet, `# a sheet\n${other}\n`);
    execFileSync('age', ['-d', '-i', sheet, '-o', join(folder, 'backup.tar'), made.path]);
    execFileSync('tar', ['-xf', 'backup.tar'], { cwd: folder });
    const rows = execFileSync('zstd', ['-dc', join(folder, 'transactions/0001.ndjson.zst')]).toString();
    expect(rows.trim().split('\n')).toHaveLength(15);
    const key = Buffer.from(app.app.instance.masterKey).toString('hex');
    expect(readFileSync(join(folder, 'encryption.key'), 'utf8').split('\n')[0]).toBe(key);

    const without = await runCommand(`verify ${made.path}`, app.env);
    expect([without.code, without.out]).toEqual([0, expect.stringContaining('skip  content: ')]);
    const bytes = readFileSync(made.path);
    bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
    const broken = join(temporaryDirectory().path, 'broken.hlb');
    writeFileSync(broken, bytes);
    writeFileSync(sheet, String(one));
    expect((await runCommand(`verify ${broken} --identity-file ${sheet}`, app.env)).code).toBe(1);
  });

  test('backup create refuses flags that contradict, and a place that is not there, before it writes', async () => {
    const app = await database.open();
    expect((await runCommand('backup create --plain --recipient age1x', app.env)).code).toBe(2);
    const missing = join(temporaryDirectory().path, 'unmounted');
    const refused = await runCommand('backup create --plain', { ...app.env, BACKUP_DIR: missing });
    expect([refused.code, refused.out, existsSync(missing)]).toEqual([1, '', false]);
    expect(refused.err).toContain('the backup directory does not exist');
    expect((await runCommand('verify --identity-file nothing', app.env)).code).toBe(2);
  });

  test('a file elsewhere needs no backup directory, and takes nothing that lies beside it', async () => {
    const app = await database.open();
    const folder = temporaryDirectory().path;
    const file = join(folder, 'ledger.hlb');
    writeFileSync(`${file}.part`, 'mine');
    const env = { ...app.env, BACKUP_DIR: '/nonexistent/backups' };
    const made = await runCommand(`backup create --plain --out ${file}`, env);
    expect([made.code, made.out.split('\n')[0]], made.err).toEqual([0, file]);
    expect(readdirSync(folder).toSorted()).toEqual(['ledger.hlb', 'ledger.hlb.part']);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('mine');
    expect((await runCommand(`backup create --plain --out ${file}`, env)).code).toBe(1);
    expect((await runCommand(`backup create --plain --out ${join(folder, 'no/ledger.hlb')}`, env)).code).toBe(1);
  });

  test('two households with one directory list only their own backups', async () => {
    // One variable in a file that both read is enough for that.
    const env = { ENCRYPTION_KEY: 'ab'.repeat(32) };
    const [app, neighbour] = [await database.open({ env }), await database.open({ env })];
    const BACKUP_DIR = temporaryDirectory().path;
    const own = await runCommand('backup create --json --plain', { ...app.env, BACKUP_DIR });
    expect(own.code).toBe(0);
    const listed = await runCommand('backup list', { ...neighbour.env, BACKUP_DIR });
    expect([listed.code, listed.out]).toEqual([0, '']);
    expect((await runCommand('backup list', { ...app.env, BACKUP_DIR })).out).toContain('manual');
  });
});
