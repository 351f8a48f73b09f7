import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../harness/eventually.ts';
import { addChannel, allowPrivateNetworks, sendDue, states, tell } from '../harness/servers/notifications.ts';
import { runProgram } from '../harness/programs/program.ts';
import { scriptedServer, type ScriptedServer } from '../harness/servers/scripted-server.ts';
import { forEachDatabase } from '../harness/test-app.ts';

let receiver: ScriptedServer;
beforeAll(async () => {
  receiver = await scriptedServer();
});
afterAll(() => receiver.close());

forEachDatabase((database) => {
  test('a message whose sender was killed before it was marked is sent again under the same id', async () => {
    const app = await database.open();
    await allowPrivateNetworks(app);
    await addChannel(app, { url: receiver.url });
    await tell(app);
    await app.close();
    receiver.script({ status: 200 });
    const env = { ...app.env, PORT: '0' };
    const { signal, err } = await runProgram(['test/crash/serve-syncs.ts', 'notification:sent'], { env });
    expect([signal, receiver.requests.length], err).toEqual(['SIGKILL', 1]);

    const next = await app.again();
    // A server database notices the death of a process a moment later.
    await eventually(async () => {
      await sendDue(next);
      expect(await states(next)).toEqual([['delivered', 2]]);
    });
    const [first, second, ...others] = receiver.requests.map(({ headers }) => headers['homeledger-delivery']);
    expect([second, others]).toEqual([first, []]);
  });
});
