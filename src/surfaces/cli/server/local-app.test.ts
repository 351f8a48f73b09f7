import { setTimeout } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { runProgram } from '../../../../test/harness/programs/program.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

/** Longer than a write of a server waits for another process. */
const LONG_MS = 7_000;

forEachDatabase((database) => {
  test('a command waits for a long write of the server, and says so', async () => {
    const app = await database.open();
    const begun = Promise.withResolvers<void>();
    const writing = app.write('test.hold', async () => {
      begun.resolve();
      await setTimeout(LONG_MS);
    });
    await begun.promise;
    const made = await runProgram(['src/start.js', 'keys', 'create', '--name', 'Beside'], { env: app.env });
    await writing;
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^hl_/)]);
    expect(made.err.includes('Another program is writing to the database.')).toBe(database.name === 'SQLite');
  }, 30_000);
});
