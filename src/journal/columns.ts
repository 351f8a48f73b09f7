import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { Schema } from '../db/schema.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import type { WriteTx } from './write.ts';

/** What a value in a column refers to, which must exist before an undo brings the value back. */
export interface Target {
  table: keyof Schema;
  column: 'id' | 'short_id' | 'slug';
  /** A column that is null while the target can be referred to: not once it was merged away or deleted. */
  nullWhileLive?: 'canonical_counterparty_id' | 'deleted_at';
}

/**
 * What the journal does with a column.
 *
 * - `recorded`: every change shows in the change set, under the name `field`.
 * - `derived`: computed from other columns; never recorded.
 * - `internal`: never shown, but undo restores it.
 * - `unjournaled`: written without a change set, such as a counter. Comes back when a removed row does.
 * - `secret`: the change set shows that it changed, never the value. Lost when the row is removed.
 */
export interface Column {
  readonly role: 'recorded' | 'derived' | 'internal' | 'unjournaled' | 'secret';
  /** Its name in the journal; that of the column unless given. */
  readonly field?: string;
  readonly toField?: (value: SqlValue, tx: ReadTx) => unknown;
  readonly toColumn?: (value: unknown, tx: WriteTx) => SqlValue | Promise<SqlValue>;
  readonly target?: Target;
}

export const recorded = { role: 'recorded' } as const;
export const derived = { role: 'derived' } as const;
export const internal = { role: 'internal' } as const;
export const unjournaled = { role: 'unjournaled' } as const;
export const secret = { role: 'secret' } as const;

export const IDS = { id: recorded, short_id: recorded } as const;
export const STAMPS = { created_at: recorded, updated_at: recorded } as const;

/** 0 or 1 in the database, a boolean in the journal. */
export function flag(field?: string) {
  return {
    role: 'recorded',
    ...(field === undefined ? {} : { field }),
    toField: (value: SqlValue) => value === 1,
    toColumn: (value: unknown) => (value === true ? 1 : 0),
  } as const satisfies Column;
}

/** JSON text in the database, the value itself in the journal. */
export const json = {
  role: 'recorded',
  toField: (value: SqlValue) => JSON.parse(value as string) as unknown,
  toColumn: (value: unknown) => JSON.stringify(value),
} as const satisfies Column;

/** A UUID that refers to a row of another table. */
export function reference(table: keyof Schema, nullWhileLive?: Target['nullWhileLive']) {
  return { role: 'recorded', target: targetOf(table, 'id', nullWhileLive) } as const satisfies Column;
}

/** A UUID that refers to a row of another table, which the journal shows by its short_id. */
export function referenceByShortId(table: 'users') {
  const select = (tx: ReadTx, column: 'id' | 'short_id', by: 'id' | 'short_id', value: string) =>
    tx.q.selectFrom(table).select(column).where(by, '=', value).executeTakeFirst();
  return {
    role: 'recorded',
    target: targetOf(table, 'short_id'),
    toField: async (id: SqlValue, tx: ReadTx) =>
      typeof id === 'string' ? ((await select(tx, 'short_id', 'id', id))?.short_id ?? null) : null,
    toColumn: async (shortId: unknown, tx: ReadTx) =>
      typeof shortId === 'string' ? ((await select(tx, 'id', 'short_id', shortId))?.id ?? null) : null,
  } as const satisfies Column;
}

function targetOf(table: keyof Schema, column: Target['column'], nullWhileLive?: Target['nullWhileLive']): Target {
  return { table, column, ...(nullWhileLive === undefined ? {} : { nullWhileLive }) };
}

/** Whether the target that a value refers to exists and can be referred to. */
export async function isLive(tx: ReadTx, { table, column, nullWhileLive }: Target, value: SqlValue): Promise<boolean> {
  const live = nullWhileLive === undefined ? sql`` : sql`and ${sql.ref(nullWhileLive)} is null`;
  const { rows } = await sql`select 1 from ${sql.table(table)}
    where ${sql.ref(column)} = ${value} ${live}`.execute(tx.q);
  return rows.length > 0;
}

/** Whether rows with other UUIDs than these have a value in one of the columns. */
export async function isReferred(
  tx: ReadTx,
  value: string,
  columns: readonly (readonly [table: keyof Schema, column: string])[],
  except: ReadonlySet<string>,
): Promise<boolean> {
  for (const [table, column] of columns) {
    const others = except.size === 0 ? sql`` : sql`and not ${tx.portable.inList(sql.ref('id'), [...except])}`;
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)} = ${value} ${others} limit 1`.execute(tx.q);
    if (rows.length > 0) return true;
  }
  return false;
}
