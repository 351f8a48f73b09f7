import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import { isLive } from './columns.ts';
import { differenceOf } from './difference.ts';
import type { AnyRow, EntityChangeOptions, Fields } from './entity.ts';
import type { EntityReplay, EntityState, Parked, PlanConflict, PlannedChange, Reference } from './replay.ts';
import type { RowEntity } from './row-entity.ts';
import type { WriteTx } from './write.ts';

/** Plans and writes changes of an entity with its own `create`, `change` and `remove`. */
export function replayEntity(entity: RowEntity): EntityReplay {
  return {
    entityType: entity.type,
    table: entity.table,
    async look(tx, ids) {
      const rows = await selectRows(tx, entity, ids);
      const found = new Map<string, EntityState>();
      for (const row of rows) found.set(row['id'] as string, await stateOf(tx, entity, row));
      return found;
    },
    hiddenOf: (before, after) => ({
      ...(before === undefined ? after?.hidden : differenceOf(before.hidden, after?.hidden ?? {})?.after),
    }),
    referencesOf: ({ after, hidden, transactionId }) => [
      ...(after === null ? [] : entity.shape.targetsOf({ ...after, ...hidden })),
      ...(after === null || transactionId === null ? [] : [transactionTarget(transactionId)]),
    ],
    ...(entity.definition.undo?.isUsedBesides && { isUsedBesides: entity.definition.undo.isUsedBesides }),
    async findObstacles(tx, changes, planned) {
      const found = new Map<number, PlanConflict>();
      for (const taken of await findTaken(tx, entity, changes, planned)) found.set(...taken);
      // Each is judged beside the others, so one that is left out may take along those that need it.
      for (let count = -1; count !== found.size;) {
        count = found.size;
        const standing = changes.filter(({ sequence }) => !found.has(sequence));
        for (const change of standing) {
          const conflict = await findOwnObstacle(tx, entity, change, planned, standing);
          if (conflict) found.set(change.sequence, conflict);
        }
      }
      return found;
    },
    hidesChange: (before, after) =>
      entity.shape.withRole('internal').some((name) => before.hidden[name] !== after.hidden[name]),
    park: (tx, changes) => parkRows(tx, entity, changes),
    async write(tx, changes, { parked }) {
      for (const run of runsOf(changes)) await writeRun(tx, entity, run, parked);
    },
  };
}

/** Rows whose value goes to another row of the plan. They are written or deleted later, and lose the value there. */
export async function parkRows(
  tx: WriteTx,
  entity: RowEntity,
  changes: readonly Pick<PlannedChange, 'entityId' | 'before' | 'after'>[],
): Promise<Parked> {
  const parked = new Map<string, AnyRow>();
  for (const { field, column, from = (value: unknown) => value } of entity.shape.uniqueColumns()) {
    const valueOf = (fields: Fields | null): unknown =>
      typeof fields?.[field] === 'string' ? from(fields[field]) : undefined;
    const taken = new Set(changes.map(({ after }) => valueOf(after)));
    const leaving = changes.filter(({ before, after }) => {
      const value = valueOf(before);
      return value !== undefined && value !== valueOf(after) && taken.has(value);
    });
    const rows = await selectRows(
      tx,
      entity,
      leaving.map(({ entityId }) => entityId),
    );
    for (const row of rows) {
      const id = row['id'] as string;
      parked.set(id, { ...parked.get(id), [column]: row[column] as SqlValue });
      await sql`update ${sql.table(entity.table)} set ${sql.ref(column)} = ${tx.ids.uuid()} where id = ${id}`.execute(
        tx.q,
      );
    }
  }
  return parked;
}

async function selectRows(tx: ReadTx, entity: RowEntity, ids: readonly string[]): Promise<AnyRow[]> {
  if (ids.length === 0) return [];
  const { removedAt } = entity.definition;
  const live = removedAt === undefined ? sql`` : sql`and ${sql.ref(removedAt)} is null`;
  const { rows } = await sql<AnyRow>`select * from ${sql.table(entity.table)}
    where ${tx.portable.inList(sql.ref('id'), ids)} ${live}`.execute(tx.q);
  return rows;
}

async function stateOf(tx: ReadTx, entity: RowEntity, row: AnyRow): Promise<EntityState> {
  const { transactionOf, removedAt } = entity.definition;
  const names = entity.shape.withRole('internal', 'unjournaled').filter((name) => name !== removedAt);
  return {
    shortId: row['short_id'] as string,
    fields: await entity.fieldsOf(tx, row),
    hidden: Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
    transactionId: transactionOf?.(row) ?? null,
    isDeleted: false,
  };
}

/** A comment or match goes with its transaction, which may be deleted since. */
function transactionTarget(value: string): Reference {
  return { table: 'transactions', column: 'id', nullWhileLive: 'deleted_at', field: 'transaction_id', value };
}

