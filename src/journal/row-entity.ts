import { sql } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import { shortIdsFor } from '../db/short-ids.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import { isShortId, isUuid } from '../kernel/ids.ts';
import type { Column, Target } from './columns.ts';
import type { AnyRow, Definition, EntityChangeOptions, EntityTable, Fields, Internal } from './entity.ts';
import type { EntityType } from './entities.ts';
import { journalOf, type ChangeOptions, type EntityJournal } from './journal-of.ts';
import type { WriteTx } from './write.ts';

/** A definition whose table is not known to the compiler any more. */
export interface AnyDefinition extends Omit<
  Definition<EntityTable, never>,
  'columns' | 'derive' | 'transactionOf' | 'removedAt'
> {
  columns: Readonly<Record<string, Column>>;
  derive?: (row: AnyRow, tx: WriteTx) => AnyRow | Promise<AnyRow>;
  transactionOf?: (row: AnyRow) => string;
  removedAt?: 'deleted_at';
}

/** Writes rows of one table, and records what it wrote. */
export class RowEntity {
  readonly table: EntityTable;
  readonly definition: AnyDefinition;
  readonly type: EntityType;
  readonly #columns: readonly (readonly [name: string, column: Column])[];
  readonly #isUndoable: boolean;
  readonly #journal: EntityJournal;

  constructor(table: EntityTable, definition: AnyDefinition) {
    this.table = table;
    this.definition = definition;
    this.type = definition.type;
    this.#columns = Object.entries(definition.columns);
    this.#isUndoable = definition.undo !== undefined;
    this.#journal = journalOf(definition.type);
  }

  async find(tx: ReadTx, anyId: string): Promise<AnyRow | undefined> {
    const column = isUuid(anyId) ? 'id' : isShortId(anyId) ? 'short_id' : undefined;
    if (column === undefined) return undefined;
    const { removedAt } = this.definition;
    const live = removedAt === undefined ? sql`` : sql`and ${sql.ref(removedAt)} is null`;
    const { rows } = await sql<AnyRow>`select * from ${sql.table(this.table)}
      where ${sql.ref(column)} = ${anyId} ${live}`.execute(tx.q);
    return rows[0];
  }

