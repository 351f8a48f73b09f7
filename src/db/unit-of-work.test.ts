import { statSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { allRows, rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { bookkeep, write } from '../journal/write.ts';
import type { BareWriteTx, ReadTx } from './unit-of-work.ts';

const ACTOR = { type: 'system', id: null, userId: null, name: 'test' } as const;
const ORIGIN = {
  actor: ACTOR,
  surface: 'system',
  source: 'system',
  action: 'test',
  reason: null,
  requestId: null,
} as const;
const FINISHED = 'A database transaction was used after it ended';

forEachDatabase((database) => {
  const open = async (): Promise<TestApp['app']['instance']['database']> =>
    (await database.open()).app.instance.database;
  const holders = async (db: Awaited<ReturnType<typeof open>>): Promise<unknown[]> =>
    rowsOf(db, 'select name, holder from leases order by name');
  const lease = (tx: BareWriteTx, name: string, holder = 'x') =>
    tx.q.insertInto('leases').values({ name, holder, expires_at: tx.now }).execute();

  describe('a transaction', () => {
    test('cannot be used after its end, in any way', async () => {
      const db = await open();
      let read: ReadTx | undefined;
      let written: BareWriteTx | undefined;
      await db.read(async (tx) => {
        read = tx;
      });
      await bookkeep(db, async (tx) => {
        written = tx;
      });
      for (const tx of [read, written]) {
        const query = tx?.q.selectFrom('users').selectAll();
        await expect(query?.execute()).rejects.toThrow(FINISHED);
        expect(() => tx?.iterate(query?.compile() as never)).toThrow(FINISHED);
        expect(() => tx?.values(query?.compile() as never)).toThrow(FINISHED);
      }
      expect(() => written?.insertMany('leases', ['name', 'holder', 'expires_at'], [['a', 'b', 'c']])).toThrow(
        FINISHED,
      );
      await expect(lease(written as BareWriteTx, 'late')).rejects.toThrow(FINISHED);
      expect(await holders(db)).toEqual([]);
    });

    test('answers rows as objects or as their values in order, whichever comes first', async () => {
      const db = await open();
      await bookkeep(db, async (tx) => {
        await lease(tx, 'a');
        const query = tx.q.selectFrom('leases').select(['holder', 'name']).where('name', '=', 'a');
        for (let turn = 0; turn < 2; turn++) {
          expect(await tx.values(query.compile())).toEqual([['x', 'a']]);
          expect(await query.execute()).toEqual([{ holder: 'x', name: 'a' }]);
        }
      });
    });

    test('ends when its function fails', async () => {
      const db = await open();
      let kept: BareWriteTx | undefined;
      const failing = bookkeep(db, async (tx) => {
        kept = tx;
        await lease(tx, 'a');
        throw new Error('No.');
      });
      await expect(failing).rejects.toThrow('No.');
      await expect(lease(kept as BareWriteTx, 'late')).rejects.toThrow(FINISHED);
      expect(await holders(db)).toEqual([]);
      await bookkeep(db, (tx) => lease(tx, 'b'));
      expect(await holders(db)).toEqual([{ name: 'b', holder: 'x' }]);
    });

    test('reads one state, however long it takes', async () => {
      const db = await open();
      await db.read(async (tx) => {
        const count = async (): Promise<number> => (await tx.q.selectFrom('leases').select('name').execute()).length;
        expect(await count()).toBe(0);
        await bookkeep(db, (other) => lease(other, 'meanwhile'));
        expect(await count()).toBe(0);
      });
      expect(await holders(db)).toHaveLength(1);
    });

    test('cannot write if it was opened for reading', async () => {
      const db = await open();
      const writing = db.read((tx) => tx.q.deleteFrom('categories').execute());
      await expect(writing).rejects.toThrow(/read-?only/);
      expect((await rowsOf(db, 'select id from categories')).length).toBeGreaterThan(0);
    });

    test('gives everything written in it the same instant', async () => {
      const app = await database.open();
      const { database: db } = app.app.instance;
      await bookkeep(db, async (tx) => {
        await lease(tx, 'a');
        app.clock.advance(5_000);
        await lease(tx, 'b');
      });
      const rows = await rowsOf<{ expires_at: string }>(db, 'select distinct expires_at from leases');
      expect(rows).toEqual([{ expires_at: '2026-04-26T06:00:00.000Z' }]);
    });

    test('streams rows without another query getting in the way', async () => {
      const db = await open();
      await db.read(async (tx) => {
        const query = tx.q.selectFrom('categories').select('id').orderBy('id').compile();
        const all = (await tx.q.selectFrom('categories').select('id').orderBy('id').execute()).map((row) => row.id);
        const seen: unknown[] = [];
        for await (const row of tx.iterate(query)) {
          seen.push(row['id']);
          if (seen.length === 3) await tx.q.selectFrom('categories').select('id').orderBy('id').execute();
        }
        expect(seen).toEqual(all);
      });
      await db.read(async (tx) => {
        for await (const _row of tx.iterate(tx.q.selectFrom('categories').select('id').compile())) break;
      });
      await bookkeep(db, (tx) => lease(tx, 'after'));
    });
  });

  describe('the journal', () => {
    test('rolls back a write to the ledger of which no change was recorded', async () => {
      const db = await open();
      const before = await allRows(db);
      for (const [table, change] of [
        ['categories', (tx: BareWriteTx) => tx.q.updateTable('categories').set({ name: 'x' }).execute()],
        ['tags', (tx: BareWriteTx) => tx.q.deleteFrom('tags').execute()],
        ['tags', (tx: BareWriteTx) => sql`update tags set name = 'x'`.execute(tx.q)],
        [
          'config_entries',
          (tx: BareWriteTx) => tx.insertMany('config_entries', ['key', 'value', 'updated_at'], [['a', 'b', 'c']]),
        ],
      ] as const) {
        await expect(write(db, ORIGIN, async (tx) => change(tx))).rejects.toThrow(
          `${table} was written without a change`,
        );
        await expect(bookkeep(db, async (tx) => change(tx))).rejects.toThrow(`Bookkeeping wrote ${table}`);
      }
      expect(await allRows(db)).toEqual(before);
    });

    test('refuses a table that it does not know', async () => {
      const db = await open();
      const unknown = write(db, ORIGIN, (tx) => sql`delete from schema_migrations where version < 0`.execute(tx.q));
      await expect(unknown).rejects.toThrow('schema_migrations is in no list');
    });

    test('stores one change set for a write that changed something, none for one that did not', async () => {
      const db = await open();
      const known = (await rowsOf(db, 'select id from change_sets')).length;
      const nothing = await write(db, ORIGIN, async () => 'value');
      expect(nothing).toEqual({ value: 'value', changeSetId: null });
      expect(await rowsOf(db, 'select id from change_sets')).toHaveLength(known);
    });
  });

  describe('after-commit hooks', () => {
    test('run in order, after the commit', async () => {
      const db = await open();
      const log: string[] = [];
      await bookkeep(db, async (tx) => {
        await lease(tx, 'a');
        tx.afterCommit(async () => {
          log.push(`first sees ${(await holders(db)).length}`);
        });
        tx.afterCommit(() => {
          log.push('second');
        });
        log.push('inside');
      });
      expect(log).toEqual(['inside', 'first sees 1', 'second']);
    });

    test('do not run when the function or the journal rolls the write back', async () => {
      const db = await open();
      let ran = 0;
      const hook = (): void => {
        ran += 1;
      };
      const failing = bookkeep(db, async (tx) => {
        tx.afterCommit(hook);
        throw new Error('No.');
      });
      await expect(failing).rejects.toThrow('No.');
      const silent = write(db, ORIGIN, async (tx) => {
        tx.afterCommit(hook);
        await tx.q.deleteFrom('tags').execute();
      });
      await expect(silent).rejects.toThrow('without a change');
      expect(ran).toBe(0);
    });

    test('are logged if they fail, and neither undo the write nor stop the other hooks', async () => {
      const app = await database.open({ expectsFailures: true });
      const { database: db } = app.app.instance;
      let ran = 0;
      await bookkeep(db, async (tx) => {
        await lease(tx, 'a');
        tx.afterCommit(() => Promise.reject(new Error('The hook failed.')));
        tx.afterCommit(() => {
          ran += 1;
        });
      });
      expect([ran, (await holders(db)).length]).toEqual([1, 1]);
      expect(app.logs.some((line) => line.includes('The hook failed.'))).toBe(true);
    });
  });

  describe('writers', () => {
    test('are served one after the other, in order of arrival', async () => {
      const db = await open();
      const log: number[] = [];
      let inside = 0;
      const writers = Array.from({ length: 30 }, (_value, index) =>
        bookkeep(db, async (tx) => {
          inside += 1;
          log.push(index);
          await lease(tx, String(index));
          expect(inside).toBe(1);
          inside -= 1;
        }),
      );
      await Promise.all(writers);
      expect(log).toEqual(Array.from({ length: 30 }, (_value, index) => index));
    });

    test('of the same row lose no update', async () => {
      const app = await database.open();
      const { database: db } = app.app.instance;
      await bookkeep(db, (tx) => lease(tx, 'counter', '0'));
      // Two apps in one process share no event loop turn with SQLite's busy handler, so only PostgreSQL gets a second.
      const others = database.name === 'PostgreSQL' ? [db, (await app.again()).app.instance.database] : [db];
      const increment = (one: typeof db): Promise<void> =>
        bookkeep(one, async (tx) => {
          const { holder } = await tx.q
            .selectFrom('leases')
            .selectAll()
            .where('name', '=', 'counter')
            .executeTakeFirstOrThrow();
          await tx.q
            .updateTable('leases')
            .set({ holder: String(Number(holder) + 1) })
            .where('name', '=', 'counter')
            .execute();
        });
      await Promise.all(
        Array.from({ length: 100 }, (_value, index) => increment(others[index % others.length] as typeof db)),
      );
      expect(await holders(db)).toEqual([{ name: 'counter', holder: '100' }]);
    });

    test('never keep a reader waiting, however many of them wait', async () => {
      const db = await open();
      const gate = Promise.withResolvers<void>();
      const first = Promise.withResolvers<void>();
      const slow = bookkeep(db, async (tx) => {
        await lease(tx, 'slow');
        first.resolve();
        await gate.promise;
      });
      await first.promise;
      const waiting = Array.from({ length: 40 }, (_value, index) => bookkeep(db, (tx) => lease(tx, String(index))));
      expect(await holders(db)).toEqual([]);
      gate.resolve();
      await Promise.all([slow, ...waiting]);
      expect(await holders(db)).toHaveLength(41);
    });

    test('go on after one of them failed', async () => {
      const db = await open();
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_value, index) =>
          bookkeep(db, (tx) => lease(tx, index % 2 === 0 ? 'same' : String(index))),
        ),
      );
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
        true,
        true,
        false,
        true,
        false,
        true,
        false,
        true,
        false,
        true,
      ]);
      expect(await holders(db)).toHaveLength(6);
    });
  });

  test('bulk inserts take thousands of rows', async () => {
    const db = await open();
    const rows = Array.from({ length: 25_000 }, (_value, index) => [`n${index}`, 'x', 'y'] as const);
    expect(await bookkeep(db, (tx) => tx.insertMany('leases', ['name', 'holder', 'expires_at'], rows))).toBe(25_000);
    expect(
      await bookkeep(db, (tx) =>
        tx.insertMany('leases', ['name', 'holder', 'expires_at'], rows.slice(0, 3), 'on conflict do nothing'),
      ),
    ).toBe(0);
    expect(await rowsOf(db, 'select count(*) as n from leases')).toEqual([{ n: 25_000 }]);
  });

  if (database.name === 'PostgreSQL') return;

  test('the files are for their owner only', async () => {
    const app = await database.open();
    const { dataDir } = app.app.instance.config;
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ['homeledger.sqlite', 'encryption.key']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});