/** Changes whose name, slug or other unique value another row has, unless the plan gives that row another one. */
async function findTaken(
  tx: ReadTx,
  entity: RowEntity,
  changes: readonly PlannedChange[],
  planned: ReadonlySet<string>,
): Promise<[number, PlanConflict][]> {
  const live = entity.definition.removedAt;
  const found: [number, PlanConflict][] = [];
  for (const { field, column, from = (value: unknown) => value } of entity.shape.uniqueColumns()) {
    const wanted = changes.filter(({ after }) => typeof after?.[field] === 'string');
    if (wanted.length === 0) continue;
    const valueOf = ({ after }: PlannedChange): string => from(after?.[field]) as string;
    const { rows } = await sql<{ id: string; value: SqlValue }>`
      select id, ${sql.ref(column)} as value from ${sql.table(entity.table)}
      where ${tx.portable.inList(sql.ref(column), [...new Set(wanted.map(valueOf))])}
        ${live === undefined ? sql`` : sql`and ${sql.ref(live)} is null`}`.execute(tx.q);
    const owner = new Map(rows.map(({ id, value }) => [value, id]));
    for (const change of wanted) {
      const id = owner.get(valueOf(change));
      if (id === undefined || id === change.entityId || planned.has(id)) continue;
      const message = `Something else now has the same value: ${field}.`;
      found.push([change.sequence, { reason: 'exists', fields: [field], message }]);
    }
  }
  return found;
}

async function findOwnObstacle(
  tx: ReadTx,
  entity: RowEntity,
  change: PlannedChange,
  planned: ReadonlySet<string>,
  standing: readonly PlannedChange[],
): Promise<PlanConflict | null> {
  const { undo } = entity.definition;
  if (change.after === null) {
    const isUsed = await undo?.isUsedBesides?.(tx, change.entityId, planned);
    return isUsed === true ? { reason: 'changed_since', fields: [], message: 'Something else uses it now.' } : null;
  }
  if (!undo?.findObstacle) return null;
  // Its place among rows that are not there yet was checked when it was planned.
  for (const target of entity.shape.targetsOf(change.after)) {
    if (planned.has(target.value) && !(await isLive(tx, target, target.value))) return null;
  }
  const obstacle = await undo.findObstacle(tx, change.entityId, change.after, standing);
  if (!obstacle) return null;
  const { reason, fields, message } = obstacle;
  return { reason: reason === 'in_use' ? 'changed_since' : reason, fields, message };
}

/** Consecutive changes that can be written together: of one kind, by one writer. */
function runsOf(changes: readonly PlannedChange[]): PlannedChange[][] {
  const runs: PlannedChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1)?.[0];
    const isAlike =
      last?.operation === change.operation && last.ruleId === change.ruleId && last.appliedBy === change.appliedBy;
    if (isAlike) runs.at(-1)?.push(change);
    else runs.push([change]);
  }
  return runs;
}

async function writeRun(tx: WriteTx, entity: RowEntity, run: readonly PlannedChange[], parked: Parked): Promise<void> {
  const [{ operation }] = run as readonly [PlannedChange];
  const options = optionsOf(run[0] as PlannedChange);
  if (operation === 'create') {
    const rows: AnyRow[] = [];
    for (const change of run) rows.push(await newRow(tx, entity, change));
    await entity.createMany(tx, rows, options);
    return;
  }
  const found = await selectRows(
    tx,
    entity,
    run.map(({ entityId }) => entityId),
  );
  const rows = new Map(found.map((row) => [row['id'], { ...row, ...parked.get(row['id'] as string) }]));
  const edits: { row: AnyRow; patch: AnyRow }[] = [];
  for (const change of run) {
    const row = rows.get(change.entityId);
    if (!row) throw new Error('A planned change without conflicts has lost its row.');
    if (operation === 'delete') await entity.remove(tx, row, options);
    else edits.push({ row, patch: await patchOf(tx, entity, change, row) });
  }
  await entity.changeMany(tx, edits, options);
}

function optionsOf({ ruleId, appliedBy }: PlannedChange): EntityChangeOptions {
  return {
    ...(ruleId === null ? {} : { ruleId, source: 'rule' }),
    ...(appliedBy === null ? {} : { appliedBy }),
  };
}

/** It exists from now on, whenever it was planned. */
async function newRow(tx: WriteTx, entity: RowEntity, { after, hidden }: PlannedChange): Promise<AnyRow> {
  const { created_at: _planned, updated_at: _too, ...fields } = after ?? {};
  return { ...(await recordedColumns(tx, entity, fields, null)), ...(hidden as AnyRow) };
}

async function patchOf(tx: WriteTx, entity: RowEntity, change: PlannedChange, row: AnyRow): Promise<AnyRow> {
  const written = entity.shape.withRole('internal').filter((name) => name in change.hidden);
  const hidden = Object.fromEntries(written.map((name) => [name, change.hidden[name] as SqlValue]));
  return { ...(await recordedColumns(tx, entity, change.after ?? {}, row)), ...hidden };
}

/** Without derived columns: whoever writes the row derives them. */
async function recordedColumns(tx: WriteTx, entity: RowEntity, fields: Fields, row: AnyRow | null): Promise<AnyRow> {
  const derived = new Set(entity.shape.withRole('derived'));
  const columns = await entity.shape.toColumns(tx, fields, row);
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !derived.has(name)));
}
