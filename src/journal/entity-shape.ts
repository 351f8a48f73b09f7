import type { SqlValue } from '../db/engine.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import type { Column, Target } from './columns.ts';
import type { AnyRow, Definition, EntityTable, Fields, UniqueField } from './entity.ts';
import type { WriteTx } from './write.ts';

/** A definition of any table. */
export interface AnyDefinition extends Omit<
  Definition<EntityTable, never>,
  'columns' | 'derive' | 'transactionOf' | 'removedAt'
> {
  columns: Readonly<Record<string, Column>>;
  derive?: (row: AnyRow, tx: WriteTx) => AnyRow | Promise<AnyRow>;
  transactionOf?: (row: AnyRow) => string;
  removedAt?: 'deleted_at';
}

/** The columns of an entity: which role each has, and how a row becomes the journal's fields and back. */
export class EntityShape {
  readonly definition: AnyDefinition;
  readonly #columns: readonly (readonly [name: string, column: Column])[];

  constructor(definition: AnyDefinition) {
    this.definition = definition;
    this.#columns = Object.entries(definition.columns);
  }

  has(name: string): boolean {
    return name in this.definition.columns;
  }

  /** A row in which every column is null, except the stamps. */
  blank(now: string): AnyRow {
    return Object.fromEntries(
      this.#columns.map(([name]) => [name, name === 'created_at' || name === 'updated_at' ? now : null]),
    );
  }

  /** Columns with one of these roles, in the order of the definition. */
  withRole(...roles: Column['role'][]): string[] {
    return this.#columns.flatMap(([name, { role }]) => (roles.includes(role) ? [name] : []));
  }

  /** Columns whose values differ, except the stamp of the last change. */
  changed(before: AnyRow, after: AnyRow): string[] {
    return this.#columns.flatMap(([name]) =>
      name !== 'updated_at' && name in after && before[name] !== after[name] ? [name] : [],
    );
  }

  /** The row with its derived columns. */
  async complete(tx: WriteTx, row: AnyRow): Promise<AnyRow> {
    return { ...row, ...(await this.definition.derive?.(row, tx)) };
  }

  /** Recorded columns → fields. */
  async toFields(tx: ReadTx, row: AnyRow, names = this.withRole('recorded')): Promise<Record<string, unknown>> {
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const { field = name, toField } = this.definition.columns[name] as Column;
      const value = row[name] ?? null;
      fields[field] = toField ? await toField(value, tx) : value;
    }
    return fields;
  }

  /** Fields → columns, and those derived from them. `row` is the row they belong to; null for a new one. */
  async toColumns(tx: WriteTx, fields: Fields, row: AnyRow | null): Promise<AnyRow> {
    const columns: AnyRow = {};
    for (const [name, { role, field = name, toColumn }] of this.#columns) {
      if (role !== 'recorded' || !(field in fields)) continue;
      const value = fields[field];
      columns[name] = toColumn ? await toColumn(value, tx) : (value as SqlValue);
    }
    const whole = await this.complete(tx, { ...row, ...columns });
    for (const name of this.withRole('derived')) columns[name] = whole[name] as SqlValue;
    return columns;
  }

  /** What these fields, and internal columns, refer to. */
  targetsOf(fields: Fields): (Target & { field: string; value: string })[] {
    const own = this.#columns.flatMap(([name, { field = name, target }]) => {
      const value = fields[field];
      return target && typeof value === 'string' ? [{ ...target, field, value }] : [];
    });
    return [...own, ...(this.definition.undo?.targets?.(fields) ?? [])];
  }

  /** Columns whose value no two rows share, with the field that shows each. */
  uniqueColumns(): readonly UniqueField[] {
    const unique = this.definition.undo?.unique ?? [];
    return [...unique, 'short_id'].map((one) => (typeof one === 'string' ? { field: one, column: one } : one));
  }
}
