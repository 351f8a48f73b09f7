import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { Schema } from '../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../db/unit-of-work.ts';
import type { EntityType } from './entities.ts';
import type { EntityUndo, NetChange, Obstacle } from './undo.ts';
import type { WriteTx } from './write.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = Record<string, SqlValue>;

/** Columns that no record shows: as they were before a change, and as it wrote them where that matters. */
interface Hidden {
  columns?: Row;
  written?: Row;
}

/** What a restored field names, and so must exist. */
export interface Reference {
  field: string;
  table: keyof Schema;
  /** UUID, or the value of another column that names a row. */
  id: string;
  column?: 'short_id';
  /** A column that is null while the row stands: one that was merged away or deleted can be named no more. */
  nullWhileStanding?: 'canonical_counterparty_id' | 'deleted_at';
}

/** An entity that is one row of one table, described well enough to be taken back. */
export interface UndoableRow {
  entityType: EntityType;
  table: keyof Schema;
  /** Row → fields, under the names that the journal uses for this entity. */
  toFields(row: Row, tx: ReadTx): Fields | Promise<Fields>;
  /** Fields → columns, derived ones included; given some fields it answers their columns, given all a whole row. */
  toColumns(tx: BareWriteTx, fields: Fields): Promise<Row>;
  /** Fields whose value no two rows share, with their column where it has another name: what could be taken by now. */
  unique: readonly (string | { field: string; column: string })[];
  /** Everything that these fields, and the hidden columns that come back with them, refer to. */
  references(fields: Fields): readonly Reference[];
  /** Whether anything refers to the row that `change` made, so that it cannot be removed. */
  isUsed(tx: ReadTx, id: string, change: NetChange): Promise<boolean>;
  /** What else forbids that the row gets these fields back. */
  findObstacle?(tx: ReadTx, id: string, fields: Fields): Promise<Obstacle | null>;
  /** Where a removed row stays, because others name it: the column that says since when it is gone. */
  goneSince?: 'deleted_at';
  /** Columns that no field tells and that come back with the row. */
  hidden?: readonly string[];
  /** Rows that live and die with it. Answers what bringing it back needs to know of them. */
  removeBelongings?(tx: BareWriteTx, id: string): Promise<Internal | void>;
  /** Puts back what `internal` of a deletion kept besides the record. Answers what removing it again needs to know. */
  restoreBelongings?(tx: BareWriteTx, change: NetChange): Promise<Internal | void>;
  /** Fields that are no columns of the row; undefined for one that was not there. Answers what undoing this needs. */
  restoreElsewhere?(tx: WriteTx, change: NetChange, fields: Fields): Promise<Internal | void>;
}

/** What only a revert needs. */
type Internal = Record<string, unknown>;

/** How such an entity is taken back: what was made goes, what was removed returns, what was changed is as before. */
export function undoRows(kind: UndoableRow): EntityUndo {
  return {
    entityType: kind.entityType,
    async undo(tx, changes) {
      const obstacles = new Map<string, Obstacle>();
      for (const change of changes) {
        const obstacle = await undoOne(tx, kind, change);
        if (obstacle) obstacles.set(change.entityId, obstacle);
      }
      return obstacles;
    },
  };
}

async function undoOne(tx: WriteTx, kind: UndoableRow, change: NetChange): Promise<Obstacle | null> {
  const row = await findRow(tx, kind, change.entityId);
  if (change.operation === 'create') return removeMade(tx, kind, change, row);
  if (change.operation === 'delete') return bringBack(tx, kind, change, row);
  return restore(tx, kind, change, row);
}

async function removeMade(
  tx: WriteTx,
  kind: UndoableRow,
  change: NetChange,
  row: Row | undefined,
): Promise<Obstacle | null> {
  if (!row) return missing();
  const fields = await kind.toFields(row, tx);
  const changed = changedFields(fields, change.after ?? {});
  if (changed.length > 0) return changedSince(changed);
  if (await kind.isUsed(tx, change.entityId, change)) {
    return { reason: 'in_use', fields: [], message: 'It is in use now. Take it out of use first.' };
  }
  const belongings = await kind.removeBelongings?.(tx, change.entityId);
  await removeRow(tx, kind, change.entityId);
  tx.journal.record({
    ...identity(change),
    operation: 'delete',
    before: fields,
    after: null,
    ...kept({ ...belongings, ...(kind.hidden ? { columns: pick(row, kind.hidden) } : {}) }),
    revertible: true,
  });
  return null;
}

async function removeRow(tx: WriteTx, { table, goneSince }: UndoableRow, id: string): Promise<void> {
  if (goneSince === undefined) await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx.q);
  else await sql`update ${sql.table(table)} set ${sql.ref(goneSince)} = ${tx.now} where id = ${id}`.execute(tx.q);
}

function kept(internal: Internal): { internal?: Internal } {
  return Object.keys(internal).length === 0 ? {} : { internal };
}

async function bringBack(
  tx: WriteTx,
  kind: UndoableRow,
  change: NetChange,
  row: Row | undefined,
): Promise<Obstacle | null> {
  const fields = { ...change.before };
  if (row) return { reason: 'exists', fields: ['id'], message: 'It exists again already.' };
  const { columns: hidden } = change.internal as Hidden;
  const absent = await missingReferences(tx, kind, { ...fields, ...hidden });
  if (absent.length > 0) return referenceMissing(absent);
  const obstacle = await kind.findObstacle?.(tx, change.entityId, fields);
  if (obstacle) return obstacle;
  const columns = { ...(await kind.toColumns(tx, fields)), ...hidden };
  const taken = await takenFields(tx, kind, change.entityId, columns);
  if (taken.length > 0) return exists(taken);
  await insertAgain(tx, kind, change.entityId, columns);
  const belongings = await kind.restoreBelongings?.(tx, change);
  tx.journal.record({
    ...identity(change),
    operation: 'create',
    before: null,
    after: fields,
    ...kept({ ...belongings }),
    revertible: true,
  });
  return null;
}

