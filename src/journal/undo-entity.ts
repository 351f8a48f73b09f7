import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import { isEqualJson } from '../kernel/json.ts';
import { isLive } from './columns.ts';
import type { AnyRow, Fields, Internal, RowChange } from './entity.ts';
import { journalOf } from './journal-of.ts';
import { parkRows, replayEntity } from './replay-entity.ts';
import type { Parked } from './replay.ts';
import type { RowEntity } from './row-entity.ts';
import type { EntityUndo, NetChange, Obstacle } from './undo.ts';
import type { WriteTx } from './write.ts';

/** Columns that no record shows: as they were before a change, and as it wrote them where that matters. */
interface Hidden {
  columns?: AnyRow;
  written?: AnyRow;
}

/** Undoes the changes of an entity: removes what was created, restores what was removed or changed. */
export function undoEntity(entity: RowEntity): EntityUndo {
  return {
    entityType: entity.type,
    replay: replayEntity(entity),
    undo: (tx, changes) => undoAll(tx, entity, changes, ALONE),
    ...(entity.definition.undo?.unique && {
      async undoTogether(tx, changes) {
        const wanted = changes.map(({ entityId, before }) => ({ entityId, after: before }));
        const parked = await parkRows(
          tx,
          entity,
          changes.map(({ before, after, ...change }) => ({ ...change, before: after, after: before })),
        );
        return undoAll(tx, entity, changes, { parked, beside: wanted });
      },
    }),
  };
}

/** What else is undone with a change: rows whose values were freed, and what all of them will be. */
interface Company {
  parked: Parked;
  beside: readonly RowChange[];
}

const ALONE: Company = { parked: new Map(), beside: [] };

async function undoAll(
  tx: WriteTx,
  entity: RowEntity,
  changes: readonly NetChange[],
  company: Company,
): Promise<ReadonlyMap<string, Obstacle>> {
  const obstacles = new Map<string, Obstacle>();
  for (const change of changes) {
    const obstacle = await undoOne(tx, entity, change, company);
    if (obstacle) obstacles.set(change.entityId, obstacle);
  }
  return obstacles;
}

async function undoOne(tx: WriteTx, entity: RowEntity, change: NetChange, company: Company): Promise<Obstacle | null> {
  const stored = await entity.find(tx, change.entityId);
  const row = stored && { ...stored, ...company.parked.get(change.entityId) };
  if (change.operation === 'delete') {
    if (row) return { reason: 'exists', fields: ['id'], message: 'It has already been restored.' };
    return restoreRemoved(tx, entity, change, company);
  }
  if (!row) return { reason: 'missing', fields: [], message: 'It no longer exists.' };
  return change.operation === 'create'
    ? removeCreated(tx, entity, change, row)
    : restoreChanged(tx, entity, change, row, company);
}

async function removeCreated(tx: WriteTx, entity: RowEntity, change: NetChange, row: AnyRow): Promise<Obstacle | null> {
  const before = await entity.fieldsOf(tx, row);
  const changed = changedFields(before, change.after ?? {});
  if (changed.length > 0) return changedSince(changed);
  if (await entity.definition.undo?.isUsed?.(tx, change.entityId, change)) {
    return { reason: 'in_use', fields: [], message: 'It is now in use. Remove what uses it first.' };
  }
  const internal = await entity.removeRow(tx, row);
  journalOf(entity.type).removed(tx, identify(change), before, { ...timeline(change), internal });
  return null;
}

async function restoreRemoved(
  tx: WriteTx,
  entity: RowEntity,
  change: NetChange,
  { beside }: Company,
): Promise<Obstacle | null> {
  const fields = { ...change.before };
  const columns = await columnsToWrite(tx, entity, change, fields, null, beside);
  if ('reason' in columns) return columns;
  await insertAgain(tx, entity, change.entityId, columns.row);
  const belongings = await entity.definition.restoreBelongings?.(tx, change);
  journalOf(entity.type).created(tx, identify(change), fields, { ...timeline(change), internal: { ...belongings } });
  return null;
}

async function insertAgain(
  tx: WriteTx,
  { table, definition: { removedAt } }: RowEntity,
  id: string,
  columns: AnyRow,
): Promise<void> {
  const names = Object.keys(columns);
  const values = names.map((name) => columns[name] as SqlValue);
  if (removedAt === undefined) await tx.insertMany(table, names as never[], [values]);
  else await tx.updateMany(table, [...names, removedAt] as never[], [[id, ...values, null]]);
}

