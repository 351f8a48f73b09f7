import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { startProgram } from '../../../test/harness/program.ts';
import { runCommand } from '../../../test/harness/command-line.ts';
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
      const file = join(folder, 'hosts.toml');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      const listed = await runCommand('auth status', env);
      expect(listed.code).toBe(0);
      expect(listed.out).toMatch(/^\* home .*full_access\n {2}reading .*read_only\n$/);
      expect(listed.out).not.toContain(app.key);
      expect((await runCommand('auth use nowhere', env)).code).toBe(2);
      expect((await runCommand('auth use reading', env)).code).toBe(0);
      expect((await runCommand('auth logout home', env)).code).toBe(0);
      const text = await readFile(file, 'utf8');
      expect(text).toContain('default = "reading"');
      expect(text).not.toContain(app.key);
    });
  },
  ['SQLite'],
);
