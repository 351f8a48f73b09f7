import type pg from 'pg';

/** Fewer rows change no plan. */
const MANY_ROWS = 1_000;
/** A table that has grown by less has much the same statistics. */
const GROWTH = 0.25;

/** How many rows a transaction inserted in bulk, by table. */
export type InsertedRows = Map<string, number>;

/**
 * Has PostgreSQL measure a table again after bulk inserts that made it much larger. It would do so by itself, but up to
 * minutes later, and until then it plans as if the table were small: docs/decisions/0025.
 * @returns what to call after a commit. Nobody waits for it, and it never throws.
 */
export function createFreshStatistics(pool: pg.Pool): (inserted: InsertedRows) => void {
  const unmeasured: InsertedRows = new Map();
  let measuring: Promise<void> = Promise.resolve();

  async function measure(table: string): Promise<void> {
    const rows = unmeasured.get(table) ?? 0;
    if (rows < MANY_ROWS) return;
    const asked = 'select reltuples::bigint as rows from pg_class where oid = to_regclass($1)';
    const known = (await pool.query<{ rows: number }>(asked, [table])).rows[0]?.rows ?? 0;
    if (rows < GROWTH * known) return;
    unmeasured.delete(table);
    await pool.query(`analyze ${table}`);
  }

  return (inserted) => {
    for (const [table, rows] of inserted) {
      const sum = (unmeasured.get(table) ?? 0) + rows;
      unmeasured.set(table, sum);
      // One after the other, so that an import keeps its connections. What fails is left to the server.
      if (sum >= MANY_ROWS) measuring = measuring.then(() => measure(table)).catch(() => undefined);
    }
  };
}
