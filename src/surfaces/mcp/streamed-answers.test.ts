import { expect, test } from 'vitest';

import { sendMessage } from '../../../test/harness/agents/agent-clients.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';

forEachDatabase((database) => {
  test('a streamed answer ends with its key; the write that has begun is finished', async () => {
    const [streaming, isTime] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const app = await database.open({
      async pause(ms) {
        if (ms !== LIMITS.streamCheckMs) return;
        streaming.resolve();
        await isTime.promise;
      },
    });
    const { key } = await app.newKey({ actor_type: 'agent', expires_at: '2026-04-26T06:01:00.000Z' });
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = bookkeep(app.app.instance.database, async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    const call = { name: 'save_tag', arguments: { slug: 'late' }, _meta: { progressToken: 1 } };
    const answered = sendMessage(app, 'tools/call', call, { key }).then(
      ({ text }) => text,
      () => 'cut off',
    );
    await streaming.promise;
    app.clock.advance(120_000);
    isTime.resolve();
    // The write still waits for its turn.
    expect(await answered).not.toContain('"slug":"late"');
    over.resolve();
    await writing;
    // Writers take turns in the order of their arrival.
    await bookkeep(app.app.instance.database, async () => undefined);
    expect((await app.request('GET', '/api/v1/tags/late')).status).toBe(200);
  });
});
