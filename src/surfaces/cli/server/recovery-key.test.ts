import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';

import { temporaryDirectory } from '../../../../test/harness/databases/databases.ts';
import { PASSWORD } from '../../../../test/harness/people/sessions.ts';
import { runCommand } from '../../../../test/harness/programs/command-line.ts';
import { allRows } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';
import { recipientsOf } from '../../../features/recovery-keys/index.ts';

const recipients = (app: TestApp) => app.app.instance.database.read(recipientsOf);
const identityIn = (sheet: string): string =>
  sheet.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-1')) ?? '';

forEachDatabase((database) => {
  test('init writes the emergency sheet to a new file of its owner, and keeps the recipient alone', async () => {
    const app = await database.open();
    const { path } = temporaryDirectory();
    const [password, sheet] = [join(path, 'password'), join(path, 'sheet.txt')];
    writeFileSync(password, PASSWORD);
    const command = `init --non-interactive --email ana@home.example --password-file ${password} --recovery-key-file ${sheet}`;
    writeFileSync(sheet, 'older');
    const refused = await runCommand(command, app.env);
    expect([refused.code, refused.err]).toEqual([1, `error: ${sheet} exists already. Name a file that does not.\n`]);
    expect([readFileSync(sheet, 'utf8'), await recipients(app)]).toEqual(['older', []]);

    const fresh = command.replace(sheet, `${sheet}.new`);
    const made = await runCommand(fresh, app.env);
    expect([made.code, made.out]).toEqual([0, '']);
    const text = readFileSync(`${sheet}.new`, 'utf8');
    expect(statSync(`${sheet}.new`).mode & 0o777).toBe(0o600);
    expect(await recipients(app)).toEqual([await identityToRecipient(identityIn(text))]);
    for (const line of text.split('\n')) expect(line).toMatch(/^(#.*|AGE-SECRET-KEY-1.*|)$/);
    const kept = JSON.stringify([await allRows(app.app.instance.database), app.logs, made]);
    expect(kept.toUpperCase()).not.toContain(identityIn(text).slice(16));

    const again = await runCommand(command.replace(sheet, `${sheet}.third`), app.env);
    expect([again.code, existsSync(`${sheet}.third`)]).toEqual([1, false]);
  });

  test('backup recovery-key makes, adds, lists and takes away', async () => {
    const app = await database.open();
    const made = await runCommand('backup recovery-key', app.env);
    expect([made.code, made.err]).toEqual([0, expect.stringContaining('never shown again')]);
    const recipient = await identityToRecipient(identityIn(made.out));
    const own = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
    expect(await runCommand(`backup recovery-key --add ${own}`, app.env)).toEqual({
      code: 0,
      out: `${own}\n`,
      err: '',
    });
    const twice = await runCommand(`backup recovery-key --add ${own}`, app.env);
    expect([twice.code, twice.out]).toEqual([5, '']);
    const listed = await runCommand('backup recovery-key --list', app.env);
    const lines = listed.out.trim().split('\n');
    expect(new Map(lines.map((line) => line.split('  ').slice(0, 2) as [string, string]))).toEqual(
      new Map([
        [recipient, 'made here'],
        [own, 'your own'],
      ]),
    );
    expect((await runCommand(`backup recovery-key --remove ${own}`, app.env)).code).toBe(2);
    expect(await recipients(app)).toHaveLength(2);
    expect((await runCommand(`backup recovery-key --remove ${own} --yes`, app.env)).code).toBe(0);
    expect((await runCommand(`backup recovery-key --remove ${own} --yes`, app.env)).code).toBe(5);
    expect(await recipients(app)).toEqual([recipient]);
    expect((await runCommand(`backup recovery-key --list --add ${own}`, app.env)).code).toBe(2);

    const { path } = temporaryDirectory();
    const file = join(path, 'sheet.txt');
    const written = await runCommand(`backup recovery-key --out ${file}`, app.env);
    expect([written.code, written.out, statSync(file).mode & 0o777]).toEqual([0, '', 0o600]);
    expect(await recipients(app)).toContain(await identityToRecipient(identityIn(readFileSync(file, 'utf8'))));
  });
});
