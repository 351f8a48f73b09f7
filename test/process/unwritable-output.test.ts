import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, inject, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../harness/databases/databases.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/servers/free-port.ts';

const START = join(import.meta.dirname, '../../src/start.js');

/** Starts the program with one of its outputs on a disk that is full. */
function startFull(words: readonly string[], output: 'stdout' | 'stderr', env: Readonly<Record<string, string>> = {}) {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [START, ...words], {
    env: {
      NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled'),
      HOMELEDGER_DATA_DIR: temporaryDirectory().path,
      ...env,
    },
    stdio: output === 'stdout' ? ['ignore', full, 'pipe'] : ['ignore', 'ignore', full],
  });
  closeSync(full);
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { child, said: () => said, code: async () => (await ended)[0] as number | null };
}

test('a server whose log cannot be written serves and stops as usual, whatever form its log has', async () => {
  for (const form of ['json', 'pretty']) {
    const port = String(await freePort());
    const { child, code } = startFull(['serve'], 'stderr', { PORT: port, LOG_LEVEL: 'debug', LOG_FORMAT: form });
    const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/health/live`)).status;
    await eventually(async () => expect(await ask()).toBe(200), 15_000);
    for (let count = 0; count < 20; count++) expect(await ask()).toBe(200);
    child.kill('SIGTERM');
    expect(await code()).toBe(0);
  }
});

test('a command whose result cannot be written says so in one line and fails', async () => {
  const { said, code } = startFull(['version'], 'stdout');
  expect(await code()).toBe(1);
  expect(said()).toMatch(/^error: Standard output cannot be written \(ENOSPC: .*\)\.\n$/);
});
