import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { setLimit } from '../../test/harness/limits.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { DAY_MS, HOUR_MS } from '../kernel/dates.ts';
import { bookkeep } from '../journal/write.ts';
import { deleteInParts } from './old-rows.ts';

const [EXPIRED, KEPT] = ['2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'];
const OLD = { table: 'setup_tokens', key: ['token_hash'], isOld: sql`expires_at <= ${EXPIRED}` } as const;

forEachDatabase((database) => {
  async function addTokens(app: TestApp, count: number, expires_at: string): Promise<void> {
    await bookkeep(app.app.instance.database, async (tx) => {
      for (let n = 0; n < count; n++) {
        const row = { token_hash: `${expires_at} ${n}`, created_at: EXPIRED, expires_at };
        await tx.q.insertInto('setup_tokens').values(row).execute();
      }
    });
  }

  test('old rows go in parts, between which others write', async () => {
    const app = await database.open();
    const { instance } = app.app;
    const left = async (): Promise<number> => (await rowsOf(instance.database, 'select 1 from setup_tokens')).length;
    await addTokens(app, 25, EXPIRED);
    await addTokens(app, 3, KEPT);
    const seen: number[] = [];
    const sweeping = deleteInParts(instance.database, OLD, 10);
    for (let n = 0; n < 2; n++) {
      seen.push(
        await bookkeep(
          instance.database,
          async (tx) => (await tx.q.selectFrom('setup_tokens').selectAll().execute()).length,
        ),
      );
    }
    await sweeping;
    expect([seen[0], await left()]).toEqual([18, 3]);
  });

  test('a key whose answer has expired is free again, although many others have expired too', async () => {
    setLimit('oldRowsAtOnce', 1);
    const app = await database.open();
    const keys = ['a', 'b', 'c'];
    const tag = async (key: string, name: string) =>
      app.request('POST', '/api/v1/tags', { body: { name }, headers: { 'idempotency-key': key } });
    for (const key of keys) expect((await tag(key, `First ${key}`)).status).toBe(201);
    app.clock.advance(DAY_MS - HOUR_MS);
    for (const key of keys) expect((await tag(key, `First ${key}`)).headers['idempotency-replayed']).toBe('true');
    app.clock.advance(HOUR_MS);
    for (const key of keys) {
      const answer = await tag(key, `Second ${key}`);
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
    }
  });
});