async function restoreChanged(
  tx: WriteTx,
  entity: RowEntity,
  change: NetChange,
  row: AnyRow,
  { beside }: Company,
): Promise<Obstacle | null> {
  const current = await entity.fieldsOf(tx, row);
  const [before, after] = [change.before ?? {}, change.after ?? {}];
  const wanted = withAbsent(before, after);
  const { columns: hidden, written } = change.internal as Hidden;
  const wrote = withAbsent(after, before);
  const changed = [...changedFields(current, wrote), ...changedFields(row, written ?? {})];
  if (changed.length > 0) return changedSince(changed);
  const columns = await columnsToWrite(tx, entity, change, wanted, row, beside);
  if ('reason' in columns) return columns;
  const names = Object.keys(columns.row).filter((name) => name !== 'updated_at');
  await tx.updateMany(entity.table, [...names, 'updated_at'] as never[], [
    [change.entityId, ...names.map((name) => columns.row[name] as SqlValue), tx.now],
  ]);
  const elsewhere = await entity.definition.undo?.restoreElsewhere?.(tx, change, wanted);
  const hiddenNow = hidden ? { columns: pick(row, Object.keys(hidden)), ...(written ? { written: hidden } : {}) } : {};
  const fields = {
    before: pick(
      current,
      Object.keys(wanted).filter((name) => name in current),
    ),
    after: wanted,
  };
  const internal: Internal = { ...hiddenNow, ...elsewhere };
  journalOf(entity.type).changed(tx, identify(change), fields, { ...timeline(change), internal });
  return null;
}

/** The columns that give the row these fields back, or why it cannot have them. */
async function columnsToWrite(
  tx: WriteTx,
  entity: RowEntity,
  change: NetChange,
  fields: Fields,
  row: AnyRow | null,
  beside: readonly RowChange[],
): Promise<{ row: AnyRow } | Obstacle> {
  const { columns: hidden } = change.internal as Hidden;
  const absent: string[] = [];
  for (const { field, value, ...target } of entity.shape.targetsOf({ ...fields, ...hidden })) {
    if (!(await isLive(tx, target, value))) absent.push(field);
  }
  if (absent.length > 0) {
    const names = [...new Set(absent)];
    const message = `It refers to something that no longer exists: ${names.join(', ')}.`;
    return { reason: 'reference_missing', fields: names, message };
  }
  const obstacle = await entity.definition.undo?.findObstacle?.(tx, change.entityId, fields, beside);
  if (obstacle) return obstacle;
  const columns = { ...(await entity.shape.toColumns(tx, fields, row)), ...hidden };
  const taken = await takenFields(tx, entity, change.entityId, columns);
  if (taken.length === 0) return { row: columns };
  return { reason: 'exists', fields: taken, message: `Something else now has the same value: ${taken.join(', ')}.` };
}

/** A field that only the other side has did not exist on this one (contract 10.13.1). */
function withAbsent(fields: Fields, others: Fields): Fields {
  return { ...Object.fromEntries(Object.keys(others).map((name) => [name, undefined])), ...fields };
}

function identify(change: NetChange) {
  return { id: change.entityId, short_id: change.entityShortId };
}

function timeline({ transactionId }: NetChange): { transactionId?: string } {
  return transactionId === null ? {} : { transactionId };
}

/** Fields that no longer hold what the change set wrote; the stamp of the last change is never compared. */
function changedFields(current: Fields, written: Fields): string[] {
  return Object.keys(written).filter((field) => field !== 'updated_at' && !isEqualJson(current[field], written[field]));
}

async function takenFields(tx: ReadTx, entity: RowEntity, id: string, columns: AnyRow): Promise<string[]> {
  const taken: string[] = [];
  for (const { field, column } of entity.shape.uniqueColumns()) {
    const value = columns[column];
    if (value === undefined || value === null) continue;
    const { rows } = await sql`select 1 from ${sql.table(entity.table)}
      where ${sql.ref(column)} = ${value} and id <> ${id}`.execute(tx.q);
    if (rows.length > 0) taken.push(field);
  }
  return taken;
}

function pick(from: Fields, names: readonly string[]): AnyRow {
  return Object.fromEntries(names.map((name) => [name, (from[name] ?? null) as SqlValue]));
}

function changedSince(fields: readonly string[]): Obstacle {
  return { reason: 'changed_since', fields, message: `Changed since: ${fields.join(', ')}.` };
}