async function insertAgain(tx: WriteTx, { table, goneSince }: UndoableRow, id: string, columns: Row): Promise<void> {
  const names = Object.keys(columns);
  const values = names.map((name) => columns[name] as SqlValue);
  if (goneSince === undefined) await tx.insertMany(table, names as never[], [values]);
  else await tx.updateMany(table, [...names, goneSince] as never[], [[id, ...values, null]]);
}

async function restore(
  tx: WriteTx,
  kind: UndoableRow,
  change: NetChange,
  row: Row | undefined,
): Promise<Obstacle | null> {
  if (!row) return missing();
  const current = await kind.toFields(row, tx);
  const wanted = withAbsent(change.before ?? {}, change.after ?? {});
  const { columns: hidden, written } = change.internal as Hidden;
  const wrote = withAbsent(change.after ?? {}, change.before ?? {});
  const changed = [...changedFields(current, wrote), ...changedFields(row, written ?? {})];
  if (changed.length > 0) return changedSince(changed);
  const absent = await missingReferences(tx, kind, { ...wanted, ...hidden });
  if (absent.length > 0) return referenceMissing(absent);
  const obstacle = await kind.findObstacle?.(tx, change.entityId, wanted);
  if (obstacle) return obstacle;
  const columns = { ...(await kind.toColumns(tx, wanted)), ...hidden };
  const taken = await takenFields(tx, kind, change.entityId, columns);
  if (taken.length > 0) return exists(taken);
  const names = Object.keys(columns).filter((name) => name !== 'updated_at');
  await tx.updateMany(kind.table, [...names, 'updated_at'] as never[], [
    [change.entityId, ...names.map((name) => columns[name] as SqlValue), tx.now],
  ]);
  const elsewhere = await kind.restoreElsewhere?.(tx, change, wanted);
  const columnsNow = hidden ? { columns: pick(row, Object.keys(hidden)), ...(written ? { written: hidden } : {}) } : {};
  tx.journal.record({
    ...identity(change),
    operation: 'update',
    before: pick(
      current,
      Object.keys(wanted).filter((name) => name in current),
    ),
    after: wanted,
    ...kept({ ...columnsNow, ...elsewhere }),
    revertible: true,
  });
  return null;
}

/** A field that stands on the other side only did not exist on this one (contract 10.13.1). */
function withAbsent(fields: Fields, others: Fields): Fields {
  return { ...Object.fromEntries(Object.keys(others).map((name) => [name, undefined])), ...fields };
}

function identity(change: NetChange) {
  return {
    entityType: change.entityType,
    entityId: change.entityId,
    entityShortId: change.entityShortId,
    ...(change.transactionId === null ? {} : { transactionId: change.transactionId }),
  };
}

async function findRow(tx: ReadTx, kind: UndoableRow, id: string): Promise<Row | undefined> {
  const standing = kind.goneSince === undefined ? sql`` : sql`and ${sql.ref(kind.goneSince)} is null`;
  const { rows } = await sql<Row>`select * from ${sql.table(kind.table)} where id = ${id} ${standing}`.execute(tx.q);
  return rows[0];
}

/** Fields that no longer hold what the set wrote; stamps of the last change are never compared. */
function changedFields(current: Fields, written: Fields): string[] {
  return Object.keys(written).filter(
    (field) => field !== 'updated_at' && JSON.stringify(current[field]) !== JSON.stringify(written[field]),
  );
}

async function missingReferences(tx: ReadTx, kind: UndoableRow, fields: Fields): Promise<string[]> {
  const absent: string[] = [];
  for (const { field, table, id, column = 'id', nullWhileStanding } of kind.references(fields)) {
    const standing = nullWhileStanding === undefined ? sql`` : sql`and ${sql.ref(nullWhileStanding)} is null`;
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)} = ${id} ${standing}`.execute(tx.q);
    if (rows.length === 0) absent.push(field);
  }
  return [...new Set(absent)];
}

async function takenFields(tx: ReadTx, kind: UndoableRow, id: string, columns: Row): Promise<string[]> {
  const taken: string[] = [];
  for (const one of kind.unique) {
    const { field, column } = typeof one === 'string' ? { field: one, column: one } : one;
    const value = columns[column];
    if (value === undefined || value === null) continue;
    const { rows } = await sql`select 1 from ${sql.table(kind.table)}
      where ${sql.ref(column)} = ${value} and id <> ${id}`.execute(tx.q);
    if (rows.length > 0) taken.push(field);
  }
  return taken;
}

function pick(from: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

function missing(): Obstacle {
  return { reason: 'missing', fields: [], message: 'It no longer exists.' };
}

function changedSince(fields: readonly string[]): Obstacle {
  return { reason: 'changed_since', fields, message: `Changed since: ${fields.join(', ')}.` };
}

function referenceMissing(fields: readonly string[]): Obstacle {
  return { reason: 'reference_missing', fields, message: `What it named no longer exists: ${fields.join(', ')}.` };
}

function exists(fields: readonly string[]): Obstacle {
  return { reason: 'exists', fields, message: `Taken by another since: ${fields.join(', ')}.` };
}
