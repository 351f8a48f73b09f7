import type { Selectable } from 'kysely';

import type { SqlValue } from '../db/engine.ts';
import type { Schema } from '../db/schema.ts';
import type { ReadTx } from '../db/unit-of-work.ts';
import type { Column, Target } from './columns.ts';
import type { EntityType } from './entities.ts';
import type { ChangeOptions } from './journal-of.ts';
import type { AnyDefinition } from './entity-shape.ts';
import { RowEntity } from './row-entity.ts';
import { undoEntity } from './undo-entity.ts';
import type { EntityUndo, NetChange, Obstacle } from './undo.ts';
import type { WriteTx } from './write.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** A row of any table. */
export type AnyRow = Record<string, SqlValue>;
/** Values that only an undo needs. */
export type Internal = Record<string, unknown>;

/** Tables whose rows are entities: they have both kinds of ids. */
export type EntityTable = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { id: string; short_id: string } ? T : never;
}[keyof Schema];

/** Every column of the table with what the journal does with it: a new column does not compile until it says. */
type Columns<T extends EntityTable> = Readonly<Record<keyof Selectable<Schema[T]>, Column>>;
type Row<T extends EntityTable> = Selectable<Schema[T]>;
type DerivedOf<C> = { [K in keyof C]: C[K] extends { role: 'derived' } ? K : never }[keyof C];
type Automatic = 'id' | 'short_id' | 'created_at' | 'updated_at';

type Nullable<R> = { [K in keyof R]: null extends R[K] ? K : never }[keyof R];
type Optional<R> = (Automatic & keyof R) | Nullable<R>;

/** A row to create. Unless given, ids and stamps are made, and nullable columns are null. */
export type NewRow<R, D> = Omit<R, Optional<R> | (D & keyof R)> & {
  readonly [K in Exclude<Optional<R>, D>]?: R[K] | undefined;
};
/** Columns to change; one that is undefined stays as it is. */
export type Patch<R, D = never> = { readonly [K in Exclude<keyof R, D | 'id' | 'short_id'>]?: R[K] | undefined };

/** What a change records besides the columns of its row. */
export interface EntityChangeOptions extends ChangeOptions {
  /** Fields that are kept in other tables. */
  fields?: { before?: Fields; after?: Fields };
}

/** A field whose values differ from row to row, and the column in which they do. */
export interface UniqueField {
  field: string;
  column: string;
  /** The column's value for a value of the field; the same unless given. */
  from?: (value: unknown) => SqlValue;
}

/** The fields that a row gets; null if it goes. */
export interface RowChange {
  entityId: string;
  after: Fields | null;
}

/** How an entity is undone, beyond what the definition of its columns says. */
export interface UndoRules {
  /** Fields whose value no two rows share, so that another row may have taken it since. `short_id` always is one. */
  unique?: readonly (string | UniqueField)[];
  /** Whether something refers to the created row, so that an undo must leave it. */
  isUsed?(tx: ReadTx, id: string, change: NetChange): Promise<boolean>;
  /** Whether something refers to the row that is not among these UUIDs, so that a planned deletion must leave it. */
  isUsedBesides?: (tx: ReadTx, id: string, others: ReadonlySet<string>) => Promise<boolean>;
  /** Records that fields refer to, beyond the columns that are declared as references. */
  targets?(fields: Fields): readonly (Target & { field: string; value: string })[];
  /** Any other reason why the row cannot get these fields. `beside` is what else a plan changes of this type. */
  findObstacle?(tx: ReadTx, id: string, fields: Fields, beside?: readonly RowChange[]): Promise<Obstacle | null>;
  /** Restores fields that are kept in other tables. Returns what undoing this needs. */
  restoreElsewhere?(tx: WriteTx, change: NetChange, fields: Fields): Promise<Internal | void>;
}

export interface Definition<T extends EntityTable, C extends Columns<T>> {
  type: EntityType;
  columns: C;
  /** The derived columns of a row. */
  derive?: (
    row: Row<T>,
    tx: WriteTx,
  ) => Pick<Row<T>, DerivedOf<C> & keyof Row<T>> | Promise<Pick<Row<T>, DerivedOf<C> & keyof Row<T>>>;
  /** If removed rows stay in the table because others refer to them: the column with the time of removal. */
  removedAt?: 'deleted_at' & keyof Row<T>;
  /** Fields that are kept in other tables, read together with the row. */
  fieldsElsewhere?(tx: ReadTx, id: string): Promise<Fields>;
  /** Removes rows of other tables that cannot exist without this one. Returns what restoring them needs. */
  removeBelongings?(tx: WriteTx, id: string): Promise<Internal | void>;
  restoreBelongings?(tx: WriteTx, change: NetChange): Promise<Internal | void>;
  /** The transaction whose timeline shows the change. */
  transactionOf?(row: Row<T>): string;
  /** Absent for entities whose changes cannot be reverted. */
  undo?: UndoRules;
}

/** One table of the ledger whose every write is journaled, and undone, from its definition. */
export interface Entity<R, D = never> {
  readonly type: EntityType;
  /** The row with this UUID or short_id. */
  find(tx: ReadTx, anyId: string): Promise<R | undefined>;
  /** The row as the journal shows it. */
  fieldsOf(tx: ReadTx, row: R): Promise<Fields>;
  create(tx: WriteTx, row: NewRow<R, D>, options?: EntityChangeOptions): Promise<R>;
  /** The options are those of every row, or of the row with this index. */
  createMany(
    tx: WriteTx,
    rows: readonly NewRow<R, D>[],
    options?: EntityChangeOptions | ((index: number) => EntityChangeOptions),
  ): Promise<R[]>;
  /** Returns the changed row. If nothing changed, returns the same object and records nothing. */
  change(tx: WriteTx, row: R, patch: Patch<R, D>, options?: EntityChangeOptions): Promise<R>;
  changeMany(
    tx: WriteTx,
    edits: readonly { row: R; patch: Patch<R, D> }[],
    options?: EntityChangeOptions,
  ): Promise<R[]>;
  remove(tx: WriteTx, row: R, options?: EntityChangeOptions): Promise<void>;
  removeMany(tx: WriteTx, rows: readonly R[], options?: EntityChangeOptions): Promise<void>;
}

export interface UndoableEntity<R, D = never> extends Entity<R, D> {
  readonly undo: EntityUndo;
}

export function defineEntity<T extends EntityTable, const C extends Columns<T>>(
  table: T,
  definition: Definition<T, C> & { undo: UndoRules },
): UndoableEntity<Row<T>, DerivedOf<C>>;
export function defineEntity<T extends EntityTable, const C extends Columns<T>>(
  table: T,
  definition: Definition<T, C>,
): Entity<Row<T>, DerivedOf<C>>;
export function defineEntity(table: EntityTable, definition: unknown): Entity<AnyRow> {
  const entity = new RowEntity(table, definition as AnyDefinition);
  return entity.definition.undo ? Object.assign(entity, { undo: undoEntity(entity) }) : entity;
}
