import { setTimeout } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { startProgram } from '../../../../test/harness/programs/program.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

/** Longer than a write of a server waits for another process. */
const LONG_MS = 7_000;
const SAID = /Another program is writing to the database\./;

forEachDatabase((database) => {
  test('a command waits for a long write of the server, and says so', async () => {
    const app = await database.open();
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = app.write('test.hold', async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    const command = startProgram(['src/start.js', 'keys', 'create', '--name', 'Beside'], { env: app.env });
    await (database.name === 'SQLite' ? command.says(SAID) : setTimeout(LONG_MS));
    held.resolve();
    await writing;
    const { code } = await command.ended;
    expect([code, command.out()], command.err()).toEqual([0, expect.stringMatching(/^hl_/)]);
    expect(SAID.test(command.err())).toBe(database.name === 'SQLite');
  });
});