  async fieldsOf(tx: ReadTx, row: AnyRow): Promise<Fields> {
    const names = this.#columns.flatMap(([name, { role }]) => (role === 'recorded' ? [name] : []));
    const elsewhere = await this.definition.fieldsElsewhere?.(tx, row['id'] as string);
    return { ...(await this.#fields(tx, row, names)), ...elsewhere };
  }

  async create(tx: WriteTx, row: AnyRow, options?: EntityChangeOptions): Promise<AnyRow> {
    const [created] = await this.createMany(tx, [row], options);
    return created as AnyRow;
  }

  async createMany(tx: WriteTx, wanted: readonly AnyRow[], options: EntityChangeOptions = {}): Promise<AnyRow[]> {
    if (wanted.length === 0) return [];
    const shortIds = await shortIdsFor(tx, this.table, wanted.length);
    const rows: AnyRow[] = [];
    for (const [index, given] of wanted.entries()) {
      const automatic: AnyRow = { id: tx.ids.uuid(), short_id: shortIds[index] as string };
      for (const stamp of ['created_at', 'updated_at']) if (stamp in this.definition.columns) automatic[stamp] = tx.now;
      rows.push(await this.#derived(tx, { ...automatic, ...given }));
    }
    const names = this.#columns.map(([name]) => name).filter((name) => rows.some((row) => name in row));
    const values = rows.map((row) => names.map((name) => row[name] ?? null));
    await tx.insertMany(this.table, names as never[], values);
    for (const row of rows) {
      const after = { ...(await this.#recordedFields(tx, row)), ...options.fields?.after };
      this.#journal.created(tx, identify(row), after, this.#options(row, options));
    }
    return rows;
  }

  async change(tx: WriteTx, row: AnyRow, patch: AnyRow, options?: EntityChangeOptions): Promise<AnyRow> {
    const [changed] = await this.changeMany(tx, [{ row, patch }], options);
    return changed as AnyRow;
  }

  async changeMany(
    tx: WriteTx,
    edits: readonly { row: AnyRow; patch: AnyRow }[],
    options: EntityChangeOptions = {},
  ): Promise<AnyRow[]> {
    const results: AnyRow[] = [];
    const written: AnyRow[] = [];
    const changedNames = new Set<string>();
    for (const { row, patch } of edits) {
      const after = await this.#derived(tx, { ...row, ...withoutUndefined(patch) });
      const names = this.#changedNames(row, after);
      const isRecorded = await this.#recordChange(tx, row, after, names, options);
      if (isRecorded === 'shown' && 'updated_at' in this.definition.columns) {
        after['updated_at'] = tx.now;
        names.push('updated_at');
      }
      if (names.length > 0) written.push(after);
      if (names.length > 0 && isRecorded === 'no') tx.journal.allowUnjournaled(this.type);
      for (const name of names) changedNames.add(name);
      results.push(names.length > 0 ? after : row);
    }
    await this.#update(tx, written, [...changedNames]);
    return results;
  }

  async remove(tx: WriteTx, row: AnyRow, options: EntityChangeOptions = {}): Promise<void> {
    const before = { ...(await this.fieldsOf(tx, row)), ...options.fields?.before };
    const kept = await this.removeRow(tx, row);
    const { internal, ...rest } = options;
    const merged = { ...(this.#isUndoable ? kept : {}), ...internal };
    this.#journal.removed(tx, identify(row), before, this.#options(row, { ...rest, internal: merged }));
  }

  /** Removes the row with its belongings. Answers what bringing it back needs besides the fields. */
  async removeRow(tx: WriteTx, row: AnyRow): Promise<Internal> {
    const { removedAt, removeBelongings } = this.definition;
    const id = row['id'] as string;
    const belongings = await removeBelongings?.(tx, id);
    if (removedAt !== undefined) {
      await sql`update ${sql.table(this.table)} set ${sql.ref(removedAt)} = ${tx.now} where id = ${id}`.execute(tx.q);
      return { ...belongings };
    }
    await sql`delete from ${sql.table(this.table)} where id = ${id}`.execute(tx.q);
    const hidden = this.#columns.filter(([, { role }]) => role === 'internal' || role === 'unjournaled');
    const columns = Object.fromEntries(hidden.map(([name]) => [name, row[name] ?? null]));
    return { ...(hidden.length > 0 ? { columns } : {}), ...belongings };
  }

  /** Fields → columns, those derived from them included. `row` is what they are put into; null for a new one. */
  async columnsOf(tx: WriteTx, fields: Fields, row: AnyRow | null): Promise<AnyRow> {
    const columns: AnyRow = {};
    for (const [name, { role, field = name, toColumn }] of this.#columns) {
      if (role !== 'recorded' || !(field in fields)) continue;
      const value = fields[field];
      columns[name] = toColumn ? await toColumn(value, tx) : (value as SqlValue);
    }
    const whole = await this.#derived(tx, { ...row, ...columns });
    for (const [name, { role }] of this.#columns) {
      if (role === 'derived') columns[name] = whole[name] as SqlValue;
    }
    return columns;
  }

  /** What these fields, and hidden columns, refer to. */
  targetsOf(fields: Fields): (Target & { field: string; value: string })[] {
    const own = this.#columns.flatMap(([name, { field = name, target }]) => {
      const value = fields[field];
      return target && typeof value === 'string' ? [{ ...target, field, value }] : [];
    });
    return [...own, ...(this.definition.undo?.targets?.(fields) ?? [])];
  }

  /** Columns whose value no two rows share, with the field that shows each. */
  uniqueColumns(): readonly { field: string; column: string }[] {
    const unique = this.definition.undo?.unique ?? [];
    return [...unique, 'short_id'].map((one) => (typeof one === 'string' ? { field: one, column: one } : one));
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

  async #derived(tx: WriteTx, row: AnyRow): Promise<AnyRow> {
    return { ...row, ...(await this.definition.derive?.(row, tx)) };
  }

  /** Without the stamp of the last change, which follows. */
  #changedNames(before: AnyRow, after: AnyRow): string[] {
    return this.#columns.flatMap(([name]) =>
      name !== 'updated_at' && name in after && before[name] !== after[name] ? [name] : [],
    );
  }

  /** `shown`: fields of the record changed; `hidden`: only what the record does not show. */
  async #recordChange(
    tx: WriteTx,
    before: AnyRow,
    after: AnyRow,
    names: readonly string[],
    options: EntityChangeOptions,
  ): Promise<'shown' | 'hidden' | 'no'> {
    const withRole = (role: Column['role']) => names.filter((name) => this.definition.columns[name]?.role === role);
    const shown = withRole('recorded');
    const hidden = withRole('internal');
    const { before: alsoBefore = {}, after: alsoAfter = {} } = options.fields ?? {};
    const fields = {
      before: { ...(await this.#fields(tx, before, shown)), ...alsoBefore },
      after: { ...(await this.#fields(tx, after, shown)), ...alsoAfter },
    };
    const extra = { ...options.internal };
    const isShown = Object.keys(fields.before).length + Object.keys(fields.after).length > 0;
    const isHidden = hidden.length + withRole('secret').length + Object.keys(extra).length > 0;
    if (!isShown && !isHidden) return 'no';
    const pick = (from: AnyRow): AnyRow => Object.fromEntries(hidden.map((name) => [name, from[name] ?? null]));
    const kept = hidden.length > 0 ? { columns: pick(before), written: pick(after) } : {};
    this.#journal.changed(
      tx,
      identify(before),
      fields,
      this.#options(before, { ...options, internal: { ...kept, ...extra } }),
    );
    return isShown ? 'shown' : 'hidden';
  }

  async #recordedFields(tx: ReadTx, row: AnyRow): Promise<Fields> {
    return this.#fields(
      tx,
      row,
      this.#columns.flatMap(([name, { role }]) => (role === 'recorded' ? [name] : [])),
    );
  }

  async #fields(tx: ReadTx, row: AnyRow, names: readonly string[]): Promise<Record<string, unknown>> {
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const { field = name, toField } = this.definition.columns[name] as Column;
      const value = row[name] ?? null;
      fields[field] = toField ? await toField(value, tx) : value;
    }
    return fields;
  }
}

function identify(row: AnyRow): { id: string; short_id: string } {
  return { id: row['id'] as string, short_id: row['short_id'] as string };
}

function withoutUndefined(patch: AnyRow): AnyRow {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
