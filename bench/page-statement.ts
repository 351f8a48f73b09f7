import type { Engine } from '../src/db/engine.ts';
import { openSqlite } from '../src/db/sqlite/sqlite.ts';
import { createDatabase } from '../src/db/unit-of-work.ts';
import { createWriteGate } from '../src/db/write-gate.ts';
import { selectPage } from '../src/features/transactions/pages/page.queries.ts';
import { parseFields } from '../src/features/transactions/pages/record.queries.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createIds } from '../src/kernel/ids.ts';
import { systemRandom } from '../src/kernel/random.ts';

/** The SQL and parameters of the first page, as the service sends them: the bare handler runs the same. */
export async function pageStatement(file: string): Promise<{ sql: string; parameters: readonly unknown[] }> {
  const engine = openSqlite({
    path: file,
    gate: createWriteGate(),
    readers: 1,
    writerCacheKiB: 8192,
    readerCacheKiB: 8192,
  });
  let seen: { sql: string; parameters: readonly unknown[] } | undefined;
  const read: Engine['read'] = (fn) =>
    engine.read((connection) =>
      fn(
        Object.assign(Object.create(connection) as typeof connection, {
          executeQuery: (query: Parameters<typeof connection.executeQuery>[0]) => {
            seen = { sql: query.sql, parameters: query.parameters };
            return connection.executeQuery(query);
          },
        }),
      ),
    );
  // Its methods need the engine itself, which has private members.
  const spying = new Proxy<Engine>(engine, {
    get(target, name) {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const ids = createIds(systemClock, systemRandom());
  const database = createDatabase({ engine: spying, clock: systemClock, ids, onHookError: () => undefined });
  const page = { fields: parseFields(undefined), order: 'desc', position: null, count: 51 } as const;
  await database.read((tx) => selectPage(tx, { deleted: false }, page));
  await database.close();
  if (!seen) throw new Error('The page sent no query.');
  return seen;
}
