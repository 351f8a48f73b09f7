import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import { idColumn, shortIdsFor } from '../db/short-ids.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import { withoutUndefined } from '../kernel/json.ts';
import { EntityShape, type AnyDefinition } from './entity-shape.ts';
import type { AnyRow, EntityChangeOptions, EntityTable, Fields, Internal } from './entity.ts';
import type { EntityType } from './entities.ts';
import { journalOf, type ChangeOptions, type EntityJournal } from './journal-of.ts';
import type { WriteTx } from './write.ts';

const REMOVED_AT_ONCE = 5_000;

type Edit = { row: AnyRow; patch: AnyRow };

/** Writes the rows of one table, and records what it wrote. */
export class RowEntity {
  readonly table: EntityTable;
  readonly type: EntityType;
  readonly definition: AnyDefinition;
  readonly shape: EntityShape;
  readonly #isUndoable: boolean;
  readonly #journal: EntityJournal;

  constructor(table: EntityTable, definition: AnyDefinition) {
    this.table = table;
    this.type = definition.type;
    this.definition = definition;
    this.shape = new EntityShape(definition);
    this.#isUndoable = definition.undo !== undefined;
    this.#journal = journalOf(definition.type);
  }

  async find(tx: ReadTx, anyId: string): Promise<AnyRow | undefined> {
    const column = idColumn(anyId);
    if (column === undefined) return undefined;
    const { removedAt } = this.definition;
    const live = removedAt === undefined ? sql`` : sql`and ${sql.ref(removedAt)} is null`;
    const { rows } = await sql<AnyRow>`select * from ${sql.table(this.table)}
      where ${sql.ref(column)} = ${anyId} ${live}`.execute(tx.q);
    return rows[0];
  }

  async fieldsOf(tx: ReadTx, row: AnyRow): Promise<Fields> {
    const elsewhere = await this.definition.fieldsElsewhere?.(tx, row['id'] as string);
    return { ...(await this.shape.toFields(tx, row)), ...elsewhere };
  }

  async create(tx: WriteTx, row: AnyRow, options?: EntityChangeOptions): Promise<AnyRow> {
    const [created] = await this.createMany(tx, [row], options);
    return created as AnyRow;
  }

  async createMany(
    tx: WriteTx,
    wanted: readonly AnyRow[],
    options: EntityChangeOptions | ((index: number) => EntityChangeOptions) = {},
  ): Promise<AnyRow[]> {
    if (wanted.length === 0) return [];
    const shortIds = await shortIdsFor(tx, this.table, wanted.length);
    const blank = this.shape.blank(tx.now);
    const predecessorOf = predecessors(tx, this.type, this.shape);
    const rows: AnyRow[] = [];
    for (const [index, given] of wanted.entries()) {
      const ids = { id: tx.ids.uuid(), short_id: shortIds[index] as string };
      const row = await this.shape.complete(tx, { ...blank, ...ids, ...withoutUndefined(given) });
      rows.push('id' in given ? row : { ...row, ...predecessorOf(row) });
    }
    const names = Object.keys(blank);
    const values = rows.map((row) => names.map((name) => row[name] as SqlValue));
    await tx.insertMany(this.table, names as never[], values);
    for (const [index, row] of rows.entries()) {
      const own = typeof options === 'function' ? options(index) : options;
      const after = { ...(await this.shape.toFields(tx, row)), ...own.fields?.after };
      this.#journal.created(tx, identify(row), after, this.#options(row, own));
    }
    return rows;
  }

  async change(tx: WriteTx, row: AnyRow, patch: AnyRow, options?: EntityChangeOptions): Promise<AnyRow> {
    const [changed] = await this.changeMany(tx, [{ row, patch }], options);
    return changed as AnyRow;
  }

  async changeMany(tx: WriteTx, edits: readonly Edit[], options: EntityChangeOptions = {}): Promise<AnyRow[]> {
    const results: AnyRow[] = [];
    const written: AnyRow[] = [];
    const changedNames = new Set<string>();
    for (const { row, patch } of edits) {
      const after = await this.shape.complete(tx, { ...row, ...(withoutUndefined(patch) as AnyRow) });
      const names = this.shape.changed(row, after);
      const recorded = await this.#recordChange(tx, row, after, names, options);
      if (recorded === 'shown' && this.shape.has('updated_at')) {
        after['updated_at'] = tx.now;
        names.push('updated_at');
      }
      if (names.length > 0 && recorded === 'nothing') tx.journal.allowUnjournaled(this.type);
      if (names.length > 0) written.push(after);
      for (const name of names) changedNames.add(name);
      results.push(names.length > 0 ? after : row);
    }
    await this.#update(tx, written, [...changedNames]);
    return results;
  }

