import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runCommand } from '../../../../test/harness/programs/command-line.ts';
import { openJar } from '../../../../test/harness/people/cookie-jar.ts';
import { temporaryDirectory } from '../../../../test/harness/databases/databases.ts';
import { runProgram } from '../../../../test/harness/programs/program.ts';
import { addLogin, PASSWORD } from '../../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const NEW = 'an entirely new one';
const EMAIL = 'ana@home.example';

/** A directory with the file of a password. */
function passwordFile(password: string): { folder: string; file: string } {
  const { path: folder } = temporaryDirectory();
  const file = join(folder, 'password');
  writeFileSync(file, `${password}\n`);
  return { folder, file };
}

forEachDatabase((database) => {
  test('init makes the first admin and a key of theirs while a server runs, but not a second time', async () => {
    const app = await database.open();
    const { file } = passwordFile(PASSWORD);
    const made = await runCommand(
      `init --non-interactive --email ${EMAIL} --password-file ${file} --key-name Laptop`,
      app.env,
    );
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^hl_[0-9A-Za-z]{43}\n$/)]);
    expect(made.err).toContain('ana can sign in as ana@home.example.');
    const own = (await app.request('GET', '/api/v1/keys/me', { key: made.out.trim() })).json;
    const signedIn = (await openJar(app).signIn(EMAIL, PASSWORD)).json;
    expect(own).toMatchObject({ name: 'Laptop', scope: 'full_access', user_id: signedIn.user.short_id });
    const again = await runCommand(`setup --email ben@home.example --password-file ${file}`, app.env);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('The household is already set up.')]);
    const sets = await rowsOf(
      app.app.instance.database,
      `select actor_type, actor_id, actor_name, action from change_sets order by id desc limit 1`,
    );
    expect(sets).toEqual([{ actor_type: 'system', actor_id: null, actor_name: 'cli', action: 'setup.complete' }]);
  });

  test('names that the API refuses are refused, and what is shown of a name changes nothing else', async () => {
    const app = await database.open();
    const { file } = passwordFile(PASSWORD);
    const long = 'x'.repeat(201);
    const login = `--email ${EMAIL} --password-file ${file}`;
    for (const [flags, message] of [
      [`init ${login} --name ${long}`, '--name: must have at most 200 characters'],
      [`init ${login} --key-name ${long}`, '--key-name: must have at most 200 characters'],
      [`init ${login} --key-name=`, '--key-name: must not be empty'],
      [`users create-admin ${login} --name ${long}`, '--name: must have at most 200 characters'],
    ] as const) {
      const refused = await runCommand(flags, app.env);
      expect([refused.code, refused.err]).toEqual([2, `error: ${message}\n`]);
    }
    expect((await app.request('GET', '/api/v1/users')).json).toEqual([]);
    const made = await runCommand(`init ${login} --name Eve\u001b[2J`, app.env);
    expect([made.code, made.err]).toEqual([0, expect.stringContaining('Eve\ufffd[2J can sign in')]);
    const nobody = await runCommand('keys create --name x --user nobody', app.env);
    expect(nobody.err).toContain('(Eve\ufffd[2J)');
  });

  test('create-admin raises a login, or makes one for the member meant', async () => {
    const app = await database.open();
    const ana = await addLogin(app, { name: 'Ana', role: 'viewer' });
    await app.request('POST', '/api/v1/users', { body: { name: 'Ben' } });
    const { file } = passwordFile(NEW);
    const raised = await runCommand(`users create-admin --email ${EMAIL} --password-file ${file}`, app.env);
    expect([raised.code, raised.err]).toEqual([0, 'Ana can sign in as ana@home.example, as an admin.\n']);
    const ben = await runCommand(
      `users create-admin --name ben --email BEN@home.example --password-file ${file}`,
      app.env,
    );
    expect([ben.code, ben.err]).toEqual([0, 'Ben can sign in as ben@home.example, as an admin.\n']);
    expect((await app.request('GET', '/api/v1/users')).json).toHaveLength(2);
    const [login] = (await app.request('GET', `/api/v1/users/${ana.member.id}/login`)).json;
    expect(login).toMatchObject({ id: ana.login.id, role: 'admin' });
    expect((await openJar(app).signIn('ben@home.example', NEW)).json).toMatchObject({ scope: 'full_access' });
  });

  test('after reset-password the old password, the sessions and a setup link are dead', async () => {
    const app = await database.open();
    const { member, login } = await addLogin(app);
    const path = `/api/v1/users/${member.id}/login/${login.id}/regenerate-token`;
    const { setup_token: token } = (await app.request('POST', path)).json;
    const browser = openJar(app);
    await browser.signIn(EMAIL, PASSWORD);
    const { file } = passwordFile(NEW);
    const reset = await runCommand(`users reset-password ANA@home.example --password-file ${file}`, app.env);
    expect([reset.code, reset.out, reset.err]).toEqual([
      0,
      '',
      expect.stringContaining(`The password of ${EMAIL} has been changed`),
    ]);
    expect((await browser.request('GET', '/api/v1/users')).status).toBe(401);
    expect((await openJar(app).signIn(EMAIL, PASSWORD)).status).toBe(401);
    expect((await app.request('GET', `/auth/invitations/${token}`, { key: null })).status).toBe(403);
    expect((await openJar(app).signIn(EMAIL, NEW)).status).toBe(200);
    const unknown = await runCommand(`users reset-password cleo@home.example --password-file ${file}`, app.env);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      'error: No one signs in as cleo@home.example. These email addresses can sign in: ana@home.example.\n',
    ]);
  });
});

