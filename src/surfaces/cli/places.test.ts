import { symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { temporaryDirectory } from '../../../test/harness/databases/databases.ts';
import { runCommand } from '../../../test/harness/programs/command-line.ts';
import { runProgram } from '../../../test/harness/programs/program.ts';
import { explainFailure } from './exit.ts';
import { readHosts } from './hosts.ts';

/** The home directory that the system tells of. */
function homeOfTest() {
  const home = vi.spyOn(os, 'homedir');
  syncBuiltinESMExports();
  onTestFinished(() => {
    home.mockRestore();
    syncBuiltinESMExports();
  });
  return home;
}

test('hosts.toml is in the folder of the environment or of the user, never in the one that the command runs in', async () => {
  const { path: folder } = temporaryDirectory();
  const placeIn = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const { env } = process;
    process.env = { ...more };
    return (await readHosts().finally(() => (process.env = env))).path;
  };
  const home = homeOfTest().mockReturnValue(folder);
  expect(await placeIn({ HOMELEDGER_CONFIG_DIR: 'own' })).toBe(join('own', 'hosts.toml'));
  expect(await placeIn({ XDG_CONFIG_HOME: join(folder, 'x') })).toBe(join(folder, 'x/homeledger/hosts.toml'));
  for (const shared of ['', 'relative'])
    expect(await placeIn({ XDG_CONFIG_HOME: shared })).toBe(join(folder, '.config/homeledger/hosts.toml'));

  const advice =
    'error: There is no home directory to keep hosts.toml in. Set HOMELEDGER_CONFIG_DIR to a directory for it.\n';
  home.mockReturnValue('');
  expect(await runCommand('auth status', {})).toEqual({ code: 1, out: '', err: advice });
  home.mockImplementation(() => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
  });
  expect(await runCommand('auth status', {})).toEqual({ code: 1, out: '', err: advice });
});

test('a data directory that cannot be looked into is named, with what to do', async () => {
  const { path: folder } = temporaryDirectory();
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  const { code, err } = await runCommand('keys list', { HOMELEDGER_DATA_DIR: loop });
  expect([code, err]).toEqual([
    1,
    `error: The data directory ${loop} cannot be looked into (ELOOP). Run this as the user who owns it, or set ` +
      'HOMELEDGER_DATA_DIR to the one you mean.\n',
  ]);
});

test('a demo that finds no room for its data, and a port that is kept for others, say what to set', async () => {
  const nowhere = join(temporaryDirectory().path, 'none');
  const { code, err } = await runProgram(['src/start.js', 'demo', '--port', '0'], { env: { TMPDIR: nowhere } });
  expect([code, err]).toEqual([
    1,
    `error: Nothing can be created in ${nowhere}. Set TMPDIR to a directory that you can write to.\n`,
  ]);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 });
  expect(explainFailure(refused)).toBe(1);
  expect(said.mock.calls).toEqual([['error: This user may not listen on port 80. Set PORT to one from 1024 on.\n']]);
  said.mockRestore();
});
