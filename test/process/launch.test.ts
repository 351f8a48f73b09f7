import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { onSameInstallation } from '../../src/surfaces/cli/server/same-installation.ts';
import { createPostgresDatabase, temporaryDirectory } from '../harness/databases/databases.ts';
import { startProgram } from '../harness/programs/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = /^hl_[0-9A-Za-z]{43}$/;

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

function shell(line: string, env: Readonly<Record<string, string | undefined>>): Ran {
  const kept = { NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled') };
  return spawnSync('sh', ['-c', line], { cwd: ROOT, env: { ...kept, ...env }, encoding: 'utf8' });
}

/** The launcher where nothing was built yet: in a folder of its own. */
function freshLauncher(): string {
  const folder = join(temporaryDirectory().path, 'src');
  mkdirSync(folder);
  copyFileSync(join(ROOT, 'src/launch.sh'), join(folder, 'launch.sh'));
  return `exec sh '${join(folder, 'launch.sh')}' serve`;
}

/** A folder with a program called `node`, to stand first among those that are looked through. */
function withNode(script: string): string {
  const { path } = temporaryDirectory();
  writeFileSync(join(path, 'node'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, 'node'), 0o755);
  return `${path}:/usr/bin:/bin`;
}

test('a library that Node lacks is explained in our words, not in those of the loader', () => {
  const loader = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file';
  const { status, stdout, stderr } = shell(freshLauncher(), {
    PATH: withNode(`echo '${loader}' >&2; exit 127`),
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: Node needs the library libatomic.*\n.*apt-get install libatomic1/);
  expect(stderr).not.toContain('shared object');
  const other = shell(freshLauncher(), {
    PATH: withNode('echo "libfoo.so.1: cannot open" >&2; exit 127'),
  });
  expect([other.status, other.stderr]).toEqual([1, expect.stringMatching(/cannot start on this machine.*\n.*libfoo/)]);
});

test('without Node, the launcher says where to get it', () => {
  const { path } = temporaryDirectory();
  mkdirSync(join(path, 'bin'));
  const found = shell('command -v sh dirname', { PATH: '/usr/bin:/bin' }).stdout.trim().split('\n');
  for (const program of found) symlinkSync(program, join(path, 'bin', program.split('/').at(-1) as string));
  for (const line of ['exec sh src/launch.sh serve', freshLauncher()]) {
    const { status, stderr } = shell(line, { PATH: join(path, 'bin') });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Install Node 24 or newer, then run npm ci')]);
  }
});

test('an older Node says what to do instead of failing at the first file it cannot read', () => {
  const older = join(temporaryDirectory().path, 'older.mjs');
  writeFileSync(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`,
  );
  const line = `node --import '${older}' src/start.js serve`;
  const { status, stdout, stderr } = shell(line, { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: Homeledger needs Node 24 or newer;.*npm ci.*without --omit=dev[^\n]*\n$/);
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('>=24');
});

test('the scripts start through the launcher, become the server itself, and pass signals', async () => {
  const { path: folder } = temporaryDirectory();
  const env = { HOMELEDGER_DATA_DIR: folder, PORT: '0', PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of ['start', 'demo', 'homeledger']) expect(scripts[name]).toMatch(/^exec sh src\/launch\.sh/);
  const server = startProgram(['src/launch.sh', 'serve'], { env, program: 'sh' });
  await server.says(/listens on http:/);
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test('the printed command makes a key for the same installation from any shell', async () => {
  const folder = join(temporaryDirectory().path, "Ada's ledger");
  const server = startProgram(['src/start.js', 'serve'], {
    env: { HOMELEDGER_DATA_DIR: folder, PORT: '0', API_KEY_PREFIX: 'zz' },
  });
  const [, address] = await server.says(/listens on (http:\S+)/);
  const [line = ''] = await server.says(/^ +\S.*keys create.*$/m);
  const made = shell(line, { PATH: process.env['PATH'] });
  expect(made.stdout).toMatch(/^zz_\w{43}\n$/);
  const own = await fetch(`${address}/api/v1/keys/me`, { headers: { 'x-api-key': made.stdout.trim() } });
  expect(own.status).toBe(200);
});

test('the printed command for a server database needs its password from the environment, and never shows it', async () => {
  const database = await createPostgresDatabase();
  const url = new URL(database.url);
  url.password = 'secretDb';
  const { path: folder } = temporaryDirectory();
  const key = 'ab'.repeat(32);
  const line = onSameInstallation('exec sh src/launch.sh keys create --name Test', {
    HOMELEDGER_DATA_DIR: folder,
    DATABASE_URL: url.href,
    ENCRYPTION_KEY: key,
  });
  expect(line).not.toMatch(new RegExp(`secretDb|${key}`));
  const { PATH } = process.env;
  const without = shell(line, { PATH });
  expect([without.stdout, without.stderr]).toEqual([
    '',
    expect.stringContaining('DATABASE_URL: set it as for the server'),
  ]);
  const made = shell(line, { PATH, DATABASE_URL: database.url, ENCRYPTION_KEY: key });
  expect(made.stdout.trim()).toMatch(KEY);
  await database.drop();
});

test('no setting is put in front of a command when none is set', () => {
  expect(onSameInstallation('npm start', { DATABASE_URL: '' })).toBe('npm start');
  const plain = onSameInstallation('npm start', { DATABASE_URL: 'postgres://ada@db/ledger?sslmode=disable' });
  expect(plain).toBe(`DATABASE_URL='postgres://ada@db/ledger?sslmode=disable' npm start`);
  const hidden = onSameInstallation('npm start', { DATABASE_URL: 'postgres://db/ledger?user=ada&password=x' });
  expect(hidden).toBe('DATABASE_URL="${DATABASE_URL:?set it as for the server}" npm start');
});

test('a command whose output nobody reads on ends quietly', () => {
  const program = `'${process.execPath}' src/start.js version --json`;
  const { stderr } = shell(`{ ${program}; echo "code $?" >&2; } | true`, { PATH: process.env['PATH'] });
  expect(stderr).toBe('code 0\n');
});