test('what is missing or wrong is named, and nothing is made', async () => {
  const { folder, file } = passwordFile('QwertyUIOP');
  const env = { HOMELEDGER_DATA_DIR: join(folder, 'data') };
  for (const [words, code, message] of [
    ['init --non-interactive', 2, 'this command needs --email and --password-stdin or --password-file'],
    [`init --email ana --password-file ${file}`, 2, '--email: must be a bare email address'],
    [`init --email ${EMAIL} --password-file ${file} --scope admin`, 2, '--scope: must be'],
    [`init --email ${EMAIL} --password-file ${folder}/none`, 1, 'cannot be read'],
    [`users create-admin --email ${EMAIL}`, 2, 'this command needs --password-stdin or --password-file'],
    [`users reset-password ${EMAIL}`, 2, 'this command needs --password-stdin or --password-file'],
    [`users reset-password ${EMAIL} --password-file ${file}`, 1, join(folder, 'data')],
  ] as const) {
    const refused = await runCommand(words, env);
    expect([refused.code, refused.out, refused.err]).toEqual([code, '', expect.stringContaining(message)]);
  }
  expect(readdirSync(folder)).toEqual(['password']);
  const common = await runCommand(`init --email ${EMAIL} --password-file ${file}`, env);
  expect([common.code, common.err]).toEqual([1, expect.stringContaining('The password is too common')]);
});

test('a fresh household is set up with a password from standard input, or with that of the environment', async () => {
  const { path: folder } = temporaryDirectory();
  const words = ['src/start.js', 'init', '--email', EMAIL, '--password-stdin'];
  const made = await runProgram(words, { env: { HOMELEDGER_DATA_DIR: folder }, input: `${PASSWORD}\r\n` });
  expect([made.code, made.out]).toEqual([0, '']);
  expect(made.err).toContain(`Created the database ${folder}/homeledger.sqlite`);
  expect(made.err).toContain(`Keep a copy of ${folder}/encryption.key in a safe place.`);
  expect(made.err).not.toContain(PASSWORD);
  const { path: other } = temporaryDirectory();
  const admin = { HOMELEDGER_ADMIN_EMAIL: EMAIL, HOMELEDGER_ADMIN_PASSWORD: PASSWORD };
  const fromEnvironment = await runCommand('init --non-interactive', { HOMELEDGER_DATA_DIR: other, ...admin });
  expect([fromEnvironment.code, fromEnvironment.err]).toEqual([0, expect.stringContaining('ana can sign in')]);
});