  async remove(tx: WriteTx, row: AnyRow, options: EntityChangeOptions = {}): Promise<void> {
    const before = { ...(await this.fieldsOf(tx, row)), ...options.fields?.before };
    const kept = await this.removeRow(tx, row);
    const internal = { ...(this.#isUndoable ? kept : {}), ...options.internal };
    this.#journal.removed(tx, identify(row), before, this.#options(row, { ...options, internal }));
  }

  async removeMany(tx: WriteTx, rows: readonly AnyRow[], options: EntityChangeOptions = {}): Promise<void> {
    const { removedAt, removeBelongings, fieldsElsewhere } = this.definition;
    if (removedAt !== undefined || removeBelongings || fieldsElsewhere || this.#hidden().length > 0) {
      for (const row of rows) await this.remove(tx, row, options);
      return;
    }
    for (let start = 0; start < rows.length; start += REMOVED_AT_ONCE) {
      const some = rows.slice(start, start + REMOVED_AT_ONCE);
      const ids = some.map((row) => row['id'] as string);
      await sql`delete from ${sql.table(this.table)} where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
      for (const row of some) {
        const before = { ...(await this.shape.toFields(tx, row)), ...options.fields?.before };
        this.#journal.removed(tx, identify(row), before, this.#options(row, options));
      }
    }
  }

  #hidden(): string[] {
    return this.shape.withRole('internal', 'unjournaled');
  }

  /** Removes the row with its belongings. Answers what restoring it needs besides the fields. */
  async removeRow(tx: WriteTx, row: AnyRow): Promise<Internal> {
    const { removedAt, removeBelongings } = this.definition;
    const id = row['id'] as string;
    const belongings = await removeBelongings?.(tx, id);
    if (removedAt !== undefined) {
      await sql`update ${sql.table(this.table)} set ${sql.ref(removedAt)} = ${tx.now} where id = ${id}`.execute(tx.q);
      return { ...belongings };
    }
    await sql`delete from ${sql.table(this.table)} where id = ${id}`.execute(tx.q);
    const hidden = this.#hidden();
    const columns = Object.fromEntries(hidden.map((name) => [name, row[name] ?? null]));
    return { ...(hidden.length > 0 ? { columns } : {}), ...belongings };
  }

  #options(row: AnyRow, { fields: _fields, ...options }: EntityChangeOptions): ChangeOptions {
    const transactionId = this.definition.transactionOf?.(row);
    return {
      revertible: this.#isUndoable,
      ...(transactionId === undefined ? {} : { transactionId }),
      ...options,
    };
  }

  async #update(tx: WriteTx, rows: readonly AnyRow[], names: readonly string[]): Promise<void> {
    const hasBytes = rows.some((row) => names.some((name) => row[name] instanceof Uint8Array));
    // A bulk update passes its values as JSON, which cannot hold bytes.
    if (rows.length > 1 && !hasBytes) {
      const values = rows.map((row) => [row['id'] as string, ...names.map((name) => row[name] as SqlValue)]);
      await tx.updateMany(this.table, names as never[], values);
      return;
    }
    for (const row of rows) {
      const set = sql.join(names.map((name) => sql`${sql.ref(name)} = ${row[name]}`));
      await sql`update ${sql.table(this.table)} set ${set} where id = ${row['id']}`.execute(tx.q);
    }
  }

  /** Answers whether the record shows the change, only undo knows of it, or there is nothing to record. */
  async #recordChange(
    tx: WriteTx,
    before: AnyRow,
    after: AnyRow,
    names: readonly string[],
    options: EntityChangeOptions,
  ): Promise<'shown' | 'hidden' | 'nothing'> {
    const among = (...roles: Parameters<EntityShape['withRole']>): string[] =>
      this.shape.withRole(...roles).filter((name) => names.includes(name));
    const shown = among('recorded');
    const hidden = among('internal');
    const fields = {
      before: { ...(await this.shape.toFields(tx, before, shown)), ...options.fields?.before },
      after: { ...(await this.shape.toFields(tx, after, shown)), ...options.fields?.after },
    };
    const kept = hidden.length > 0 ? { columns: pick(before, hidden), written: pick(after, hidden) } : {};
    const internal = { ...kept, ...options.internal };
    const isShown = Object.keys(fields.before).length + Object.keys(fields.after).length > 0;
    const isHidden = among('secret').length + Object.keys(internal).length > 0;
    if (!isShown && !isHidden) return 'nothing';
    this.#journal.changed(tx, identify(before), fields, this.#options(before, { ...options, internal }));
    return isShown ? 'shown' : 'hidden';
  }
}

/**
 * In a plan, a row with the slug or name of one that the plan deletes takes its place, ids included: what refers to the
 * deleted one then need not change (contract 60.6). Answers what a new row takes over.
 */
function predecessors(tx: WriteTx, type: EntityType, shape: EntityShape): (row: AnyRow) => AnyRow {
  const unique = shape.uniqueColumns().filter(({ field }) => field !== 'short_id');
  const removed = new Map<string, AnyRow>();
  for (const { entityType, entityId, operation, before } of unique.length === 0 ? [] : tx.journal.recorded()) {
    if (entityType !== type) continue;
    for (const [value, { id }] of removed) if (id === entityId) removed.delete(value);
    if (operation !== 'delete') continue;
    const { id, short_id, created_at } = before as AnyRow;
    for (const { field, column, from } of unique) {
      const value = from ? from(before?.[field]) : before?.[field];
      removed.set(`${column} ${String(value)}`, { id, short_id, created_at } as AnyRow);
    }
  }
  return (row) => unique.map(({ column }) => removed.get(`${column} ${String(row[column])}`)).find((one) => one) ?? {};
}

function identify(row: AnyRow): { id: string; short_id: string } {
  return { id: row['id'] as string, short_id: row['short_id'] as string };
}

function pick(from: AnyRow, names: readonly string[]): AnyRow {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
