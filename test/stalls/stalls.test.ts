import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { temporaryDirectory } from '../harness/databases/databases.ts';
import { fill, FORMS, type Sender } from './forms.ts';
import type { Held, Started } from './measured-server.ts';

/** No request of any form keeps others waiting for longer. */
const MOST_MS = 100;
/** Code that blocks does so every time; the noise of the machine and loading at a first call do not. */
const TRIES = 3;
const ROWS = 4_900;
const PLENTY = '1000000';

const directory = temporaryDirectory();
const server = fork(join(import.meta.dirname, 'measured-server.ts'), {
  // With the memory that Node gives a program, not with that of the tests.
  execArgv: [],
  env: {
    NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled'),
    HOMELEDGER_DATA_DIR: directory.path,
    PORT: '0',
    API_RATE_LIMIT_RPM: PLENTY,
    API_RATE_LIMIT_BURST: PLENTY,
  },
});
let sender: Sender;

beforeAll(async () => {
  const [started] = (await once(server, 'message')) as [Started];
  sender = await fill(started, ROWS);
}, 120_000);

afterAll(async () => {
  server.disconnect();
  await once(server, 'exit');
  directory.remove();
});

test.each(FORMS)('$name', { timeout: 120_000 }, async ({ send }) => {
  let least = Infinity;
  for (let i = 0; i < TRIES && least > MOST_MS; i++) {
    await held();
    await send(sender);
    least = Math.min(least, (await held()).cpuMs);
  }
  expect(least).toBeLessThan(MOST_MS);
});

async function held(): Promise<Held> {
  const answer = once(server, 'message');
  server.send('ask');
  return ((await answer) as [Held])[0];
}
