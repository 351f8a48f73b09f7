import { expect, test } from 'vitest';

import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../test/harness/test-app.ts';
import { bookkeep } from '../journal/write.ts';
import { insertWithShortIds } from './short-ids.ts';

const COLUMNS = ['id', 'short_id', 'kind', 'status', 'options', 'actor_type', 'actor_name', 'created_at'] as const;

forEachDatabase((database) => {
  test('rows whose short_ids are taken, by others or by each other, go in under free ones', async () => {
    const { instance } = (await database.open()).app;
    const drawn = ['taken001', 'taken001', 'taken002', 'taken001', 'free0001', 'taken002', 'free0002'];
    await bookkeep(instance.database, async (tx) => {
      const ids = { ...tx.ids, shortId: () => drawn.shift() as string };
      const rows = (names: readonly string[]) =>
        names.map((name) => [tx.ids.uuid(), null, name, 'queued', '{}', 'system', 'test', tx.now]);
      await insertWithShortIds({ ...tx, ids, writtenTables: tx.writtenTables }, 'jobs', COLUMNS, rows(['a']));
      await insertWithShortIds({ ...tx, ids, writtenTables: tx.writtenTables }, 'jobs', COLUMNS, rows(['b', 'c', 'd']));
    });
    expect(drawn).toEqual([]);
    expect(await rowsOf(instance.database, 'select kind, short_id from jobs order by kind')).toEqual([
      { kind: 'a', short_id: 'taken001' },
      { kind: 'b', short_id: 'free0001' },
      { kind: 'c', short_id: 'taken002' },
      { kind: 'd', short_id: 'free0002' },
    ]);
  });
});
