import { expect, test } from 'vitest';

import { openJar } from '../../../test/harness/people/cookie-jar.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { addLogin, PASSWORD } from '../../../test/harness/people/sessions.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/dates.ts';

forEachDatabase((database) => {
  test('a start deletes what is dead, and leaves what lives', async () => {
    const app = await database.open();
    await addLogin(app);
    const signIn = async (remember: boolean) =>
      expect((await openJar(app).signIn('ana@home.example', PASSWORD, { remember })).status).toBe(200);
    const { instance } = app.app;
    const wait = (code: string) =>
      bookkeep(instance.database, async (tx) => {
        const id = tx.ids.uuid();
        const row = {
          id,
          short_id: `${code}Device`,
          device_code_hash: code,
          user_code: code,
          client_name: 'x',
          client_address: '::1',
        };
        const stamps = { created_at: tx.now, expires_at: new Date(app.clock.now() + 600_000).toISOString() };
        const wish = { requested_scope: 'read_only', status: 'pending' as const };
        await tx.q
          .insertInto('device_requests')
          .values({ ...row, ...wish, ...stamps })
          .execute();
        const expires = new Date(app.clock.now() + DAY_MS).toISOString();
        const token = { token_hash: code, created_at: tx.now, expires_at: expires };
        await tx.q.insertInto('setup_tokens').values(token).execute();
      });
    const left = async () => {
      const count = async (table: string) => (await rowsOf(instance.database, `select 1 from ${table}`)).length;
      return [
        await count('sessions'),
        await count('known_browsers'),
        await count('device_requests'),
        await count('setup_tokens'),
        await count('idempotent_answers'),
      ];
    };
    const purge = async () => {
      const started = await app.again({ env: { PORT: '0' } });
      await started.app.listen();
      await started.close();
    };
    await signIn(true);
    await signIn(false);
    await wait('a');
    const keyed = { headers: { 'idempotency-key': 'once' }, body: { name: 'Rent' } };
    expect((await app.request('POST', '/api/v1/tags', keyed)).status).toBe(201);
    app.clock.advance(3 * HOUR_MS);
    await signIn(false);
    await wait('b');
    app.clock.advance(HOUR_MS);
    await purge();
    expect(await left()).toEqual([2, 3, 2, 2, 1]);
    app.clock.advance(20 * HOUR_MS + 600_000);
    await purge();
    await eventually(async () => expect(await left()).toEqual([1, 3, 1, 1, 0]));
    app.clock.advance(14 * DAY_MS);
    await purge();
    expect(await left()).toEqual([0, 3, 0, 0, 0]);
    app.clock.advance(351 * DAY_MS);
    await purge();
    expect((await left())[1]).toBe(0);
  });
});
