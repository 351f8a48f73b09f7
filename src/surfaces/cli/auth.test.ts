import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, inject, onTestFinished, test } from 'vitest';

import { startProgram } from '../../../test/harness/programs/program.ts';
import { runCommand } from '../../../test/harness/programs/command-line.ts';
import { scriptedServer } from '../../../test/harness/servers/scripted-server.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

forEachDatabase(
  (database) => {
    test('a key is checked before it is stored, and hosts are chosen, listed and forgotten', async () => {
      const app = await database.open({ env: { PORT: '0' } });
      const url = await app.app.listen();
      const folder = join(inject('temporaryRoot'), 'signed-in');
      const env = { HOMELEDGER_CONFIG_DIR: folder };
      const login = (name: string, input: string) =>
        startProgram(['src/start.js', 'auth', 'login', url, '--name', name, '--with-token-stdin'], { env, input });
      const refused = login('wrong', `hl_${'x'.repeat(43)}`);
      expect((await refused.ended).code).toBe(3);
      expect((await login('home', `${app.key}\n`).ended).code).toBe(0);
      expect((await login('reading', app.readOnlyKey).ended).code).toBe(0);
      const nobody = startProgram(['src/start.js', 'auth', 'login', 'http://127.0.0.1:1', '--with-token-stdin'], {
        env,
      });
      expect(await nobody.ended).toMatchObject({ code: 4 });
      expect(nobody.err()).toBe('error: No Homeledger answers at http://127.0.0.1:1.\n');
      const shortened = login('shortened', `${app.key.slice(0, 11)}…`);
      expect(await shortened.ended).toMatchObject({ code: 3 });
      expect(shortened.err()).toContain('The key contains characters that no key has.');
      expect((await login('', app.key).ended).code).toBe(2);
      const keyless = login('keyless', '\n');
      expect(await keyless.ended).toMatchObject({ code: 3 });
      expect(keyless.err()).toBe('error: MISSING_API_KEY: There is no key on standard input.\n');
      const misspelt = await runCommand('auth status', {
        HOMELEDGER_CONFIG_DIR: `${folder}-none`,
        HOMELEDGER_HOSTS: 'home',
      });
      expect(misspelt).toMatchObject({
        code: 0,
        err: expect.stringMatching(/^warning: .*Did you mean HOMELEDGER_HOST\?\n/) as string,
      });
      const file = join(folder, 'hosts.toml');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      const listed = await runCommand('auth status', env);
      expect(listed.code).toBe(0);
      expect(listed.out).toMatch(/^\* home .*full_access\n {2}reading .*read_only\n$/);
      expect(listed.out).not.toContain(app.key);
      expect((await runCommand('auth use nowhere', env)).code).toBe(2);
      expect((await runCommand('auth use reading', env)).code).toBe(0);
      const nameless = { code: 2, err: 'error: The name of the host must not be empty.\n' };
      for (const command of ['logout', 'use']) {
        expect(await runCommand(`auth ${command} `, env)).toMatchObject(nameless);
      }
      const fromEnvironment = { ...env, HOMELEDGER_URL: url, HOMELEDGER_API_KEY: app.key };
      const stored = await runCommand('auth logout', fromEnvironment);
      expect(stored).toMatchObject({ code: 2, err: expect.stringContaining('comes from HOMELEDGER_URL') as string });
      expect((await runCommand('auth logout home', env)).code).toBe(0);
      const text = await readFile(file, 'utf8');
      expect(text).toContain('default = "reading"');
      expect(text).not.toContain(app.key);
    });
  },
  ['SQLite'],
);

test('what answers at the address is believed only if it speaks as Homeledger does, and says nothing to the terminal', async () => {
  const server = await scriptedServer();
  onTestFinished(() => server.close());
  const folder = join(inject('temporaryRoot'), 'not-homeledger');
  await mkdir(folder, { mode: 0o700 });
  const hosts = `[hosts.there]\nbase_url = "${server.url}"\ntoken = "hl_there"\n`;
  await writeFile(join(folder, 'hosts.toml'), hosts, { mode: 0o600 });
  const refused = { code: 'INVALID_API_KEY', message: 'Gone\u001b[2J.' };
  for (const [json, code, state] of [
    [{ scope: 'read_only' }, 0, 'read_only'],
    [{ error: refused }, 3, 'Gone\ufffd[2J.'],
    ...[null, { scope: {} }, { scope: 'all\u001b[2J' }, { error: { ...refused, code: 'toString' } }].map(
      (one) => [one, 4, `What answers at ${server.url} is not Homeledger.`] as const,
    ),
  ] as const) {
    server.script({ json });
    const listed = await runCommand('auth status', { HOMELEDGER_CONFIG_DIR: folder });
    expect(listed).toMatchObject({ code, out: expect.stringContaining(`hl_there…  ${state}\n`) as string });
  }
});
